// The times of an incident as files: one picture of all its fields, and the times themselves as CSV (RFC 4180).
//
// Deliberately not here: where a file goes (the platform asks), and rounding.
import type { IncidentDetail } from "$lib/generated/IncidentDetail";
import { count } from "$lib/wording/figures";
import { dateAndTime } from "$lib/wording/time";
import { nameOf, pictureSvg, WIDTH } from "./chart-export";
import { cell } from "./curve-csv";
import { usualWords } from "./incident-words";
import { drawTimes, HEIGHT } from "./times-plot";

const COLUMNS = ["field", "of", "decision", "what", "active_milliseconds", "floor_milliseconds", "recorded_at"];

/** "incident Ada 1f3c….svg" */
export const timesName = (incident: IncidentDetail, extension: string) =>
  nameOf(["incident", incident.reviewer, incident.incident], extension);

/** Each time of a field's baseline, or of what is gathered for it, and each decision of the run. */
export function timesCsv(incident: IncidentDetail): string {
  const rows = incident.field_times.flatMap((of) => [
    ...of.times.map((time) => [of.field, of.frozen ? "baseline" : "so far", null, null, time, null, null]),
    ...incident.decisions
      .filter(({ field }) => field === of.field)
      .map((made) => [of.field, "run", made.decision, made.kind, made.active_milliseconds, made.floor_milliseconds, made.recorded_at]),
  ]);
  return [COLUMNS, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

export function timesSvg(incident: IncidentDetail): string {
  return pictureSvg({
    title: `${incident.reviewer}: ${count(incident.accepts, "accept")} under the floor in ${count(incident.decisions.length, "decision")}`,
    words: `found ${dateAndTime(incident.opened_at)} · ◆ accept under the floor, ○ anything else`,
    parts: incident.field_times.map((of) => ({
      drawing: drawTimes(of, incident.decisions.filter(({ field }) => field === of.field), WIDTH),
      height: HEIGHT,
      words: `${of.title}: ${usualWords(of)}`,
    })),
  });
}
