// What the core is asked to read, for each kind of field.
import { describe, expect, it } from "vitest";
import { emptyDraft, isEmpty, typedValue } from "./editor-value";

const typed = (kind: string | null, first: string, second = "") => typedValue({ kind }, { first, second });

describe("typedValue", () => {
  it("hands amounts on as typed, with the unit where one is typed", () => {
    expect(typed("money", "450.000,00", "eur")).toEqual({ amount: "450.000,00", currency: "eur" });
    expect(typed("quantity", "7", "years")).toEqual({ amount: "7", unit: "years" });
    expect(typed("money", "7", " ")).toEqual({ amount: "7" });
  });

  it("hands every other text on as typed, also where the catalogue knows no such field", () => {
    for (const kind of ["number", "date", "text", "enumeration", "boolean", null]) {
      expect(typed(kind, " 1.234 ", "EUR")).toBe(" 1.234 ");
    }
  });

  it("makes a list of lines, without empty ones; a semicolon parts nothing", () => {
    expect(typed("list", " ISO 9001; 2015 \n\nISO 14001\n")).toEqual(["ISO 9001; 2015", "ISO 14001"]);
    expect(typed("list", " \n ")).toEqual([]);
  });
});

describe("emptyDraft", () => {
  it("fills in the field's unit and nothing else", () => {
    expect(emptyDraft({ kind: "money", unit: "EUR" })).toEqual({ first: "", second: "EUR" });
    expect(emptyDraft({ kind: "text", unit: null })).toEqual({ first: "", second: "" });
    expect(isEmpty({ kind: "money", unit: "EUR" }, { first: " ", second: "EUR" })).toBe(true);
    expect(isEmpty({ kind: "money", unit: "EUR" }, { first: "", second: "USD" })).toBe(false);
  });
});
