// The handles' moves.
import { describe, expect, it } from "vitest";
import { keyTarget, moved } from "./threshold-handle";

describe("moved", () => {
  it("goes to hundredths between 0 and 1", () => {
    expect(moved({ show: 0.9, flag: 0.8 }, "show", 0.8849)).toEqual({ show: 0.88, flag: 0.8 });
    expect(moved({ show: 0.9, flag: 0.8 }, "show", 1.2)).toEqual({ show: 1, flag: 0.8 });
    expect(moved({ show: null, flag: null }, "flag", -0.3)).toEqual({ show: null, flag: 0 });
  });

  it("stops at the other handle", () => {
    expect(moved({ show: 0.9, flag: 0.8 }, "show", 0.5)).toEqual({ show: 0.8, flag: 0.8 });
    expect(moved({ show: 0.9, flag: 0.8 }, "flag", 0.95)).toEqual({ show: 0.9, flag: 0.9 });
  });
});

describe("keyTarget", () => {
  it.each([
    ["ArrowLeft", 0.9, 0.89],
    ["ArrowUp", 0.9, 0.91],
    ["PageDown", 0.9, 0.85],
    ["End", 0.9, 1],
    ["ArrowLeft", null, 0.99],
  ])("%s from %j goes to %d", (key, from, to) => {
    expect(keyTarget(key, from)).toBeCloseTo(to, 12);
  });

  it("leaves other keys alone", () => expect(keyTarget("j", 0.9)).toBeNull());
});
