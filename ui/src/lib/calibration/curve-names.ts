// What a curve is called and how it stands, in words. Deliberately not here: whether it is calibrated; the core says.
import type { CurveView } from "$lib/generated/CurveView";
import { count, whole } from "$lib/wording/figures";
import type { Badge } from "$lib/wording/words";

export const curveName = (curve: CurveView) =>
  [curve.field, curve.model, curve.prompt_version, curve.of].join("\u0000");

export function curveState(curve: CurveView): Badge {
  if (curve.state === "calibrated") return { words: "calibrated", tone: "good", shape: "✓" };
  if (curve.state === "stale") return { words: "stale", tone: "warning", shape: "▲" };
  return { words: `needs ${count(curve.labels_short, "label")}`, tone: "quiet", shape: "○" };
}

/** How the curve stands, in one sentence. */
export function curveSentence(curve: CurveView): string {
  if (curve.state === "calibrated") return "Calibrated: there are labels enough to use it.";
  const short = `about ${whole(curve.labels_short)} more effective ${curve.labels_short === 1 ? "label" : "labels"}`;
  if (curve.state === "stale") {
    return `Stale: the thresholds in force were measured on another model or prompt version, and this one needs ${short}.`;
  }
  return `Not calibrated yet: it needs ${short}.`;
}

/** What weeks the estimate rests on, and what waits. */
export function cohortSentence(curve: CurveView): string {
  const open = curve.open_since === null ? "" : `${count(curve.open_cohorts, "week")} open, the oldest from Monday ${curve.open_since}`;
  if (curve.closed_cohorts === 0) {
    if (curve.labels === 0) return open === "" ? "Nothing was decided yet." : `No closed week yet: ${open}.`;
    return `No closed week yet: this is over what happens to be decided, and may be too kind. ${open === "" ? "" : `${open}.`}`.trim();
  }
  const closed = `Estimated on ${count(curve.closed_cohorts, "closed week")}.`;
  if (open === "") return closed;
  const waiting = curve.labels_waiting === 0 ? "" : `; ${count(curve.labels_waiting, "label")} there wait for the rest`;
  return `${closed} ${open}${waiting}.`;
}
