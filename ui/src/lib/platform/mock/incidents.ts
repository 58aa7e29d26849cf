// The stand-in's incidents and one's own pace: made-up runs over the fixtures' records.
// Deliberately not here: finding incidents, and any statistics; the core does both.
import type { DecisionView } from "$lib/generated/DecisionView";
import type { FieldTimes } from "$lib/generated/FieldTimes";
import type { IncidentDecision } from "$lib/generated/IncidentDecision";
import type { IncidentDetail } from "$lib/generated/IncidentDetail";
import type { IncidentView } from "$lib/generated/IncidentView";
import type { PaceView } from "$lib/generated/PaceView";
import { CommandError } from "../contract";
import type { MockData, MockRecord } from "./data";

const USUAL = [9200, 11_400, 12_800, 14_100, 15_000, 16_300, 17_900, 18_200, 19_600, 20_100, 21_700, 22_400, 24_000, 25_900, 27_300, 29_800, 33_000, 38_400, 47_500, 71_200];
const RUN = [1900, 2300, null, 1400, 3100, 2600, 15_000, 900];
const FLOOR = 4_180;
const MINUTE = 60_000;

const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();

function decisionsOf(records: readonly MockRecord[], name: string, minutes: number): IncidentDecision[] {
  return RUN.map((active, index): IncidentDecision => {
    const record = records[index % Math.max(1, records.length)];
    return {
      decision: `${name}-${index}`,
      item: `${record?.doc_sha256.slice(0, 8)}:${record?.field}`,
      doc_id: record?.doc_id ?? "",
      field: record?.field ?? "",
      record_id: record?.record_id ?? "",
      kind: index === 6 ? "undo" : "accept",
      active_milliseconds: active,
      floor_milliseconds: active === null ? null : FLOOR,
      recorded_at: ago((minutes - index * 0.1) * MINUTE),
      standing: index !== 3,
    };
  });
}

export class MockIncidents {
  readonly #incidents: IncidentView[];
  readonly #titles: Record<string, string>;

  constructor(data: MockData) {
    this.#titles = Object.fromEntries(Object.entries(data.catalogue).map(([field, { title }]) => [field, title]));
    const cited = data.records.filter((record) => record.evidence.length > 0);
    const one = (name: string, reviewer: string, from: number, minutes: number): IncidentView => ({
      incident: `${name}-0`,
      reviewer,
      state: "open",
      opened_at: ago((minutes - 1) * MINUTE),
      accepts: RUN.filter((active) => active !== null && active < FLOOR).length,
      decisions: decisionsOf(cited.slice(from, from + 4), name, minutes),
      resolved_by: null,
      resolved_at: null,
      why: null,
    });
    const judged = { state: "voided", resolved_by: "ada", resolved_at: ago(2000 * MINUTE), why: "asked; the pages were not opened" } as const;
    this.#incidents = [
      { ...one("older", "Ines Pardo", 8, 3000), ...judged },
      one("others", "bea", 0, 240),
      one("own", "ada", 4, 90),
    ];
  }

  list(): IncidentView[] {
    return this.#incidents;
  }

  detail(id: string): IncidentDetail {
    const incident = this.#one(id);
    const fields = [...new Set(incident.decisions.map(({ field }) => field))];
    const counted = incident.state === "kept";
    const all = { n: 214, right: 0.862 };
    const without = { n: 207, right: 0.857 };
    const effect = (kept: boolean) =>
      fields.map((field) => ({ field, model: "ext-large", prompt_version: "ext-3.5", of: "present", before: counted ? all : without, after: kept ? all : without }));
    return {
      ...incident,
      if_kept: effect(true),
      if_voided: effect(false),
      field_times: fields.map((field, index) => this.#times(field, index === 0)),
    };
  }

  resolve(id: string, keep: boolean, why: string, who: string) {
    const incident = this.#one(id);
    if (incident.reviewer === who) {
      throw new CommandError({ code: "bad_input", message: `incident ${id} is about ${who}'s own decisions, and nobody resolves their own.` });
    }
    const { if_kept, if_voided } = this.detail(id);
    Object.assign(incident, { state: keep ? "kept" : "voided", resolved_by: who, resolved_at: ago(0), why });
    return { ...incident, effect: keep ? if_kept : if_voided };
  }

  pace(decisions: readonly DecisionView[], reviewer: string): PaceView {
    const own = this.#incidents.filter((incident) => incident.reviewer === reviewer && incident.state === "open");
    const times = decisions.flatMap((made) => made.wall_milliseconds ?? []).sort((one, other) => one - other);
    return {
      today: { n: times.length, median_milliseconds: times.length < 5 ? null : (times[Math.floor(times.length / 2)] ?? null) },
      usual: { n: 212, median_milliseconds: 20_900 },
      fast_accepts: own.reduce((sum, { accepts }) => sum + accepts, 0),
      set_aside: own.length === 0 ? [] : decisions.filter((made) => made.standing && made.kind === "accept").slice(0, 5),
    };
  }

  #times(field: string, frozen: boolean): FieldTimes {
    return {
      field,
      title: this.#titles[field] ?? field,
      times: frozen ? USUAL : USUAL.slice(3, 10),
      frozen,
      wanted: 20,
      spread: { least: 9200, lower_quartile: 14_775, median: 20_900, upper_quartile: 28_000, greatest: 71_200 },
      floor_milliseconds: FLOOR,
    };
  }

  #one(id: string): IncidentView {
    const incident = this.#incidents.find((other) => other.incident === id);
    if (!incident) throw new CommandError({ code: "not_found", message: `There is no incident ${id}.` });
    return incident;
  }
}
