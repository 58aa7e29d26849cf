// One import at a time: what is taken in, how far it is, what came of it.
//
// Progress comes as events from the program that does the work. Deliberately not here: reading any file; the window
// only names paths.
import { importCancel, importStart } from "$lib/commands";
import type { ImportProgress } from "$lib/generated/ImportProgress";
import { CommandError } from "$lib/platform/contract";
import { platform } from "$lib/platform/start";
import { windowState } from "$lib/shell/window.svelte";

/** Longer lists only hide what matters; the command line prints every line. */
const FINDINGS_SHOWN = 500;

class ImportState {
  progress = $state.raw<ImportProgress | null>(null);
  trouble = $state<string | null>(null);
  cancelling = $state(false);
  hovering = $state(false);
  /** Quotes without offsets are looked for in our layer. */
  place = $state(true);

  /** When this import began, and when it was heard of last: milliseconds of this window's clock. */
  began = $state(0);
  heard = $state(0);

  #id: string | null = null;
  #early: ImportProgress[] = [];
  #paths: string[] = [];
  #starting = false;

  readonly running = $derived(this.progress?.state === "running");
  readonly findings = $derived(this.progress?.findings.slice(-FINDINGS_SHOWN) ?? []);

  async listen(): Promise<void> {
    await platform().on<ImportProgress>("import-progress", (progress) => {
      // The first events may overtake the answer that names the import.
      if (this.#starting) this.#early.push(progress);
      else if (progress.import === this.#id) this.#take(progress);
    });
    await platform().onFileDrop({
      over: (hovering) => (this.hovering = hovering),
      dropped: (paths) => void this.start(paths),
    });
  }

  async pick(): Promise<void> {
    try {
      const paths = await platform().pickFiles();
      if (paths.length > 0) await this.start(paths);
    } catch (cause) {
      this.trouble = CommandError.from(cause).message;
      windowState.importOpen = true;
    }
  }

  async start(paths: string[], password: string | null = null, tryAgain = false): Promise<void> {
    windowState.importOpen = true;
    if (this.running || this.#starting) {
      this.trouble = "An import is at work already. Wait for it, or cancel it.";
      return;
    }
    this.trouble = null;
    this.cancelling = false;
    this.progress = null;
    this.began = this.heard = performance.now();
    this.#paths = paths;
    this.#early = [];
    this.#starting = true;
    try {
      this.#id = await importStart(paths, this.place, password, tryAgain);
    } catch (cause) {
      this.trouble = CommandError.from(cause).message;
      this.#id = null;
    }
    this.#starting = false;
    for (const progress of this.#early) if (progress.import === this.#id) this.#take(progress);
  }

  /** The same files again with a password. It stays in memory and goes with this one call. */
  async again(password: string): Promise<void> {
    await this.start(this.#paths, password);
  }

  /** The files in quarantine once more. */
  async tryAgain(): Promise<void> {
    await this.start(this.progress?.quarantined ?? [], null, true);
  }

  async cancel(): Promise<void> {
    if (this.#id === null) return;
    this.cancelling = true;
    try {
      await importCancel(this.#id);
    } catch (cause) {
      this.trouble = CommandError.from(cause).message;
      this.cancelling = false;
    }
  }

  #take(progress: ImportProgress): void {
    this.progress = progress;
    this.heard = performance.now();
    if (progress.state !== "running") this.cancelling = false;
  }
}

export const importState = new ImportState();
