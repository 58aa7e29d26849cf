// Time to decision: wall and active, from painted to decided, on a monotonic clock.
//
// Active is the time in which the window has the focus and something was pressed or moved within the last minute.
// Deliberately not here: wall-clock dates (they jump), and sums over several openings; each opening is its own segment.

/** Without input for so long, a reader is taken to be away. */
export const IDLE_AFTER = 60_000;

export interface Elapsed {
  wall_milliseconds: number;
  active_milliseconds: number;
}

export class Stopwatch {
  readonly #now: () => number;
  #started: number | null = null;
  #active = 0;
  /** Up to here active time is counted. */
  #counted = 0;
  #lastInput = 0;
  #focused: boolean;

  constructor(now: () => number, focused: boolean) {
    this.#now = now;
    this.#focused = focused;
  }

  /** Painted. Painting counts as input: somebody asked for it. */
  start(): void {
    this.#started = this.#now();
    this.#counted = this.#started;
    this.#lastInput = this.#started;
    this.#active = 0;
  }

  stop(): void {
    this.#started = null;
  }

  input(): void {
    this.#count();
    this.#lastInput = this.#now();
  }

  focus(focused: boolean): void {
    this.#count();
    this.#focused = focused;
    if (focused) this.#lastInput = this.#now();
  }

  /** Null before anything was painted: no time is not zero time. */
  elapsed(): Elapsed | null {
    if (this.#started === null) return null;
    this.#count();
    return {
      wall_milliseconds: Math.round(this.#now() - this.#started),
      active_milliseconds: Math.round(this.#active),
    };
  }

  #count(): void {
    const now = this.#now();
    if (this.#started !== null && this.#focused) {
      const until = Math.min(now, this.#lastInput + IDLE_AFTER);
      this.#active += Math.max(0, until - this.#counted);
    }
    this.#counted = now;
  }
}
