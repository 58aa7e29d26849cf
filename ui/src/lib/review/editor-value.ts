// What is typed into the correction editor, and the value it stands for.
//
// Each kind of field has a draft (strings, as typed) and builds the value that the core compares: money {amount,
// currency}, quantity {amount, unit}, number, ISO date, boolean, one of the values, text, list of text. A number that can
// be read in two ways is refused with the two ways named, never guessed. Deliberately not here: tolerance, equality and
// the field's own schema; the core checks those and answers bad_input.
import type { FieldSchemaView } from "$lib/generated/FieldSchemaView";

/** As typed. `second` is the currency or the unit. */
export interface Draft {
  first: string;
  second: string;
}

export type Built = { ok: true; value: unknown } | { ok: false; message: string };

const refuse = (message: string): Built => ({ ok: false, message });
const build = (value: unknown): Built => ({ ok: true, value });

type NumberRead = { ok: true; value: number } | { ok: false; message: string };

/** Reads "450000", "450 000,00", "450.000,00", "450,000.00"; refuses "1.234", which is two numbers. */
export function readNumber(typed: string): NumberRead {
  const text = typed.replace(/[\s\u00a0\u202f']/g, "");
  if (text === "") return { ok: false, message: "Write a number." };
  if (!/^[+-]?[\d.,]*\d[\d.,]*$/.test(text)) return { ok: false, message: `“${typed.trim()}” is no number.` };
  const sign = text.startsWith("-") ? -1 : 1;
  const digits = text.replace(/^[+-]/, "");
  const points = [...digits].filter((character) => character === ".").length;
  const commas = [...digits].filter((character) => character === ",").length;
  let decimal = "";
  if (points > 0 && commas > 0) decimal = digits.lastIndexOf(".") > digits.lastIndexOf(",") ? "." : ",";
  else if (points === 1 || commas === 1) {
    const mark = points === 1 ? "." : ",";
    const [before = "", after = ""] = digits.split(mark);
    if (after.length === 3 && /^[1-9]\d{0,2}$/.test(before)) {
      return { ok: false, message: `“${digits}” can be read in two ways: write ${before}${after} or ${before}.${after}0.` };
    }
    decimal = mark;
  }
  const grouping = decimal === "." ? "," : decimal === "," ? "." : points > 0 ? "." : ",";
  const [whole = "", fraction = "", ...more] = decimal === "" ? [digits] : digits.split(decimal);
  const grouped = whole.includes(grouping);
  if (more.length > 0 || fraction.includes(grouping) || (grouped && !groupsHold(whole, grouping))) {
    return { ok: false, message: `“${typed.trim()}” is no number: its groups don't have three digits.` };
  }
  const value = sign * Number(`${whole.replaceAll(grouping, "")}${fraction === "" ? "" : `.${fraction}`}`);
  return Number.isFinite(value) ? { ok: true, value } : { ok: false, message: `“${typed.trim()}” is no number.` };
}

function groupsHold(whole: string, grouping: string): boolean {
  const [head = "", ...groups] = whole.split(grouping);
  return head.length >= 1 && head.length <= 3 && groups.every((group) => group.length === 3);
}

function readDate(typed: string): Built {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(typed.trim());
  if (!match) return refuse("Write the date as year-month-day: 2026-12-04.");
  const [, year = "", month = "", day = ""] = match;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const same = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  return same ? build(`${year}-${month}-${day}`) : refuse(`There is no ${typed.trim()} in the calendar.`);
}

function withUnit(draft: Draft, unitName: "currency" | "unit"): Built {
  const read = readNumber(draft.first);
  if (!read.ok) return read;
  const unit = draft.second.trim();
  if (unit === "") return refuse(unitName === "currency" ? "Write the currency too: EUR." : "Write the unit too.");
  return build({ amount: read.value, [unitName]: unitName === "currency" ? unit.toUpperCase() : unit });
}

/** The value that a draft stands for, or what is wrong with it in one line. */
export function buildValue(schema: Pick<FieldSchemaView, "kind" | "values">, draft: Draft): Built {
  switch (schema.kind) {
    case "money":
      return withUnit(draft, "currency");
    case "quantity":
      return withUnit(draft, "unit");
    case "number":
      return readNumber(draft.first);
    case "date":
      return readDate(draft.first);
    case "boolean":
      if (draft.first !== "true" && draft.first !== "false") return refuse("Choose yes or no.");
      return build(draft.first === "true");
    case "enumeration":
      return schema.values.includes(draft.first) ? build(draft.first) : refuse("Choose one of the values.");
    case "list": {
      const lines = draft.first.split("\n").map((line) => line.trim());
      const entries = lines.filter((line) => line !== "");
      return entries.length === 0 ? refuse("Write at least one entry, one a line.") : build(entries);
    }
    default: {
      const text = draft.first.trim();
      return text === "" ? refuse("Write the value.") : build(text);
    }
  }
}

/** An empty draft with the field's own unit filled in. The candidate's value is no start: it would be an answer. */
export function emptyDraft(schema: Pick<FieldSchemaView, "kind" | "unit">): Draft {
  const united = schema.kind === "money" || schema.kind === "quantity";
  return { first: "", second: united ? (schema.unit ?? "") : "" };
}

export const isEmpty = (schema: Pick<FieldSchemaView, "kind" | "unit">, draft: Draft) =>
  draft.first.trim() === "" && draft.second === emptyDraft(schema).second;
