// The session over a scripted store: what was painted, held, typed and timed, whatever happens in between.
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { DecideRequest } from "$lib/generated/DecideRequest";
import type { QueueFilter } from "$lib/generated/QueueFilter";

const store = vi.hoisted(() => ({
  versions: new Map<string, number>(),
  newer: new Map<string, string[]>(),
  status: "present",
  evidence: "as it was",
  token: 0,
  log: [] as string[],
  decided: [] as DecideRequest[],
  made: [] as object[],
  /** Answers to claims and decisions are held back until the test lets go. */
  gate: null as Promise<void> | null,
  now: 0,
  reviewer: "Mara",
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
}));

vi.stubGlobal("document", { hasFocus: () => true });
vi.mock("$lib/evidence/timings", () => ({ timingDropped: () => 0, timingStarts: () => 0 }));
vi.mock("$lib/evidence/view-settings.svelte", () => ({ viewSettings: { imageScale: 1 } }));
vi.mock("$lib/evidence/page-images", () => ({ drawAhead: () => 0, secondFrame: async () => 0 }));
vi.mock("$lib/shell/window.svelte", () => ({
  windowState: {
    workspace: { reviewer: "Mara", lease_milliseconds: 1e9 },
    setReviewer: async (name: string) => {
      store.log.push(`reviewer ${name}`);
      store.reviewer = name;
    },
  },
}));
vi.mock("$lib/commands", async () => {
  const { CommandError } = await import("$lib/platform/contract");
  const listed = (item: string) => ({
    item,
    item_version: store.versions.get(item),
    field: `field of ${item}`,
    held_for_later_by: store.later.has(item) ? "Jonas" : null,
    held_for_later_at: null,
    hold_note: store.later.get(item) ?? null,
    held_by: store.unseen.has(item) ? null : (store.held.get(item) ?? null),
  });
  const part = (filter: QueueFilter) =>
    [...store.versions.keys()].filter((item) => (!filter.hard || store.hard.has(item)) && !store.decided.some((made) => made.item === item));
  return {
    queueList: async (limit: number, after: string | null, filter: QueueFilter) => {
      const open = part(filter);
      const from = after === null ? 0 : open.indexOf(after) + 1;
      return open.slice(from, from + limit).map(listed);
    },
    queueChoices: async (filter: QueueFilter) => ({ matching: part(filter).length, fields: [], documents: [] }),
    queueStats: async () => ({
      open: store.versions.size,
      holds: [...store.held].map(([item, held_by]) => ({ item, held_by, held_until: "2026-12-01T10:42:00" })),
    }),
    queueHolds: async () => [...store.later.keys()].map(listed),
    queueHold: async (claim: { item: string }, note: string) => {
      if (store.refuseHold) throw new CommandError({ code: "unavailable", message: "The workspace is locked." });
      store.log.push(`hold ${claim.item}: ${note}`);
      store.later.set(claim.item, note);
    },
    decisionRecent: async () => [...store.made],
    itemView: async (item: string) => ({
      item: listed(item),
      schema: { kind: "text" },
      candidate: { record_id: `record of ${item}`, status: store.status, value_text: "7", citations: store.citations.map((name) => ({ id: `${name} of ${item}` })), passage_values: store.passage_values },
      newer: (store.newer.get(item) ?? []).map((value_text) => ({ value_text })),
      history: [{ at: "", text: `read by ${store.reviewer}` }],
    }),
    evidenceView: async (id: string) => ({ citation: { id }, pages: [], text: store.evidence }),
    queueClaim: async (item: string) => {
      store.log.push(`claim ${item}`);
      const holder = store.held.get(item);
      if (holder) throw new CommandError({ code: "held", message: `item ${item} is held by ${holder}` });
      store.later.delete(item);
      const claim = { item, item_version: store.versions.get(item), token: ++store.token, expires_at: store.expires_at };
      await store.gate;
      return claim;
    },
    queueRelease: async (claim: { item: string; token: number }) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      store.log.push(`release ${claim.item} ${claim.token}`);
    },
    queueRenew: async (claim: object) => claim,
    itemDecide: async (request: DecideRequest) => {
      store.decided.push(request);
      await store.gate;
      const decision = { decision: request.key, item: request.item, field: request.item, kind: request.verdict.kind, standing: true };
      store.log.push(`decided ${request.item}`);
      store.made.unshift(decision);
      return decision;
    },
    decisionUndo: async (decision: string) => void store.log.push(`undo ${store.decided.find((made) => made.key === decision)?.item}`),
  };
});

