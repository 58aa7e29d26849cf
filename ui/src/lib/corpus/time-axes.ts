// Where things stand on the two axes of a time line: days across (when in force), moments up (when known).
//
// Deliberately not here: what is in force; the stretches come from the core.
import type { TimelineView } from "$lib/generated/TimelineView";

const DAY = 86_400_000;

/** One rectangle: a revision in force on these days, as known in this time. Milliseconds since 1970. */
export interface Block {
  seq: number;
  revision: string;
  from: number;
  to: number;
  knownFrom: number;
  knownTo: number;
}

export interface Axes {
  /** Both axes have the same range, so that what was known in time lies under the diagonal. */
  from: number;
  to: number;
  blocks: Block[];
}

/** The start of a day, as a moment where this window is. */
export const dayStart = (day: string): number => new Date(`${day}T00:00:00`).getTime();

/** The range that shows every date, with room on both sides; `now` and the dates asked for are always in it. */
export function axesOf(timeline: TimelineView, now: number, validAt: string | null, knownAt: string | null): Axes {
  const days = timeline.revisions.flatMap(({ effective_date }) => (effective_date === null ? [] : [dayStart(effective_date)]));
  const moments = timeline.revisions.map(({ recorded_at }) => Date.parse(recorded_at));
  const asked = [validAt, knownAt].flatMap((day) => (day === null ? [] : [dayStart(day)]));
  const all = [...days, ...moments, ...asked, now].filter((moment) => !Number.isNaN(moment));
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const room = Math.max((most - least) * 0.06, 20 * DAY);
  const [from, to] = [least - room, most + room];
  const blocks = timeline.known.flatMap((known) =>
    known.stretches.map((stretch) => ({
      seq: stretch.seq,
      revision: stretch.revision,
      from: dayStart(stretch.from),
      to: stretch.to === null ? to : dayStart(stretch.to),
      knownFrom: Date.parse(known.from),
      knownTo: known.to === null ? to : Date.parse(known.to),
    })),
  );
  return { from, to, blocks: joined(blocks) };
}

/** Blocks of one revision over the same days that touch in what was known are one: fewer edges, nothing else. */
export function joined(blocks: readonly Block[]): Block[] {
  const all: Block[] = [];
  for (const block of blocks) {
    const before = all.find(
      (one) =>
        one.seq === block.seq && one.from === block.from && one.to === block.to && one.knownTo === block.knownFrom,
    );
    if (before) before.knownTo = block.knownTo;
    else all.push({ ...block });
  }
  return all;
}

/** A share of the range, from 0. */
export const placeOf = (axes: Axes, moment: number): number => (moment - axes.from) / (axes.to - axes.from);

/** The day at a share of the range, `yyyy-mm-dd` where this window is. */
export function dayAt(axes: Axes, share: number): string {
  const at = new Date(axes.from + Math.min(1, Math.max(0, share)) * (axes.to - axes.from));
  const two = (value: number) => String(value).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Years, or months where the range is short: where a tick stands, and its words. At most some ten. */
export function ticksOf(axes: Axes): { at: number; words: string }[] {
  const years = (axes.to - axes.from) / (365.25 * DAY);
  const step = years > 24 ? 60 : years > 10 ? 24 : years > 2.5 ? 12 : years > 1.2 ? 3 : 1;
  const ticks: { at: number; words: string }[] = [];
  const first = new Date(axes.from);
  const start = step >= 12 ? new Date(first.getFullYear(), 0, 1) : new Date(first.getFullYear(), first.getMonth(), 1);
  for (const at = start; at.getTime() <= axes.to; at.setMonth(at.getMonth() + step)) {
    if (at.getTime() < axes.from) continue;
    const month = at.toLocaleString("en", { month: "short" });
    ticks.push({
      at: at.getTime(),
      words: step >= 12 ? String(at.getFullYear()) : `${month} ${at.getFullYear()}`,
    });
  }
  return ticks;
}
