// What later extractions say of a field, each saying once: four runs that agree are one line, not four.
// Deliberately not here: whether a saying equals the candidate's value; the core compares values, words do not.
import type { CandidateView } from "$lib/generated/CandidateView";

export interface Saying {
  says: string;
  count: number;
}

/** In the order in which each was first said; a record without a value says "not stated". */
export function newerSayings(newer: readonly CandidateView[]): Saying[] {
  const sayings = new Map<string, number>();
  for (const candidate of newer) {
    const says = candidate.value_text === "" ? "not stated" : candidate.value_text;
    sayings.set(says, (sayings.get(says) ?? 0) + 1);
  }
  return [...sayings].map(([says, count]) => ({ says, count }));
}
