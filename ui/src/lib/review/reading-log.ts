// What happens while an item stands on the screen, as far as time is concerned: painted, focus, visibility, input, left,
// decided, on a monotonic clock.
//
// Each stretch in which an item is painted is a segment. One that ends without a decision is sent to be kept; what was not
// acknowledged goes with the decision, and being sent twice it is kept once. Deliberately not here: sums and rules, which
// the core has (it derives wall and active time from the events), and wall-clock dates (they jump).
import type { ReadingEventKind } from "$lib/generated/ReadingEventKind";
import type { ReadingSegment } from "$lib/generated/ReadingSegment";

/** Without input for so long, a reader is taken to be away; the core's number. */
export const IDLE_AFTER = 60_000;

export interface ReadingHooks {
  /** Milliseconds of a clock that never jumps. */
  now(): number;
  id(): string;
  /** Keeps a segment of an item that was left; rejects where it is not known to be kept. */
  keep(item: string, segment: ReadingSegment): Promise<unknown>;
}

interface Running extends ReadingSegment {
  item: string;
}

export class ReadingLog {
  readonly #hooks: ReadingHooks;
  readonly #process: string;
  /** Ended, and not acknowledged. */
  readonly #waiting = new Map<string, ReadingSegment[]>();
  readonly #sending = new Set<Promise<void>>();
  #running: Running | null = null;
  #lastInput = 0;
  #present = true;
  #focused: boolean;
  #visible: boolean;

  constructor(hooks: ReadingHooks, focused: boolean, visible: boolean) {
    this.#hooks = hooks;
    this.#process = hooks.id();
    this.#focused = focused;
    this.#visible = visible;
  }

  /** Painted: a segment of this item begins. Painting counts as input: somebody asked for it. */
  start(item: string): void {
    this.stop();
    this.#lastInput = this.#now();
    this.#present = true;
    this.#running = { item, segment: this.#hooks.id(), process: this.#process, events: [] };
    this.#log("painted", this.#lastInput);
    if (!this.#focused) this.#log("blurred", this.#lastInput);
    if (!this.#visible) this.#log("hidden", this.#lastInput);
  }

  /** The item is no longer on the screen: its segment is ended and sent. */
  stop(): void {
    const ended = this.#end("left");
    if (ended === null) return;
    const { item, segment } = ended;
    const sent = this.#hooks.keep(item, segment).then(
      () => this.#acknowledged(item, segment.segment),
      () => undefined,
    );
    this.#sending.add(sent);
    void sent.then(() => this.#sending.delete(sent));
  }

  /** Decided: everything of this item that is not acknowledged, to go with the decision. */
  decided(item: string): ReadingSegment[] {
    if (this.#running?.item === item) this.#end("decided");
    const segments = this.#waiting.get(item) ?? [];
    this.#waiting.delete(item);
    return segments;
  }

  /** The decision came back: its time belongs to the next one. */
  takeBack(item: string, segments: ReadingSegment[]): void {
    this.#waiting.set(item, [...segments, ...(this.#waiting.get(item) ?? [])]);
  }

  /** Resolves once nothing is on its way any more. */
  async settled(): Promise<void> {
    while (this.#sending.size > 0) await Promise.all(this.#sending);
  }

  /** Somebody else sits here now. */
  clear(): void {
    this.#running = null;
    this.#waiting.clear();
  }

  input(): void {
    this.#notice();
    if (!this.#present) this.#log("returned", this.#now());
    this.#present = true;
    this.#lastInput = this.#now();
  }

  focus(focused: boolean): void {
    if (focused === this.#focused) return;
    this.#notice();
    this.#focused = focused;
    this.#log(focused ? "focused" : "blurred", this.#now());
    if (focused) this.input();
  }

  visibility(visible: boolean): void {
    if (visible === this.#visible) return;
    this.#notice();
    this.#visible = visible;
    this.#log(visible ? "visible" : "hidden", this.#now());
  }

  #now(): number {
    return Math.round(this.#hooks.now());
  }

  /** Nobody tells that nothing was pressed: it is noticed when something happens next, and logged with its own time. */
  #notice(): void {
    const away = this.#lastInput + IDLE_AFTER;
    if (!this.#present || this.#now() < away) return;
    this.#present = false;
    this.#log("idle", away);
  }

  #log(event: ReadingEventKind, at: number): void {
    this.#running?.events.push({ at, event });
  }

  #end(event: "left" | "decided"): { item: string; segment: ReadingSegment } | null {
    this.#notice();
    this.#log(event, this.#now());
    if (this.#running === null) return null;
    const { item, ...segment } = this.#running;
    this.#running = null;
    this.#waiting.set(item, [...(this.#waiting.get(item) ?? []), segment]);
    return { item, segment };
  }

  #acknowledged(item: string, segment: string): void {
    const left = (this.#waiting.get(item) ?? []).filter((other) => other.segment !== segment);
    if (left.length > 0) this.#waiting.set(item, left);
    else this.#waiting.delete(item);
  }
}
