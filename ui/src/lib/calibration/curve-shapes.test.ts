// The points that a curve is drawn from.
import { describe, expect, it } from "vitest";
import { aBin, aCurve } from "./curve-sample";
import { across, confidenceAt, steps, thresholdWords, worstBins } from "./curve-shapes";

describe("steps", () => {
  it("is level across each bin and broken at an empty one", () => {
    const line = steps([
      aBin({ from: 0, to: 0.6, rising: 0.4 }),
      aBin({ from: 0.6, to: 0.75 }),
      aBin({ from: 0.75, to: 0.85, rising: 0.7 }),
      aBin({ from: 0.85, to: 1, rising: 0.7 }),
    ]);
    expect(line.map(({ x }) => x)).toEqual([0, 0.6, 0.6, 0.75, 0.85, 0.85, 1]);
    expect(line.map(({ y }) => y)).toEqual([0.4, 0.4, Number.NaN, 0.7, 0.7, 0.7, 0.7]);
  });
});

describe("worstBins", () => {
  const lower = aBin({ from: 0.95, right: 0.9, worst_right: 0.8, worst_low: 0.7 });
  const same = aBin({ from: 0.85, right: 0.9, worst_right: 0.9, worst_low: 0.8 });
  const onlyPending = aBin({ from: 0.6, worst_right: 0, worst_low: 0 });

  it("has the bins that would fall, also one with nothing decided", () => {
    expect(worstBins(aCurve({ pending: 3, bins: [aBin({}), onlyPending, same, lower] })).map((bin) => bin.from)).toEqual([0.6, 0.95]);
  });

  it("has none where nothing is pending", () => {
    expect(worstBins(aCurve({ pending: 0, bins: [lower] }))).toEqual([]);
  });
});

describe("across", () => {
  it("turns back, and ends at 0 and 1", () => {
    for (const confidence of [0, 0.5, 0.884, 1]) {
      expect(confidenceAt(across(confidence, 700), 700)).toBeCloseTo(confidence, 12);
    }
    expect(confidenceAt(-20, 700)).toBe(0);
    expect(confidenceAt(900, 700)).toBe(1);
  });
});

describe("thresholdWords", () => {
  it("says where a handle is not in force", () => {
    expect(thresholdWords("show", 0.9, 0.9)).toBe("show 0.90");
    expect(thresholdWords("show", 0.91, 0.9)).toBe("show 0.91, not set");
    expect(thresholdWords("verify", 0.8, null)).toBe("verify 0.80, not set");
  });
});
