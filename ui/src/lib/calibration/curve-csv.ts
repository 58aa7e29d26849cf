// The numbers of a curve as CSV (RFC 4180), just as the core gave them. The names of the columns are their definitions.
// Deliberately not here: rounding, and any number that is not in the views.
import type { BinDifferenceView } from "$lib/generated/BinDifferenceView";
import type { BinView } from "$lib/generated/BinView";
import type { CurveView } from "$lib/generated/CurveView";

const BIN_COLUMNS: readonly [string, (bin: BinView) => number | null][] = [
  ["confidence_from", (bin) => bin.from],
  ["confidence_below_or_1", (bin) => bin.to],
  ["labels", (bin) => bin.n],
  ["labels_effective_of_equal_weight", (bin) => bin.n_effective],
  ["mean_confidence_weighted", (bin) => bin.mean_confidence],
  ["share_right_weighted_by_1_over_chance_of_review", (bin) => bin.right],
  ["share_right_95_percent_interval_low", (bin) => bin.low],
  ["share_right_95_percent_interval_high", (bin) => bin.high],
  ["share_right_of_nearest_rising_curve", (bin) => bin.rising],
  ["share_right_if_all_pending_were_wrong", (bin) => bin.worst_right],
  ["share_right_if_all_pending_were_wrong_95_percent_interval_low", (bin) => bin.worst_low],
];

const DIFFERENCE_COLUMNS: readonly [string, (difference: BinDifferenceView) => number | null][] = [
  ["share_right_of_this_minus_first_curve", (difference) => difference.difference],
  ["difference_95_percent_interval_low", (difference) => difference.low],
  ["difference_95_percent_interval_high", (difference) => difference.high],
];

export function cell(value: string | number | null): string {
  if (value === null) return "";
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function rows(curve: CurveView, differences: readonly BinDifferenceView[] | null): (string | number | null)[][] {
  return curve.bins.map((bin) => {
    const difference = differences?.find((other) => other.from === bin.from);
    return [
      curve.field,
      curve.of,
      curve.model,
      curve.prompt_version,
      ...BIN_COLUMNS.map(([, value]) => value(bin)),
      ...(differences === null ? [] : DIFFERENCE_COLUMNS.map(([, value]) => (difference ? value(difference) : null))),
    ];
  });
}

/** One line for each bin; of two curves the differences stand with the second. */
export function curveCsv(curve: CurveView, second: CurveView | null, differences: readonly BinDifferenceView[]): string {
  const names = ["field", "present_or_absent_records", "model", "prompt_version", ...BIN_COLUMNS.map(([name]) => name)];
  const lines =
    second === null
      ? [names, ...rows(curve, null)]
      : [[...names, ...DIFFERENCE_COLUMNS.map(([name]) => name)], ...rows(curve, []), ...rows(second, differences)];
  return lines.map((line) => `${line.map(cell).join(",")}\r\n`).join("");
}
