// What is typed into the editor, and what of it the core is asked to read.
//
// Each kind of field has a draft (strings, as typed). The core alone reads numbers, days, currencies and units, so that
// the editor never says yes to what is refused later (value-check.svelte.ts). Deliberately not here: any reading of it.
import type { FieldSchemaView } from "$lib/generated/FieldSchemaView";

/** As typed. `second` is the currency or the unit. */
export interface Draft {
  first: string;
  second: string;
}

/** All that is typed for an item. */
export interface Typed {
  draft: Draft;
  /** Reason and note of the panel for reject and abstain. */
  reason: string | null;
  note: string;
  /** Why it is to wait, where it is being held for later. */
  later?: string;
}

type Kind = Pick<FieldSchemaView, "kind">;

const UNIT_KEYS: Readonly<Record<string, string>> = { money: "currency", quantity: "unit" };

/** As the core takes it: texts, an amount with its unit (left out where none is typed), the lines of a list. */
export function typedValue(schema: Kind, draft: Draft): unknown {
  const unit = UNIT_KEYS[schema.kind ?? ""];
  if (unit !== undefined) {
    return draft.second.trim() === "" ? { amount: draft.first } : { amount: draft.first, [unit]: draft.second };
  }
  if (schema.kind !== "list") return draft.first;
  return draft.first.split("\n").map((line) => line.trim()).filter((line) => line !== "");
}

/** An empty draft with the field's own unit filled in. The candidate's value is no start: it would be an answer. */
export function emptyDraft(schema: Pick<FieldSchemaView, "kind" | "unit">): Draft {
  return { first: "", second: UNIT_KEYS[schema.kind ?? ""] === undefined ? "" : (schema.unit ?? "") };
}

export const isEmpty = (schema: Pick<FieldSchemaView, "kind" | "unit">, draft: Draft) =>
  draft.first.trim() === "" && draft.second === emptyDraft(schema).second;

export const isAnythingTyped = (schema: Pick<FieldSchemaView, "kind" | "unit">, typed: Typed) =>
  typed.reason !== null || typed.note !== "" || !isEmpty(schema, typed.draft);
