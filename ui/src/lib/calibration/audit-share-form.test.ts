// The audit shares and their reason, as typed.
import { describe, expect, it } from "vitest";
import { perCent, raised, readAuditShares } from "./audit-share-form";

const old = { show: 0.05, flag: 0.05, abstain: 0.02 };

describe("readAuditShares", () => {
  it("reads per cent, a comma as a point, a sign or none", () => {
    expect(readAuditShares({ show: "10", flag: " 7,5 % ", abstain: "2" }, old, " sooner ")).toEqual({
      ok: true,
      shares: { show: 0.1, flag: 0.075, abstain: 0.02 },
      why: "sooner",
    });
  });

  it.each([
    [{ show: "0", flag: "5", abstain: "2" }, "x"],
    [{ show: "101", flag: "5", abstain: "2" }, "x"],
    [{ show: "", flag: "5", abstain: "2" }, "x"],
    [{ show: "ten", flag: "5", abstain: "2" }, "x"],
    [{ show: "5", flag: "5", abstain: "2" }, "x"],
    [{ show: "10", flag: "5", abstain: "2" }, "  "],
  ])("refuses %j because %j", (typed, why) => {
    expect(readAuditShares(typed, old, why).ok).toBe(false);
  });
});

describe("raised", () => {
  it("doubles what feeds the curve, up to everything", () => {
    expect(raised(old, "present")).toEqual({ show: 0.1, flag: 0.1, abstain: 0.02 });
    expect(raised({ ...old, abstain: 0.7 }, "absent")).toEqual({ show: 0.05, flag: 0.05, abstain: 1 });
  });
});

it("writes per cent without noise", () => {
  expect([0.05, 0.07, 0.125, 1].map(perCent)).toEqual(["5", "7", "12.5", "100"]);
});
