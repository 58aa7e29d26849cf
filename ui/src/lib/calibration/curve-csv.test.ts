// The CSV of a chart: the core's numbers to the last digit, empty where there is none.
import { describe, expect, it } from "vitest";
import { curveCsv } from "./curve-csv";
import { aBin, aCurve } from "./curve-sample";

const curve = aCurve({
  model: 'org/"large", v2',
  bins: [
    aBin({ from: 0, to: 0.6 }),
    aBin({ from: 0.6, to: 1, n: 7, n_effective: 3.25, right: 0.1 + 0.2, mean_confidence: 0.8, low: 0.1, high: 0.6, rising: 0.3 }),
  ],
});

describe("curveCsv", () => {
  it("has one line for each bin, digits as they came, and quotes what needs it", () => {
    const lines = curveCsv(curve, null, []).split("\r\n");
    expect(lines).toHaveLength(4);
    expect(lines[0]?.split(",")[4]).toBe("confidence_from");
    expect(lines[1]).toBe('f,present,"org/""large"", v2",p-1,0,0.6,0,0,,,,,,,');
    expect(lines[2]).toBe('f,present,"org/""large"", v2",p-1,0.6,1,7,3.25,0.8,0.30000000000000004,0.1,0.6,0.3,,');
    expect(lines[3]).toBe("");
  });

  it("puts the differences with the second curve, and every line has every column", () => {
    const second = aCurve({ prompt_version: "p-2", bins: curve.bins });
    const text = curveCsv(aCurve({ bins: curve.bins }), second, [{ from: 0.6, to: 1, difference: -0.25, low: -0.5, high: 0.1 }]);
    const lines = text.trimEnd().split("\r\n");
    expect(lines).toHaveLength(5);
    expect(new Set(lines.map((line) => line.split(",").length))).toEqual(new Set([18]));
    expect(lines.filter((line) => line.endsWith(",-0.25,-0.5,0.1"))).toEqual([lines[4]]);
    expect(lines[4]).toContain("p-2");
  });
});
