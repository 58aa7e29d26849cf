// What a citation is worth, in words: each standing has its own, and a shape.
import { expect, test } from "vitest";
import type { StandingView } from "$lib/generated/StandingView";
import { isReplaced, standingBadge, standingShort } from "./standing";

const cited = { doc_id: "d", revision: "C", seq: 3, effective_date: "2024-04-15", section_key: "7-2", locator: "7.2" };
const of = (standing: string, more: Partial<StandingView> = {}): StandingView => ({
  standing,
  current: standing === "in_force" || standing === "carried",
  since: null,
  replaced_by: null,
  cited,
  in_force: null,
  reason: null,
  ...more,
});

test("each standing says what it is, by what and since when, and is never colour alone", () => {
  const superseded = of("superseded", { since: "2026-02-02", replaced_by: "D" });
  expect(standingBadge(superseded)).toEqual({ words: "superseded by D since 2026-02-02", tone: "bad", shape: "⇥" });
  expect(standingShort(superseded).words).toBe("superseded");
  for (const standing of ["in_force", "carried", "removed", "withdrawn", "draft", "not_yet", "not_known", "unknown"]) {
    const badge = standingBadge(of(standing));
    expect(badge.shape, standing).not.toBe("");
    expect(badge.tone === "good", standing).toBe(standing === "in_force" || standing === "carried");
  }
});

test("only what something took the place of has something beside it", () => {
  expect(isReplaced(of("superseded"))).toBe(true);
  expect(isReplaced(of("in_force"))).toBe(false);
  expect(isReplaced(of("unknown", { cited: null }))).toBe(false);
  expect(isReplaced(null)).toBe(false);
});
