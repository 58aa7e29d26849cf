// The ways of an item that are not the plain one: a filter, a conflict, a value entered first, an item held for later.
import { describe, expect, it } from "vitest";
import { desk, settle, store, walls } from "./scripted-desk";

const { ALL } = await import("./queue.svelte");
const { enterValue } = await import("./entering");
const { holdForLater } = await import("./later");

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
    store.held.set("C", "bea");
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
    for (const name of names.slice(0, 120)) store.held.set(name, "bea");
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

describe("a value that is entered before the candidate is seen", () => {
  it("is asked for over the whole document: nothing is decided, cited or shown of the record", async () => {
    store.enterFirst.add("A");
    const { session } = await desk();
    expect(session.open?.item.candidate).toBeNull();
    expect(session.shown.map((evidence) => [evidence.citation.id, evidence.quote_rects])).toEqual([["whole of document of A", []]]);
    for (const kind of ["accept", "abstain", "reject"] as const) {
      expect(session.decide({ kind, reason: "other" } as never, null)).toBe(false);
    }
    expect(session.decide({ kind: "correct", value: 7 }, null)).toBe(false);
    expect(session.said).toBe("Enter first what the document states; then the record is shown, and you decide.");
    expect(store.decided).toEqual([]);
    expect(session.whyNot("enter")).toBeNull();
  });

  it("is kept, then the candidate stands beside it, painted anew, and what was typed can be decided with", async () => {
    store.enterFirst.add("A");
    const { session, paint } = await desk();
    session.typed.draft.first = "acxu 7";
    store.now += 3_000;
    expect(await enterValue(session, "acxu 7")).toBe(true);
    expect(store.entered.get("A")).toEqual({ item: "A", item_version: 1, token: 1, value: "acxu 7" });
    expect(session.open?.item.candidate?.value_text).toBe("7");
    expect([session.whyNot(), session.typed.draft.first]).toEqual(["The evidence is not on the screen yet; nothing was decided.", "acxu 7"]);
    paint();
    store.now += 2_000;
    expect(session.decide({ kind: "accept" }, null)).toBe(true);
    expect(store.decided[0]).toMatchObject({ item: "A", token: 1 });
    // What it took before the candidate was there is kept by now, and counts towards the same decision.
    expect([store.log.filter((line) => line.startsWith("keep")), walls(store.decided[0])]).toEqual([["keep A 3000"], [2_000]]);
  });

  it("stays typed where the lease was lost on the way, and where the item moved", async () => {
    store.enterFirst.add("A");
    const { session } = await desk();
    session.typed.draft.first = "450000";
    store.enterTrouble = { code: "lease_lost", message: "The lease has run out." };
    expect(await enterValue(session, 450000)).toBe(false);
    expect([session.said, session.typed.draft.first, session.open?.item.candidate]).toEqual(["The lease has run out.", "450000", null]);
    store.enterTrouble = { code: "item_moved", message: "Item A is at version 2." };
    store.versions.set("A", 2);
    expect(await enterValue(session, 450000)).toBe(false);
    expect(session.typed.draft.first).toBe("450000");
    store.enterTrouble = null;
    await settle();
    expect(await enterValue(session, 450000)).toBe(true);
    expect(store.entered.get("A")?.item_version).toBe(2);
  });

  it("is not sent before the document is on the screen, nor twice at once", async () => {
    store.enterFirst.add("B");
    const { session, paint } = await desk();
    session.openItem("B", 0);
    await settle();
    expect(await enterValue(session, 7)).toBe(false);
    expect(session.said).toBe("The evidence is not on the screen yet; nothing was decided.");
    paint();
    const [first, second] = await Promise.all([enterValue(session, 7), enterValue(session, null)]);
    expect([first, second, store.entered.get("B")?.value]).toEqual([true, false, 7]);
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
    expect(session.whyNot()).toBe("bea holds this for later: “the annex is missing”.");
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
