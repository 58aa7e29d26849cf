// What a curve is called and how it stands, in words. Deliberately not here: whether it is calibrated; the core says.
import type { CurveView } from "$lib/generated/CurveView";
import { count } from "$lib/wording/figures";
import type { Badge } from "$lib/wording/words";

export const curveName = (curve: CurveView) =>
  [curve.field, curve.model, curve.prompt_version, curve.of].join("\u0000");

export function curveState(curve: CurveView): Badge {
  if (curve.state === "calibrated") return { words: "calibrated", tone: "good", shape: "✓" };
  if (curve.state === "stale") return { words: "stale", tone: "warning", shape: "▲" };
  return { words: `needs ${count(curve.labels_short, "label")}`, tone: "quiet", shape: "○" };
}
