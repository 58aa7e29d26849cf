// One reviewer at work: which item is open, the lease on it, what is typed, and decisions on their way.
//
// Opening an item claims it and moving away releases it; the lease is renewed at a third of its length. A decision needs
// the item painted, held, and unchanged since it was read (keys/routing.ts: refusal). The next item is shown at once,
// from what was loaded ahead; its claim follows. What is typed stays until the decision is acknowledged. Deliberately
// not here: how a decision is sent and sent again (decision-saver.ts), the list (queue.svelte.ts), and every key.
import { decisionUndo, itemDecide, queueClaim, queueRelease, queueRenew } from "$lib/commands";
import { secondFrame } from "$lib/evidence/page-images";
import { timingDropped, timingStarts } from "$lib/evidence/timings";
import { viewSettings } from "$lib/evidence/view-settings.svelte";
import type { Claim } from "$lib/generated/Claim";
import type { DecideRequest } from "$lib/generated/DecideRequest";
import type { DecisionView } from "$lib/generated/DecisionView";
import type { Verdict } from "$lib/generated/Verdict";
import { refusal, type Refusal } from "$lib/keys/routing";
import { CommandError } from "$lib/platform/contract";
import { windowState } from "$lib/shell/window.svelte";
import { DecisionSaver, type SaverStatus } from "./decision-saver";
import { emptyDraft, type Draft } from "./editor-value";
import { drawItemAhead, firstShown, isConflict, loadItem, type OpenItem } from "./open-item";
import { Prefetch } from "./prefetch";
import { Queue } from "./queue.svelte";
import { Stopwatch } from "./stopwatch";

export interface Typed {
  draft: Draft;
  /** Reason and note of the panel for reject and abstain. */
  reason: string | null;
  note: string;
}

/** A decision that came back. */
export interface Refused {
  request: DecideRequest;
  field: string;
  error: CommandError;
}

/** Several steps through the list claim the last one only. */
const CLAIM_AFTER = 150;

const REFUSALS: Record<Refusal, string> = {
  nothing_open: "No item is open.",
  not_painted: "The evidence is not on the screen yet; nothing was decided.",
  not_held: "This item is not yours yet; nothing was decided.",
  item_moved: "This item has changed since it was read; it was read again.",
};

export class ReviewSession {
  readonly saver = new DecisionSaver({
    send: itemDecide,
    wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    changed: (status) => (this.save = status),
    saved: (request, decision) => this.#saved(request, decision),
    refused: (request, error) => this.#refused(request, error),
  });
  readonly queue = new Queue(() => this.saver.items());

  /** The item wanted; what is shown may still be the one before. */
  selected = $state<string | null>(null);
  open = $state.raw<OpenItem | null>(null);
  /** Which citation is shown, from 0. */
  citation = $state(0);
  claim = $state.raw<Claim | null>(null);
  /** Why the item can't be decided on, in words. */
  notHeld = $state<string | null>(null);
  trouble = $state<string | null>(null);
  /** The item whose evidence is on the screen. */
  painted = $state<string | null>(null);
  save = $state.raw<SaverStatus>({ state: "saved", waiting: 0, trouble: null });
  refused = $state.raw<Refused[]>([]);
  /** The last key's answer where nothing else shows it. */
  said = $state("");
  typed = $state<Typed>({ draft: { first: "", second: "" }, reason: null, note: "" });

  readonly stopwatch = new Stopwatch(() => performance.now(), document.hasFocus());
  readonly #cache = new Prefetch<OpenItem>(loadItem, 6);
  readonly #kept = new Map<string, Typed>();
  readonly #fields = new Map<string, string>();
  #turn = 0;
  #paintedKeys = new Set<string>();
  #renewal: ReturnType<typeof setTimeout> | undefined;
  #active = false;

