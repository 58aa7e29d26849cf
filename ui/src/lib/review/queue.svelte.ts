// The queue as this window lists it, its counts, and the last decisions.
//
// Read in pages of a hundred; read again whenever somebody wrote. Items with a decision on its way are left out, so that
// nobody is offered them again meanwhile. A filter leaves a part of it, in the same order, until it is changed. Deliberately not here: which item is open, and any lease (session.svelte.ts).
import { decisionRecent, queueChoices, queueHolds, queueList, queueStanding, queueStats } from "$lib/commands";
import type { DecisionView } from "$lib/generated/DecisionView";
import type { QueueChoicesView } from "$lib/generated/QueueChoicesView";
import type { QueueFilter } from "$lib/generated/QueueFilter";
import type { QueueItem } from "$lib/generated/QueueItem";
import type { StandingView } from "$lib/generated/StandingView";
import type { QueueStats } from "$lib/generated/QueueStats";
import { CommandError } from "$lib/platform/contract";
import { clock } from "$lib/wording/time";

const PAGE = 100;
/** Ten are shown; undone ones take up entries of their own. */
const RECENT = 20;

/** Nothing is left out. */
export const ALL: QueueFilter = { mine: false, hard: false, overdue: false, field: null, doc_id: null };

export class Queue {
  items = $state.raw<QueueItem[]>([]);
  /** Whether there is more behind the last one. */
  more = $state(false);
  filter = $state.raw<QueueFilter>(ALL);
  choices = $state.raw<QueueChoicesView | null>(null);
  readonly filtered = $derived(JSON.stringify(this.filter) !== JSON.stringify(ALL));
  stats = $state.raw<QueueStats | null>(null);
  /** What anybody holds, now or for later: in every part of the queue. */
  holds = $state.raw<QueueItem[]>([]);
  recent = $state.raw<DecisionView[]>([]);
  /** What the citations of items are worth today, where their documents are registered. Read after the list, which waits for nothing. */
  standings = $state.raw<ReadonlyMap<string, StandingView>>(new Map());
  loaded = $state(false);
  trouble = $state<string | null>(null);

  #pages = 1;
  #turn = 0;
  readonly #onTheirWay: () => readonly string[];

  constructor(onTheirWay: () => readonly string[]) {
    this.#onTheirWay = onTheirWay;
  }

  /** Reads again. Of several at once the last one counts. */
  async refresh(): Promise<void> {
    const turn = ++this.#turn;
    const filter = this.filter;
    try {
      const items: QueueItem[] = [];
      let more = true;
      for (let page = 0; page < this.#pages && more; page += 1) {
        const read = await queueList(PAGE, items.at(-1)?.item ?? null, filter);
        items.push(...read);
        more = read.length === PAGE;
      }
      const [choices, stats, holds, recent] = await Promise.all([
        queueChoices(filter),
        queueStats(),
        queueHolds(),
        decisionRecent(RECENT),
      ]);
      if (turn !== this.#turn) return;
      this.items = this.#free(items);
      this.more = more;
      this.choices = choices;
      this.stats = stats;
      this.holds = holds;
      this.recent = recent;
      this.trouble = null;
      void this.#readStandings(turn);
    } catch (cause) {
      if (turn !== this.#turn) return;
      this.trouble = CommandError.from(cause).message;
    }
    this.loaded = true;
  }

  async #readStandings(turn: number): Promise<void> {
    // Where it can't be read nothing is said of it, as before it was read.
    const read = await queueStanding(this.items.map(({ item }) => item)).catch(() => []);
    if (turn === this.#turn) this.standings = new Map(read.map(({ item, standing }) => [item, standing]));
  }

  /** Another part, from its beginning. */
  async show(filter: QueueFilter): Promise<void> {
    this.filter = filter;
    this.#pages = 1;
    await this.refresh();
  }

  async loadMore(): Promise<void> {
    if (!this.more) return;
    this.#pages += 1;
    await this.refresh();
  }

  /** Nothing of it is shown to the next reviewer; an answer still on its way counts no more. */
  clear(): void {
    this.#turn += 1;
    this.#pages = 1;
    this.filter = ALL;
    this.items = [];
    this.recent = [];
    this.choices = null;
    this.stats = null;
    this.holds = [];
    this.standings = new Map();
    this.loaded = false;
  }

  /** Takes a decided item out at once. */
  remove(item: string): void {
    this.items = this.items.filter((other) => other.item !== item);
  }

  decided(decision: DecisionView): void {
    this.recent = [decision, ...this.recent.filter((other) => other.decision !== decision.decision)].slice(0, RECENT);
  }

  indexOf(item: string | null): number {
    return this.items.findIndex((other) => other.item === item);
  }

  /** An item that waits for somebody to take it up, wherever in the queue it stands. */
  waiting(item: string | null): QueueItem | undefined {
    return this.holds.find((held) => held.item === item && held.held_for_later_by !== null);
  }

  /** The first item from a place in the list on, then from its top, that is free for somebody and not tried yet. */
  nextFree(from: number, reviewer: string | undefined, tried: ReadonlySet<string>): QueueItem | undefined {
    const rotated = [...this.items.slice(from), ...this.items.slice(0, from)];
    return rotated.find(
      ({ item, held_by, held_for_later_by }) =>
        held_for_later_by === null && (held_by === null || held_by === reviewer) && !tried.has(item),
    );
  }

  /** Who has an item and until when, in words, read afresh; other words where it is free by now. */
  async whoHolds(item: string, otherwise: string): Promise<string> {
    await this.refresh();
    const hold = this.stats?.holds?.find((held) => held.item === item);
    return hold ? `${hold.held_by} has this item until ${clock(hold.held_until)}.` : otherwise;
  }

  #free(items: QueueItem[]): QueueItem[] {
    const onTheirWay = new Set(this.#onTheirWay());
    return onTheirWay.size === 0 ? items : items.filter((item) => !onTheirWay.has(item.item));
  }
}
