// Leases and items held for later, told apart. Deliberately not here: reading them.
import type { QueueItem } from "$lib/generated/QueueItem";

/** Leases that still run, the first to end on top; and what waits, the longest on top. */
export function apart(items: readonly QueueItem[], now: number): { now: QueueItem[]; later: QueueItem[] } {
  const running = ({ held_by, held_until }: QueueItem) => held_by !== null && Date.parse(held_until ?? "") > now;
  const by = (key: "held_until" | "held_for_later_at") => (one: QueueItem, other: QueueItem) =>
    Date.parse(one[key] ?? "") - Date.parse(other[key] ?? "");
  return {
    now: items.filter(running).sort(by("held_until")),
    later: items.filter(({ held_for_later_by }) => held_for_later_by !== null).sort(by("held_for_later_at")),
  };
}
