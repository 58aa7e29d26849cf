// The views of the Corpus desk, in the order of their number keys.
//
// Deliberately not here: what they show.

export type View = "documents" | "groups" | "differences" | "held" | "scope" | "lag" | "answers";

export const VIEWS: readonly { view: View; words: string }[] = [
  { view: "documents", words: "In force" },
  { view: "groups", words: "Groups to confirm" },
  { view: "differences", words: "Declared against found" },
  { view: "held", words: "Held tables" },
  { view: "scope", words: "Scope" },
  { view: "lag", words: "Index lag and rates" },
  { view: "answers", words: "Answers and the gate" },
];
