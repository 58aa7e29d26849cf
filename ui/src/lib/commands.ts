// Every command of the window, with its types: the one place where a command's name is written.
//
// Deliberately not here: what to do with an answer or an error, and how a call travels (platform/).
import type { AnswerGateView } from "$lib/generated/AnswerGateView";
import type { AnswerSummary } from "$lib/generated/AnswerSummary";
import type { AnswerView } from "$lib/generated/AnswerView";
import type { AgreementView } from "$lib/generated/AgreementView";
import type { AuditSharesView } from "$lib/generated/AuditSharesView";
import type { BinDifferenceView } from "$lib/generated/BinDifferenceView";
import type { CanonicalGroupView } from "$lib/generated/CanonicalGroupView";
import type { Claim } from "$lib/generated/Claim";
import type { CorpusView } from "$lib/generated/CorpusView";
import type { CurveView } from "$lib/generated/CurveView";
import type { DecideRequest } from "$lib/generated/DecideRequest";
import type { DecisionView } from "$lib/generated/DecisionView";
import type { DifferenceView } from "$lib/generated/DifferenceView";
import type { DocumentView } from "$lib/generated/DocumentView";
import type { EnterRequest } from "$lib/generated/EnterRequest";
import type { EvidenceView } from "$lib/generated/EvidenceView";
import type { FieldsView } from "$lib/generated/FieldsView";
import type { HeldTablesView } from "$lib/generated/HeldTablesView";
import type { IncidentDetail } from "$lib/generated/IncidentDetail";
import type { IncidentResolved } from "$lib/generated/IncidentResolved";
import type { IncidentView } from "$lib/generated/IncidentView";
import type { ItemStandingView } from "$lib/generated/ItemStandingView";
import type { ItemView } from "$lib/generated/ItemView";
import type { LagView } from "$lib/generated/LagView";
import type { RatesView } from "$lib/generated/RatesView";
import type { PaceView } from "$lib/generated/PaceView";
import type { QueueChoicesView } from "$lib/generated/QueueChoicesView";
import type { QueueFilter } from "$lib/generated/QueueFilter";
import type { QueueItem } from "$lib/generated/QueueItem";
import type { QueueStats } from "$lib/generated/QueueStats";
import type { ReadingSegment } from "$lib/generated/ReadingSegment";
import type { ReplacementView } from "$lib/generated/ReplacementView";
import type { ScopeView } from "$lib/generated/ScopeView";
import type { SectionChangeView } from "$lib/generated/SectionChangeView";
import type { SelectionView } from "$lib/generated/SelectionView";
import type { SessionView } from "$lib/generated/SessionView";
import type { SignatureRequest } from "$lib/generated/SignatureRequest";
import type { ThresholdView } from "$lib/generated/ThresholdView";
import type { TimelineView } from "$lib/generated/TimelineView";
import type { ValueCheckView } from "$lib/generated/ValueCheckView";
import type { WatchLine } from "$lib/generated/WatchLine";
import type { WatchView } from "$lib/generated/WatchView";
import type { WorkloadView } from "$lib/generated/WorkloadView";
import type { WorkspaceView } from "$lib/generated/WorkspaceView";
import { platform } from "$lib/platform/start";

/** Names a curve: thresholds and workload belong to one. */
export interface CurveName {
  field: string;
  model: string;
  prompt_version: string;
}