  readonly conflict = $derived(this.open !== null && isConflict(this.open));
  /** The evidence to show now: one, or two side by side. */
  readonly shown = $derived.by(() => {
    if (this.open === null) return [];
    if (this.conflict && this.citation < 2) return firstShown(this.open);
    const one = this.open.evidence[this.citation] ?? this.open.whole;
    return one ? [one] : [];
  });
  readonly opening = $derived(this.open?.item.item.item !== this.selected);

  /** The desk is on the screen: opens the item it was left at, or the first. */
  async enter(): Promise<void> {
    this.#active = true;
    await this.queue.refresh();
    if (!this.#active) return;
    if (this.selected !== null && this.queue.indexOf(this.selected) >= 0) this.openItem(this.selected, 0);
    else await this.#openFrom(0);
  }

  leave(): void {
    this.#active = false;
    this.#turn += 1;
    this.#keepTyped();
    this.#release();
    this.stopwatch.stop();
    this.painted = null;
    this.open = null;
  }

  async changed(): Promise<void> {
    await this.queue.refresh();
    if (!this.#active) return;
    if (this.selected === null) await this.#openFrom(0);
    else if (this.#movedOn()) {
      this.#cache.forget(this.selected);
      await this.#open(this.selected, 0, false);
      this.said = REFUSALS.item_moved;
    } else if (this.claim === null && this.notHeld !== null) void this.#take(this.selected, this.#turn, false);
  }

  /** Whether the item held has changed since, say by a newer candidate. */
  #movedOn(): boolean {
    const listed = this.queue.items[this.queue.indexOf(this.selected)];
    return listed !== undefined && this.claim?.item === listed.item && listed.item_version > this.claim.item_version;
  }

  /** Opens an item: shows it as soon as it is read, claims it after `delay`. */
  openItem(id: string, delay = CLAIM_AFTER): void {
    void this.#open(id, delay, false);
  }

  step(direction: 1 | -1): void {
    const at = this.queue.indexOf(this.selected);
    const next = this.queue.items[at < 0 ? 0 : at + direction];
    if (!next || next.item === this.selected) return;
    timingStarts("page");
    this.openItem(next.item);
  }

  turnCitation(direction: 1 | -1): void {
    const total = this.open?.evidence.length ?? 0;
    if (total < 2) return;
    const from = this.conflict && this.citation < 2 ? (direction === 1 ? 1 : 0) : this.citation;
    const next = (from + direction + total) % total;
    if (this.conflict && total === 2) return;
    timingStarts("page");
    this.citation = this.conflict && next < 2 ? 0 : next;
  }

  paintKey(citation: string): string {
    return `${this.open?.item.item.item}/${this.open?.item.item.item_version}/${citation}`;
  }

  /** One pane is painted; the item is, once every pane is. */
  panePainted(key: string): void {
    this.#paintedKeys.add(key);
    if (this.open && this.shown.every((evidence) => this.#paintedKeys.has(this.paintKey(evidence.citation.id)))) {
      this.#itemPainted(this.open);
    }
  }

  /** An item without any evidence is painted with its candidate. */
  async paintedWithoutEvidence(open: OpenItem): Promise<void> {
    await secondFrame();
    if (this.open === open) this.#itemPainted(open);
  }

  /** Null where a decision may be made now; else why not, in words. */
  whyNot(): string | null {
    const opened = this.open ? this.open.item.item : null;
    const why = refusal({ painted: this.painted, opened: this.opening ? null : opened, claim: this.claim });
    if (why === null) return null;
    return why === "not_held" && this.notHeld !== null ? this.notHeld : REFUSALS[why];
  }

  /** Decides on the item that is painted, and goes on. False, and a word of why, where it may not be. */
  decide(verdict: Verdict, note: string | null): boolean {
    const why = this.whyNot();
    if (why !== null || !this.open || !this.claim) {
      this.said = why ?? REFUSALS.nothing_open;
      return false;
    }
    const { item, candidate } = this.open.item;
    const elapsed = this.stopwatch.elapsed();
    timingStarts("item");
    this.#keepTyped();
    this.#fields.set(item.item, item.field);
    this.saver.add({
      item: item.item,
      item_version: item.item_version,
      token: this.claim.token,
      key: crypto.randomUUID(),
      record_id: candidate.record_id,
      verdict,
      note: note === null || note.trim() === "" ? null : note.trim(),
      wall_milliseconds: elapsed?.wall_milliseconds ?? null,
      active_milliseconds: elapsed?.active_milliseconds ?? null,
    });
    this.said = "";
    // The decision ends the lease; releasing it would race with the decision.
    this.#forgetClaim();
    const at = this.queue.indexOf(item.item);
    this.queue.remove(item.item);
    void this.#openFrom(Math.max(0, at));
    return true;
  }

  async undo(decision?: DecisionView): Promise<void> {
    if (this.save.state === "not_saved_yet") {
      this.said = "The last decision is not saved yet; it can be undone once it is.";
      return;
    }
    await this.saver.settled();
    const last = decision ?? this.queue.recent.find((made) => made.standing && made.kind !== "undo");
    if (!last) {
      this.said = "There is nothing to undo.";
      return;
    }
    try {
      await decisionUndo(last.decision, crypto.randomUUID());
      this.#cache.forget(last.item);
      await this.queue.refresh();
      await this.#open(last.item, 0, false);
      this.said = `Undone: ${last.field}. It is open again.`;
    } catch (cause) {
      this.said = CommandError.from(cause).message;
    }
  }

  /** Opens the item of a decision that came back, with what was typed. */
  takeUpAgain(refused: Refused): void {
    this.dismiss(refused);
    this.#cache.forget(refused.request.item);
    void this.#open(refused.request.item, 0, false);
  }

  dismiss(refused: Refused): void {
    this.refused = this.refused.filter((other) => other !== refused);
  }

  /** Asks for the lease again. */
  claimAgain(): void {
    if (this.selected !== null) {
      this.#cache.forget(this.selected);
      void this.#open(this.selected, 0, false);
    }
  }

  async #open(id: string, delay: number, goOn: boolean): Promise<boolean> {
    const turn = ++this.#turn;
    this.#keepTyped();
    if (this.claim?.item !== id) this.#release();
    this.selected = id;
    this.painted = null;
    this.#paintedKeys.clear();
    this.stopwatch.stop();
    this.notHeld = null;
    this.trouble = null;
    this.said = "";
    const taken = delay === 0 ? this.#take(id, turn, goOn) : null;
    const ready = this.#cache.now(id);
    if (ready) this.#show(ready);
    else {
      try {
        const loaded = await this.#cache.get(id);
        if (turn !== this.#turn) return true;
        this.#show(loaded);
      } catch (cause) {
        if (turn !== this.#turn) return true;
        this.open = null;
        this.trouble = CommandError.from(cause).message;
        timingDropped();
      }
    }
    if (taken) return taken;
    await new Promise((resolve) => setTimeout(resolve, delay));
    return turn === this.#turn ? this.#take(id, turn, goOn) : true;
  }

  #show(open: OpenItem): void {
    this.open = open;
    this.citation = 0;
    const kept = this.#kept.get(open.item.item.item);
    this.typed = kept ?? { draft: emptyDraft(open.item.schema), reason: null, note: "" };
  }

  /** Claims an item. False where it is somebody else's or gone, and the caller wants to go on to another. */
  async #take(id: string, turn: number, goOn: boolean): Promise<boolean> {
    try {
      const claim = await queueClaim(id);
      if (turn !== this.#turn) {
        if (claim) void queueRelease(claim).catch(() => undefined);
        return true;
      }
      if (claim === null) throw new CommandError({ code: "not_found", message: "This item is no longer in the queue." });
      this.claim = claim;
      this.notHeld = null;
      this.#renewLater();
      await this.#matchVersion(claim, turn);
      return true;
    } catch (cause) {
      if (turn !== this.#turn) return true;
      const error = CommandError.from(cause);
      const gone = error.code === "already_decided" || error.code === "not_found" || error.code === "held";
      if (goOn && gone) return false;
      this.notHeld = error.message;
      return true;
    }
  }

  /** What was read ahead may be older than what was claimed: then it is read again. */
  async #matchVersion(claim: Claim, turn: number): Promise<void> {
    const open = await this.#cache.get(claim.item).catch(() => null);
    if (turn !== this.#turn || open === null || open.item.item.item_version === claim.item_version) return;
    this.#cache.forget(claim.item);
    const fresh = await this.#cache.get(claim.item).catch(() => null);
    if (turn !== this.#turn || fresh === null) return;
    this.painted = null;
    this.#paintedKeys.clear();
    this.#show(fresh);
  }

  /** Opens the first free item from a place in the list on, then from its top, then whatever the store gives. */
  async #openFrom(index: number): Promise<void> {
    const reviewer = windowState.workspace?.reviewer;
    const free = (held: string | null) => held === null || held === reviewer;
    const rotated = [...this.queue.items.slice(index), ...this.queue.items.slice(0, index)];
    for (const item of rotated.filter((candidate) => free(candidate.held_by))) {
      if (await this.#open(item.item, 0, true)) return;
    }
    const turn = ++this.#turn;
    this.#release();
    timingDropped();
    this.selected = null;
    this.open = null;
    this.painted = null;
    const claim = await queueClaim(null).catch(() => null);
    if (claim && turn === this.#turn) {
      this.claim = claim;
      await this.#open(claim.item, 0, false);
    } else if (claim) void queueRelease(claim).catch(() => undefined);
  }

  #itemPainted(open: OpenItem): void {
    const id = open.item.item.item;
    if (this.painted === id) return;
    this.painted = id;
    this.stopwatch.start();
    // While this one is read, the next ones are made ready.
    const at = this.queue.indexOf(id);
    for (const next of this.queue.items.slice(at + 1, at + 3)) {
      this.#cache.get(next.item).then(
        (loaded) => drawItemAhead(loaded, viewSettings.imageScale),
        () => undefined,
      );
    }
  }

  #keepTyped(): void {
    const id = this.open?.item.item.item;
    if (id !== undefined) this.#kept.set(id, $state.snapshot(this.typed));
  }

