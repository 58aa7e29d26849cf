// Asks for leases and gives them back, never two questions for one item at once.
//
// A second claim of the same reviewer replaces the first one's token, and answers can come out of order: so whoever asks
// for an item that is being asked for gets the same answer. Deliberately not here: which item is wanted, and renewing.
import type { Claim } from "$lib/generated/Claim";

export interface LeaseHooks {
  claim(item: string | null): Promise<Claim | null>;
  release(claim: Claim): Promise<unknown>;
}

export class Leases {
  readonly #hooks: LeaseHooks;
  readonly #asking = new Map<string, Promise<Claim | null>>();
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(hooks: LeaseHooks) {
    this.#hooks = hooks;
  }

  /** Claims an item; null claims the first free one. */
  ask(item: string | null): Promise<Claim | null> {
    const asking = item === null ? undefined : this.#asking.get(item);
    if (asking) return asking;
    const asked = this.#hooks.claim(item);
    this.#follow(asked, () => {
      if (item !== null) this.#asking.delete(item);
    });
    if (item !== null) this.#asking.set(item, asked);
    return asked;
  }

  /** Gives a lease back. One that can't be given back runs out by itself. */
  give(claim: Claim): void {
    this.#follow(this.#hooks.release(claim), () => undefined);
  }

  /** Resolves once nothing is under way: every claim answered, every lease given back. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  #follow(work: Promise<unknown>, over: () => void): void {
    const followed: Promise<unknown> = work.catch(() => undefined).then(() => {
      this.#underWay.delete(followed);
      over();
    });
    this.#underWay.add(followed);
  }
}

/** Of two leases on one item the one with the higher token is good: the other was replaced. */
export const replaces = (answer: Claim, held: Claim | null): boolean =>
  held === null || held.item !== answer.item || held.token < answer.token;
