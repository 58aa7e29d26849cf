// How what is marked in a pane is drawn where it is no quote: words that only one of two revisions has.
//
// Deliberately not here: the quote itself, whose look its check decides.

/** Words only the revision before has, or only the one after; null for a quote. */
export type Marks = "removed" | "added" | null;
