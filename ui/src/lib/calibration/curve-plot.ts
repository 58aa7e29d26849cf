// Draws one curve, or two of one field, with Observable Plot, from numbers that the core computed.
//
// Told apart without colour: the curve's bins are full discs with whole whiskers, a second curve's open diamonds with dashed
// ones, the worst case an open triangle pointing down with a dotted one. Plot puts a <style> element into its drawing; the
// content policy forbids it, so it is taken out before the drawing is attached, and CurveChart.svelte carries the few rules
// instead. Deliberately not here: any number that is not in the curve (curve-shapes.ts has the points), and the handles.
import * as Plot from "@observablehq/plot";
import type { BinView } from "$lib/generated/BinView";
import type { CurveView } from "$lib/generated/CurveView";
import { whole } from "$lib/wording/figures";
import { ROOM, below, centre, edge, filled, steps, thresholdWords, worstBins, type FilledBin, type WorstBin } from "./curve-shapes";
import type { Handles } from "./threshold-handle";

export interface Drawing {
  curve: CurveView;
  second: CurveView | null;
  handles: Handles;
  width: number;
  height: number;
}

/** How far marks of the same bin stand apart, in pixels. */
const APART = 9;

/** From here on the words of a threshold that is not set end at its line. */
const RIGHT_EDGE = 0.85;

const middle = (bin: BinView) => (bin.from + bin.to) / 2;

function binMarks(bins: readonly FilledBin[], second: boolean): Plot.Markish[] {
  const colour = second ? "var(--text)" : "var(--accent)";
  const dx = second ? -APART : 0;
  const dashed = second ? { strokeDasharray: "4 2" } : {};
  return [
    Plot.ruleX(bins, { x: centre, y1: "low", y2: "high", dx, stroke: colour, strokeWidth: 2, ...dashed }),
    Plot.dot(bins, {
      x: centre,
      y: "right",
      dx,
      r: second ? 5.5 : 5,
      symbol: second ? "diamond" : "circle",
      fill: second ? "var(--ground)" : colour,
      stroke: second ? colour : "var(--ground)",
      strokeWidth: second ? 2 : 1,
    }),
  ];
}

function worstMarks(bins: readonly WorstBin[]): Plot.Markish[] {
  const shared = { x: centre, dx: APART, stroke: "var(--warning)" };
  return [
    Plot.ruleX(bins, { ...shared, y1: "worst_low", y2: "worst_right", strokeWidth: 2, strokeDasharray: "1.5 3" }),
    Plot.dot(bins, {
      ...shared,
      y: "worst_right",
      r: 4.5,
      symbol: "triangle",
      rotate: 180,
      fill: "var(--ground)",
      strokeWidth: 1.75,
    }),
  ];
}

const risingMark = (curve: CurveView, second: boolean) =>
  Plot.line(steps(curve.bins), {
    x: "x",
    y: "y",
    stroke: second ? "var(--text)" : "var(--accent)",
    strokeOpacity: 0.75,
    strokeWidth: 1.25,
    strokeLinejoin: "miter",
    ...(second ? { strokeDasharray: "7 3" } : {}),
  });

const countMarks = (curve: CurveView, shape: string, dy: number): Plot.Markish[] => [
  Plot.text(curve.bins, { x: middle, y: 0, dy, text: (bin: BinView) => whole(bin.n), fill: "var(--text-second)" }),
  Plot.text([`${shape}labels`], { x: 0, y: 0, dx: -9, dy, textAnchor: "end", fill: "var(--text-third)" }),
];

export function drawCurve({ curve, second, handles, width, height }: Drawing): SVGSVGElement {
  const other = second === null ? [] : [second];
  // Empty is what no curve shown has a label in.
  const empty = curve.bins.filter((bin, index) => bin.n === 0 && other.every(({ bins }) => (bins[index]?.n ?? 0) === 0));
  const edges = [...new Set(curve.bins.flatMap((bin) => [bin.from, bin.to]))];
  const thresholds = [
    { at: handles.show, inForce: curve.threshold?.tau_show, words: "show", dash: undefined, row: -14 },
    { at: handles.flag, inForce: curve.threshold?.tau_flag, words: "verify", dash: "5 3", row: -28 },
  ].flatMap((line) => (line.at === null ? [] : [{ ...line, at: line.at }]));

  const drawing = Plot.plot({
    className: "curve-plot",
    width,
    height,
    marginLeft: ROOM.left,
    marginRight: ROOM.right,
    marginTop: ROOM.top,
    marginBottom: below(second),
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
      Plot.text(empty, { x: middle, y: 0.08, text: () => "empty", fill: "var(--text-second)", rotate: -90, textAnchor: "start" }),
      Plot.link([0], { x1: 0, y1: 0, x2: 1, y2: 1, stroke: "var(--control-line)", strokeDasharray: "2 4" }),
      Plot.ruleY([0], { stroke: "var(--control-line)" }),
      Plot.ruleX([0], { stroke: "var(--control-line)" }),
      ...thresholds.map(({ at, dash }) =>
        Plot.ruleX([at], { stroke: "var(--bad)", strokeWidth: 1.5, ...(dash === undefined ? {} : { strokeDasharray: dash }) }),
      ),
      ...other.map((drawn) => risingMark(drawn, true)),
      risingMark(curve, false),
      ...worstMarks(worstBins(curve)),
      ...other.flatMap((drawn) => binMarks(drawn.bins.filter(filled), true)),
      ...binMarks(curve.bins.filter(filled), false),
      ...thresholds.map((line) =>
        Plot.text([line], {
          x: "at",
          y: 1,
          dy: line.row,
          // Long words would leave the drawing at its right edge.
          dx: line.at > RIGHT_EDGE && line.at !== line.inForce ? 6 : 0,
          text: () => thresholdWords(line.words, line.at, line.inForce),
          textAnchor: line.at > RIGHT_EDGE && line.at !== line.inForce ? "end" : "middle",
          fill: "var(--bad)",
          fontWeight: 600,
        }),
      ),
      ...countMarks(curve, second === null ? "" : "● ", 34),
      ...other.flatMap((drawn) => countMarks(drawn, "◇ ", 49)),
      Plot.text(["confidence the extractor reported"], { frameAnchor: "bottom", dy: below(second) - 6, fill: "var(--text-third)" }),
      Plot.text(["share right"], {
        frameAnchor: "top-left",
        dx: -ROOM.left + 12,
        dy: -30,
        textAnchor: "start",
        fill: "var(--text-third)",
      }),
    ],
  });
  drawing.querySelectorAll("style").forEach((style) => style.remove());
  // The drawing is one image with one name; Plot's names of its groups say nothing to a reader.
  drawing.querySelectorAll("[aria-label]").forEach((group) => group.removeAttribute("aria-label"));
  return drawing as SVGSVGElement;
}
