// Sends decisions, one after the other, and says honestly how far each is.
//
// A decision's key is made once by its maker; sending it again after a lost answer decides once. Where the store can't
// be used just now, the same request goes again, later and later, until it is answered. Where the answer is a refusal
// (lease lost, item moved), it is handed back with everything in it. Deliberately not here: what was typed before it
// became a decision, and any clock: waiting is a function that the caller gives.
import type { DecideRequest } from "$lib/generated/DecideRequest";
import type { DecisionView } from "$lib/generated/DecisionView";
import { CommandError } from "$lib/platform/contract";

export type SaveState = "saved" | "saving" | "not_saved_yet";

export interface SaverStatus {
  state: SaveState;
  /** Decisions without an answer, the one being sent included. */
  waiting: number;
  /** Why the last attempt failed, in words; null when it did not. */
  trouble: string | null;
}

/** A decision that came back, as the desk shows it. */
export interface Refused {
  request: DecideRequest;
  field: string;
  error: CommandError;
}

export interface SaverHooks {
  send(request: DecideRequest): Promise<DecisionView>;
  /** Resolves after so many milliseconds. */
  wait(milliseconds: number): Promise<void>;
  changed(status: SaverStatus): void;
  saved(request: DecideRequest, decision: DecisionView): void;
  refused(request: DecideRequest, error: CommandError): void;
}

/** First retry after one second, then doubling, at most fifteen. */
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15_000;

export class DecisionSaver {
  readonly #hooks: SaverHooks;
  readonly #waiting: DecideRequest[] = [];
  readonly #answers = new Map<string, { promise: Promise<DecisionView | null>; give(made: DecisionView | null): void }>();
  #working: Promise<void> | null = null;

  constructor(hooks: SaverHooks) {
    this.#hooks = hooks;
  }

  /** Items that have a decision on its way: they must not be offered again meanwhile. */
  items(): string[] {
    return this.#waiting.map((request) => request.item);
  }

  /** The newest decision that has no answer yet, once it has one; null in the promise where it was refused. */
  newest(): Promise<DecisionView | null> | null {
    const request = this.#waiting.at(-1);
    return (request && this.#answers.get(request.key)?.promise) ?? null;
  }

  add(request: DecideRequest): void {
    this.#waiting.push(request);
    let give: (made: DecisionView | null) => void = () => undefined;
    const promise = new Promise<DecisionView | null>((resolve) => (give = resolve));
    this.#answers.set(request.key, { promise, give });
    if (this.#working) {
      return;
    }
    this.#tell("saving", null);
    this.#working = this.#work().finally(() => {
      this.#working = null;
    });
  }

  /** Resolves once nothing waits any more. */
  async settled(): Promise<void> {
    while (this.#working) await this.#working;
  }

  #answer(request: DecideRequest, made: DecisionView | null): void {
    this.#answers.get(request.key)?.give(made);
    this.#answers.delete(request.key);
  }

  #tell(state: SaveState, trouble: string | null): void {
    this.#hooks.changed({ state, waiting: this.#waiting.length, trouble });
  }

  async #work(): Promise<void> {
    let pause = FIRST_WAIT;
    for (let request = this.#waiting[0]; request; request = this.#waiting[0]) {
      try {
        const decision = await this.#hooks.send(request);
        this.#waiting.shift();
        pause = FIRST_WAIT;
        this.#hooks.saved(request, decision);
        this.#answer(request, decision);
      } catch (cause) {
        const error = CommandError.from(cause);
        if (error.code === "unavailable" || error.code === "signed_out") {
          this.#tell("not_saved_yet", error.message);
          await this.#hooks.wait(pause);
          pause = Math.min(pause * 2, LONGEST_WAIT);
          continue;
        }
        this.#waiting.shift();
        pause = FIRST_WAIT;
        this.#hooks.refused(request, error);
        this.#answer(request, null);
      }
      this.#tell(this.#waiting.length === 0 ? "saved" : "saving", null);
    }
  }
}
