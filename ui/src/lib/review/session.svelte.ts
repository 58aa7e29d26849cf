// One reviewer at work: which item is open, the lease on it, what is typed, and decisions on their way.
//
// Opening an item claims it, moving away releases it, and the lease is renewed at a third of its length. A decision needs
// the item painted, held, and unchanged since it was read (keys/routing.ts: refusal). The next item is shown at once, from
// what was loaded ahead; its claim follows. What is typed stays until the decision is acknowledged. After somebody wrote,
// the open item is read again; while its evidence is the same, it stays painted. A lost lease is said at once; one key asks
// for it again. Deliberately not here: how a decision is sent (decision-saver.ts), the list (queue.svelte.ts), every key.
import { tick } from "svelte";
import { decisionUndo, itemDecide, queueClaim, queueRelease, queueRenew, readingKeep } from "$lib/commands";
import { secondFrame } from "$lib/evidence/page-images";
import { timingDropped, timingStarts } from "$lib/evidence/timings";
import { viewSettings } from "$lib/evidence/view-settings.svelte";
import type { Claim } from "$lib/generated/Claim";
import type { DecideRequest } from "$lib/generated/DecideRequest";
import type { DecisionView } from "$lib/generated/DecisionView";
import type { SignatureRequest } from "$lib/generated/SignatureRequest";
import type { Verdict } from "$lib/generated/Verdict";
import { refusal } from "$lib/keys/routing";
import { CommandError } from "$lib/platform/contract";
import type { QueueFilter } from "$lib/generated/QueueFilter";
import { windowState } from "$lib/shell/window.svelte";
import { clock } from "$lib/wording/time";
import { DecisionSaver, type Refused, type SaverStatus } from "./decision-saver";
import { emptyDraft, isAnythingTyped, type Typed } from "./editor-value";
import { KeptTyping } from "./kept-typing";
import { LeaseClock } from "./lease-clock";
import { Leases, replaces } from "./leases";
import { drawItemAhead, isConflict, loadItem, sameEvidence, shownAt, type OpenItem } from "./open-item";
import { Prefetch } from "./prefetch";
import { ReadingLog } from "./reading-log";
import { Queue } from "./queue.svelte";
import { CAME_BACK, NOT_YET, ranOut, REFUSALS, waits } from "./session-words";

