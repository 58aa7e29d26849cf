// Choosing between two who differ: which side a number means, and what saying that it is right decides.
// Deliberately not here: confirming the choice, and a value that neither said; that one is typed.
import type { AdjudicationView } from "$lib/generated/AdjudicationView";
import type { StatedView } from "$lib/generated/StatedView";

/** The side of that number, from 0; null where there is none, or it states nothing that could be right. */
export function sideAt(sides: AdjudicationView, chosen: number): StatedView | null {
  const side = [sides.one, sides.other][chosen];
  return side !== undefined && (side.states_a_value || side.not_stated) ? side : null;
}

/** What a side comes to: its value, or the question why the document states none. */
export const settles = (side: StatedView): { correct: unknown } | "abstain" =>
  side.not_stated ? "abstain" : { correct: side.value };
