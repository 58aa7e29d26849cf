// What the difference of two versions in one bin says, in words. Deliberately not here: the difference; the core has it.
import type { BinDifferenceView } from "$lib/generated/BinDifferenceView";

/** 0.0312 → "+3.1", -0.2 → "−20.0": points of a hundred. */
export function points(difference: number): string {
  const rounded = (Math.abs(difference) * 100).toFixed(1);
  return rounded === "0.0" ? rounded : `${difference < 0 ? "−" : "+"}${rounded}`;
}

export function differenceWords({ low, high }: BinDifferenceView): string {
  if (low === null || high === null) return "nothing: one is empty";
  if (low > 0) return "◇ is right more often";
  if (high < 0) return "● is right more often";
  return "may be chance";
}
