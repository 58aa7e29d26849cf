// The figures that are watched, in words: nothing counted is no figure, and no rounding hides a failure.
import { describe, expect, it } from "vitest";
import type { AgreementView } from "$lib/generated/AgreementView";
import type { WatchLine } from "$lib/generated/WatchLine";
import { alphaWords, errorWords, honestShare, lineState, lineTime } from "./watch-words";

const figure = (passed: number, of: number) => ({ passed, of, share: of === 0 ? null : passed / of });
const spaces = (words: string) => words.replace(/[\u00a0\u202f]/g, " ");

describe("a share", () => {
  it("of nothing is none yet, never 0 or 100", () => {
    expect(honestShare(figure(0, 0))).toBe("none yet");
    expect(errorWords({ from: 0, to: 0.6, n: 0, error: null })).toBe("none yet");
  });

  it.each([
    [7, 9, "77.8 %"],
    [9, 9, "100.0 %"],
    [0, 9, "0.0 %"],
    [9_999, 10_000, "99.99 %"],
    [1, 10_000, "0.01 %"],
  ])("%d of %d is %s: all and none are said of all and none alone", (passed, of, words) => {
    expect(spaces(honestShare(figure(passed, of)))).toBe(words);
  });

  it("of an empty bin is not an error of 0", () => {
    expect(spaces(errorWords({ from: 0, to: 0.6, n: 4, error: 0 }))).toBe("0.0 % of 4");
  });
});

describe("alpha", () => {
  const agreement = (alpha: number | null, pairs: number, pairs_short: number) =>
    alphaWords({ alpha, pairs, pairs_short } as AgreementView);

  it("is said with what it rests on, and not at all where that is too little or all the same", () => {
    expect(agreement(0.8716, 34, 0)).toBe("0.872 of 34 pairs");
    expect(agreement(null, 1, 19)).toBe("1 pair, 19 too few");
    expect(agreement(null, 34, 0)).toBe("34 pairs, all the same");
  });
});

describe("a line behind a figure", () => {
  const line: WatchLine = {
    failing: true,
    doc_id: "d",
    doc_sha256: "0",
    field: "f",
    record_id: "r",
    citation: null,
    item: null,
    decision: null,
    state: null,
    reason: null,
    due_at: null,
    recorded_at: "2026-12-01T09:00:00",
  };
  const now = Date.parse("2026-12-01T09:00:00");

  it("says what a check found, what was decided, or how late it is", () => {
    expect(lineState({ ...line, citation: "c", state: "failed", reason: "quote_mismatch" }, now).words).toBe("failed: quote mismatch");
    expect(lineState({ ...line, citation: "c", state: "verified" }, now)).toEqual({ words: "verified", shape: "✓" });
    expect(lineState({ ...line, citation: "c" }, now).words).toBe("not checked");
    expect(lineState({ ...line, decision: "x", state: "reject", reason: "other" }, now).words).toBe("rejected: other");
    expect(lineState({ ...line, item: "i", state: "open", due_at: "2026-12-01T07:00:00" }, now).words).toBe("2 h late");
    expect(lineState({ ...line, item: "i", state: "open" }, now).words).toBe("no due date");
  });

  it("says when it came", () => {
    expect(lineTime({ ...line, decision: "x" })).toBe("decided 1 Dec 2026 09:00");
    expect(lineTime({ ...line, item: "i" })).toBe("queued 1 Dec 2026 09:00");
  });
});
