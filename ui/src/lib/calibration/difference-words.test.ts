// Differences in words.
import { expect, it } from "vitest";
import { differenceWords, points } from "./difference-words";

it("writes points with a sign, and nought without", () => {
  expect([0.0312, -0.2, 0, -0.0001].map(points)).toEqual(["+3.1", "−20.0", "0.0", "0.0"]);
});

it("says chance unless the interval leaves nought out", () => {
  const bin = { from: 0, to: 1, difference: 0.1 };
  expect(differenceWords({ ...bin, low: 0.01, high: 0.2 })).toContain("◇");
  expect(differenceWords({ ...bin, low: -0.2, high: -0.01 })).toContain("●");
  expect(differenceWords({ ...bin, low: -0.01, high: 0.2 })).toBe("may be chance");
  expect(differenceWords({ ...bin, difference: null, low: null, high: null })).toContain("empty");
});
