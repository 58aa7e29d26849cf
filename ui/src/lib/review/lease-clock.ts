// When a lease is to be renewed, and when it is over.
//
// Renewed at a third of its length. Where no renewal comes through, it is over at its own time and not at the next
// decision. Deliberately not here: the lease itself, and what is said once it is over.
import type { Claim } from "$lib/generated/Claim";

export interface LeaseClockHooks {
  /** A lease's length, in milliseconds. */
  length(): number;
  renew(): void;
  lapsed(claim: Claim): void;
}

/** A timer holds no longer wait, in milliseconds; a renewal comes long before. */
const LONGEST_WAIT = 2 ** 31 - 1;

export class LeaseClock {
  readonly #hooks: LeaseClockHooks;
  #renewal: ReturnType<typeof setTimeout> | undefined;
  #lapse: ReturnType<typeof setTimeout> | undefined;

  constructor(hooks: LeaseClockHooks) {
    this.#hooks = hooks;
  }

  /** Counts for this lease, and no longer for the one before. */
  start(claim: Claim): void {
    this.stop();
    this.#renewal = setTimeout(() => this.#hooks.renew(), this.#hooks.length() / 3);
    const left = Date.parse(claim.expires_at) - Date.now();
    if (Number.isNaN(left) || left > LONGEST_WAIT) return;
    this.#lapse = setTimeout(() => this.#hooks.lapsed(claim), Math.max(0, left));
  }

  stop(): void {
    clearTimeout(this.#renewal);
    clearTimeout(this.#lapse);
  }
}
