// The stand-in's watched figures: counted over the fixtures' records, errors taken from the stand-in's curves.
// Deliberately not here: the real counts; the store makes those.
import type { AgreementView } from "$lib/generated/AgreementView";
import type { CurveView } from "$lib/generated/CurveView";
import type { DecisionView } from "$lib/generated/DecisionView";
import type { QueueItem } from "$lib/generated/QueueItem";
import type { WatchLine } from "$lib/generated/WatchLine";
import type { WatchView } from "$lib/generated/WatchView";
import type { MockData } from "./data";

const DAY = 86_400_000;
const UNRESOLVED = ["erased", "bytes_unknown", "bytes_corrupt", "layer_unknown", "no_offsets", "out_of_bounds"];

const figure = (passed: number, of: number) => ({ passed, of, share: of === 0 ? null : passed / of });
const failingFirst = (lines: WatchLine[]) => [...lines.filter((line) => line.failing), ...lines.filter((line) => !line.failing)];

const line = (of: { doc_id: string; doc_sha256: string; field: string; record_id: string }, more: Partial<WatchLine>): WatchLine => ({
  failing: false,
  doc_id: of.doc_id,
  doc_sha256: of.doc_sha256,
  field: of.field,
  record_id: of.record_id,
  citation: null,
  item: null,
  decision: null,
  state: null,
  reason: null,
  due_at: null,
  recorded_at: new Date(Date.now() - DAY).toISOString(),
  ...more,
});

function citations(data: MockData, field: string | null, fails: (reason: string | null) => boolean): WatchLine[] {
  return failingFirst(
    data.records
      .filter((record) => field === null || record.field === field)
      .flatMap((record) =>
        record.evidence.map(({ citation: { id, state, reason } }) =>
          line(record, { citation: id, state, reason, failing: state !== "verified" && fails(reason) }),
        ),
      ),
  );
}

function waiting(open: readonly QueueItem[], field: string | null): WatchLine[] {
  const late = (item: QueueItem) => item.due_at !== null && Date.parse(item.due_at) < Date.now();
  return open
    .filter((item) => field === null || item.field === field)
    .map((item) => line({ ...item, record_id: "" }, { item: item.item, state: "open", due_at: item.due_at, recorded_at: item.created_at, failing: late(item) }))
    .sort((one, other) => (one.due_at ?? "9").localeCompare(other.due_at ?? "9"));
}

const decided = (data: MockData, decisions: readonly DecisionView[]): WatchLine[] =>
  failingFirst(
    decisions.flatMap((made) => {
      const record = data.records.find((one) => one.doc_sha256 === made.doc_sha256 && one.field === made.field);
      if (!record || !made.standing || made.kind === "undo") return [];
      const { item, decision, kind, reason, recorded_at } = made;
      return [line(record, { item, decision, state: kind, reason, recorded_at, failing: kind !== "accept" })];
    }),
  );

export interface Watched {
  data: MockData;
  open: readonly QueueItem[];
  curves: readonly CurveView[];
  decisions: readonly DecisionView[];
}

export function behind({ data, open, decisions }: Watched, figure: string, field: string | null): WatchLine[] {
  if (figure === "citations_resolving") return citations(data, field, (reason) => UNRESOLVED.includes(reason ?? ""));
  if (figure === "quotes_verified") return citations(data, field, () => true);
  if (figure === "queue_age") return waiting(open, field);
  const absent = (made: WatchLine) => data.records.some((record) => record.record_id === made.record_id && record.status === "absent");
  const all = decided(data, decisions).filter((made) => field === null || made.field === field);
  return figure === "errors" ? all : all.filter(absent);
}

export function agreement(watched: Watched, field: string | null): AgreementView[] {
  return watched.curves
    .filter((curve) => curve.of === "present" && (field === null || curve.field === field))
    .slice(0, 2)
    .map((curve, index) => ({
      field: curve.field,
      title: curve.title,
      alpha: index === 0 ? 0.872 : null,
      pairs: index === 0 ? 34 : 3,
      pairs_same: index === 0 ? 31 : 3,
      pairs_short: index === 0 ? 0 : 17,
      second_reviews: 41,
      agreed: 38,
      share_agreed: 38 / 41,
      adjudicated: 2,
      to_adjudicate: 1,
      waiting: 5,
    }));
}

export function watch(watched: Watched, field: string | null): WatchView {
  const counted = (name: string) => {
    const lines = behind(watched, name, field);
    return figure(lines.filter((one) => !one.failing).length, lines.length);
  };
  const items = waiting(watched.open, field);
  const age = (one: WatchLine) => (Date.now() - Date.parse(one.recorded_at)) / DAY;
  const left = (one: WatchLine) => (one.due_at === null ? null : (Date.parse(one.due_at) - Date.now()) / DAY);
  const ages = [
    { name: "under_1_day", from: -1, to: 1 },
    { name: "under_3_days", from: 1, to: 3 },
    { name: "under_7_days", from: 3, to: 7 },
    { name: "from_7_days", from: 7, to: Infinity },
  ].map(({ name, from, to }) => {
    const of = items.filter((one) => age(one) >= from && age(one) < to).map(left);
    const due = (low: number, high: number) => of.filter((days) => days !== null && days >= low && days < high).length;
    return {
      age: name,
      past_due: due(-Infinity, 0),
      within_1_day: due(0, 1),
      within_3_days: due(1, 3),
      later: due(3, Infinity),
      no_due_time: of.filter((days) => days === null).length,
    };
  });
  return {
    field,
    fields: [...new Set(watched.data.records.map((record) => record.field))].sort(),
    citations_resolving: counted("citations_resolving"),
    quotes_verified: counted("quotes_verified"),
    abstentions_agreed: counted("abstentions_agreed"),
    errors: watched.curves
      .filter((curve) => curve.labels > 0 && (field === null || curve.field === field))
      .map(({ title, model, prompt_version, of, bins, field: name }) => ({
        field: name,
        title,
        model,
        prompt_version,
        of,
        bins: bins.map(({ from, to, n, right }) => ({ from, to, n, error: right === null ? null : 1 - right })),
      })),
    queue_age: {
      open: items.length,
      with_due_time: items.filter((one) => one.due_at !== null).length,
      past_due: items.filter((one) => one.failing).length,
      oldest_at: items.map((one) => one.recorded_at).sort()[0] ?? null,
      ages,
    },
  };
}
