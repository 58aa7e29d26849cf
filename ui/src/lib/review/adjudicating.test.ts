// Which of two who differ can be right, and what that decides.
import { describe, expect, it } from "vitest";
import { settles, sideAt } from "./adjudicating";

const value = { value: { amount: 7 }, text: "7", states_a_value: true, not_stated: false };
const none = { value: null, text: "not stated", states_a_value: false, not_stated: true };
const rejected = { value: null, text: "no value", states_a_value: false, not_stated: false };

describe("two who differ", () => {
  it("are chosen by number, where they state something", () => {
    expect([0, 1, 2].map((chosen) => sideAt({ one: value, other: none }, chosen))).toEqual([value, none, null]);
    expect(sideAt({ one: rejected, other: value }, 0)).toBeNull();
  });

  it("settle a value, or that there is none, which asks why", () => {
    expect(settles(value)).toEqual({ correct: { amount: 7 } });
    expect(settles(none)).toBe("abstain");
    // A value may be false or 0: it is stated all the same.
    expect(settles({ ...value, value: false })).toEqual({ correct: false });
  });
});
