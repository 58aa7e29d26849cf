// Keys: what fires, and above all what must not.
import { describe, expect, it } from "vitest";
import { focusOf, refusal, route, type KeyPress } from "./routing";

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  repeat: false,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  isComposing: false,
  defaultPrevented: false,
  ...more,
});

const element = (tagName: string, isContentEditable = false) => ({ tagName, isContentEditable }) as unknown as EventTarget;

describe("route", () => {
  it.each([
    ["a", "accept"],
    ["c", "correct"],
    ["x", "reject"],
    [" ", "abstain"],
    ["u", "undo"],
    ["r", "claim_again"],
    ["f", "filter"],
    ["h", "hold"],
    ["t", "holds"],
    ["g", "incidents"],
    ["w", "watch"],
    ["b", "replacement"],
    ["6", "passage"],
    ["1", "passage"],
    ["2", "passage"],
    ["j", "next"],
    ["k", "previous"],
    ["n", "next_citation"],
    ["p", "previous_citation"],
    ["0", "zoom_reset"],
    ["?", "keys"],
    ["A", "accept"],
  ])("%j means %s", (key, action) => {
    expect(route(press(key), "elsewhere")).toBe(action);
  });

  it("never fires in a text field or a select", () => {
    for (const key of ["a", "x", " ", "u", "j", "r", "f", "1", "?", "Enter"]) expect(route(press(key), "text")).toBeNull();
    for (const tag of ["INPUT", "TEXTAREA", "SELECT"]) expect(focusOf(element(tag))).toBe("text");
    expect(focusOf(element("DIV", true))).toBe("text");
  });

  it("leaves Space and Enter to a focused button, and routes letters there", () => {
    expect(focusOf(element("BUTTON"))).toBe("control");
    expect(route(press(" "), "control")).toBeNull();
    expect(route(press("Enter"), "control")).toBeNull();
    expect(route(press("j"), "control")).toBe("next");
  });

  it("never fires with Ctrl, Alt or Meta, nor while composing, nor what was handled already", () => {
    expect(route(press("a", { ctrlKey: true }), "elsewhere")).toBeNull();
    expect(route(press("a", { altKey: true }), "elsewhere")).toBeNull();
    expect(route(press("a", { metaKey: true }), "elsewhere")).toBeNull();
    expect(route(press("a", { isComposing: true }), "elsewhere")).toBeNull();
    expect(route(press("a", { defaultPrevented: true }), "elsewhere")).toBeNull();
  });

  it("repeats movement, never a decision", () => {
    for (const key of ["a", "c", "x", " ", "u", "r", "h", "1"]) expect(route(press(key, { repeat: true }), "elsewhere")).toBeNull();
    expect(route(press("j", { repeat: true }), "elsewhere")).toBe("next");
  });

  it("knows nothing of other keys", () => {
    for (const key of ["q", "9", "Tab", "Shift", "F5"]) expect(route(press(key), "elsewhere")).toBeNull();
  });
});

describe("refusal", () => {
  const opened = { item: "one", item_version: 3 };
  const claim = { item: "one", item_version: 3 };

  it("lets a painted, held, unchanged item be decided", () => {
    expect(refusal({ painted: "one", opened, claim })).toBeNull();
  });

  it("refuses what is not painted: a second fast key finds the next item so", () => {
    expect(refusal({ painted: null, opened, claim })).toBe("not_painted");
    expect(refusal({ painted: "before", opened, claim })).toBe("not_painted");
  });

  it("refuses without a lease, or with another item's", () => {
    expect(refusal({ painted: "one", opened, claim: null })).toBe("not_held");
    expect(refusal({ painted: "one", opened, claim: { item: "before", item_version: 3 } })).toBe("not_held");
  });

  it("refuses an item that has moved since it was read", () => {
    expect(refusal({ painted: "one", opened, claim: { item: "one", item_version: 4 } })).toBe("item_moved");
  });

  it("refuses to accept two values at once, painted and held or not", () => {
    expect(refusal({ painted: "one", opened, claim, acceptsConflict: true })).toBe("passages_disagree");
    expect(refusal({ painted: null, opened, claim: null, acceptsConflict: true })).toBe("passages_disagree");
  });

  it("refuses where nothing is open", () => {
    expect(refusal({ painted: null, opened: null, claim: null })).toBe("nothing_open");
  });
});
