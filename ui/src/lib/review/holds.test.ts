// Who holds what, and one's own pace in words.
import { expect, it } from "vitest";
import type { PaceView } from "$lib/generated/PaceView";
import type { QueueItem } from "$lib/generated/QueueItem";
import { apart } from "./holds";
import { paceWords, setAsideWords } from "./pace-words";

const item = (name: string, more: Partial<QueueItem>): QueueItem => ({
  item: name,
  item_version: 1,
  doc_id: "d",
  doc_sha256: "0",
  field: "f",
  reason: "check_value",
  hard: false,
  due_at: null,
  created_at: "",
  held_by: null,
  held_until: null,
  held_for_later_by: null,
  held_for_later_at: null,
  hold_note: null,
  title: "",
  locator: null,
  ...more,
});

it("leases that ran out are nobody's, and what waits longest stands first", () => {
  const now = Date.parse("2026-12-01T10:00:00Z");
  const items = [
    item("late", { held_by: "Ada", held_until: "2026-12-01T10:09:00Z" }),
    item("soon", { held_by: "Bea", held_until: "2026-12-01T10:01:00Z" }),
    item("over", { held_by: "Bea", held_until: "2026-12-01T09:59:59Z" }),
    item("new", { held_for_later_by: "Ada", held_for_later_at: "2026-12-01T09:00:00Z" }),
    item("old", { held_for_later_by: "Bea", held_for_later_at: "2026-11-30T09:00:00Z" }),
  ];
  const { now: working, later } = apart(items, now);
  expect(working.map((one) => one.item)).toEqual(["soon", "late"]);
  expect(later.map((one) => one.item)).toEqual(["old", "new"]);
});

const pace = (more: Partial<PaceView>): PaceView => ({
  today: { n: 34, median_milliseconds: 12_000 },
  usual: { n: 212, median_milliseconds: 15_000 },
  fast_accepts: 0,
  set_aside: [],
  ...more,
});

it("a pace is said once there is one, with the median's count, and against oneself alone", () => {
  expect(paceWords(pace({}))).toBe("Today 12 s a decision, the median of 34. Your usual is 15 s.");
  expect(paceWords(pace({ usual: { n: 3, median_milliseconds: null } }))).toBe("Today 12 s a decision, the median of 34.");
  expect(paceWords(pace({ today: { n: 4, median_milliseconds: null } }))).toBeNull();
});

it("a run that is set aside is one factual sentence", () => {
  expect(setAsideWords(pace({}))).toBeNull();
  expect(setAsideWords(pace({ fast_accepts: 6 }))).toMatch(/^6 accepts of yours/);
});
