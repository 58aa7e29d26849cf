// What the list of incidents and one of them say in words. Deliberately not here: what makes an incident; the core finds it.
import type { CurveEffect } from "$lib/generated/CurveEffect";
import type { FieldTimes } from "$lib/generated/FieldTimes";
import type { IncidentDecision } from "$lib/generated/IncidentDecision";
import type { IncidentState } from "$lib/generated/IncidentState";
import type { IncidentView } from "$lib/generated/IncidentView";
import type { LabelCount } from "$lib/generated/LabelCount";
import { count, share } from "$lib/wording/figures";
import { duration } from "$lib/wording/time";
import type { Badge } from "$lib/wording/words";

const STATES: Record<IncidentState, Badge> = {
  open: { words: "open", tone: "warning", shape: "▲" },
  kept: { words: "kept: counts again", tone: "good", shape: "✓" },
  voided: { words: "void: never counts", tone: "quiet", shape: "✕" },
};

export const incidentState = (state: IncidentState) => STATES[state];

export const openCount = (incidents: readonly IncidentView[]) => incidents.filter(({ state }) => state === "open").length;

/** Those that wait for somebody first, the newest of each kind on top. */
export const inOrder = (incidents: readonly IncidentView[]) =>
  [...incidents].sort(
    (one, other) =>
      Number(other.state === "open") - Number(one.state === "open") || other.opened_at.localeCompare(one.opened_at),
  );

/** An accept in less active time than its floor: what a run is made of. */
export const isFast = (decision: IncidentDecision) =>
  decision.kind === "accept" &&
  decision.active_milliseconds !== null &&
  decision.floor_milliseconds !== null &&
  decision.active_milliseconds < decision.floor_milliseconds;

/** "0.9 s, floor 4.0 s"; a decision that no window saw has no time. */
export function timeWords({ active_milliseconds, floor_milliseconds }: IncidentDecision): string {
  if (active_milliseconds === null) return "not timed";
  const floor = floor_milliseconds === null ? "" : `, floor ${duration(floor_milliseconds)}`;
  return `${duration(active_milliseconds)}${floor}`;
}

/** Names mean one person as the core sees it: whoever types theirs in another case is still themselves. */
export const isOwn = (incident: IncidentView, reviewer: string | undefined) =>
  reviewer !== undefined && incident.reviewer.trim().toLowerCase() === reviewer.trim().toLowerCase();

/** The picture of one field's times in one sentence. */
export function timesInWords(times: FieldTimes, decisions: readonly IncidentDecision[]): string {
  const timed = decisions.flatMap(({ active_milliseconds }) => active_milliseconds ?? []);
  const run =
    timed.length === 0
      ? "no decision of this run was timed"
      : `${count(timed.length, "decision")} of this run took ${duration(Math.min(...timed))} to ${duration(Math.max(...timed))}`;
  const floors = floorsOf(times, decisions).map(duration).join(" and ");
  return `${times.title}: ${run}; the floor is ${floors}; ${usualWords(times)}.`;
}

/** What the field's times rest on, and where they lie. */
export function usualWords(times: FieldTimes): string {
  const rests = times.frozen
    ? `the frozen baseline of ${count(times.times.length, "time")}`
    : `no baseline is frozen yet, ${times.times.length} of ${times.wanted} times are gathered`;
  if (times.spread === null) return rests;
  const { lower_quartile, median, upper_quartile } = times.spread;
  return `${rests}: half of them lie between ${duration(lower_quartile)} and ${duration(upper_quartile)}, the median is ${duration(median)}`;
}

/** The floors that held when the run was made, shortest first; else the one that holds now. */
export function floorsOf(times: FieldTimes, decisions: readonly IncidentDecision[]): number[] {
  const held = [...new Set(decisions.flatMap(({ floor_milliseconds }) => floor_milliseconds ?? []))];
  return held.length === 0 ? [times.floor_milliseconds] : held.sort((one, other) => one - other);
}

/** "14 labels, 92.9 % right" */
export const labelWords = ({ n, right }: LabelCount) => `${count(n, "label")}${right === null ? "" : `, ${share(right)} right`}`;

export interface EffectRow {
  curve: string;
  now: LabelCount;
  kept: LabelCount;
  voided: LabelCount;
}

/** What each resolution does to every curve that the run touches. */
export function effectRows(ifKept: readonly CurveEffect[], ifVoided: readonly CurveEffect[]): EffectRow[] {
  const name = ({ field, of, model, prompt_version }: CurveEffect) =>
    `${field} · ${of === "present" ? "" : `${of} · `}${model} ${prompt_version}`;
  return ifKept.flatMap((kept) => {
    const voided = ifVoided.find((other) => name(other) === name(kept));
    return voided ? [{ curve: name(kept), now: kept.before, kept: kept.after, voided: voided.after }] : [];
  });
}
