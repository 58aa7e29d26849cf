// The session over a scripted store: what was painted, held and timed, whatever happens in between.
import { describe, expect, it, vi } from "vitest";
import type { DecideRequest } from "$lib/generated/DecideRequest";
import { desk, holdBack, settle, store, walls } from "./scripted-desk";

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
    expect(store.decided[0]).toMatchObject({ item: "A", item_version: 2, token: 1 });
    expect(walls(store.decided[0])).toEqual([5_000]);
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

describe("another window", () => {
  it("that has the item by now is heard of at once, and what was typed stays", async () => {
    const { session } = await desk();
    session.typed.draft.first = "seven";
    store.held.set("A", "bea");
    store.renewal = "lease_lost";
    await session.changed();
    await settle();
    expect(session.claim).toBeNull();
    expect(session.lost).toBe(true);
    expect(session.notHeld).toContain("bea");
    expect(session.typed.draft.first).toBe("seven");
    // Given back, it is this window's again without a key.
    store.held.delete("A");
    await session.changed();
    await settle();
    expect(session.claim?.item).toBe("A");
    expect(session.typed.draft.first).toBe("seven");
  });

  it("that only seems to have it, in a list read before, takes nothing away", async () => {
    const { session } = await desk();
    store.held.set("A", "bea");
    await session.changed();
    await settle();
    expect(session.claim?.item).toBe("A");
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
    expect(store.decided[0]).toMatchObject({ item: "A" });
    // What it took before is kept by now, and goes with the decision no more.
    expect(store.log.filter((line) => line.startsWith("keep"))).toEqual(["keep A 60000", "keep B 700"]);
    expect(walls(store.decided[0])).toEqual([2_000]);
    await settle();
    expect(session.reading.decided("A")).toEqual([]);
  });

  it("goes with the decision where it could not be kept, and with the next one where that came back", async () => {
    store.keeps = false;
    const { session, open, paint } = await desk();
    store.now += 60_000;
    await open("B");
    await open("A");
    store.now += 2_000;
    store.refusal = "item_moved";
    session.decide({ kind: "accept" }, null);
    expect(walls(store.decided[0])).toEqual([60_000, 2_000]);
    await settle();
    expect(session.refused).toHaveLength(1);
    store.refusal = null;
    await open("A");
    paint();
    store.now += 30;
    session.decide({ kind: "accept" }, null);
    expect(walls(store.decided[1])).toEqual([60_000, 2_000, 30]);
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
    store.held.set("A", "bea");
    store.unseen.add("A");
    const { session, open } = await desk();
    store.held.delete("A");
    await open("A");
    session.typed.draft.first = "mine";
    store.held.set("A", "bea");
    session.claim = null;
    session.notHeld = "Your time is over.";
    await session.regain();
    expect(session.lost).toBe(true);
    expect(session.notHeld).toBe("bea has this item until 10:42.");
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

  it("takes back the one before, too, where the key comes again before the first is done", async () => {
    const { session, paint } = await desk();
    session.decide({ kind: "accept" }, null);
    await settle();
    paint();
    session.decide({ kind: "accept" }, null);
    await settle();
    paint();
    const undone = session.undo();
    await session.undo();
    await undone;
    await settle();
    expect(store.log.filter((line) => line.startsWith("undo"))).toEqual(["undo B", "undo A"]);
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
    session.typed.draft.first = "ada's";
    store.now += 9_000;
    const go = holdBack();
    session.decide({ kind: "accept" }, null);
    await Promise.resolve();
    const switched = session.switchReviewer("bea");
    expect(session.whyNot()).not.toBeNull();
    go();
    await switched;
    await settle();
    const at = (line: string) => store.log.findIndex((other) => other.startsWith(line));
    expect(at("decided B")).toBeLessThan(at("reviewer bea"));
    expect(at("release C")).toBeGreaterThan(-1);
    expect(at("release C")).toBeLessThan(at("reviewer bea"));
    expect(session.open?.item.history[0]?.text).toBe("read by bea");
    expect(session.typed.draft.first).toBe("");
    expect(session.reading.decided("C")).toEqual([]);
    paint();
    expect(session.whyNot()).toBeNull();
  });

  it("does not come while a decision that came back waits for who made it", async () => {
    const { session, paint } = await desk();
    session.refused = [{ request: { item: "A" } as DecideRequest, field: "", error: null as never }];
    await expect(session.switchReviewer("bea")).rejects.toThrow("came back");
    await settle();
    paint();
    expect(store.log).not.toContain("reviewer bea");
    expect(session.whyNot()).toBeNull();
  });
});
