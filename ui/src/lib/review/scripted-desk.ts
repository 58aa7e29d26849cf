// A session over a scripted store, for its tests: what the store answers, refuses, holds back and was told.
//
// Importing it puts the script in place of the commands. Deliberately not here: what is expected.
import { beforeEach, vi } from "vitest";
import type { DecideRequest } from "$lib/generated/DecideRequest";
import type { ErrorCode } from "$lib/generated/ErrorCode";
import type { EnterRequest } from "$lib/generated/EnterRequest";
import type { ErrorView } from "$lib/generated/ErrorView";
import type { QueueFilter } from "$lib/generated/QueueFilter";
import type { ReadingSegment } from "$lib/generated/ReadingSegment";

const script = vi.hoisted(() => ({
  versions: new Map<string, number>(),
  newer: new Map<string, string[]>(),
  status: "present",
  evidence: "as it was",
  token: 0,
  log: [] as string[],
  decided: [] as DecideRequest[],
  made: [] as { decision: string; standing: boolean }[],
  /** Answers to claims and decisions are held back until the test lets go. */
  gate: null as Promise<void> | null,
  now: 0,
  reviewer: "ada",
  /** Who holds what, besides this session. */
  held: new Map<string, string>(),
  /** Items of which the list does not know yet that they are held. */
  unseen: new Set<string>(),
  hard: new Set<string>(),
  /** Notes of items held for later. */
  later: new Map<string, string>(),
  refuseHold: false,
  expires_at: "",
  page: 100,
  citations: ["quote"],
  passage_values: [] as object[],
  /** Whether stretches of reading can be kept. */
  keeps: true,
  /** Codes, where renewals and decisions are refused. */
  renewal: null as ErrorCode | null,
  refusal: null as ErrorCode | null,
  /** Items whose value is entered before the candidate is seen; what was entered. */
  enterFirst: new Set<string>(),
  entered: new Map<string, EnterRequest>(),
  enterTrouble: null as null | ErrorView,
}));

/** What the store knows, answers and was told. */
export const store = script;

