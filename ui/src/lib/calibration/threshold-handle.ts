// How the two handles on the curve move: by hundredths, the grid on which thresholds are looked for, and never past each other.
// Deliberately not here: what a threshold costs or guarantees; the core answers that.

export type Which = "show" | "flag";

/** Where the handles stand; null where none is set. */
export interface Handles {
  show: number | null;
  flag: number | null;
}

const STEP = 0.01;
const LEAP = 0.05;

/** What is shown plainly needs at least the confidence of what is shown with “verify”: a handle stops at the other. */
export function moved(handles: Handles, which: Which, to: number): Handles {
  const place = Math.min(1, Math.max(0, Math.round(to * 100) / 100));
  if (which === "show") return { ...handles, show: Math.max(place, handles.flag ?? 0) };
  return { ...handles, flag: Math.min(place, handles.show ?? 1) };
}

/** Where a key takes a handle; null for a key that moves none. One that is not set begins at 1. */
export function keyTarget(key: string, value: number | null): number | null {
  const at = value ?? 1;
  if (key === "ArrowLeft" || key === "ArrowDown") return at - STEP;
  if (key === "ArrowRight" || key === "ArrowUp") return at + STEP;
  if (key === "PageDown") return at - LEAP;
  if (key === "PageUp") return at + LEAP;
  if (key === "Home") return 0;
  if (key === "End") return 1;
  return null;
}