  #saved(request: DecideRequest, decision: DecisionView): void {
    this.#kept.delete(request.item);
    this.#cache.forget(request.item);
    this.queue.decided(decision);
    void this.queue.refresh();
  }

  #refused(request: DecideRequest, error: CommandError): void {
    this.#cache.forget(request.item);
    this.refused = [...this.refused, { request, field: this.#fields.get(request.item) ?? request.item, error }];
    void this.queue.refresh();
  }

  #forgetClaim(): void {
    clearTimeout(this.#renewal);
    this.claim = null;
  }

  #release(): void {
    const claim = this.claim;
    this.#forgetClaim();
    // A lease that can't be given back runs out by itself.
    if (claim) void queueRelease(claim).catch(() => undefined);
  }

  #renewLater(): void {
    clearTimeout(this.#renewal);
    const third = (windowState.workspace?.lease_milliseconds ?? 300_000) / 3;
    this.#renewal = setTimeout(() => void this.#renew(), third);
  }

  async #renew(): Promise<void> {
    const claim = this.claim;
    if (!claim) return;
    try {
      const renewed = await queueRenew(claim);
      if (this.claim === claim) this.claim = renewed;
    } catch (cause) {
      const error = CommandError.from(cause);
      if (this.claim === claim && error.code !== "unavailable") {
        this.#forgetClaim();
        this.notHeld = `${error.message} What you typed is kept.`;
        return;
      }
    }
    if (this.claim) this.#renewLater();
  }
}
