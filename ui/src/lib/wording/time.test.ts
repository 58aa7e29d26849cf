// Durations and due dates in words.
import { describe, expect, it } from "vitest";
import { clock, due, duration, stretch } from "./time";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe("duration", () => {
  it.each([
    [0, "0.0 s"],
    [-5, "0.0 s"],
    [1240, "1.2 s"],
    [41_400, "41 s"],
    [59_700, "1 m"],
    [72_000, "1 m 12 s"],
    [2 * HOUR + 5 * MINUTE, "2 h 5 m"],
  ])("%d ms is %s", (milliseconds, words) => {
    expect(duration(milliseconds)).toBe(words);
  });
});

describe("stretch", () => {
  it.each([
    [20_000, "under 1 m"],
    [35 * MINUTE, "35 m"],
    [4 * HOUR + 20 * MINUTE, "4 h 20 m"],
    [13 * HOUR + 59 * MINUTE, "13 h"],
    [2 * DAY + 4 * HOUR, "2 d 4 h"],
    [2 * DAY, "2 d"],
    [5 * DAY + 20 * HOUR, "5 d"],
  ])("%d ms is %s", (milliseconds, words) => {
    expect(stretch(milliseconds)).toBe(words);
  });
});

describe("due", () => {
  const now = Date.parse("2026-12-01T09:00:00+01:00");

  it("says none where there is none, or where it can't be read", () => {
    expect(due(null, now)).toMatchObject({ text: "—", urgency: "none" });
    expect(due("tomorrow", now)).toMatchObject({ text: "—", urgency: "none" });
  });

  it("counts down, and says soon within three days", () => {
    expect(due("2026-12-03T13:00:00+01:00", now)).toMatchObject({ text: "2 d 4 h", urgency: "soon" });
    expect(due("2026-12-13T09:00:00+01:00", now)).toMatchObject({ text: "12 d", urgency: "later" });
  });

  it("says how late it is", () => {
    expect(due("2026-12-01T04:30:00+01:00", now)).toMatchObject({ text: "4 h 30 m late", urgency: "overdue" });
  });
});

describe("clock", () => {
  it("says hours and minutes, and unknown where it can't", () => {
    expect(clock("2026-12-01T10:42:31")).toBe("10:42");
    expect(clock("")).toBe("unknown");
  });
});