export interface SelectionRequest {
  doc_sha256: string;
  layer_sha256: string;
  /** From 1. */
  page: number;
  /** Where the drag began and where it is now, in points of the page. */
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

const call = <T>(command: string, request?: object) => platform().call<T>(command, request);

/** Where the window is, and who is signed in there. */
export const sessionView = () => call<SessionView>("session_view");
/** An address joins another team; null signs in where the window is. */
export const sessionBegin = (address: string | null, account: string, password: string) =>
  call<SessionView>("session_begin", { address, account, password });
export const sessionEnd = () => call<SessionView>("session_end");

export const workspaceView = () => call<WorkspaceView>("workspace_view");
export const reviewerSet = (name: string) => call<WorkspaceView>("reviewer_set", { name });

export const queueList = (limit: number, after: string | null, filter: QueueFilter) =>
  call<QueueItem[]>("queue_list", { limit, after, filter });
/** How much a filter leaves, and what can be filtered by. */
export const queueChoices = (filter: QueueFilter) => call<QueueChoicesView>("queue_choices", { filter });
export const queueStats = () => call<QueueStats>("queue_stats");
/** `null` claims the first free item; the answer is null when none is free. */
export const queueClaim = (item: string | null) => call<Claim | null>("queue_claim", { item });
export const queueRenew = (claim: Claim) => call<Claim>("queue_renew", { item: claim.item, token: claim.token });
export const queueRelease = (claim: Claim) => call<null>("queue_release", { item: claim.item, token: claim.token });

/** Open items that somebody holds, now or for later. */
export const queueHolds = () => call<QueueItem[]>("queue_holds");
/** One's own lease ends with it. */
export const queueHold = (claim: Claim, note: string) =>
  call<QueueItem>("queue_hold", { item: claim.item, token: claim.token, note });
/** The pace of who reviews in this window, and of nobody else. */
export const paceOwn = () => call<PaceView>("pace_own");

export const itemView = (item: string) => call<ItemView>("item_view", { item });
/** A value as typed: a text, or an object of texts. */
export const valueCheck = (field: string, typed: unknown) => call<ValueCheckView>("value_check", { field, typed });
/** The value as it is read in the document, before the candidate is seen; the answer has the candidate. */
export const itemEnter = (request: EnterRequest) => call<ItemView>("item_enter", request);
export const itemDecide = (request: DecideRequest) => call<DecisionView>("item_decide", request);
/** Keeps a stretch in which an item stood painted and was left undecided. */
export const readingKeep = (item: string, segment: ReadingSegment) => call<null>("reading_keep", { item, segment });
export const decisionUndo = (decision: string, key: string) => call<DecisionView>("decision_undo", { decision, key });
export const decisionRecent = (limit: number) => call<DecisionView[]>("decision_recent", { limit });
export const evidenceView = (citation: string) => call<EvidenceView>("evidence_view", { citation });

/** The evidence of every citation of a record, in order. */
export const recordEvidence = (record: string) => call<EvidenceView[]>("record_evidence", { record });

export const documentList = (limit: number, after: string | null) =>
  call<DocumentView[]>("document_list", { limit, after });
export const documentFields = (doc_id: string, doc_sha256: string) =>
  call<FieldsView>("document_fields", { doc_id, doc_sha256 });
/** The whole of a version from its first page, with no place marked. */
export const documentWhole = (doc_id: string, doc_sha256: string) =>
  call<EvidenceView>("document_whole", { doc_id, doc_sha256 });
/** A layer's UTF-8, exactly. */
export const documentText = (doc_sha256: string, layer_sha256: string) =>
  call<ArrayBuffer>("document_text", { doc_sha256, layer_sha256 });
export const documentSelect = (request: SelectionRequest) => call<SelectionView | null>("document_select", request);

/** Why the document is in quarantine; null where it is not. */
export const documentQuarantine = (doc_sha256: string) => call<string | null>("document_quarantine", { doc_sha256 });
export const documentTryAgain = (doc_sha256: string) => call<boolean>("document_try_again", { doc_sha256 });

export const calibrationCurves = () => call<CurveView[]>("calibration_curves");
export const calibrationItems = (curve: CurveName, of: string, from: number, to: number) =>
  call<DecisionView[]>("calibration_items", { ...curve, of, from, to });
export const thresholdSuggest = (curve: CurveName) => call<ThresholdView>("threshold_suggest", { ...curve });
export const thresholdSet = (
  curve: CurveName,
  tau_show: number,
  tau_flag: number,
  why: string,
  signature: SignatureRequest | null,
) => call<ThresholdView>("threshold_set", { ...curve, tau_show, tau_flag, why, signature });
/** `asked` is one threshold more to count for. */
export const workloadView = (curve: CurveName, asked: number | null) =>
  call<WorkloadView[]>("workload_view", { ...curve, asked });
/** The second minus the first, bin by bin; both of one field. */
export const calibrationCompare = (first: CurveName, second: CurveName, of: string) =>
  call<BinDifferenceView[]>("calibration_compare", { field: first.field, of, first, second });

export const auditShares = () => call<AuditSharesView>("audit_shares");
export const auditSharesSet = (shares: AuditSharesView, why: string) =>
  call<AuditSharesView>("audit_shares_set", { shares, why });

export const incidentList = () => call<IncidentView[]>("incident_list");
export const incidentView = (incident: string) => call<IncidentDetail>("incident_view", { incident });
export const incidentResolve = (incident: string, keep: boolean, why: string, signature: SignatureRequest | null) =>
  call<IncidentResolved>("incident_resolve", { incident, keep, why, signature });

/** Of one field, or of all. */
export const watchView = (field: string | null) => call<WatchView>("watch_view", { field });
/** What a figure was counted from: what speaks against it first, at most so many. */
export const agreementView = (field: string | null) => call<AgreementView[]>("agreement_view", { field });

export const watchBehind = (figure: string, field: string | null, limit: number) =>
  call<WatchLine[]>("watch_behind", { figure, field, limit });
/** The labels of one bin of a curve, the wrong ones first. */
export const watchBehindBin = ({ field, model, prompt_version }: CurveName, of: string, from: number, to: number, limit: number) =>
  call<WatchLine[]>("watch_behind_bin", { field, model, prompt_version, of, from, to, limit });

/** Two dates as a desk asks about them: null for today, and for all that is known. */
export interface OnDates {
  valid_at: string | null;
  known_at: string | null;
}

export const corpusView = (on: OnDates) => call<CorpusView>("corpus_view", on);
export const corpusTimeline = (doc_id: string, on: OnDates) => call<TimelineView>("corpus_timeline", { doc_id, ...on });
/** Held tables of some versions after `after`; empty begins. */
export const corpusHeld = (after: string) => call<HeldTablesView>("corpus_held", { after });
export const corpusGroups = () => call<CanonicalGroupView[]>("corpus_groups");
/** Says that documents are copies of the first; alone, that it is no copy. */
export const corpusConfirm = (canonical_id: string, copies: string[], why: string) =>
  call<CanonicalGroupView[]>("corpus_confirm", { canonical_id, copies, why });
export const corpusDifferences = (settled_too: boolean) =>
  call<DifferenceView[]>("corpus_differences", { settled_too });
export const corpusSettle = (doc_id: string, seq: number, why: string) =>
  call<null>("corpus_settle", { doc_id, seq, why });
/** approved, withdrawn or archived. */
export const corpusEvent = (doc_id: string, seq: number, event: string, why: string) =>
  call<null>("corpus_event", { doc_id, seq, event, why });
export const corpusScope = () => call<ScopeView>("corpus_scope");
export const corpusScopeSet = (scope: ScopeView, why: string) => call<ScopeView>("corpus_scope_set", { scope, why });
/** What became of each section between two revisions, by their places in the order. */
export const corpusChanges = (doc_id: string, before: number, after: number) =>
  call<SectionChangeView[]>("corpus_changes", { doc_id, before, after });
export const corpusCompare = (doc_id: string, before: number, after: number, section: string) =>
  call<ReplacementView>("corpus_compare", { doc_id, before, after, section });
/** Answers in the order of arrival. */
export const answerList = (limit: number, after: string | null) => call<AnswerSummary[]>("answer_list", { limit, after });
/** What the gate says of answers, each on its own dates. */
export const answerGate = (answers: string[]) => call<AnswerGateView[]>("answer_gate", { answers });
export const answerView = (answer: string) => call<AnswerView>("answer_view", { answer });
/** How far the index that reported last lags behind; what it lacks. */
export const corpusLag = () => call<LagView>("corpus_lag");
/** The last four weeks of both rates. */
export const corpusRates = () => call<RatesView>("corpus_rates");
/** What is in force in place of what a citation cites. */
export const replacementView = (citation: string, on: OnDates) =>
  call<ReplacementView>("replacement_view", { citation, ...on });
/** What the citations of items are worth today. */
export const queueStanding = (items: string[]) => call<ItemStandingView[]>("queue_standing", { items });

/** Asks the person where to, and writes there: the path, or null where none was chosen. */
export const exportSave = (name: string, extension: string, bytes: Uint8Array) =>
  call<string | null>("export_save", { name, extension, bytes: Array.from(bytes) });

export const importStart = (paths: string[], place: boolean, password: string | null, try_again: boolean) =>
  call<string>("import_start", { paths, place, password, try_again });
export const importCancel = (id: string) => call<null>("import_cancel", { import: id });
