// The stand-in's curves, thresholds and workload: made-up numbers of a believable shape.
// Deliberately not here: any statistics; the core computes those.
import type { BinDifferenceView } from "$lib/generated/BinDifferenceView";
import type { CurveView } from "$lib/generated/CurveView";
import type { DecisionView } from "$lib/generated/DecisionView";
import type { ThresholdView } from "$lib/generated/ThresholdView";
import type { WorkloadView } from "$lib/generated/WorkloadView";
import type { MockData, MockField } from "./data";

const EDGES = [0, 0.6, 0.75, 0.85, 0.95, 1];
const COUNTS = [71, 84, 92, 69, 96];
const RIGHT = [0.43, 0.596, 0.742, 0.862, 0.911];
/** How much less often an older version is right. */
const OLDER_LESS = [0.1, 0.02, -0.06, 0.16, 0.04];
/** How much of each bin is pending. */
const WORST = [0, 0, 0.02, 0.1, 0.06];

interface Name {
  field: string;
  model: string;
  prompt_version: string;
}

export function suggest(name: Name): ThresholdView {
  const none = name.field.length % 3 === 0;
  return {
    field: name.field,
    model: name.model,
    prompt_version: name.prompt_version,
    tau_show: none ? null : 0.884,
    tau_flag: none ? null : 0.79,
    error_upper: none ? null : 0.03,
    level: 0.95,
    labels_needed: none ? 140 : null,
    labels_from: none ? 0.97 : null,
    expected_by: none ? "2026-12-18T00:00:00+01:00" : null,
    set_at: null,
    set_by: null,
    why: null,
    stale: false,
  };
}

export function curves(data: MockData, decisions: readonly DecisionView[]): CurveView[] {
  return Object.entries(data.catalogue).flatMap(([field, schema], index) => {
    const own = present(field, schema, index, decisions, 0);
    if (index % 3 !== 0) return [own];
    const absent = { ...own, of: "absent", labels: 61, audit_labels: 44, max_error: null, max_error_flag: null, threshold: null };
    return index % 2 === 0 ? [own, present(field, schema, index, [], 1)] : [own, absent];
  });
}

function present(field: string, schema: MockField, index: number, decisions: readonly DecisionView[], older: number): CurveView {
  const few = index % 4 === 1;
  const stale = index % 5 === 2;
  const pending = index % 4 === 3 ? 0 : 12;
  const extra = decisions.filter((decision) => decision.field === field);
  const bins = COUNTS.map((count, bin) => {
    const n = (few ? (bin === 3 ? 0 : Math.round(count / 9)) : count) + (bin === 4 ? extra.length : 0);
    const right = (RIGHT[bin] ?? 0) - older * (OLDER_LESS[bin] ?? 0);
    const worst = right * (1 - (pending / 12) * (WORST[bin] ?? 0));
    const half = 1.6 * Math.sqrt((right * (1 - right)) / Math.max(1, n));
    const [from, to] = [EDGES[bin] ?? 0, EDGES[bin + 1] ?? 1];
    return {
      from,
      to,
      n,
      n_effective: n * 0.41,
      right: n === 0 ? null : right,
      mean_confidence: n === 0 ? null : bin === 0 ? 0.3 : (from + to) / 2,
      low: n === 0 ? null : Math.max(0, right - half),
      high: n === 0 ? null : Math.min(1, right + half),
      rising: n === 0 ? null : older === 1 && (bin === 2 || bin === 3) ? 0.755 : right,
      worst_right: n === 0 ? null : worst,
      worst_low: n === 0 ? null : Math.max(0, worst - half),
    };
  });
  const name = { field, model: "ext-large", prompt_version: index % 2 === 0 && older === 0 ? "ext-3.5" : "ext-3.4" };
  const labels = bins.reduce((sum, bin) => sum + bin.n, 0);
  return {
    ...name,
    title: schema.title,
    hard: schema.hard,
    of: "present",
    state: few ? "needs_labels" : stale ? "stale" : "calibrated",
    labels,
    audit_labels: Math.round(labels / 4),
    labels_effective: labels * 0.41,
    labels_short: few ? 31 : 0,
    bins,
    ece: few ? null : 0.041,
    ece_interval: { low: 0.02, high: 0.07 },
    brier: few ? null : 0.118,
    brier_interval: { low: 0.08, high: 0.16 },
    closed_cohorts: few ? 0 : 7,
    open_cohorts: pending > 0 ? 2 : 0,
    open_since: pending > 0 ? "2026-11-16" : null,
    labels_waiting: pending > 0 && !few ? 31 : 0,
    pending,
    derived: 4,
    excluded: { conflicting: 3, unverified_citation: 9 },
    max_error: schema.max_error,
    max_error_flag: schema.max_error_flag,
    threshold: few
      ? null
      : {
          ...suggest(name),
          tau_show: 0.9,
          tau_flag: 0.8,
          set_at: "2026-11-21T09:12:00+01:00",
          set_by: "bea",
          why: "first calibration",
          stale,
        },
  };
}

export function differences(): BinDifferenceView[] {
  return OLDER_LESS.map((less, bin) => {
    const difference = -less;
    const half = [0.16, 0.15, 0.12, 0.12, 0.08][bin] ?? 0;
    return { from: EDGES[bin] ?? 0, to: EDGES[bin + 1] ?? 1, difference, low: difference - half, high: difference + half * 0.9 };
  });
}

export function workload(asked: number | null): WorkloadView[] {
  const rows = [
    [0.95, 0.45, 1620, 40.5, 49.5, 6240],
    [0.85, 0.25, 900, 22.5, 121.5, 310],
    [0.75, 0.13, 468, 11.7, 207.9, 0],
    [0.6, 0.06, 216, 5.4, 289.8, 0],
  ].map(([tau = 0, share = 0, items_per_day = 0, hours_per_day = 0, errors_per_day = 0, past_due_in_14_days = 0]) => ({
    tau,
    share,
    items_per_day,
    hours_per_day,
    errors_per_day,
    past_due_in_14_days,
  }));
  const near = rows.find((row) => asked !== null && row.tau < asked);
  if (asked === null || !near || rows.some((row) => row.tau === asked)) return rows;
  const more = 1 + (asked - near.tau) * 8;
  const at = { ...near, tau: asked, share: near.share * more, items_per_day: near.items_per_day * more, hours_per_day: near.hours_per_day * more, errors_per_day: near.errors_per_day / more };
  return [...rows, at].sort((one, other) => other.tau - one.tau);
}
