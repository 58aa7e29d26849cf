// Time to decision: wall and active, from painted to decided, on a monotonic clock.
//
// An item that is left and opened again has several segments; they add up until its decision is saved. Active is the
// time in which the window has the focus and something was pressed or moved within the last minute. Deliberately not
// here: wall-clock dates (they jump), and anything kept beyond this process.

/** Without input for so long, a reader is taken to be away. */
export const IDLE_AFTER = 60_000;

export interface Elapsed {
  wall_milliseconds: number;
  active_milliseconds: number;
}

interface Spent {
  wall: number;
  active: number;
}

export class Stopwatch {
  readonly #now: () => number;
  /** Closed segments of each item, added up. */
  readonly #spent = new Map<string, Spent>();
  /** The segment that runs. */
  #running: { item: string; started: number; active: number } | null = null;
  /** Up to here active time is counted. */
  #counted = 0;
  #lastInput = 0;
  #focused: boolean;

  constructor(now: () => number, focused: boolean) {
    this.#now = now;
    this.#focused = focused;
  }

  /** Painted: a segment of this item begins. Painting counts as input: somebody asked for it. */
  start(item: string): void {
    this.stop();
    const now = this.#now();
    this.#running = { item, started: now, active: 0 };
    this.#counted = now;
    this.#lastInput = now;
  }

  /** The segment that runs is closed and kept. */
  stop(): void {
    if (this.#running === null) return;
    const { item } = this.#running;
    const spent = this.#sum(item);
    this.#running = null;
    if (spent) this.#spent.set(item, spent);
  }

  /** Its decision is saved: what comes after an undo is a new reading. A segment that runs goes on. */
  forget(item: string): void {
    this.#spent.delete(item);
  }

  /** Somebody else sits here now. */
  clear(): void {
    this.#running = null;
    this.#spent.clear();
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

  /** All segments of an item. Null before it was ever painted: no time is not zero time. */
  elapsed(item: string): Elapsed | null {
    const spent = this.#sum(item);
    return spent && { wall_milliseconds: Math.round(spent.wall), active_milliseconds: Math.round(spent.active) };
  }

  #sum(item: string): Spent | null {
    const closed = this.#spent.get(item);
    const running = this.#running;
    if (running?.item !== item) return closed ?? null;
    this.#count();
    return {
      wall: (closed?.wall ?? 0) + this.#now() - running.started,
      active: (closed?.active ?? 0) + running.active,
    };
  }

  #count(): void {
    const now = this.#now();
    if (this.#running !== null && this.#focused) {
      const until = Math.min(now, this.#lastInput + IDLE_AFTER);
      this.#running.active += Math.max(0, until - this.#counted);
    }
    this.#counted = now;
  }
}
