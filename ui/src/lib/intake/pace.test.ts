// The pace of an import: a rate and a time left, and nothing before either can be told.
import { expect, test } from "vitest";
import { importPace } from "./pace";

test("a rate and what is left follow from what is done", () => {
  expect(importPace(2_000_000, 10_000_000, 4_000)).toEqual({ rate: 500_000, left: 16_000 });
  expect(importPace(10_000_000, 10_000_000, 4_000)).toEqual({ rate: 2_500_000, left: null });
});

test("nothing is said before a second is over or anything is done", () => {
  expect(importPace(500, 1_000, 900)).toBeNull();
  expect(importPace(0, 1_000, 5_000)).toBeNull();
});
