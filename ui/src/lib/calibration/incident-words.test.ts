// What is said of incidents, and what their picture is made of.
import { describe, expect, it } from "vitest";
import type { FieldTimes } from "$lib/generated/FieldTimes";
import type { IncidentDecision } from "$lib/generated/IncidentDecision";
import type { IncidentView } from "$lib/generated/IncidentView";
import { effectRows, floorsOf, inOrder, isFast, isOwn, openCount, timesInWords, timeWords } from "./incident-words";
import { timesCsv, timesName } from "./times-export";
import { runMarks, timeDomain } from "./times-plot";

const decision = (more: Partial<IncidentDecision>): IncidentDecision => ({
  decision: "d",
  item: "i",
  doc_id: "doc",
  field: "f",
  record_id: "r",
  kind: "accept",
  active_milliseconds: 900,
  floor_milliseconds: 4000,
  recorded_at: "",
  standing: true,
  ...more,
});

const incident = (more: Partial<IncidentView>): IncidentView => ({
  incident: "x",
  reviewer: "Ada",
  state: "open",
  opened_at: "2026-12-01T10:00:00+01:00",
  accepts: 5,
  decisions: [],
  resolved_by: null,
  resolved_at: null,
  why: null,
  ...more,
});

const times = (more: Partial<FieldTimes>): FieldTimes => ({
  field: "f",
  title: "Total",
  times: [10_000, 20_000],
  frozen: true,
  wanted: 20,
  spread: { least: 10_000, lower_quartile: 12_000, median: 15_000, upper_quartile: 18_000, greatest: 20_000 },
  floor_milliseconds: 4000,
  ...more,
});

describe("the list of incidents", () => {
  it("has those that wait first, and the newest of each on top", () => {
    const list = [
      incident({ incident: "kept", state: "kept", opened_at: "2026-12-03" }),
      incident({ incident: "old", opened_at: "2026-12-01" }),
      incident({ incident: "new", opened_at: "2026-12-02" }),
    ];
    expect(inOrder(list).map((one) => one.incident)).toEqual(["new", "old", "kept"]);
    expect(openCount(list)).toBe(2);
  });

  it("knows a reviewer's own, however the name is typed", () => {
    expect(isOwn(incident({}), " ada ")).toBe(true);
    expect(isOwn(incident({}), "Adam")).toBe(false);
    expect(isOwn(incident({}), undefined)).toBe(false);
  });
});

describe("a decision of a run", () => {
  it("is fast only as an accept under the floor that held then", () => {
    expect(isFast(decision({}))).toBe(true);
    expect(isFast(decision({ active_milliseconds: 4000 }))).toBe(false);
    expect(isFast(decision({ kind: "reject" }))).toBe(false);
    expect(isFast(decision({ active_milliseconds: null }))).toBe(false);
    expect(isFast(decision({ floor_milliseconds: null }))).toBe(false);
  });

  it("has no time where no window saw it, never nought", () => {
    expect(timeWords(decision({ active_milliseconds: null, floor_milliseconds: null }))).toBe("not timed");
    expect(timeWords(decision({}))).toBe("0.9 s, floor 4.0 s");
    expect(runMarks([decision({ active_milliseconds: null }), decision({})])).toHaveLength(1);
  });
});

describe("the picture of times", () => {
  it("holds the run, the field's own times and the floor", () => {
    const [low, high] = timeDomain([900, 10_000, 4000]);
    expect(low).toBeLessThan(900);
    expect(high).toBeGreaterThan(10_000);
    // An axis of multiples can't hold nought.
    expect(timeDomain([0])[0]).toBeGreaterThan(0);
  });

  it("draws the floors that held then, and the one of now only where none did", () => {
    expect(floorsOf(times({}), [decision({}), decision({ floor_milliseconds: 6000 }), decision({})])).toEqual([4000, 6000]);
    expect(floorsOf(times({}), [decision({ floor_milliseconds: null })])).toEqual([4000]);
  });

  it("is said in one sentence, frozen or not", () => {
    expect(timesInWords(times({}), [decision({}), decision({ active_milliseconds: 2000 })])).toBe(
      "Total: 2 decisions of this run took 0.9 s to 2.0 s; the floor is 4.0 s; the frozen baseline of 2 times: half of them lie between 12 s and 18 s, the median is 15 s.",
    );
    expect(timesInWords(times({ frozen: false, times: [], spread: null }), [])).toContain("no baseline is frozen yet, 0 of 20");
  });
});

it("the effect has a row a curve: now, if kept, if void", () => {
  const curve = { field: "f", model: "m", prompt_version: "p", of: "absent" };
  const [four, eleven] = [{ n: 4, right: 0.75 }, { n: 11, right: 0.9 }];
  const kept = [{ ...curve, before: four, after: eleven }];
  const voided = [{ ...curve, before: four, after: four }];
  expect(effectRows(kept, voided)).toEqual([{ curve: "f · absent · m p", now: four, kept: eleven, voided: four }]);
  expect(effectRows([], [])).toEqual([]);
});

it("the times are saved as they are, the field's own and the run's, no time left empty", () => {
  const detail = {
    ...incident({ reviewer: "Ada/Bea", decisions: [decision({ decision: "d1" }), decision({ decision: "d2", active_milliseconds: null, floor_milliseconds: null })] }),
    if_kept: [],
    if_voided: [],
    field_times: [times({})],
  };
  expect(timesName(detail, "csv")).toBe("incident Ada-Bea x.csv");
  expect(timesCsv(detail).split("\r\n")).toEqual([
    "field,of,decision,what,active_milliseconds,floor_milliseconds,recorded_at",
    "f,baseline,,,10000,,",
    "f,baseline,,,20000,,",
    "f,run,d1,accept,900,4000,",
    "f,run,d2,accept,,,",
    "",
  ]);
});
