// The evidence of one record or one citation, opened to be read: which page of it is shown, and why nothing is.
//
// Of several asked for at once the last one counts. Deliberately not here: leases and decisions; reading changes nothing.
import { evidenceView, recordEvidence } from "$lib/commands";
import type { EvidenceView } from "$lib/generated/EvidenceView";
import { CommandError } from "$lib/platform/contract";
import { loadItem } from "$lib/review/open-item";

export class Reader {
  evidence = $state.raw<EvidenceView[]>([]);
  at = $state(0);
  /** The document is shown for itself: the record cites nothing. */
  whole = $state(false);
  /** Why there is nothing to read, in words. */
  said = $state("");
  readonly shown = $derived(this.evidence[this.at] ?? null);
  #turn = 0;

  /** Every citation of a record; where it cites nothing, the whole document of its item. */
  record(id: string, item: string | null = null): Promise<void> {
    return this.#open(async () => {
      const cited = await recordEvidence(id);
      if (cited.length > 0 || item === null) return { cited, whole: null };
      return { cited, whole: (await loadItem(item)).whole };
    });
  }

  citation(id: string): Promise<void> {
    return this.#open(async () => ({ cited: [await evidenceView(id)], whole: null }));
  }

  close(): void {
    this.#turn += 1;
    this.evidence = [];
    this.at = 0;
    this.whole = false;
    this.said = "";
  }

  turn(direction: 1 | -1): void {
    const total = this.evidence.length;
    if (total > 1) this.at = (this.at + direction + total) % total;
  }

  async #open(read: () => Promise<{ cited: EvidenceView[]; whole: EvidenceView | null }>): Promise<void> {
    this.close();
    const turn = this.#turn;
    try {
      const { cited, whole } = await read();
      if (turn !== this.#turn) return;
      this.whole = whole !== null;
      this.evidence = whole === null ? cited : [whole];
      if (this.evidence.length === 0) this.said = "This record cites nothing.";
    } catch (cause) {
      if (turn === this.#turn) this.said = CommandError.from(cause).message;
    }
  }
}