const { ReviewSession } = await import("./session.svelte");
const { ALL } = await import("./queue.svelte");
const { holdForLater } = await import("./later");

const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

/** A session, and a pane that announces each key once, as the real one does. */
async function desk() {
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
function holdBack(): () => void {
  let go: () => void = () => undefined;
  store.gate = new Promise((resolve) => (go = resolve));
  return () => {
    store.gate = null;
    go();
  };
}

beforeEach(() => {
  store.versions = new Map(["A", "B", "C", "D"].map((item) => [item, 1]));
  for (const known of [store.newer, store.held, store.unseen, store.hard, store.later]) known.clear();
  store.refuseHold = false;
  Object.assign(store, { citations: ["quote"], passage_values: [], expires_at: "" });
  Object.assign(store, { status: "present", evidence: "as it was", token: 0, log: [], decided: [], made: [], gate: null, reviewer: "Mara" });
  vi.spyOn(performance, "now").mockImplementation(() => store.now);
});

describe("an item that is open", () => {
  it("can be decided on after it is clicked again, and after its lease was lost and claimed again", async () => {
    const { session, paint, open } = await desk();
    expect(session.whyNot()).toBeNull();
    await open("A");
    expect(session.whyNot()).toBeNull();
    session.claim = null;
    session.notHeld = "The lease has run out.";
    expect(session.whyNot()).toBe("The lease has run out.");
    session.claimAgain();
    await settle();
    paint();
    expect(session.whyNot()).toBeNull();
    expect(session.claim).toMatchObject({ item: "A", token: 2 });
  });

  it("can be decided on after another one, and after a decision on it came back", async () => {
    const { session, paint, open } = await desk();
    await open("B");
    await open("A");
    expect(session.whyNot()).toBeNull();
    session.takeUpAgain({ request: { item: "A" } as DecideRequest, field: "", error: null as never });
    await settle();
    paint();
    expect(session.whyNot()).toBeNull();
  });

  it("shows a newer extraction without moving what is painted, typed or timed, and goes on under its lease", async () => {
    const { session } = await desk();
    const key = session.paintKey("quote of A");
    session.typed.draft.first = "seven";
    store.now += 4_000;
    store.newer.set("A", ["9"]);
    store.versions.set("A", 2);
    await session.changed();
    expect(session.open?.item.newer.map((candidate) => candidate.value_text)).toEqual(["9"]);
    expect(session.paintKey("quote of A")).toBe(key);
    expect(session.typed.draft.first).toBe("seven");
    store.now += 1_000;
    expect(session.decide({ kind: "accept" }, null)).toBe(true);
    expect(store.decided[0]).toMatchObject({ item: "A", item_version: 2, token: 1, wall_milliseconds: 5_000 });
  });

  it("has to be painted again where its evidence is another", async () => {
    const { session, paint } = await desk();
    session.typed.draft.first = "seven";
    store.evidence = "with pages";
    await session.changed();
    expect(session.painted).toBeNull();
    paint();
    expect(session.whyNot()).toBeNull();
    expect(session.typed.draft.first).toBe("seven");
  });

  it("is read again where it was read ahead of a newer extraction", async () => {
    const { session, open } = await desk();
    store.newer.set("B", ["9"]);
    store.versions.set("B", 2);
    await session.changed();
    await open("B");
    expect(session.open?.item.newer).toHaveLength(1);
    expect(session.whyNot()).toBeNull();
  });

  it("is never accepted where two passages disagree", async () => {
    store.status = "conflicting";
    const { session } = await desk();
    expect(session.decide({ kind: "accept" }, null)).toBe(false);
    expect(session.said).toBe("Two passages disagree: choose one by its number, type the true value, or reject.");
    expect(store.decided).toEqual([]);
    expect(session.decide({ kind: "reject", reason: "other" }, null)).toBe(true);
  });
});

describe("time to decision", () => {
  it("adds up what an item took before and after another was looked at", async () => {
    const { session, open } = await desk();
    store.now += 60_000;
    await open("B");
    store.now += 700;
    await open("A");
    store.now += 2_000;
    session.decide({ kind: "accept" }, null);
    expect(store.decided[0]).toMatchObject({ item: "A", wall_milliseconds: 62_000, active_milliseconds: 62_000 });
    await settle();
    expect(session.stopwatch.elapsed("A")).toBeNull();
  });
});

describe("leases", () => {
  it("keeps the good token of A, B and A again in a hurry, and gives back only B", async () => {
    const { session, open } = await desk();
    await open("D");
    store.log = [];
    const go = holdBack();
    session.openItem("A", 0);
    session.openItem("B", 0);
    session.openItem("A", 0);
    go();
    await settle();
    expect(store.log.filter((line) => line === "claim A")).toHaveLength(1);
    expect(session.claim).toMatchObject({ item: "A", token: 3 });
    expect(store.log.filter((line) => line.startsWith("release"))).toEqual(["release D 2", "release B 4"]);
  });

  it("gives back what is answered after the desk was left", async () => {
    const { session, open } = await desk();
    await open("D");
    const go = holdBack();
    session.openItem("A", 0);
    session.leave();
    go();
    await settle();
    expect(session.claim).toBeNull();
    expect(store.log.at(-1)).toBe("release A 3");
  });
});

describe("a lease that runs out while typing", () => {
  const inMilliseconds = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

  async function lapsed() {
    const all = await desk();
    all.session.typed.draft = { first: "acxu 450000", second: "" };
    all.session.claim = null;
    store.expires_at = inMilliseconds(30);
    all.session.claimAgain();
    store.expires_at = "2100-01-01T10:42:00";
    await vi.waitFor(() => expect(all.session.lost).toBe(true), 5_000);
    return all;
  }

  it("is said at once; what was typed stays, and is sent once the item is claimed again", async () => {
    const { session } = await lapsed();
    expect(session.lost).toBe(true);
    expect(session.notHeld).toMatch(/^Your time on this item ran out at \d\d:\d\d\. What you typed is kept\.$/);
    expect(session.decide({ kind: "correct", value: 1 }, null)).toBe(false);
    expect(store.decided).toEqual([]);
    await session.regain();
    expect(session.said).toBe("Yours again until 10:42. What you typed waits: Enter sends it.");
    expect(session.typed.draft.first).toBe("acxu 450000");
    expect(session.decide({ kind: "correct", value: 1 }, null)).toBe(true);
    expect(store.decided[0]).toMatchObject({ item: "A", token: 3 });
  });

  it("says who has it and until when, where another took it; typing stays", async () => {
    store.held.set("A", "Jonas");
    store.unseen.add("A");
    const { session, open } = await desk();
    store.held.delete("A");
    await open("A");
    session.typed.draft.first = "mine";
    store.held.set("A", "Jonas");
    session.claim = null;
    session.notHeld = "Your time is over.";
    await session.regain();
    expect(session.lost).toBe(true);
    expect(session.notHeld).toBe("Jonas has this item until 10:42.");
    expect(session.typed.draft.first).toBe("mine");
  });

  it("is read anew where the item moved meanwhile, and says that instead", async () => {
    const { session } = await lapsed();
    store.versions.set("A", 2);
    store.newer.set("A", ["9"]);
    await session.regain();
    expect(session.said).toBe("This item has changed since it was read; it was read again.");
    expect(session.open?.item.newer).toHaveLength(1);
    expect(session.typed.draft.first).toBe("acxu 450000");
    expect(session.whyNot()).toBeNull();
  });
});

describe("a filter", () => {
  it("opens the first item inside, survives a decision, and passes over what others took meanwhile", async () => {
    store.hard = new Set(["B", "C", "D"]);
    const { session, paint } = await desk();
    expect(session.selected).toBe("A");
    const hard = { ...ALL, hard: true };
    await session.showPart(hard);
    await settle();
    paint();
    expect(session.selected).toBe("B");
    expect([session.queue.choices?.matching, session.queue.stats?.open]).toEqual([3, 4]);
    // Taken by another after the list was read.
    store.held.set("C", "Jonas");
    store.unseen.add("C");
    session.decide({ kind: "accept" }, null);
    await settle();
    paint();
    expect(session.queue.filter).toEqual(hard);
    expect([session.selected, session.claim?.item]).toEqual(["D", "D"]);
    session.decide({ kind: "accept" }, null);
    await settle();
    // A is free, but it is not hard: nothing else is claimed.
    expect(session.selected).toBeNull();
    expect(store.log.filter((line) => line === "claim null" || line === "claim A")).toEqual(["claim A"]);
    await session.showPart(ALL);
    await settle();
    expect(session.selected).toBe("A");
  });

  it("leaves the open item open where it is inside", async () => {
    store.hard = new Set(["A", "B"]);
    const { session, open } = await desk();
    await open("B");
    session.typed.draft.first = "typed";
    await session.showPart({ ...ALL, hard: true });
    expect([session.selected, session.typed.draft.first]).toEqual(["B", "typed"]);
    expect(session.whyNot()).toBeNull();
  });

  it("reads on where the first hundred are all held, and finds the free one behind them", async () => {
    const names = Array.from({ length: 130 }, (_, number) => `I${number}`);
    store.versions = new Map(names.map((name) => [name, 1]));
    store.hard = new Set(names);
    for (const name of names.slice(0, 120)) store.held.set(name, "Jonas");
    const { session } = await desk();
    await session.showPart({ ...ALL, hard: true });
    await settle();
    expect(session.claim?.item).toBe("I120");
  });
});

describe("two passages that disagree", () => {
  it("stand side by side; n and p go from one to the other without drawing anew; a number chooses", async () => {
    Object.assign(store, { status: "conflicting", citations: ["one", "two"], passage_values: [{ value: 12, text: "12" }, { value: 18, text: "18" }] });
    const { session } = await desk();
    const ids = () => session.shown.map((evidence) => evidence.citation.id);
    expect(ids()).toEqual(["one of A", "two of A"]);
    session.turnCitation(1);
    expect([session.citation, ids()]).toEqual([1, ["one of A", "two of A"]]);
    session.turnCitation(1);
    expect(session.citation).toBe(0);
    expect(session.whyNot()).toBeNull();
    expect(session.choose(2)).toBe(false);
    expect(session.choose(1)).toBe(true);
    expect([session.chosen, session.passageValue(1)?.value]).toEqual([1, 18]);
    expect(store.decided).toEqual([]);
  });

  it("are a choice only where there is a conflict, and none is left over for the next item", async () => {
    const { session, paint } = await desk();
    expect(session.choose(0)).toBe(false);
    Object.assign(store, { status: "conflicting", citations: ["one", "two"] });
    await session.changed();
    session.openItem("B", 0);
    await settle();
    paint();
    session.choose(0);
    expect([session.chosen, session.passageValue(0)]).toEqual([0, null]);
    session.decide({ kind: "correct", value: 12 }, null);
    await settle();
    expect(session.chosen).toBeNull();
  });
});

describe("an item held for later", () => {
  it("is put off with its note, and the next one opens; what was typed for it stays", async () => {
    const { session, paint, open } = await desk();
    session.typed.draft.first = "450000";
    expect(await holdForLater(session, "  ")).toBe(false);
    expect(session.said).toContain("Say why");
    expect(await holdForLater(session, " the annex is missing ")).toBe(true);
    paint();
    expect(store.log).toContain("hold A: the annex is missing");
    expect([session.selected, session.claim?.item]).toEqual(["B", "B"]);
    expect(session.said).toBe("Held for later: field of A.");
    // The hold ended the lease: nothing is given back that is not held.
    expect(store.log.filter((line) => line.startsWith("release A"))).toEqual([]);

    // Passing over it takes nothing up.
    await open("A");
    expect([session.claim, session.later]).toEqual([null, true]);
    expect(session.whyNot()).toBe("Jonas holds this for later: “the annex is missing”.");
    expect(session.typed.draft.first).toBe("450000");
    await session.changed();
    expect(session.claim).toBeNull();
    expect(store.later.has("A")).toBe(true);

    await session.regain();
    expect([session.claim?.item, session.later]).toEqual(["A", false]);
    expect(session.whyNot()).toBeNull();
    expect(store.later.size).toBe(0);
  });

  it("stays open with the note where the hold is refused", async () => {
    const { session } = await desk();
    store.refuseHold = true;
    expect(await holdForLater(session, "x")).toBe(false);
    expect([session.selected, session.claim?.item, session.said]).toEqual(["A", "A", "The workspace is locked."]);
    expect(session.whyNot()).toBeNull();
  });

  it("is nobody's next", async () => {
    store.later.set("A", "x").set("B", "y");
    const { session } = await desk();
    expect([session.selected, session.claim?.item]).toEqual(["C", "C"]);
  });

  it("is not put off where the lease is lost", async () => {
    const { session } = await desk();
    session.claim = null;
    session.notHeld = "Your time is over.";
    expect(await holdForLater(session, "x")).toBe(false);
    expect([session.said, store.later.size]).toEqual(["Your time is over.", 0]);
  });
});

describe("undo", () => {
  it("takes back the decision that was the last at the key, even one still being saved", async () => {
    const { session, paint } = await desk();
    const go = holdBack();
    session.decide({ kind: "accept" }, null);
    await settle();
    const undone = session.undo();
    go();
    await settle();
    paint();
    await undone;
    expect(store.log.filter((line) => line.startsWith("undo"))).toEqual(["undo A"]);
  });

  it("gives back what was typed for the decision, to be revised", async () => {
    const { session, paint } = await desk();
    session.typed.draft.first = "450000";
    session.decide({ kind: "correct", value: 450000 }, null);
    await settle();
    paint();
    expect([session.selected, session.typed.draft.first]).toEqual(["B", ""]);
    await session.undo();
    paint();
    expect([session.selected, session.typed.draft.first]).toEqual(["A", "450000"]);
  });

  it("does not take back the decision that follows the key", async () => {
    const { session, paint } = await desk();
    session.decide({ kind: "accept" }, null);
    await settle();
    paint();
    const undone = session.undo();
    expect(session.decide({ kind: "accept" }, null)).toBe(true);
    await undone;
    await settle();
    expect(store.decided.map((made) => made.item)).toEqual(["A", "B"]);
    expect(store.log.filter((line) => line.startsWith("undo"))).toEqual(["undo A"]);
  });
});

describe("another reviewer", () => {
  it("comes once everything of the one before is saved, given back and forgotten", async () => {
    const { session, paint } = await desk();
    session.decide({ kind: "accept" }, null);
    await settle();
    paint();
    session.typed.draft.first = "Mara's";
    store.now += 9_000;
    const go = holdBack();
    session.decide({ kind: "accept" }, null);
    await Promise.resolve();
    const switched = session.switchReviewer("Jonas");
    expect(session.whyNot()).not.toBeNull();
    go();
    await switched;
    await settle();
    const at = (line: string) => store.log.findIndex((other) => other.startsWith(line));
    expect(at("decided B")).toBeLessThan(at("reviewer Jonas"));
    expect(at("release C")).toBeGreaterThan(-1);
    expect(at("release C")).toBeLessThan(at("reviewer Jonas"));
    expect(session.open?.item.history[0]?.text).toBe("read by Jonas");
    expect(session.typed.draft.first).toBe("");
    expect(session.stopwatch.elapsed("C")).toBeNull();
    paint();
    expect(session.whyNot()).toBeNull();
  });

  it("does not come while a decision that came back waits for who made it", async () => {
    const { session, paint } = await desk();
    session.refused = [{ request: { item: "A" } as DecideRequest, field: "", error: null as never }];
    await expect(session.switchReviewer("Jonas")).rejects.toThrow("came back");
    await settle();
    paint();
    expect(store.log).not.toContain("reviewer Jonas");
    expect(session.whyNot()).toBeNull();
  });
});
