// What a citation is worth, in words, with a shape and a colour.
//
// Deliberately not here: whether it holds on its own bytes (words.ts); that is another question.
import type { StandingView } from "$lib/generated/StandingView";
import { opened, type Badge } from "./words";

const PLAIN: Record<string, Badge> = {
  in_force: { words: "in force", tone: "good", shape: "●" },
  carried: { words: "carried", tone: "good", shape: "◐" },
  draft: { words: "draft", tone: "warning", shape: "✎" },
  not_yet: { words: "not yet in force", tone: "warning", shape: "◷" },
  withdrawn: { words: "withdrawn", tone: "bad", shape: "⊘" },
  not_known: { words: "not known then", tone: "warning", shape: "◷" },
  unknown: { words: "not in the registry", tone: "warning", shape: "?" },
};

/** "superseded by rev D since 2026-02-02": what happened, by what, since when. */
export function standingBadge(standing: StandingView): Badge {
  const since = standing.since === null ? "" : ` since ${standing.since}`;
  const by = standing.replaced_by === null ? "" : ` by ${standing.replaced_by}`;
  if (standing.standing === "superseded") return { words: `superseded${by}${since}`, tone: "bad", shape: "⇥" };
  if (standing.standing === "removed") return { words: `removed${by}${since}`, tone: "bad", shape: "⌫" };
  const plain = PLAIN[standing.standing];
  if (standing.standing === "carried" && standing.in_force?.revision)
    return { words: `carried: ${standing.in_force.revision} says the same`, tone: "good", shape: "◐" };
  return plain ?? { words: opened(standing.standing), tone: "quiet", shape: "" };
}

/** For a row with little room. */
export function standingShort(standing: StandingView): Badge {
  const whole = standingBadge(standing);
  return { ...whole, words: PLAIN[standing.standing]?.words ?? opened(standing.standing) };
}

/** Whether another text took its place, so that there is something to open beside it. */
export const isReplaced = (standing: StandingView | null): boolean =>
  standing !== null && !standing.current && standing.cited !== null && standing.standing !== "unknown";

const LIFE: Record<string, Badge> = {
  draft: { words: "draft", tone: "warning", shape: "✎" },
  not_yet: { words: "not yet", tone: "accent", shape: "◷" },
  effective: { words: "in force", tone: "good", shape: "●" },
  superseded: { words: "superseded", tone: "quiet", shape: "⇥" },
  archived: { words: "archived", tone: "quiet", shape: "▣" },
  withdrawn: { words: "withdrawn", tone: "bad", shape: "⊘" },
};

/** Where a revision is in its life. */
export const lifeBadge = (status: string): Badge => LIFE[status] ?? { words: opened(status), tone: "quiet", shape: "" };
