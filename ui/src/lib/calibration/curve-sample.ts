// Small curves for tests. Deliberately not here: believable numbers (the stand-in has those).
import type { BinView } from "$lib/generated/BinView";
import type { CurveView } from "$lib/generated/CurveView";

export const aBin = (more: Partial<BinView>): BinView => ({
  from: 0,
  to: 1,
  n: 0,
  n_effective: 0,
  right: null,
  mean_confidence: null,
  low: null,
  high: null,
  rising: null,
  worst_right: null,
  worst_low: null,
  ...more,
});

export const aCurve = (more: Partial<CurveView>): CurveView => ({
  field: "f",
  title: "F",
  hard: false,
  model: "m",
  prompt_version: "p-1",
  of: "present",
  state: "calibrated",
  labels: 7,
  audit_labels: 2,
  labels_effective: 3.25,
  labels_short: 0,
  bins: [],
  ece: null,
  ece_interval: null,
  brier: null,
  brier_interval: null,
  closed_cohorts: 3,
  open_cohorts: 0,
  open_since: null,
  labels_waiting: 0,
  pending: 0,
  derived: 0,
  excluded: {},
  max_error: null,
  max_error_flag: null,
  threshold: null,
  ...more,
});
