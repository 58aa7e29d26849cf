// The stand-in's commands: a queue made of the fixtures' records, leases, decisions, imports that run by a timer.
//
// Deliberately not here: curves and thresholds (calibration.ts), and how a browser reaches this (start.ts).
import type { AdjudicationView } from "$lib/generated/AdjudicationView";
import type { AuditSharesView } from "$lib/generated/AuditSharesView";
import type { BlindEntryView } from "$lib/generated/BlindEntryView";
import type { CandidateView } from "$lib/generated/CandidateView";
import type { Claim } from "$lib/generated/Claim";
import type { DecideRequest } from "$lib/generated/DecideRequest";
import type { DecisionView } from "$lib/generated/DecisionView";
import type { EnterRequest } from "$lib/generated/EnterRequest";
import type { EvidenceView } from "$lib/generated/EvidenceView";
import type { FieldView } from "$lib/generated/FieldView";
import type { ImportProgress } from "$lib/generated/ImportProgress";
import type { QueueFilter } from "$lib/generated/QueueFilter";
import type { QueueItem } from "$lib/generated/QueueItem";
import type { ReadingSegment } from "$lib/generated/ReadingSegment";
import { CommandError } from "../contract";
import { curves, differences, suggest, workload } from "./calibration";
import type { MockData, MockRecord } from "./data";
import { MockIncidents } from "./incidents";
import { leaves, choices } from "./queue-part";
import { selectBetween } from "./select";
import { agreement, behind, watch, type Watched } from "./watch";
import { passageValues, readTyped } from "./values";

type Arguments = Record<string, never>;

interface MockItem {
  listed: QueueItem;
  records: MockRecord[];
  decided: boolean;
}

const HOUR = 3_600_000;
const soon = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();
const wall = ({ events }: ReadingSegment) => (events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0);
const gone = (code: "held" | "not_found" | "lease_lost" | "unavailable" | "already_decided", message: string) =>
  new CommandError({ code, message });

const NOT_LATER = { held_for_later_by: null, held_for_later_at: null, hold_note: null };

export class MockDesk {
  failing: string | null = null;
  empty = false;
  readonly #data: MockData;
  readonly #tell: (event: string, payload: unknown) => void;
  readonly #items = new Map<string, MockItem>();
  readonly #decisions: DecisionView[] = [];
  /** What was entered before the candidate was seen; of every fourth "check value" item it is asked. */
  readonly #entries = new Map<string, BlindEntryView>();
  readonly #incidents: MockIncidents;
  #claim: Claim | null = null;
  #reviewer = "ada";
  #token = 1;
  #shares: AuditSharesView = { show: 0.05, flag: 0.05, abstain: 0.02 };
  #import: ReturnType<typeof setInterval> | undefined;
  #attempts = 0;

