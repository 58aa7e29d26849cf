// The stand-in's reading of typed values, and what the passages of its one conflict say.
// Deliberately not here: the ways in which people write numbers and days; the core reads those.
import type { FieldSchemaView } from "$lib/generated/FieldSchemaView";
import type { PassageValue } from "$lib/generated/PassageValue";
import type { ValueCheckView } from "$lib/generated/ValueCheckView";
import type { MockRecord } from "./data";

const said = (value: unknown, text: string): ValueCheckView => ({ value, text, trouble: null });
const wrong = (trouble: string): ValueCheckView => ({ value: null, text: "", trouble });

function number(typed: string): number | null {
  const text = typed.replace(/[\s']/g, "").replace(/[.,](?=\d{3}(\D|$))/g, "").replace(",", ".");
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : null;
}

export function readTyped(schema: FieldSchemaView, typed: string | string[] | Record<string, string>): ValueCheckView {
  if (Array.isArray(typed)) return typed.length === 0 ? wrong("Write at least one entry, one a line.") : said(typed, typed.join("; "));
  if (typeof typed === "object") {
    const key = schema.kind === "money" ? "currency" : "unit";
    const amount = number(typed.amount ?? "");
    const unit = (typed[key] ?? schema.unit ?? "").trim();
    if (amount === null) return wrong("This is not one number: write digits, as in 450000 or 450.000,00.");
    if (unit === "") return wrong(`Write the ${key} too.`);
    return said({ amount, [key]: unit }, `${amount.toLocaleString("fr").replaceAll("\u202f", "\u00a0")} ${unit}`);
  }
  if (typed.trim() === "") return wrong("Write the value.");
  if (schema.kind === "number") {
    const read = number(typed);
    return read === null ? wrong("This is not one number: write digits, as in 450000 or 450.000,00.") : said(read, String(read));
  }
  if (schema.kind === "date" && !/^\d{4}-\d{2}-\d{2}$/.test(typed.trim())) {
    return wrong("This is no day of the calendar: write year-month-day, as in 2026-12-04.");
  }
  if (schema.kind === "boolean") return said(typed === "true", typed === "true" ? "yes" : "no");
  return said(typed.trim(), typed.trim());
}

export function passageValues(record: MockRecord): PassageValue[] {
  if (record.field !== "warranty.period" || record.status !== "conflicting") return [];
  return [12, 18].map((amount) => ({ value: { amount, unit: "months" }, text: `${amount} months` }));
}
