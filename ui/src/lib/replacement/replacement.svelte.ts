// What replaced a section, opened beside it, over whatever desk is at work.
//
// The panes that show evidence say what they show, so that one key works on every desk. Deliberately not here: drawing it
// (Replacement.svelte), and which words differ; the core says that.
import { corpusCompare, replacementView } from "$lib/commands";
import type { EvidenceView } from "$lib/generated/EvidenceView";
import type { ReplacementView } from "$lib/generated/ReplacementView";
import { CommandError } from "$lib/platform/contract";
import { isReplaced } from "$lib/wording/standing";

class Replacement {
  shown = $state.raw<ReplacementView | null>(null);
  trouble = $state<string | null>(null);
  /** What stands in the panes now, by pane. */
  readonly #panes = new Map<object, EvidenceView>();
  #asked = 0;

  /** A pane shows this from now on; null: nothing any more. */
  pane(pane: object, evidence: EvidenceView | null): void {
    if (evidence === null) this.#panes.delete(pane);
    else this.#panes.set(pane, evidence);
  }

  /** The first citation in view that something took the place of. */
  get candidate(): EvidenceView | null {
    for (const evidence of this.#panes.values()) if (isReplaced(evidence.standing)) return evidence;
    return null;
  }

  /** Whether there was anything to open. */
  openInView(): boolean {
    const evidence = this.candidate;
    if (evidence === null) return false;
    this.open(evidence.citation.id);
    return true;
  }

  open(citation: string): void {
    void this.#show(() => replacementView(citation, { valid_at: null, known_at: null }));
  }

  /** A section in two revisions of a document. */
  between(document: string, before: number, after: number, section: string): void {
    void this.#show(() => corpusCompare(document, before, after, section));
  }

  close(): void {
    this.#asked += 1;
    this.shown = null;
    this.trouble = null;
  }

  async #show(read: () => Promise<ReplacementView>): Promise<void> {
    const asked = ++this.#asked;
    try {
      const view = await read();
      if (asked !== this.#asked) return;
      this.shown = view;
      this.trouble = null;
    } catch (cause) {
      if (asked !== this.#asked) return;
      this.shown = null;
      this.trouble = CommandError.from(cause).message;
    }
  }
}

export const replacement = new Replacement();