  constructor(data: MockData, tell: (event: string, payload: unknown) => void) {
    this.#data = data;
    this.#tell = tell;
    this.#incidents = new MockIncidents(data);
    for (const record of data.records) this.#queue(record);
    const held = [...this.#items.values()][5];
    const disputed = [...this.#items.values()].filter((item) => item.listed.reason === "check_value" && item.records[0]?.status === "present")[8];
    if (disputed) disputed.listed.reason = "adjudication";
    if (held) Object.assign(held.listed, { held_by: "bea", held_until: soon(HOUR / 5) });
    const later = [...this.#items.values()][7];
    if (later) Object.assign(later.listed, { held_for_later_by: "bea", held_for_later_at: soon(-20 * HOUR), hold_note: "The annex is missing; asked the owner for it." });
  }

  answer(command: string, request: Arguments): unknown {
    const handler = (this.#commands as Record<string, (request: never) => unknown>)[command];
    if (!handler) throw gone("not_found", `No command ${command}.`);
    return handler(request as never);
  }

  #queue(record: MockRecord): void {
    const key = `${record.doc_sha256.slice(0, 8)}:${record.field}`;
    const known = this.#items.get(key);
    if (known) {
      known.records.push(record);
      return;
    }
    const failed = record.evidence.some((evidence) => evidence.citation.state === "failed");
    const unknown = !this.#data.catalogue[record.field];
    const reason = unknown || record.confidence === null ? "schema_violation" : record.status === "conflicting" ? "conflicting" : failed ? "unverified_citation" : "check_value";
    const number = this.#items.size;
    this.#items.set(key, {
      records: [record],
      decided: false,
      listed: {
        item: key,
        item_version: 1,
        doc_id: record.doc_id,
        doc_sha256: record.doc_sha256,
        field: record.field,
        reason,
        hard: this.#data.catalogue[record.field]?.hard ?? false,
        due_at: number % 7 === 6 ? null : soon((number * 9 - 4) * HOUR),
        created_at: soon(-number * HOUR),
        held_by: null,
        held_until: null,
        ...NOT_LATER,
        title: this.#data.documents[record.doc_sha256]?.title ?? record.doc_id,
        locator: record.evidence[0]?.citation.locator ?? null,
      },
    });
  }

  #open(): QueueItem[] {
    const rank: Record<string, number> = { conflicting: 0, unverified_citation: 0, schema_violation: 0, check_value: 0 };
    return [...this.#items.values()]
      .filter((item) => !item.decided)
      .map((item) => item.listed)
      .sort(
        (a, b) =>
          Number(b.hard) - Number(a.hard) ||
          (a.due_at ?? "9").localeCompare(b.due_at ?? "9") ||
          (rank[a.reason] ?? 0) - (rank[b.reason] ?? 0),
      );
  }

  #item(id: string): MockItem {
    const item = this.#items.get(id);
    if (!item) throw gone("not_found", `There is no item ${id}.`);
    return item;
  }