/** Several steps through the list claim the last one only. */
const CLAIM_AFTER = 150;

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
  /** Which citation is shown, from 0; of two that stand side by side, the one to scroll. */
  citation = $state(0);
  /** Which passage of a conflict was said to be right, from 0, and is still to be confirmed. */
  chosen = $state<number | null>(null);
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

  readonly reading = new ReadingLog(
    { now: () => performance.now(), id: () => crypto.randomUUID(), keep: readingKeep },
    document.hasFocus(),
    document.visibilityState === "visible",
  );
  readonly #leases = new Leases({ claim: queueClaim, release: queueRelease });
  readonly #cache = new Prefetch<OpenItem>(loadItem, 6);
  readonly #kept = new KeptTyping();
  readonly #fields = new Map<string, string>();
  #turn = 0;
  /** Counts what was put on the screen: each is painted anew, even the same item's same page. */
  #showing = $state(0);
  #undoing: "no" | "once" | "again" = "no";
  #onScreen = false;
  #switching = false;
  #paintedKeys = new Set<string>();
  readonly #clock = new LeaseClock({
    length: () => windowState.workspace?.lease_milliseconds ?? 300_000,
    renew: () => void this.#renew(),
    lapsed: (claim) => {
      if (this.claim?.item === claim.item && this.claim.token === claim.token) void this.#lose(this.claim);
    },
  });
  #active = false;

  readonly conflict = $derived(this.open !== null && isConflict(this.open));
  /** The evidence to show now: one, or two side by side. */
  readonly shown = $derived(this.open === null ? [] : shownAt(this.open, this.citation));
  /** The item was this reviewer's, or should have been, and is not now: one key asks for it again. */
  readonly lost = $derived(this.open !== null && this.claim === null && this.notHeld !== null);
  /** Somebody put the open item off; it is read, and nobody's, until it is taken up. */
  readonly later = $derived(this.lost && this.queue.waiting(this.selected) !== undefined);
  readonly opening = $derived(this.open?.item.item.item !== this.selected);

  /** The desk is on the screen: opens the item it was left at, or the first. */
  async enter(): Promise<void> {
    this.#onScreen = true;
    if (!this.#switching) await this.#begin();
  }

  leave(): void {
    this.#onScreen = false;
    this.#end();
  }

  /** Hands the desk to somebody else: nothing of the one before is left, sent, held, typed or shown. */
  async switchReviewer(name: string | null): Promise<void> {
    if (this.#switching) return;
    if (this.save.state === "not_saved_yet") throw new CommandError({ code: "unavailable", message: NOT_YET });
    this.#switching = true;
    this.#end();
    try {
      await this.saver.settled();
      await Promise.all([this.#leases.settled(), this.reading.settled()]);
      // It belongs to who made it, with what was typed.
      if (this.refused.length > 0) throw new CommandError({ code: "bad_input", message: CAME_BACK });
      await (name === null ? windowState.signOut() : windowState.setReviewer(name));
      this.#cache.clear();
      this.#kept.clear();
      this.reading.clear();
      this.queue.clear();
      this.selected = null;
      this.said = "";
      // The desk hears of the change now, while nothing is open.
      await tick();
    } finally {
      this.#switching = false;
      if (this.#onScreen) void this.#begin();
      else void this.queue.refresh();
    }
  }

  async #begin(): Promise<void> {
    this.#active = true;
    await this.queue.refresh();
    if (!this.#active) return;
    if (this.selected !== null && this.queue.indexOf(this.selected) >= 0) this.openItem(this.selected, 0);
    else await this.#openFrom(0);
  }

  #end(): void {
    this.#active = false;
    this.#turn += 1;
    this.#keepTyped();
    this.#release();
    this.notHeld = null;
    this.reading.stop();
    this.painted = null;
    this.open = null;
  }

  async changed(): Promise<void> {
    if (!this.#active) return;
    this.#cache.outdate();
    await this.queue.refresh();
    if (!this.#active) return;
    if (this.selected === null) return this.#openFrom(0);
    if (this.claim === null && this.notHeld !== null) void this.#take(this.selected, this.#turn, false);
    // Somebody else has it by now: the store says for certain, and at once.
    const hold = this.queue.stats?.holds?.find((held) => held.item === this.claim?.item);
    if (hold && hold.held_by !== windowState.workspace?.reviewer) void this.#renew();
    const read = this.#readAgain();
    this.#loadAhead();
    await read;
  }

  /** Opens an item: shows it as soon as it is read, claims it after `delay`. One that is open stays as it is. */
  openItem(id: string, delay = CLAIM_AFTER): void {
    if (id !== this.selected || this.open?.item.item.item !== id) void this.#open(id, delay, false);
    else if (this.claim === null) void this.#take(id, this.#turn, false);
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
    const next = (this.citation + direction + total) % total;
    // Between two that stand side by side nothing is drawn anew.
    if (!this.conflict || next >= 2 || this.citation >= 2) timingStarts("page");
    this.citation = next;
  }

  /** Says which passage of a conflict is right. False where there is none of that number. */
  choose(passage: number): boolean {
    const count = this.conflict ? (this.open?.evidence.length ?? 0) : 0;
    if (passage >= count) return false;
    if ((passage < 2) !== (this.citation < 2)) timingStarts("page");
    this.citation = passage;
    this.chosen = passage;
    this.said = "";
    return true;
  }

  /** What a passage of a conflict says, where the record tells; null where it has to be typed. */
  passageValue(passage: number) {
    return this.open?.item.candidate?.passage_values[passage] ?? null;
  }

  /** Leaves a part of the queue. An item outside of it gives way to the first one inside. */
  async showPart(filter: QueueFilter): Promise<void> {
    await this.queue.show(filter);
    if (!this.#active || this.queue.filter !== filter || this.queue.trouble !== null) return;
    if (this.selected === null || this.queue.indexOf(this.selected) < 0) await this.#openFrom(0);
  }

  paintKey(citation: string): string {
    return `${this.open?.item.item.item}/${this.#showing}/${citation}`;
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
  whyNot(meant?: Verdict["kind"] | "enter"): string | null {
    const opened = this.open && !this.opening ? this.open.item.item : null;
    const acceptsConflict = meant === "accept" && this.open?.item.candidate?.status === "conflicting";
    const enterFirst = meant !== "enter" && this.open?.item.candidate === null;
    const why = refusal({ painted: this.painted, opened, claim: this.claim, acceptsConflict, enterFirst });
    return why === "not_held" && this.notHeld !== null ? this.notHeld : why && REFUSALS[why];
  }

  /** Decides on the item that is painted, and goes on. False, and a word of why, where it may not be. */
  decide(verdict: Verdict, note: string | null, signature: SignatureRequest | null = null): boolean {
    const why = this.whyNot(verdict.kind);
    const candidate = this.open?.item.candidate;
    if (why !== null || !this.open || !candidate || !this.claim) {
      this.said = why ?? REFUSALS.nothing_open;
      return false;
    }
    const item = this.open.item.item;
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
      segments: this.reading.decided(item.item),
      signature,
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
    if (this.save.state === "not_saved_yet") return void (this.said = NOT_YET);
    if (this.#undoing !== "no") {
      if (!decision) this.#undoing = "again"; // a key meanwhile means the decision before that one
      return;
    }
    // Meant is the decision that is the last one now, at the key, even where it is saved only later.
    const meant = decision ?? this.saver.newest() ?? this.queue.recent.find((made) => made.standing && made.kind !== "undo");
    this.#undoing = "once";
    try {
      const last = await meant;
      if (!last) {
        this.said = meant instanceof Promise ? "The last decision was not saved." : "There is nothing to undo.";
        return;
      }
      await decisionUndo(last.decision, crypto.randomUUID());
      this.#cache.forget(last.item);
      this.#kept.giveBack(last.item, last.decision);
      await this.queue.refresh();
      if (!this.#active) return;
      await this.#open(last.item, 0, false);
      this.said = `Undone: ${last.field}. It is open again.`;
    } catch (cause) {
      this.#undoing = "once";
      this.said = CommandError.from(cause).message;
    } finally {
      if ((this.#undoing as string) === "again") void Promise.resolve().then(() => this.undo());
      this.#undoing = "no";
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

  /** Asks for the lease again, and for the item where it could not be read. */
  claimAgain(): void {
    if (this.selected === null) return;
    this.#cache.outdate();
    this.openItem(this.selected, 0);
    void this.#readAgain();
  }

  /** Reads the open item anew: more of it may be seen now. */
  async reread(): Promise<void> {
    this.#cache.outdate();
    await this.#readAgain();
  }

  /** Asks again for the item that was lost, and says whether it may be decided now. */
  async regain(): Promise<void> {
    const id = this.selected;
    if (id === null || !this.lost) return;
    const [turn, again] = [this.#turn, this.later ? "" : " again"];
    this.said = "";
    this.#cache.outdate();
    await this.#take(id, turn, false, true);
    if (turn !== this.#turn || this.selected !== id) return;
    await Promise.all([this.#readAgain(), this.queue.refresh()]);
    if (this.claim?.item !== id || this.said !== "") return;
    const waits = this.#somethingTyped() ? " What you typed waits: Enter sends it." : "";
    this.said = `Yours${again} until ${clock(this.claim.expires_at)}.${waits}`;
  }

  /** The open item is held for later, which ended its lease: on to the next one. */
  async goOnFrom(held: Claim): Promise<void> {
    if (this.claim?.token === held.token && this.claim.item === held.item) this.#forgetClaim();
    this.#cache.forget(held.item);
    const at = this.queue.indexOf(held.item);
    await this.queue.refresh();
    if (this.#active && this.selected === held.item) await this.#openFrom(Math.max(0, at));
  }

  #somethingTyped(): boolean {
    return this.open !== null && isAnythingTyped(this.open.item.schema, this.typed);
  }

  async #open(id: string, delay: number, goOn: boolean): Promise<boolean> {
    const turn = ++this.#turn;
    this.#keepTyped();
    if (this.claim?.item !== id) this.#release();
    this.selected = id;
    this.painted = null;
    this.#paintedKeys.clear();
    this.reading.stop();
    this.notHeld = null;
    this.trouble = null;
    this.said = "";
    const taken = delay === 0 ? this.#take(id, turn, goOn) : null;
    const ready = this.#cache.now(id);
    if (ready) {
      this.#show(ready);
      void this.#readAgain();
    } else {
      try {
        const loaded = await this.#cache.get(id);
        if (turn !== this.#turn) return true;
        this.#show(this.#cache.now(id) ?? loaded);
        void this.#readAgain();
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
    this.chosen = null;
    this.painted = null;
    this.#paintedKeys.clear();
    this.#showing += 1;
    const kept = this.#kept.of(open.item.item.item);
    this.typed = kept ?? { draft: emptyDraft(open.item.schema), reason: null, note: "" };
  }

  /** Claims an item. False where it is not to be had and the caller wants another. One held for later is only read, until asked for. */
  async #take(id: string, turn: number, goOn: boolean, takeUp = false): Promise<boolean> {
    if (this.claim?.item === id) return true;
    const later = takeUp ? null : waits(this.queue.waiting(id), windowState.workspace?.reviewer);
    if (later !== null) {
      this.notHeld = later;
      return !goOn;
    }
    try {
      const claim = await this.#leases.ask(id);
      if (claim) this.#adopt(claim);
      else throw new CommandError({ code: "not_found", message: "This item is no longer in the queue." });
      return true;
    } catch (cause) {
      if (turn !== this.#turn) return true;
      const error = CommandError.from(cause);
      const gone = error.code === "already_decided" || error.code === "not_found" || error.code === "held";
      if (goOn && gone) return false;
      this.notHeld = error.code === "held" ? await this.queue.whoHolds(id, error.message) : error.message;
      return true;
    }
  }

  /** A lease is over that was not given back: said at once, whatever is being typed. */
  async #lose(claim: Claim): Promise<void> {
    this.#forgetClaim();
    const kept = this.#somethingTyped();
    this.said = "";
    this.notHeld = ranOut(claim.expires_at, null, kept);
    const who = await this.queue.whoHolds(claim.item, "");
    if (this.claim === null && this.notHeld !== null && this.selected === claim.item && who !== "") {
      this.notHeld = ranOut(claim.expires_at, who, kept);
    }
  }

  /** A lease is kept where its item is wanted, whoever asked; one for another item is given back. */
  #adopt(claim: Claim): void {
    if (!this.#active || claim.item !== this.selected) {
      this.#leases.give(claim);
      return;
    }
    if (!replaces(claim, this.claim)) return;
    this.claim = claim;
    this.notHeld = null;
    this.#clock.start(claim);
    this.#readIfOlder(claim);
  }

  /** What was read may be older than what was claimed or renewed: then it is read again. */
  #readIfOlder(claim: Claim): void {
    const read = this.open?.item.item;
    if (read?.item !== claim.item || read.item_version >= claim.item_version) return this.#matchVersion();
    this.#cache.forget(claim.item);
    void this.#readAgain();
  }

  /** The lease goes on over a newer version once that is on the screen. */
  #matchVersion(): void {
    const read = this.open?.item.item;
    if (!read || !this.claim || this.claim.item !== read.item || this.claim.item_version >= read.item_version) return;
    this.claim = { ...this.claim, item_version: read.item_version };
  }

  /**
   * Shows the open item as it is now, say with what a newer extraction says. Over the same evidence nothing moves: it
   * stays painted, the time runs on. Other evidence has to be painted first, and its time is a new segment.
   */
  async #readAgain(): Promise<void> {
    const id = this.selected;
    if (id === null) return;
    const fresh = await this.#cache.get(id).catch(() => null);
    const before = this.open;
    if (fresh === null || fresh === before || !this.#active || this.selected !== id) return;
    // Being opened still: #open shows the newest there is.
    if (before?.item.item.item !== id) return;
    const moved = fresh.item.item.item_version - before.item.item.item_version;
    if (moved < 0) return;
    if (sameEvidence(fresh, before)) this.open = { ...fresh, evidence: before.evidence, whole: before.whole };
    else {
      this.#keepTyped();
      this.reading.stop();
      this.#show(fresh);
    }
    if (moved > 0 && this.claim?.item === id) this.said = REFUSALS.item_moved;
    await secondFrame();
    this.#matchVersion();
  }

  /** Opens the first free item from a place in the list on, then from its top, then whatever the store gives. */
  async #openFrom(index: number): Promise<void> {
    const tried = new Set<string>();
    const next = () => this.queue.nextFree(index, windowState.workspace?.reviewer, tried);
    // Under a filter the store's own next item may be outside of it: the list is read on, and once more at its end.
    for (let last = !this.queue.filtered; ; ) {
      for (let item = next(); item; item = next()) {
        tried.add(item.item);
        if (await this.#open(item.item, 0, true)) return;
      }
      if (last) break;
      const turn = this.#turn;
      if (this.queue.more) await this.queue.loadMore();
      else {
        last = true;
        await this.queue.refresh();
      }
      if (turn !== this.#turn || !this.#active) return;
    }
    const turn = ++this.#turn;
    this.#keepTyped();
    this.#release();
    this.reading.stop();
    timingDropped();
    this.selected = null;
    this.open = null;
    this.painted = null;
    if (this.queue.filtered) return;
    const claim = await this.#leases.ask(null).catch(() => null);
    if (!claim) return;
    if (turn === this.#turn) this.selected = claim.item;
    this.#adopt(claim);
    if (turn === this.#turn) await this.#open(claim.item, 0, false);
  }

  #itemPainted(open: OpenItem): void {
    const id = open.item.item.item;
    // The one before may be painted while the next is read.
    if (this.painted === id || this.selected !== id) return;
    this.painted = id;
    this.reading.start(id);
    this.#loadAhead();
  }

  /** While one item is read, the next ones are made ready. */
  #loadAhead(): void {
    if (this.painted === null) return;
    const at = this.queue.indexOf(this.painted);
    for (const next of this.queue.items.slice(at + 1, at + 3)) {
      this.#cache.get(next.item).then(
        (loaded) => drawItemAhead(loaded, viewSettings.imageScale),
        () => undefined,
      );
    }
  }

  #keepTyped(): void {
    const id = this.open?.item.item.item;
    if (id !== undefined) this.#kept.keep(id, $state.snapshot(this.typed));
  }

  #saved(request: DecideRequest, decision: DecisionView): void {
    this.#kept.acknowledged(request.item, decision.decision);
    this.#cache.forget(request.item);
    this.queue.decided(decision);
    void this.queue.refresh();
  }

  #refused(request: DecideRequest, error: CommandError): void {
    this.#cache.forget(request.item);
    this.reading.takeBack(request.item, request.segments);
    this.refused = [...this.refused, { request, field: this.#fields.get(request.item) ?? request.item, error }];
    void this.queue.refresh();
  }

  #forgetClaim(): void {
    this.#clock.stop();
    this.claim = null;
  }

  #release(): void {
    const claim = this.claim;
    this.#forgetClaim();
    if (claim) this.#leases.give(claim);
  }

  async #renew(): Promise<void> {
    const claim = this.claim;
    if (!claim) return;
    const still = () => this.claim?.item === claim.item && this.claim.token === claim.token;
    try {
      const renewed = await queueRenew(claim);
      if (this.claim && still()) {
        this.claim = { ...this.claim, expires_at: renewed.expires_at };
        this.#readIfOlder(renewed);
      }
    } catch (cause) {
      const error = CommandError.from(cause);
      if (still() && error.code !== "unavailable") {
        void this.#lose(claim);
        return;
      }
    }
    if (this.claim) this.#clock.start(this.claim);
  }
}
