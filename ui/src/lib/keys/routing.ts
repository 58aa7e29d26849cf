// Which action a key press means, if any. Pure, so that every way of firing a key by accident can be tested.
//
// The rules: never in a text field or a select, never with Ctrl, Alt or Meta, never while composing; a decision never on
// auto-repeat. A focused button or link keeps Space and Enter for itself. Deliberately not here: whether an action may be
// carried out (the desks know), and keys that belong to one list, panel or editor (arrows, reasons by number): they
// listen themselves.

export type Action =
  | "accept"
  | "correct"
  | "reject"
  | "abstain"
  | "undo"
  | "passage"
  | "claim_again"
  | "filter"
  | "hold"
  | "holds"
  | "next"
  | "previous"
  | "open"
  | "next_citation"
  | "previous_citation"
  | "zoom_in"
  | "zoom_out"
  | "zoom_reset"
  | "invert"
  | "definitions"
  | "compare"
  | "audit_share"
  | "incidents"
  | "watch"
  | "export"
  | "replacement"
  | "keys"
  | "escape";

/** As much of a keyboard event as the rules need. */
export interface KeyPress {
  key: string;
  repeat: boolean;
  ctrlKey: boolean;
  altKey: boolean;
  metaKey: boolean;
  isComposing: boolean;
  defaultPrevented: boolean;
}

export type Focus = "text" | "control" | "elsewhere";

const BINDINGS: Record<string, Action> = {
  a: "accept",
  c: "correct",
  x: "reject",
  " ": "abstain",
  u: "undo",
  r: "claim_again",
  f: "filter",
  h: "hold",
  t: "holds",
  // The passage of that number; which one, the desk reads off the key.
  1: "passage",
  2: "passage",
  3: "passage",
  4: "passage",
  5: "passage",
  6: "passage",
  7: "passage",
  j: "next",
  k: "previous",
  Enter: "open",
  o: "open",
  n: "next_citation",
  p: "previous_citation",
  "+": "zoom_in",
  "=": "zoom_in",
  "-": "zoom_out",
  "0": "zoom_reset",
  i: "invert",
  d: "definitions",
  v: "compare",
  s: "audit_share",
  g: "incidents",
  w: "watch",
  e: "export",
  b: "replacement",
  "?": "keys",
  Escape: "escape",
};

/** Held down, these still go one step at a time: a repeat would decide what nobody has read. */
const ONCE: ReadonlySet<Action> = new Set(["accept", "correct", "reject", "abstain", "undo", "open", "keys", "invert", "passage", "claim_again", "filter", "hold", "holds", "definitions", "compare", "audit_share", "incidents", "watch", "export", "replacement"]);

export function route(press: KeyPress, focus: Focus): Action | null {
  if (press.defaultPrevented || press.isComposing || press.ctrlKey || press.altKey || press.metaKey) return null;
  if (focus === "text") return null;
  if (focus === "control" && (press.key === " " || press.key === "Enter")) return null;
  const action = BINDINGS[press.key.length === 1 ? press.key.toLowerCase() : press.key] ?? null;
  if (action !== null && press.repeat && ONCE.has(action)) return null;
  return action;
}

/** What a key press would go to: typing, a control that wants Space and Enter, or neither. */
export function focusOf(target: EventTarget | null): Focus {
  if (target === null || !("tagName" in target)) return "elsewhere";
  const element = target as HTMLElement;
  if (element.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(element.tagName)) return "text";
  if (["BUTTON", "A", "SUMMARY"].includes(element.tagName)) return "control";
  return "elsewhere";
}

/** What a decision rests on: the item painted, the lease held, and the item as it was read. */
export interface Ground {
  /** The item whose evidence is on the screen; null until it is painted. */
  painted: string | null;
  /** The item that is open. */
  opened: { item: string; item_version: number } | null;
  /** The lease held. */
  claim: { item: string; item_version: number } | null;
  /** Something is decided of a candidate that is not to be seen yet. */
  enterFirst?: boolean;
  /** The candidate is to be accepted, and it has no single value. */
  acceptsConflict?: boolean;
}

export type Refusal = "nothing_open" | "enter_first" | "passages_disagree" | "not_painted" | "not_held" | "item_moved";

/** Null where a decision may be made; else why not. A fast second key finds the next item unpainted and dies here. */
export function refusal({ painted, opened, claim, acceptsConflict = false, enterFirst = false }: Ground): Refusal | null {
  if (opened === null) return "nothing_open";
  if (enterFirst) return "enter_first";
  if (acceptsConflict) return "passages_disagree";
  if (painted !== opened.item) return "not_painted";
  if (claim === null || claim.item !== opened.item) return "not_held";
  if (claim.item_version !== opened.item_version) return "item_moved";
  return null;
}
