// What is typed and the value it builds, for each kind of field.
import { describe, expect, it } from "vitest";
import { buildValue, emptyDraft, isEmpty, readNumber } from "./editor-value";

const schema = (kind: string | null, values: string[] = []) => ({ kind, values });
const value = (kind: string | null, first: string, second = "", values: string[] = []) =>
  buildValue(schema(kind, values), { first, second });

describe("readNumber", () => {
  it.each([
    ["450000", 450000],
    ["450 000", 450000],
    ["450\u202f000,00", 450000],
    ["450.000,00", 450000],
    ["450,000.00", 450000],
    ["1.240.000", 1240000],
    ["47,3", 47.3],
    ["0.125", 0.125],
    ["0,125", 0.125],
    ["-3.5", -3.5],
    ["12.", 12],
    [".5", 0.5],
  ])("reads %j", (typed, number) => {
    expect(readNumber(typed)).toEqual({ ok: true, value: number });
  });

  it("refuses what can be read in two ways, and names both", () => {
    const read = readNumber("1.234");
    expect(read.ok).toBe(false);
    expect(read.ok ? "" : read.message).toContain("1234");
    expect(read.ok ? "" : read.message).toContain("1.2340");
    expect(readNumber("450.000").ok).toBe(false);
  });

  it.each(["", "abc", "1e5", "12 %", "1.2.3", "1,23,456", "1.234,5,6", "Infinity", "--1"])("refuses %j", (typed) => {
    expect(readNumber(typed).ok).toBe(false);
  });
});

describe("buildValue", () => {
  it("makes money of an amount and a currency", () => {
    expect(value("money", "450.000,00", "eur")).toEqual({ ok: true, value: { amount: 450000, currency: "EUR" } });
    expect(value("money", "450000", " ").ok).toBe(false);
  });

  it("makes a quantity of an amount and a unit", () => {
    expect(value("quantity", "7", "years")).toEqual({ ok: true, value: { amount: 7, unit: "years" } });
    expect(value("quantity", "", "years").ok).toBe(false);
  });

  it("makes numbers, dates and booleans", () => {
    expect(value("number", "3")).toEqual({ ok: true, value: 3 });
    expect(value("date", " 2026-12-04 ")).toEqual({ ok: true, value: "2026-12-04" });
    expect(value("date", "2026-02-30").ok).toBe(false);
    expect(value("date", "4.12.2026").ok).toBe(false);
    expect(value("boolean", "false")).toEqual({ ok: true, value: false });
    expect(value("boolean", "").ok).toBe(false);
  });

  it("takes only the values of an enumeration", () => {
    expect(value("enumeration", "last_year", "", ["last_year"])).toEqual({ ok: true, value: "last_year" });
    expect(value("enumeration", "", "", ["last_year"]).ok).toBe(false);
  });

  it("makes a list of lines, without empty ones", () => {
    expect(value("list", " ISO 9001 \n\nISO 14001\n")).toEqual({ ok: true, value: ["ISO 9001", "ISO 14001"] });
    expect(value("list", " \n ").ok).toBe(false);
  });

  it("takes text, also where the catalogue knows no such field", () => {
    expect(value("text", " the quality unit ")).toEqual({ ok: true, value: "the quality unit" });
    expect(value(null, "x")).toEqual({ ok: true, value: "x" });
    expect(value("text", " ").ok).toBe(false);
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
