// Draws one curve with Observable Plot, from numbers that the core computed.
//
// Plot puts a <style> element into its drawing; the content policy forbids it, so it is taken out before the drawing is
// attached, and CurveChart.svelte carries the few rules instead. Deliberately not here: any number that is not in the
// curve, and dragging thresholds (it comes with the handle).
import * as Plot from "@observablehq/plot";
import type { BinView } from "$lib/generated/BinView";
import type { CurveView } from "$lib/generated/CurveView";
import { whole } from "$lib/wording/figures";

/** Two decimals, but 0 and 1 bare, so that the last two edges don't run into each other. */
export const edge = (value: number) => (value === 0 || value === 1 ? String(value) : value.toFixed(2));

/** Where a bin's mark stands: at its mean confidence, or its middle while nothing is known of it. */
export const centre = (bin: BinView) => bin.mean_confidence ?? (bin.from + bin.to) / 2;

type Filled = BinView & { right: number; low: number; high: number };

const filled = (bin: BinView): bin is Filled => bin.right !== null && bin.low !== null && bin.high !== null;

export function drawCurve(curve: CurveView, width: number, height: number): Element {
  const full = curve.bins.filter(filled);
  const empty = curve.bins.filter((bin) => bin.n === 0);
  const edges = [...new Set(curve.bins.flatMap((bin) => [bin.from, bin.to]))];
  const thresholds = [
    { at: curve.threshold?.tau_show ?? null, words: "show", dash: undefined },
    { at: curve.threshold?.tau_flag ?? null, words: "verify", dash: "5 3" },
  ].flatMap((line) => (line.at === null ? [] : [{ ...line, at: line.at }]));

  const drawing = Plot.plot({
    className: "curve-plot",
    width,
    height,
    marginLeft: 56,
    marginRight: 20,
    marginTop: 28,
    marginBottom: 64,
    x: { domain: [0, 1], ticks: edges, tickFormat: edge, tickSize: 4, label: null },
    y: {
      domain: [0, 1],
      ticks: [0, 0.25, 0.5, 0.75, 1],
      tickFormat: (share: number) => `${Math.round(share * 100)} %`,
      tickSize: 0,
      label: null,
    },
    marks: [
      Plot.gridY([0.25, 0.5, 0.75, 1], { stroke: "var(--line)", strokeOpacity: 1 }),
      Plot.rectX(empty, {
        x1: "from",
        x2: "to",
        fill: "var(--quiet-ground)",
        fillOpacity: 0.6,
        stroke: "var(--line-strong)",
        strokeDasharray: "3 3",
        insetLeft: 1,
        insetRight: 1,
      }),
      Plot.text(empty, {
        x: centre,
        y: 0.5,
        text: () => "empty",
        fill: "var(--text-third)",
        rotate: -90,
      }),
      Plot.link([0], { x1: 0, y1: 0, x2: 1, y2: 1, stroke: "var(--line-strong)", strokeDasharray: "4 4" }),
      Plot.ruleY([0], { stroke: "var(--line-strong)" }),
      Plot.ruleX([0], { stroke: "var(--line-strong)" }),
      ...thresholds.map(({ at, dash }) =>
        Plot.ruleX([at], { stroke: "var(--bad)", strokeWidth: 1.5, ...(dash === undefined ? {} : { strokeDasharray: dash }) }),
      ),
      Plot.line(full, { x: centre, y: "right", stroke: "var(--accent)", strokeOpacity: 0.4 }),
      Plot.ruleX(full, { x: centre, y1: "low", y2: "high", stroke: "var(--accent)", strokeWidth: 2 }),
      Plot.dot(full, { x: centre, y: "right", r: 5, fill: "var(--accent)", stroke: "var(--ground)", strokeWidth: 1 }),
      Plot.text(thresholds, {
        x: "at",
        y: 1,
        dy: -16,
        text: (line: { at: number; words: string }) => `${line.words} ${line.at.toFixed(2)}`,
        textAnchor: "middle",
        fill: "var(--bad)",
      }),
      Plot.text(curve.bins, {
        x: (bin: BinView) => (bin.from + bin.to) / 2,
        y: 0,
        dy: 34,
        text: (bin: BinView) => whole(bin.n),
        fill: "var(--text-second)",
      }),
      Plot.text(["labels"], { x: 0, y: 0, dx: -9, dy: 34, textAnchor: "end", fill: "var(--text-third)" }),
      Plot.text(["confidence the extractor reported"], { frameAnchor: "bottom", dy: 58, fill: "var(--text-third)" }),
      Plot.text(["share right"], { frameAnchor: "top-left", dx: -44, dy: -24, textAnchor: "start", fill: "var(--text-third)" }),
    ],
  });
  drawing.querySelectorAll("style").forEach((style) => style.remove());
  return drawing;
}

/** The curve in one sentence, for who can't see it. The table beside it has the numbers. */
export function curveInWords(curve: CurveView): string {
  const parts = curve.bins.map((bin) =>
    bin.right === null
      ? `${edge(bin.from)} to ${edge(bin.to)}: empty`
      : `${edge(bin.from)} to ${edge(bin.to)}: ${Math.round(bin.right * 100)} % right of ${bin.n}`,
  );
  return `Share right by confidence of ${curve.title}. ${parts.join("; ")}.`;
}
