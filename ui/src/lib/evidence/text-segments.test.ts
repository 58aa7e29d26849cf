// Segments hold every unit once, and code points become UTF-16 and back wherever pairs, line ends and page joins stand.
import { describe, expect, it } from "vitest";
import { cutText, linesOf, offsetAt, piecesOf, segmentAt, unitAt, unitsOf } from "./text-segments";

/** Letters, pairs, line ends and page joins by a fixed rule: no two runs differ. */
function sample(length: number, lineLength: number): string {
  let text = "";
  for (let at = 0; at < length; at++) {
    if (at % lineLength === lineLength - 1) text += at % 7 === 0 ? "\f" : "\n";
    else text += at % 5 === 0 ? "😀" : at % 11 === 0 ? "\u0301" : at % 13 === 0 ? " " : "x";
  }
  return text;
}

describe("segments", () => {
  it.each([
    ["short lines", sample(40_000, 61)],
    ["one line", sample(50_000, 1_000_000)],
    ["no spaces, all pairs", "😀".repeat(30_001)],
    ["nothing", ""],
    ["a line end at the end", "a\nb\n"],
  ])("hold every unit once, and never half a pair: %s", (_, text) => {
    const cut = cutText(text);
    expect(cut.segments.map((segment) => text.slice(segment.from, segment.to)).join("")).toBe(text);
    expect(cut.length).toBe([...text].length);
    expect(cut.pages).toBe(text.split("\f").length);
    for (const segment of cut.segments) {
      expect(text.slice(segment.from, segment.to)).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
      expect(segment.to - segment.from).toBeLessThanOrEqual(12_000 + 1);
    }
    const lines = cut.segments.flatMap((segment) => linesOf(cut, segment));
    const numbers = lines.flatMap((line) => line.number ?? []);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    const wanted = text.split(/[\n\f]/);
    if (wanted.length > 1 && wanted.at(-1) === "") wanted.pop();
    expect(numbers.length).toBe(wanted.length);
    expect(cut.lines).toBe(wanted.length);
  });

  it("turn code points into units and back, past any emoji", () => {
    const text = sample(40_000, 61);
    const cut = cutText(text);
    const points = [...text];
    let unit = 0;
    points.forEach((point, offset) => {
      if (offset % 97 === 0) {
        expect(unitAt(cut, offset)).toBe(unit);
        expect(offsetAt(cut, unit)).toBe(offset);
        if (point.length === 2) expect(offsetAt(cut, unit + 1)).toBe(offset);
      }
      unit += point.length;
    });
    expect(unitAt(cut, points.length)).toBe(text.length);
    expect(offsetAt(cut, text.length)).toBe(points.length);
    expect(segmentAt(cut, points.length)).toBe(cut.segments.length - 1);
    const { from, to } = unitsOf(cut, { start: 20_000, end: 20_017 });
    expect(text.slice(from, to)).toBe(points.slice(20_000, 20_017).join(""));
  });

  it("know the page that begins after a line", () => {
    const cut = cutText("a\nb\fc\f\fd");
    expect(linesOf(cut, cut.segments[0]!).map((line) => [cut.text.slice(line.from, line.to), line.number, line.page])).toEqual([
      ["a", 1, null],
      ["b", 2, 2],
      ["c", 3, 3],
      ["", 4, 4],
      ["d", 5, null],
    ]);
  });
});

describe("pieces", () => {
  const kinds = (quote: [number, number] | null, clause: [number, number] | null) =>
    piecesOf(
      { from: 10, to: 20 },
      quote === null ? [] : [{ from: quote[0], to: quote[1] }],
      clause && { from: clause[0], to: clause[1] },
    ).map((piece) => [piece.from, piece.to, piece.kind]);

  it("cover the line once, the quote over its clause", () => {
    expect(kinds(null, null)).toEqual([[10, 20, "plain"]]);
    expect(kinds([12, 15], [5, 18])).toEqual([[10, 12, "clause"], [12, 15, "quote"], [15, 18, "clause"], [18, 20, "plain"]]);
    expect(kinds([0, 12], [0, 30])).toEqual([[10, 12, "quote"], [12, 20, "clause"]]);
    expect(kinds([10, 20], [10, 20])).toEqual([[10, 20, "quote"]]);
    expect(kinds([20, 25], [0, 10])).toEqual([[10, 20, "plain"]]);
  });

  it("mark several stretches of one line", () => {
    const pieces = piecesOf({ from: 0, to: 20 }, [{ from: 2, to: 4 }, { from: 9, to: 30 }], null);
    expect(pieces.map(({ from, to, kind }) => [from, to, kind])).toEqual([
      [0, 2, "plain"],
      [2, 4, "quote"],
      [4, 9, "plain"],
      [9, 20, "quote"],
    ]);
  });

  it("leave one for a line without characters", () => {
    expect(piecesOf({ from: 4, to: 4 }, [], null)).toEqual([{ from: 4, to: 4, kind: "plain" }]);
  });
});
