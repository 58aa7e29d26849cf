// The two axes: what is in the range, where things stand, and how many ticks there are.
import { expect, test } from "vitest";
import type { TimelineView } from "$lib/generated/TimelineView";
import { axesOf, dayAt, dayStart, joined, placeOf, ticksOf } from "./time-axes";

const revision = (seq: number, effective: string | null, recorded: string) =>
  ({ seq, revision: String.fromCharCode(64 + seq), effective_date: effective, recorded_at: recorded }) as never;

const timeline = {
  doc_id: "d",
  in_force: 2,
  sections: [],
  revisions: [revision(1, "2024-01-01", "2023-12-01T00:00:00Z"), revision(2, "2025-03-01", "2025-04-01T00:00:00Z")],
  known: [
    { from: "2023-12-01T00:00:00Z", to: "2025-04-01T00:00:00Z", stretches: [{ from: "2024-01-01", to: null, revision: "A", seq: 1 }] },
    {
      from: "2025-04-01T00:00:00Z",
      to: null,
      stretches: [
        { from: "2024-01-01", to: "2025-03-01", revision: "A", seq: 1 },
        { from: "2025-03-01", to: null, revision: "B", seq: 2 },
      ],
    },
  ],
} as TimelineView;

test("every date, now and the dates asked for are in the range, and blocks end with it", () => {
  const now = Date.parse("2026-11-30T12:00:00Z");
  const axes = axesOf(timeline, now, "2022-05-05", null);
  for (const moment of [dayStart("2022-05-05"), dayStart("2024-01-01"), now]) {
    expect(placeOf(axes, moment)).toBeGreaterThan(0);
    expect(placeOf(axes, moment)).toBeLessThan(1);
  }
  expect(axes.blocks.map(({ revision, from, to }) => [revision, from, to])).toEqual([
    ["A", dayStart("2024-01-01"), axes.to],
    ["A", dayStart("2024-01-01"), dayStart("2025-03-01")],
    ["B", dayStart("2025-03-01"), axes.to],
  ]);
  // What is learned late is higher up, not further left.
  expect(axes.blocks[2]?.knownFrom).toBe(Date.parse("2025-04-01T00:00:00Z"));
});

test("a day comes back from its place", () => {
  const axes = axesOf(timeline, Date.parse("2026-11-30T12:00:00Z"), null, null);
  const day = dayStart("2025-03-01") + 3_600_000;
  expect(dayAt(axes, placeOf(axes, day))).toBe("2025-03-01");
  expect(dayAt(axes, -1) <= "2023-12-01").toBe(true);
});

test("blocks of the same days that follow each other in what was known are one", () => {
  const one = { seq: 1, revision: "A", from: 0, to: 9, knownFrom: 0, knownTo: 5 };
  expect(joined([one, { ...one, knownFrom: 5, knownTo: 8 }])).toEqual([{ ...one, knownTo: 8 }]);
  expect(joined([one, { ...one, knownFrom: 6, knownTo: 8 }])).toHaveLength(2);
  expect(joined([one, { ...one, to: 7, knownFrom: 5, knownTo: 8 }])).toHaveLength(2);
});

test("there are some ticks and never many, whatever the range", () => {
  for (const years of [0.2, 1, 2, 5, 12, 40]) {
    const axes = { from: Date.parse("2020-02-03"), to: Date.parse("2020-02-03") + years * 365 * 86_400_000, blocks: [] };
    const ticks = ticksOf(axes);
    expect(ticks.length, String(years)).toBeGreaterThan(1);
    expect(ticks.length, String(years)).toBeLessThan(16);
    expect(ticks.every(({ at }) => at >= axes.from && at <= axes.to)).toBe(true);
  }
});
