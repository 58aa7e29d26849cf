// Runs that agree are one line. Deliberately not here: how the line looks.
import { expect, test } from "vitest";
import type { CandidateView } from "$lib/generated/CandidateView";
import { newerSayings } from "./newer-sayings";

const saying = (value_text: string) => ({ value_text }) as CandidateView;

test("each saying once, in the order first said", () => {
  expect(newerSayings([saying("7 years"), saying("5 years"), saying(""), saying("7 years")])).toEqual([
    { says: "7 years", count: 2 },
    { says: "5 years", count: 1 },
    { says: "not stated", count: 1 },
  ]);
  expect(newerSayings([])).toEqual([]);
});
