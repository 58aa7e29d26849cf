// What was typed for each item: kept while another one is open, until its decision is acknowledged; given back by an undo.
//
// Deliberately not here: what is typed just now, and anything kept beyond this window.
import type { Typed } from "./editor-value";

export class KeptTyping {
  readonly #kept = new Map<string, Typed>();
  /** By the decision that it went into. */
  readonly #sent = new Map<string, Typed>();

  keep(item: string, typed: Typed): void {
    this.#kept.set(item, typed);
  }

  of(item: string): Typed | undefined {
    return this.#kept.get(item);
  }

  /** The decision on the item is acknowledged. */
  acknowledged(item: string, decision: string): void {
    const typed = this.#kept.get(item);
    if (typed) this.#sent.set(decision, typed);
    this.#kept.delete(item);
  }

  /** The decision is taken back: what was typed for it is there again, to be revised. */
  giveBack(item: string, decision: string): void {
    const typed = this.#sent.get(decision);
    if (typed) this.#kept.set(item, typed);
    this.#sent.delete(decision);
  }

  clear(): void {
    this.#kept.clear();
    this.#sent.clear();
  }
}
