// Draws the times of an incident's decisions on one field against the field's own, with Observable Plot.
//
// Two lanes over one axis of seconds, each step a multiple: above, the field's own times as ticks, with a box over their
// middle half and a bar at the median; below, the run in the order decided, accepts under the floor as full diamonds and
// everything else as open circles. The floor is a dashed line through both. Nothing is told by colour alone. Deliberately
// not here: any number that the core did not give.
import * as Plot from "@observablehq/plot";
import type { FieldTimes } from "$lib/generated/FieldTimes";
import type { IncidentDecision } from "$lib/generated/IncidentDecision";
import { duration } from "$lib/wording/time";
import { floorsOf, isFast } from "./incident-words";

/** In pixels. */
export const HEIGHT = 148;
const SECOND = 1000;
/** No axis of multiples reaches nought: what is shorter stands here. */
const SHORTEST = 100;
const TICKS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 120, 300, 600, 1800, 3600].map((seconds) => seconds * SECOND);
/** Where the two lanes stand, and how far one decision of the run from the next. */
const USUAL = 1;
const RUN = 0.1;
const STEP = 0.11;

interface Timed {
  at: number;
  lane: number;
  fast: boolean;
}

const shown = (milliseconds: number) => Math.max(SHORTEST, milliseconds);

/** The run's timed decisions, one below the other in the order decided. */
export function runMarks(decisions: readonly IncidentDecision[]): Timed[] {
  const timed = decisions.filter(({ active_milliseconds }) => active_milliseconds !== null);
  return timed.map((decision, index) => ({
    at: shown(decision.active_milliseconds ?? 0),
    lane: RUN - (index % 6) * STEP,
    fast: isFast(decision),
  }));
}

/** From a little below the shortest to a little above the longest of everything drawn. */
export function timeDomain(drawn: readonly number[]): [number, number] {
  return [Math.max(SHORTEST, Math.min(...drawn) * 0.8), Math.max(...drawn) * 1.3];
}

export function drawTimes(times: FieldTimes, decisions: readonly IncidentDecision[], width: number): SVGSVGElement {
  const run = runMarks(decisions);
  const usual = times.times.map(shown);
  const floors = floorsOf(times, decisions).map(shown);
  const domain = timeDomain([...run.map(({ at }) => at), ...usual, ...floors]);
  const spread = times.spread === null ? [] : [times.spread];
  const drawing = Plot.plot({
    className: "times-plot",
    width,
    height: HEIGHT,
    marginLeft: 84,
    marginRight: 28,
    marginTop: 24,
    marginBottom: 28,
    x: { type: "log", domain, axis: null },
    y: { domain: [RUN - 5 * STEP - 0.12, USUAL + 0.3], axis: null },
    marks: [
      // An axis of its own: the scale's would leave out what is not near a power of ten.
      Plot.axisX(
        TICKS.filter((tick) => tick >= domain[0] && tick <= domain[1]),
        { text: (at: number) => duration(at).replace(".0", ""), tickSize: 4, label: null },
      ),
      Plot.ruleY([RUN - 5 * STEP - 0.12], { stroke: "var(--control-line)" }),
      Plot.rect(spread, {
        x1: ({ lower_quartile }) => shown(lower_quartile),
        x2: ({ upper_quartile }) => shown(upper_quartile),
        y1: USUAL - 0.2,
        y2: USUAL + 0.2,
        fill: "var(--quiet-ground)",
        stroke: "var(--control-line)",
      }),
      Plot.ruleX(usual, { x: (at: number) => at, y1: USUAL - 0.13, y2: USUAL + 0.13, stroke: "var(--text-second)" }),
      Plot.ruleX(spread, {
        x: ({ median }) => shown(median),
        y1: USUAL - 0.2,
        y2: USUAL + 0.2,
        stroke: "var(--text)",
        strokeWidth: 3,
      }),
      Plot.ruleX(floors, { x: (at: number) => at, stroke: "var(--bad)", strokeWidth: 1.5, strokeDasharray: "5 3" }),
      Plot.dot(run, {
        x: "at",
        y: "lane",
        r: 4.5,
        symbol: ({ fast }: Timed) => (fast ? "diamond" : "circle"),
        fill: ({ fast }: Timed) => (fast ? "var(--accent)" : "var(--ground)"),
        stroke: "var(--accent)",
        strokeWidth: 1.5,
      }),
      Plot.text(floors, {
        x: (at: number) => at,
        frameAnchor: "top",
        dy: -12,
        text: (at: number) => `floor ${duration(at)}`,
        fill: "var(--bad)",
        fontWeight: 600,
      }),
      Plot.text([times.frozen ? "baseline" : "so far"], {
        y: USUAL,
        frameAnchor: "left",
        dx: -76,
        textAnchor: "start",
        fill: "var(--text-second)",
      }),
      Plot.text(["this run"], { y: RUN, frameAnchor: "left", dx: -76, textAnchor: "start", fill: "var(--text-second)" }),
    ],
    symbol: { type: "identity" },
    color: { type: "identity" },
  });
  drawing.querySelectorAll("style").forEach((style) => style.remove());
  // One image with one name; Plot's names of its groups say nothing to a reader.
  drawing.querySelectorAll("[aria-label]").forEach((group) => group.removeAttribute("aria-label"));
  return drawing as SVGSVGElement;
}