  #candidate(record: MockRecord): CandidateView {
    return {
      record_id: record.record_id,
      status: record.status,
      value: record.value,
      value_text: words(record),
      violations: record.confidence === null ? ["confidence is missing or no number"] : [],
      citations: record.evidence.map((evidence) => evidence.citation),
      passage_values: passageValues(record),
      recorded_at: soon(-30 * HOUR),
    };
  }

  /** The item as it is seen: without its candidate until the value is entered, where that is asked. */
  #view(id: string) {
    const found = this.#item(id);
    const [record, ...newer] = found.records as [MockRecord, ...MockRecord[]];
    const other = newer.find((later) => words(later) !== words(record));
    const entry = this.#entries.get(id) ?? null;
    const hidden = entry === null && this.#entersFirst(found);
    return {
      item: { ...found.listed, locator: hidden ? null : found.listed.locator },
      schema: this.#schema(found.listed.field),
      candidate: hidden ? null : this.#candidate(record),
      entry,
      adjudication: found.listed.reason === "adjudication" ? this.#sides(record) : null,
      newer: other && !hidden ? [this.#candidate(other)] : [],
      history: [{ at: soon(-30 * HOUR), text: "extracted" }, { at: soon(-29 * HOUR), text: "queued" }],
    };
  }

  /** What two say who differ; the item of the stand-in that is adjudicated is about days, money or a text alike. */
  #sides(record: MockRecord): AdjudicationView {
    const said = { value: record.value, text: words(record), states_a_value: record.status === "present", not_stated: record.status === "absent" };
    return { one: { value: null, text: "not stated", states_a_value: false, not_stated: true }, other: said };
  }

  #entersFirst(item: MockItem): boolean {
    return item.listed.reason === "check_value" && [...this.#items.values()].indexOf(item) % 4 === 2;
  }

  #enter({ item, value }: EnterRequest) {
    const record = this.#item(item).records[0] as MockRecord;
    const text = value === null ? "not stated" : words({ ...record, value: value as never, status: "present" });
    const equals_candidate = text === (record.status === "absent" ? "not stated" : words(record));
    this.#entries.set(item, { value, text, equals_candidate, recorded_at: soon(0) });
    return this.#view(item);
  }

  #schema(field: string) {
    const known = this.#data.catalogue[field];
    return {
      field,
      title: known?.title ?? field,
      guidance: known?.guidance ?? "",
      kind: known?.type ?? null,
      unit: known?.unit ?? null,
      values: known?.values ?? [],
      hard: known?.hard ?? false,
    };
  }

  #decide(request: DecideRequest): DecisionView {
    if (this.failing === "unavailable" && this.#attempts++ % 4 !== 3) {
      throw gone("unavailable", "The workspace is locked by a backup.");
    }
    if (this.failing === "lease_lost") throw gone("lease_lost", "The lease ran out at 10:42 and passed to bea.");
    const item = this.#item(request.item);
    const record = item.records[0] as MockRecord;
    item.decided = true;
    item.listed.item_version += 1;
    const decision: DecisionView = {
      decision: request.key,
      item: request.item,
      recorded_at: new Date().toISOString(),
      kind: request.verdict.kind,
      reviewer: this.#reviewer,
      doc_id: record.doc_id,
      doc_sha256: record.doc_sha256,
      field: record.field,
      value: "value" in request.verdict ? request.verdict.value : record.value,
      reason: "reason" in request.verdict ? request.verdict.reason : null,
      note: request.note,
      replaces: null,
      standing: true,
      wall_milliseconds: request.segments.length > 0 ? request.segments.reduce((sum, one) => sum + wall(one), 0) : null,
      adjudication: item.listed.reason === "adjudication",
      confidence: record.confidence,
      model: record.extractor.model,
      prompt_version: record.extractor.prompt_version,
    };
    this.#decisions.unshift(decision);
    this.#wrote();
    return decision;
  }

  #undo(id: string): DecisionView {
    const decision = this.#decisions.find((made) => made.decision === id);
    if (!decision) throw gone("not_found", "There is no such decision.");
    decision.standing = false;
    this.#item(decision.item).decided = false;
    const undo = { ...decision, decision: `undo-${id}`, kind: "undo", replaces: id, standing: true };
    this.#decisions.unshift(undo);
    this.#wrote();
    return undo;
  }

  #claimItem(id: string | null): Claim | null {
    const item = id === null ? this.#open().find((other) => other.held_by === null && other.held_for_later_by === null) : this.#item(id).listed;
    if (!item) return null;
    if (this.#item(item.item).decided) throw gone("already_decided", "This item is decided already.");
    if (item.held_by !== null) throw gone("held", `${item.held_by} holds this item until 10:42.`);
    Object.assign(item, NOT_LATER);
    this.#claim = { item: item.item, item_version: item.item_version, token: ++this.#token, expires_at: soon(this.failing === "lease" ? 6_000 : HOUR / 4) };
    return this.#claim;
  }

  #stats() {
    const open = this.#open();
    const held = open.filter((item) => item.held_by !== null);
    const times = this.#decisions.flatMap((made) => made.wall_milliseconds ?? []).sort((a, b) => a - b);
    return {
      open: open.length,
      hard: open.filter((item) => item.hard).length,
      overdue: open.filter((item) => item.due_at !== null && Date.parse(item.due_at) < Date.now()).length,
      held: held.length,
      held_for_later: open.filter((item) => item.held_for_later_by !== null).length,
      decided: this.#items.size - open.length,
      second_reviews: 0,
      adjudications: open.filter((item) => item.reason === "adjudication").length,
      without_a_third: 0,
      oldest_at: null,
      holds: held.map((item) => ({ item: item.item, held_by: item.held_by, held_until: item.held_until })),
      decided_today: this.#decisions.filter((made) => made.kind !== "undo").length,
      median_milliseconds: times[Math.floor(times.length / 2)] ?? null,
    };
  }

  #document(sha: string) {
    const document = this.#data.documents[sha];
    if (!document) throw gone("not_found", "No such document.");
    const boxed = document.boxes.flat().filter((box) => box !== null).length;
    return {
      doc_id: document.doc_id,
      doc_sha256: sha,
      layer_sha256: `layer-${sha.slice(0, 16)}`,
      structure_id: `structure-${sha.slice(0, 16)}`,
      media_type: document.boxes.length > 0 ? "application/pdf" : "text/markdown",
      title: document.title,
      pages: document.pages.length,
      chars: document.layer.length,
      extractor: "pdfium 7543, layer 1",
      recorded_at: soon(-40 * HOUR),
      trust: {
        boxed,
        unboxed: document.layer.length - boxed,
        replaced: 0,
        unmapped: 0,
        scanned_pages: document.title.includes("label") ? [3] : [],
        untrusted_pages: [],
        damaged_pages: [],
        private_use: 0,
        invisible: 0,
        recognised_pages: [],
        outside: 0,
        doubled: 0,
        doubled_pages: [],
        soft_hyphens: 0,
        line_end_hyphens: 3,
        rotated_pages: [],
        page_sizes: 1,
        form_fields: document.title.includes("label") ? 2 : 0,
        annotations: 0,
        tagged_pages: document.pages.length,
        substituted_fonts: [],
      },
    };
  }

  #fields(sha: string) {
    const document = this.#data.documents[sha];
    const relevant = Object.entries(this.#data.catalogue).map(([field, schema], index): FieldView => {
      const item = this.#items.get(`${sha.slice(0, 8)}:${field}`);
      const record = item?.records[0];
      const made = this.#decisions.find((decision) => decision.item === item?.listed.item && decision.standing);
      const outcome = !record
        ? "missing"
        : made
          ? "decided"
          : record.status === "absent"
            ? "abstained"
            : (["in_review", "shown", "flagged", "shown"] as const)[index % 4] ?? "shown";
      const hidden = outcome === "missing" || outcome === "in_review" || outcome === "abstained";
      return {
        field,
        title: schema.title,
        hard: schema.hard,
        outcome,
        value: hidden || !record ? null : record.value,
        value_text: hidden || !record ? "" : words(record),
        record_id: record?.record_id ?? null,
        item: item?.listed.item ?? null,
        decision: made?.kind ?? null,
        decided_by: made?.reviewer ?? null,
        citations: record?.evidence.map((evidence) => evidence.citation) ?? [],
      };
    });
    return { document: this.#document(sha), fields: document ? relevant : [] };
  }

  #startImport(paths: string[]): string {
    const id = `import-${Date.now()}`;
    const progress: ImportProgress = {
      import: id,
      file: paths[0] ?? "",
      done: 0,
      total: 4_820_000,
      counts: {
        added: 0, known: 0, refused_files: 0, lines: 0, queued: 0, shown: 0, flagged: 0, abstained: 0,
        refused_lines: 0, verified: 0, placed: 0, ambiguous: 0, not_found: 0, failed: 0, registered: 0,
      },
      findings: [],
      state: "running",
      password_for: null,
      quarantined: [],
    };
    this.#import = setInterval(() => {
      progress.done = Math.min(progress.total, progress.done + 120_000);
      progress.counts.lines += 7;
      progress.counts.queued += 3;
      progress.counts.verified += 6;
      progress.counts.placed += 1;
      progress.counts.added = 1;
      if (progress.done > 1_000_000 && progress.findings.length === 0) {
        progress.counts.refused_lines = 1;
        progress.findings.push(`${paths.at(-1)}:41: no record: “value” stands twice`);
      }
      if (progress.done === progress.total) {
        progress.state = "done";
        if (paths.some((path) => path.includes("locked"))) progress.password_for = paths[0] ?? "";
        clearInterval(this.#import);
        this.#wrote();
      }
      this.#tell("import-progress", structuredClone(progress));
    }, 60);
    this.#cancel = () => {
      clearInterval(this.#import);
      progress.state = "cancelled";
      this.#tell("import-progress", structuredClone(progress));
    };
    return id;
  }

  #cancel: () => void = () => undefined;

  #watched(): Watched {
    const made = this.#decisions.filter((decision) => decision.standing && decision.kind !== "undo");
    return { data: this.#data, open: this.#open(), curves: curves(this.#data, made), decisions: made };
  }

  #wrote(): void {
    setTimeout(() => this.#tell("workspace-changed", null), 1);
  }

  #evidence(id: string) {
    for (const record of this.#data.records) {
      const found = record.evidence.find((evidence) => evidence.citation.id === id);
      if (found) return found;
    }
    throw gone("not_found", "No such citation.");
  }

  /** Some evidence of the document, with nothing marked in it. */
  #whole(sha: string): EvidenceView {
    const lent = this.#data.records.flatMap((record) => record.evidence).find((one) => one.citation.doc_sha256 === sha);
    if (!lent) throw gone("not_found", "No such document.");
    const nowhere = { quote_rects: [], clause_rects: [], clause_locator: null, clause_title: null, found_text: null, link: null };
    const citation = { ...lent.citation, id: `whole ${sha}`, quote: "", locator: null, page: null, char_start: null, char_end: null };
    const in_text = lent.in_text && { ...lent.in_text, quote: null, clause: null };
    return { ...lent, ...nowhere, citation: { ...citation, state: "unchecked", reason: null, placed: false }, open_page: 1, in_text };
  }

  readonly #commands = {
    session_view: () => ({ place: "pincite", team: false, account: null }),
    workspace_view: () => ({
      folder: "pincite",
      team: false,
      roles: ["reviewer", "calibration_owner", "grader", "auditor", "document_control", "administrator"],
      signatures: [],
      demo: true,
      reviewer: this.#reviewer,
      reviewers: [...new Set([this.#reviewer, "ada", "bea"])],
      versions: this.empty ? 0 : Object.keys(this.#data.documents).length,
      fields: Object.keys(this.#data.catalogue).length,
      lease_milliseconds: 900_000,
      pincite: "0.1.0",
    }),
    reviewer_set: ({ name }: { name: string }) => {
      this.#reviewer = name;
      return this.#commands.workspace_view();
    },
    queue_list: ({ limit, after, filter }: { limit: number; after: string | null; filter: QueueFilter }) => {
      const open = this.#open().filter(leaves(filter, this.#reviewer, this.#claim?.item));
      const from = after === null ? 0 : open.findIndex((item) => item.item === after) + 1;
      return open.slice(from, from + limit);
    },
    queue_choices: ({ filter }: { filter: QueueFilter }) =>
      choices(this.#open(), leaves(filter, this.#reviewer, this.#claim?.item)),
    queue_stats: () => this.#stats(),
    queue_claim: ({ item }: { item: string | null }) => this.#claimItem(item),
    queue_renew: (claim: Claim) => {
      if (this.failing === "lease") throw gone("lease_lost", "The lease has run out or passed on.");
      return { ...this.#claim, ...claim, expires_at: soon(HOUR / 4) };
    },
    value_check: ({ field, typed }: { field: string; typed: never }) => readTyped(this.#schema(field), typed),
    queue_release: () => null,
    reading_keep: () => null,
    item_view: ({ item }: { item: string }) => this.#view(item),
    item_enter: (request: EnterRequest) => this.#enter(request),
    item_decide: (request: DecideRequest) => this.#decide(request),
    decision_undo: ({ decision }: { decision: string }) => this.#undo(decision),
    decision_recent: ({ limit }: { limit: number }) => this.#decisions.slice(0, limit),
    queue_holds: () => this.#open().filter((item) => item.held_by !== null || item.held_for_later_by !== null),
    queue_hold: ({ item, note }: { item: string; note: string }) => {
      const { listed } = this.#item(item);
      if (note.trim() === "") throw new CommandError({ code: "bad_input", message: `item ${item}: say why it waits.` });
      Object.assign(listed, { held_for_later_by: this.#reviewer, held_for_later_at: soon(0), hold_note: note.trim() });
      this.#wrote();
      return listed;
    },
    pace_own: () => this.#incidents.pace(this.#decisions.filter((made) => made.kind !== "undo"), this.#reviewer),
    incident_list: () => this.#incidents.list(),
    incident_view: ({ incident }: { incident: string }) => this.#incidents.detail(incident),
    incident_resolve: ({ incident, keep, why }: { incident: string; keep: boolean; why: string }) => {
      const resolved = this.#incidents.resolve(incident, keep, why, this.#reviewer);
      this.#wrote();
      return resolved;
    },
    watch_view: ({ field }: { field: string | null }) => watch(this.#watched(), field),
    agreement_view: ({ field }: { field: string | null }) => agreement(this.#watched(), field),
    watch_behind: ({ figure, field, limit }: { figure: string; field: string | null; limit: number }) =>
      behind(this.#watched(), figure, field).slice(0, limit),
    watch_behind_bin: ({ field, limit }: { field: string; limit: number }) => behind(this.#watched(), "errors", field).slice(0, limit),
    record_evidence: ({ record }: { record: string }) => this.#data.records.find((one) => one.record_id === record)?.evidence ?? [],
    queue_standing: () => [],
    corpus_view: () => ({ valid_at: "2026-11-30", documents: [], unregistered: [], scope: "everything", left_out: 0, groups_waiting: 0, differences_waiting: 0 }),
    answer_list: () => [],
    corpus_lag: () => null,
    corpus_rates: () => null,
    corpus_groups: () => [],
    corpus_differences: () => [],
    corpus_held: () => ({ tables: [], next: null }),
    corpus_scope: () => ({ folders: [], owners: [], classes: [] }),
    evidence_view: ({ citation }: { citation: string }) => this.#evidence(citation),
    document_list: () => (this.empty ? [] : Object.keys(this.#data.documents).map((sha) => this.#document(sha))),
    document_whole: ({ doc_sha256 }: { doc_sha256: string }) => this.#whole(doc_sha256),
    document_fields: ({ doc_sha256 }: { doc_sha256: string }) => this.#fields(doc_sha256),
    document_text: ({ doc_sha256 }: { doc_sha256: string }) =>
      new TextEncoder().encode(this.#data.documents[doc_sha256]?.layer ?? "").buffer,
    document_select: (request: never) => selectBetween(this.#data, request),
    document_quarantine: () => null,
    document_try_again: () => false,
    calibration_curves: () => this.#watched().curves,
    calibration_items: () => this.#decisions.filter((made) => made.kind !== "undo").slice(0, 12),
    threshold_suggest: (request: never) => suggest(request),
    threshold_set: (request: object) => ({ ...suggest(request as never), ...request, set_at: soon(0), set_by: this.#reviewer }),
    workload_view: ({ asked }: { asked: number | null }) => workload(asked),
    calibration_compare: () => differences(),
    audit_shares: () => this.#shares,
    audit_shares_set: ({ shares }: { shares: AuditSharesView }) => (this.#shares = shares),
    export_save: ({ name }: { name: string }) => `/home/mara/${name}`,
    import_start: ({ paths }: { paths: string[] }) => this.#startImport(paths),
    import_cancel: () => {
      this.#cancel();
      return null;
    },
  };
}

function words(record: MockRecord): string {
  const value = record.value as { amount?: number; currency?: string; unit?: string } | string | number | boolean | string[] | null;
  if (value === null) return record.status === "conflicting" ? "" : "not stated";
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "object") {
    const amount = String(value.amount).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
    return `${amount} ${value.currency ?? value.unit ?? ""}`;
  }
  return String(value);
}
