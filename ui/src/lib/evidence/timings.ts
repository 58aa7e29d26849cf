// How long the window takes from a key to the page on the screen, for `make bench`.
//
// From the key's press to the second frame after the page's image is decoded and in place. Each measure is a
// performance.measure named `pincite:item` or `pincite:page` and an entry of `window.__pincite_timings`:
//   what          "item": a decision, and the next item's page is there; "page": another item or citation by j, k, n, p
//   milliseconds  from the press to that frame
// Deliberately not here: time to decision (review/reading-log.ts), and anything sent anywhere: the list lives in memory.

export interface Timing {
  what: "item" | "page";
  milliseconds: number;
}

declare global {
  interface Window {
    __pincite_timings: Timing[];
  }
}

/** More than any bench asks for; older ones go. */
const LIMIT = 2000;

let pending: { what: Timing["what"]; at: number } | null = null;

window.__pincite_timings = [];

/** A key was pressed that will change the page. The last press counts. */
export function timingStarts(what: Timing["what"]): void {
  pending = { what, at: performance.now() };
}

/** The page is on the screen, as of the second frame. */
export function timingEnds(at: number): void {
  if (!pending) return;
  const { what, at: start } = pending;
  pending = null;
  performance.measure(`pincite:${what}`, { start, end: at });
  window.__pincite_timings.push({ what, milliseconds: at - start });
  if (window.__pincite_timings.length > LIMIT) window.__pincite_timings.shift();
}

/** Nothing came of it (the last item, an error): it must not be counted with the next. */
export function timingDropped(): void {
  pending = null;
}
