// The codes of the wire in the words of the window.
//
// One table for each kind of code; an unknown code shows as itself with its underscores opened, never as nothing.
// Deliberately not here: sentences about one screen's state; those stand where they are shown.
import type { CitationView } from "$lib/generated/CitationView";
import type { FieldOutcome } from "$lib/generated/FieldOutcome";

/** How a badge looks besides its words. */
export type Tone = "good" | "warning" | "bad" | "quiet" | "accent";

export interface Badge {
  words: string;
  tone: Tone;
  /** A shape, so that colour never stands alone. */
  shape: string;
}

export const opened = (code: string) => code.replaceAll("_", " ");

const QUEUE_REASONS: Record<string, Badge> = {
  check_value: { words: "check value", tone: "quiet", shape: "" },
  adjudication: { words: "two reviewers differ", tone: "warning", shape: "⇄" },
  conflicting: { words: "two passages disagree", tone: "warning", shape: "⇄" },
  unverified_citation: { words: "citation does not resolve", tone: "bad", shape: "✕" },
  schema_violation: { words: "schema", tone: "quiet", shape: "◇" },
};

export function queueReason(code: string): Badge {
  return QUEUE_REASONS[code] ?? { words: opened(code), tone: "quiet", shape: "" };
}

export function citationState(citation: CitationView): Badge {
  if (citation.state === "verified") {
    return { words: citation.placed ? "verified, placed by Pincite" : "verified", tone: "good", shape: "✓" };
  }
  if (citation.state === "unchecked") return { words: "unchecked", tone: "quiet", shape: "○" };
  return { words: `failed: ${opened(citation.reason ?? "unknown")}`, tone: "bad", shape: "✕" };
}

const FAILURES: Record<string, string> = {
  erased: "What this citation points into was erased. Nothing of it can be shown.",
  bytes_unknown: "No version with these bytes is here. Add the file that the record was made from.",
  bytes_corrupt: "The stored bytes no longer hash to their name. Add the file again.",
  layer_unknown: "The text layer that the offsets count in is not known here.",
  out_of_bounds: "The offsets point outside the text.",
  empty_quote: "The record quotes nothing.",
  quote_mismatch: "The text at these offsets is not what the record quotes.",
  page_mismatch: "The quote is there, but not on the page that the record names.",
  page_unknown: "The quote is there, but the text it was found in doesn't tell its pages, so the page that the record names can't be checked.",
  locator_mismatch: "The quote is there, but not in the clause that the record names.",
  no_offsets: "The record says no offsets, so the quote is tied to no place.",
  structure_unknown: "The structure that the locator belongs to is not known here.",
};

export const failureSentence = (reason: string | null) =>
  FAILURES[reason ?? ""] ?? "A check failed that this window has no words for.";

const OUTCOMES: Record<FieldOutcome, Badge> = {
  shown: { words: "shown", tone: "good", shape: "✓" },
  flagged: { words: "verify", tone: "warning", shape: "⚑" },
  abstained: { words: "not stated", tone: "quiet", shape: "∅" },
  in_review: { words: "in review", tone: "accent", shape: "◔" },
  decided: { words: "decided", tone: "good", shape: "●" },
  missing: { words: "no record", tone: "quiet", shape: "–" },
};

export const fieldOutcome = (outcome: FieldOutcome) => OUTCOMES[outcome];

const DECISIONS: Record<string, { words: string; shape: string }> = {
  accept: { words: "accepted", shape: "✓" },
  correct: { words: "corrected", shape: "✎" },
  reject: { words: "rejected", shape: "✕" },
  abstain: { words: "not stated", shape: "∅" },
  undo: { words: "undone", shape: "↶" },
};

export const decisionKind = (kind: string) => DECISIONS[kind] ?? { words: opened(kind), shape: "•" };

export interface Reason {
  code: string;
  words: string;
}

/** Why a candidate is rejected; the order is the number key. */
export const REJECT_REASONS: readonly Reason[] = [
  { code: "wrong_value", words: "The value is wrong" },
  { code: "wrong_passage", words: "The passage says something else" },
  { code: "wrong_document", words: "Another document decides this" },
  { code: "unreadable", words: "The page can't be read" },
  { code: "other", words: "Another reason" },
];

/** Why the true value is "not stated". */
export const ABSTAIN_REASONS: readonly Reason[] = [
  { code: "not_stated", words: "The document doesn't say" },
  { code: "not_applicable", words: "The field doesn't apply here" },
  { code: "refers_elsewhere", words: "The document refers elsewhere" },
  { code: "other", words: "Another reason" },
];

/** "clause 12.1.a", "Anexo III": a bare number gets the word. */
export const clauseName = (locator: string | null) =>
  locator === null ? "no clause" : /^[\d§]/.test(locator) ? `clause ${locator}` : locator;
