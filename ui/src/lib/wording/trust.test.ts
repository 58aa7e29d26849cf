// The quiet words under a document.
import { expect, test } from "vitest";
import type { TrustView } from "$lib/generated/TrustView";
import { trustWords } from "./trust";

const plain: TrustView = {
  boxed: 10,
  unboxed: 2,
  replaced: 0,
  unmapped: 0,
  scanned_pages: [],
  untrusted_pages: [],
  damaged_pages: [],
  private_use: 0,
  invisible: 0,
  recognised_pages: [],
  outside: 0,
  doubled: 0,
  doubled_pages: [],
  soft_hyphens: 0,
  line_end_hyphens: 4,
  rotated_pages: [],
  page_sizes: 1,
  form_fields: 0,
  annotations: 0,
  tagged_pages: 3,
  substituted_fonts: [],
};

test("a document with nothing to say has no words", () => {
  expect(trustWords(plain)).toBe("");
});

test("what is not nought is said, in one line", () => {
  const trust = { ...plain, form_fields: 1, doubled: 12, invisible: 5, substituted_fonts: ["Arial", "Symbol"] };
  expect(trustWords(trust)).toBe("1 form value · 12 letters drawn twice · 5 letters not painted · 2 fonts not in the file");
});

test("unpainted letters of a recognised scan are in its warning", () => {
  expect(trustWords({ ...plain, invisible: 900, recognised_pages: [1] })).toBe("");
});
