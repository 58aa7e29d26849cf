// What is drawn of a curve, as points: which bins have a mark, the steps of the rising fit, the worst case, and where a
// confidence stands across the drawing. Pure, so that it can be tested without a page.
//
// Deliberately not here: how a mark looks (curve-plot.ts), and any number that is not in the curve.
import type { BinView } from "$lib/generated/BinView";
import type { CurveView } from "$lib/generated/CurveView";

/** The room around the drawing, in pixels. The handles over it stand by these too. */
export const ROOM = { left: 60, right: 28, top: 44 };

/** The room below the axis: edges, counts (of two curves in two lines), what the axis is. */
export const below = (second: CurveView | null) => (second === null ? 66 : 80);

/** Where a confidence stands, in pixels from the left of a drawing of this width. */
export const across = (confidence: number, width: number) =>
  ROOM.left + confidence * (width - ROOM.left - ROOM.right);

/** Which confidence stands there, from 0 to 1. */
export const confidenceAt = (pixels: number, width: number) =>
  Math.min(1, Math.max(0, (pixels - ROOM.left) / Math.max(1, width - ROOM.left - ROOM.right)));

/** Two decimals, but 0 and 1 bare, so that the last two edges don't run into each other. */
export const edge = (value: number) => (value === 0 || value === 1 ? String(value) : value.toFixed(2));

/** Where a bin's mark stands: at its mean confidence, or its middle while nothing is known of it. */
export const centre = (bin: BinView) => bin.mean_confidence ?? (bin.from + bin.to) / 2;

export type FilledBin = BinView & { right: number; low: number; high: number };
export type WorstBin = BinView & { worst_right: number; worst_low: number };

export const filled = (bin: BinView): bin is FilledBin => bin.right !== null && bin.low !== null && bin.high !== null;

/** The bins whose share would fall if everything pending were wrong. */
export const worstBins = (curve: CurveView): WorstBin[] =>
  curve.bins.filter(
    (bin): bin is WorstBin =>
      curve.pending > 0 &&
      bin.worst_right !== null &&
      bin.worst_low !== null &&
      (bin.right === null || bin.worst_right < bin.right),
  );

/** The rising fit as a line: level across each bin, broken (y NaN) where a bin is empty. */
export function steps(bins: readonly BinView[]): { x: number; y: number }[] {
  return bins.flatMap((bin) =>
    bin.rising === null
      ? [{ x: bin.from, y: Number.NaN }]
      : [
          { x: bin.from, y: bin.rising },
          { x: bin.to, y: bin.rising },
        ],
  );
}

/** "show 0.90", and whether that is in force: a picture of a handle on its way must not pass for one of what is set. */
export const thresholdWords = (name: string, at: number, inForce: number | null | undefined) =>
  `${name} ${at.toFixed(2)}${at === inForce ? "" : ", not set"}`;

/** The curve in one sentence, for who can't see it. The table beside it has the numbers. */
export function curveInWords(curve: CurveView, second: CurveView | null): string {
  const parts = curve.bins.map((bin) =>
    bin.right === null
      ? `${edge(bin.from)} to ${edge(bin.to)}: empty`
      : `${edge(bin.from)} to ${edge(bin.to)}: ${Math.round(bin.right * 100)} % right of ${bin.n}`,
  );
  const compared = second === null ? "" : ` Compared with ${second.model} ${second.prompt_version}; the differences stand in a table.`;
  return `Share right by confidence of ${curve.title}. ${parts.join("; ")}.${compared}`;
}