vi.stubGlobal("document", { hasFocus: () => true, visibilityState: "visible" });
vi.mock("$lib/evidence/timings", () => ({ timingDropped: () => 0, timingStarts: () => 0 }));
vi.mock("$lib/evidence/view-settings.svelte", () => ({ viewSettings: { imageScale: 1 } }));
vi.mock("$lib/evidence/page-images", () => ({ drawAhead: () => 0, secondFrame: async () => 0 }));
vi.mock("$lib/shell/window.svelte", () => ({
  windowState: {
    workspace: { reviewer: "ada", lease_milliseconds: 1e9 },
    setReviewer: async (name: string) => {
      script.log.push(`reviewer ${name}`);
      script.reviewer = name;
    },
  },
}));
const wallOf = vi.hoisted(() => ({ events }: ReadingSegment) => (events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0));
vi.mock("$lib/commands", async () => {
  const { CommandError } = await import("$lib/platform/contract");
  const listed = (item: string) => ({
    item,
    doc_id: `document of ${item}`,
    item_version: script.versions.get(item),
    field: `field of ${item}`,
    held_for_later_by: script.later.has(item) ? "bea" : null,
    held_for_later_at: null,
    hold_note: script.later.get(item) ?? null,
    held_by: script.unseen.has(item) ? null : (script.held.get(item) ?? null),
  });
  const part = (filter: QueueFilter) =>
    [...script.versions.keys()].filter((item) => (!filter.hard || script.hard.has(item)) && !script.decided.some((made) => made.item === item));
  return {
    queueList: async (limit: number, after: string | null, filter: QueueFilter) => {
      const open = part(filter);
      const from = after === null ? 0 : open.indexOf(after) + 1;
      return open.slice(from, from + limit).map(listed);
    },
    queueChoices: async (filter: QueueFilter) => ({ matching: part(filter).length, fields: [], documents: [] }),
    queueStanding: async () => [],
    queueStats: async () => ({
      open: script.versions.size,
      holds: [...script.held].map(([item, held_by]) => ({ item, held_by, held_until: "2026-12-01T10:42:00" })),
    }),
    queueHolds: async () => [...script.later.keys()].map(listed),
    queueHold: async (claim: { item: string }, note: string) => {
      if (script.refuseHold) throw new CommandError({ code: "unavailable", message: "The workspace is locked." });
      script.log.push(`hold ${claim.item}: ${note}`);
      script.later.set(claim.item, note);
    },
    decisionRecent: async () => [...script.made],
    itemView: async (item: string) => ({
      item: listed(item),
      schema: { kind: "text" },
      entry: script.entered.get(item) ?? null,
      candidate: script.enterFirst.has(item) && !script.entered.has(item) ? null : { record_id: `record of ${item}`, status: script.status, value_text: "7", citations: script.citations.map((name) => ({ id: `${name} of ${item}` })), passage_values: script.passage_values },
      newer: (script.newer.get(item) ?? []).map((value_text) => ({ value_text })),
      history: [{ at: "", text: `read by ${script.reviewer}` }],
    }),
    itemEnter: async (request: EnterRequest) => {
      if (script.enterTrouble !== null) throw new CommandError(script.enterTrouble);
      script.entered.set(request.item, request);
    },
    documentWhole: async (doc_id: string) => ({ citation: { id: `whole of ${doc_id}` }, pages: [], text: script.evidence, quote_rects: [] }),
    evidenceView: async (id: string) => ({ citation: { id }, pages: [], text: script.evidence }),
    queueClaim: async (item: string) => {
      script.log.push(`claim ${item}`);
      const holder = script.held.get(item);
      if (holder) throw new CommandError({ code: "held", message: `item ${item} is held by ${holder}` });
      script.later.delete(item);
      const claim = { item, item_version: script.versions.get(item), token: ++script.token, expires_at: script.expires_at };
      await script.gate;
      return claim;
    },
    queueRelease: async (claim: { item: string; token: number }) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      script.log.push(`release ${claim.item} ${claim.token}`);
    },
    queueRenew: async (claim: object) => {
      if (script.renewal !== null) throw new CommandError({ code: script.renewal, message: "the lease has passed on" });
      return claim;
    },
    readingKeep: async (item: string, segment: ReadingSegment) => {
      if (!script.keeps) throw new CommandError({ code: "unavailable", message: "the store is away" });
      script.log.push(`keep ${item} ${wallOf(segment)}`);
    },
    itemDecide: async (request: DecideRequest) => {
      script.decided.push(request);
      await script.gate;
      if (script.refusal !== null) throw new CommandError({ code: script.refusal, message: "refused" });
      const decision = { decision: request.key, item: request.item, field: request.item, kind: request.verdict.kind, standing: true };
      script.log.push(`decided ${request.item}`);
      script.made.unshift(decision);
      return decision;
    },
    decisionUndo: async (decision: string) => {
      script.log.push(`undo ${script.decided.find((made) => made.key === decision)?.item}`);
      script.made = script.made.map((made) => (made.decision === decision ? { ...made, standing: false } : made));
    },
  };
});

const { ReviewSession } = await import("./session.svelte");

export const walls = (request: DecideRequest | undefined) => request?.segments.map(wallOf);
export const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

/** A session, and a pane that announces each key once, as the real one does. */
export async function desk() {
  const session = new ReviewSession();
  const announced = new Set<string>();
  const paint = () => {
    for (const evidence of session.shown) {
      const key = session.paintKey(evidence.citation.id);
      if (announced.has(key)) continue;
      announced.add(key);
      session.panePainted(key);
    }
  };
  await session.enter();
  await settle();
  paint();
  const open = async (item: string) => {
    session.openItem(item, 0);
    await settle();
    paint();
  };
  return { session, paint, open };
}

/** Holds answers back; call the result to let them go. */
export function holdBack(): () => void {
  let go: () => void = () => undefined;
  store.gate = new Promise((resolve) => (go = resolve));
  return () => {
    store.gate = null;
    go();
  };
}

beforeEach(() => {
  store.versions = new Map(["A", "B", "C", "D"].map((item) => [item, 1]));
  for (const known of [store.newer, store.held, store.unseen, store.hard, store.enterFirst, store.entered, store.later]) known.clear();
  Object.assign(store, { enterTrouble: null, refuseHold: false, keeps: true, refusal: null, renewal: null });
  Object.assign(store, { citations: ["quote"], passage_values: [], expires_at: "" });
  Object.assign(store, { status: "present", evidence: "as it was", token: 0, log: [], decided: [], made: [], gate: null, reviewer: "ada" });
  vi.spyOn(performance, "now").mockImplementation(() => store.now);
});
