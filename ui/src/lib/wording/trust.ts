// What a reader should know of a document's text beside warnings: a few quiet words, empty where there is nothing.
//
// Deliberately not here: pages that are scanned, damaged or not to be trusted; those are warnings.

import type { TrustView } from "$lib/generated/TrustView";
import { count } from "./figures";

/** "2 form values · 12 letters drawn twice · 3 fonts not in the file" */
export function trustWords(trust: TrustView): string {
  const fonts = trust.substituted_fonts.length;
  const words: [number, string][] = [
    [trust.form_fields, count(trust.form_fields, "form value")],
    [trust.annotations, count(trust.annotations, "note")],
    [trust.doubled, `${count(trust.doubled, "letter")} drawn twice`],
    [trust.recognised_pages.length > 0 ? 0 : trust.invisible, `${count(trust.invisible, "letter")} not painted`],
    [trust.outside, `${count(trust.outside, "letter")} outside the page`],
    [fonts, `${count(fonts, "font")} not in the file`],
  ];
  return words
    .filter(([figure]) => figure > 0)
    .map(([, said]) => said)
    .join(" · ");
}
