// What is said of the weeks that an estimate rests on. Deliberately not here: which weeks are closed; the core says.
import { describe, expect, it } from "vitest";
import { cohortSentence } from "./curve-names";
import { aCurve } from "./curve-sample";

describe("what weeks an estimate rests on", () => {
  it("says how many are closed, and what waits in the others", () => {
    expect(cohortSentence(aCurve({ closed_cohorts: 1 }))).toBe("Estimated on 1 closed week.");
    const open = { open_cohorts: 2, open_since: "2026-11-16" };
    expect(cohortSentence(aCurve({ closed_cohorts: 3, ...open, labels_waiting: 5 }))).toBe(
      "Estimated on 3 closed weeks. 2 weeks open, the oldest from Monday 2026-11-16; 5 labels there wait for the rest.",
    );
  });

  it("never passes off what happens to be decided as more than that", () => {
    const open = { closed_cohorts: 0, open_cohorts: 1, open_since: "2026-11-16" };
    expect(cohortSentence(aCurve({ ...open, labels: 9 }))).toContain("No closed week yet: this is over what happens to be decided");
    expect(cohortSentence(aCurve({ ...open, labels: 0 }))).toBe("No closed week yet: 1 week open, the oldest from Monday 2026-11-16.");
    expect(cohortSentence(aCurve({ closed_cohorts: 0, open_cohorts: 0, labels: 0 }))).toBe("Nothing was decided yet.");
  });
});
