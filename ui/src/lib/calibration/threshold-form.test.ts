// The two thresholds and their reason, as typed.
import { describe, expect, it } from "vitest";
import { readThresholds } from "./threshold-form";

describe("readThresholds", () => {
  it("reads two numbers and a reason, a comma as a point", () => {
    expect(readThresholds("0.884", " .79", " measured ")).toEqual({ ok: true, tau_show: 0.884, tau_flag: 0.79, why: "measured" });
    expect(readThresholds("0,9", "0", "x")).toEqual({ ok: true, tau_show: 0.9, tau_flag: 0, why: "x" });
    expect(readThresholds("1", "1", "x")).toEqual({ ok: true, tau_show: 1, tau_flag: 1, why: "x" });
  });

  it.each([
    ["1.2", "0.8", "x"],
    ["0.9", "-0.1", "x"],
    ["high", "0.8", "x"],
    ["", "0.8", "x"],
    ["0.9", " ", "x"],
    ["0.7", "0.8", "x"],
    ["0.9", "0.8", " "],
  ])("refuses %j %j %j", (show, flag, why) => {
    expect(readThresholds(show, flag, why).ok).toBe(false);
  });
});
