// How fast an import goes and how long it will take, from what is done since it began.
//
// Deliberately not here: the clock; the moments are arguments.

export interface ImportPace {
  /** Bytes a second. */
  rate: number;
  /** Milliseconds left; null where nothing tells. */
  left: number | null;
}

/** Nothing is said in the first second: what comes then is mostly wrong. */
const FIRST = 1000;

export function importPace(done: number, total: number, elapsed: number): ImportPace | null {
  if (elapsed < FIRST || done <= 0) return null;
  const rate = done / (elapsed / 1000);
  return { rate, left: total > done ? ((total - done) / rate) * 1000 : null };
}
