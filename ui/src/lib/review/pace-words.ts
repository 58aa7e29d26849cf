// A reviewer's own pace in calm words. Deliberately not here: a target, praise, blame, and anybody else.
import type { PaceView } from "$lib/generated/PaceView";
import { whole } from "$lib/wording/figures";
import { duration } from "$lib/wording/time";

/** Today against what is usual for oneself; null while today's decisions are too few to say. */
export function paceWords({ today, usual }: PaceView): string | null {
  if (today.median_milliseconds === null) return null;
  const own = usual.median_milliseconds === null ? "" : ` Your usual is ${duration(usual.median_milliseconds)}.`;
  return `Today ${duration(today.median_milliseconds)} a decision, the median of ${whole(today.n)}.${own}`;
}

/** What of one's own is set aside; null where nothing is. */
export const setAsideWords = ({ fast_accepts }: PaceView): string | null =>
  fast_accepts === 0
    ? null
    : `${whole(fast_accepts)} accepts of yours in a row each took less time than the field's floor. They count in no curve until somebody has looked at them.`;
