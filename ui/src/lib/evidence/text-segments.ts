// A layer's text cut into segments that can be drawn one by one, and the way between code points and UTF-16.
//
// Pincite counts code points; the web counts UTF-16 units. This is the edge where one becomes the other, and the only
// place in the window that does the sum. Deliberately not here: drawing, and searching for a quote; a highlight is where
// the offsets say.

/** What ends a line of a layer, and a page with it. */
export const PAGE_JOIN = "\f";
/** A segment is cut at the first line end after so many UTF-16 units. */
const LENGTH = 6_000;
/** A line longer than this is cut inside. */
const LONGEST = 12_000;

export interface Segment {
  /** First UTF-16 unit, and the unit after the last. */
  from: number;
  to: number;
  /** First code point. */
  start: number;
  /** Number of its first line, from 1, and how many lines begin in it. */
  line: number;
  lines: number;
  /** Page of its first line, from 1. */
  page: number;
  /** Whether it goes on within a line that began before it. */
  continued: boolean;
}

export interface CutText {
  text: string;
  segments: Segment[];
  /** Code points. */
  length: number;
  lines: number;
  pages: number;
}

export interface TextLine {
  /** UTF-16 units, the line's end not counted. */
  from: number;
  to: number;
  /** From 1; null where the line began in the segment before. */
  number: number | null;
  /** The page that begins after this line; null where none does. */
  page: number | null;
}

export interface Units {
  from: number;
  to: number;
}

export type MarkKind = "plain" | "clause" | "quote";

export interface Piece {
  from: number;
  to: number;
  kind: MarkKind;
}

const isHigh = (unit: number) => unit >= 0xd800 && unit < 0xdc00;

/** How many code points a stretch has. The text comes from UTF-8, so surrogates stand in pairs. */
function codePoints(text: string, from: number, to: number): number {
  let count = to - from;
  for (let at = from; at < to; at++) if (isHigh(text.charCodeAt(at))) count--;
  return count;
}

export function cutText(text: string): CutText {
  const segments: Segment[] = [];
  let [from, start, line, page] = [0, 0, 1, 1];
  let continued = false;
  while (from < text.length || segments.length === 0) {
    let lines = continued ? 0 : 1;
    let pages = 0;
    let at = from;
    let ended = false;
    while (at < text.length && !ended) {
      const unit = text.charCodeAt(at);
      at++;
      if (unit === 10 || unit === 12) {
        if (unit === 12) pages++;
        // What follows is a line of this segment, unless the segment ends here.
        ended = at - from >= LENGTH || at === text.length;
        if (!ended) lines++;
      } else if (at - from >= LONGEST) {
        break;
      }
    }
    if (!ended && at < text.length) {
      // At a space where there is one near; never inside a pair.
      const space = text.lastIndexOf(" ", at - 1) + 1;
      if (space > from + LENGTH) at = space;
      else if (isHigh(text.charCodeAt(at - 1))) at--;
    }
    segments.push({ from, to: at, start, line, lines, page, continued });
    start += codePoints(text, from, at);
    line += lines;
    page += pages;
    from = at;
    continued = !ended;
  }
  // A line end at the very end begins one more line, with nothing on it; it counts as none.
  return { text, segments, length: start, lines: line - 1, pages: page };
}

/** Index of the segment that a code point stands in; the last one for the end. */
export function segmentAt(cut: CutText, offset: number): number {
  let low = 0;
  let high = cut.segments.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((cut.segments[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The UTF-16 unit at which a code point begins. */
export function unitAt(cut: CutText, offset: number): number {
  const segment = cut.segments[segmentAt(cut, offset)];
  if (!segment) return 0;
  let unit = segment.from;
  for (let left = offset - segment.start; left > 0 && unit < cut.text.length; left--) {
    unit += isHigh(cut.text.charCodeAt(unit)) ? 2 : 1;
  }
  return unit;
}

/** The code point that a UTF-16 unit belongs to. */
export function offsetAt(cut: CutText, unit: number): number {
  let low = 0;
  let high = cut.segments.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((cut.segments[middle]?.from ?? 0) <= unit) low = middle;
    else high = middle - 1;
  }
  const segment = cut.segments[low];
  if (!segment) return 0;
  const inside = unit > segment.from && isHigh(cut.text.charCodeAt(unit - 1)) ? unit - 1 : unit;
  return segment.start + codePoints(cut.text, segment.from, inside);
}

/** A span of code points in UTF-16 units. */
export const unitsOf = (cut: CutText, span: { start: number; end: number }): Units => ({
  from: unitAt(cut, span.start),
  to: unitAt(cut, span.end),
});

/** The lines of a segment. */
export function linesOf(cut: CutText, segment: Segment): TextLine[] {
  const lines: TextLine[] = [];
  let from = segment.from;
  let number: number | null = segment.continued ? null : segment.line;
  let next = segment.line + (segment.continued ? 0 : 1);
  let page = segment.page;
  for (let at = segment.from; at < segment.to; at++) {
    const unit = cut.text.charCodeAt(at);
    if (unit !== 10 && unit !== 12) continue;
    if (unit === 12) page++;
    lines.push({ from, to: at, number, page: unit === 12 ? page : null });
    from = at + 1;
    number = next++;
  }
  if (from < segment.to || lines.length === 0) lines.push({ from, to: segment.to, number, page: null });
  return lines;
}

/** A line in pieces, each all of one kind: the quote wins over its clause. A line without characters has one piece. */
export function piecesOf(line: Units, quotes: readonly Units[], clause: Units | null): Piece[] {
  const edges = [line.from, line.to];
  for (const mark of [...quotes, clause]) {
    if (mark) edges.push(...[mark.from, mark.to].filter((edge) => edge > line.from && edge < line.to));
  }
  edges.sort((one, other) => one - other);
  const inside = (mark: Units | null, from: number) => mark !== null && mark.from <= from && from < mark.to;
  const pieces: Piece[] = [];
  edges.forEach((from, index) => {
    const to = edges[index + 1];
    if (to === undefined || (to === from && line.to > line.from)) return;
    pieces.push({ from, to, kind: quotes.some((quote) => inside(quote, from)) ? "quote" : inside(clause, from) ? "clause" : "plain" });
  });
  return pieces;
}
