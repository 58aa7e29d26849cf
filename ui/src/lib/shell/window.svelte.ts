// What the whole window knows: the workspace, the desk that is open, whether the panel of keys is.
//
// Deliberately not here: the state of any one desk.
import { reviewerSet, workspaceView } from "$lib/commands";
import type { WorkspaceView } from "$lib/generated/WorkspaceView";
import { CommandError } from "$lib/platform/contract";
import { platform } from "$lib/platform/start";

export type Desk = "review" | "calibration" | "documents";

/** Several writes in a row are one change to look at. */
const SETTLE = 120;

class WindowState {
  desk = $state<Desk>("review");
  workspace = $state.raw<WorkspaceView | null>(null);
  trouble = $state<string | null>(null);
  keysOpen = $state(false);
  importOpen = $state(false);
  /** Counts what was written, by this window or another. Desks look again when it moves. */
  changes = $state(0);

  #settling: ReturnType<typeof setTimeout> | undefined;

  async start(): Promise<void> {
    await this.load();
    await platform().on("workspace-changed", () => {
      // Not put off by what comes next: while somebody imports for an hour, desks still look again.
      this.#settling ??= setTimeout(() => {
        this.#settling = undefined;
        this.changes += 1;
        void this.load();
      }, SETTLE);
    });
  }

  async load(): Promise<void> {
    try {
      this.workspace = await workspaceView();
      this.trouble = null;
    } catch (cause) {
      this.trouble = CommandError.from(cause).message;
    }
  }

  /** Only through the review session, which must let go of everything first (ReviewSession.switchReviewer). */
  async setReviewer(name: string): Promise<void> {
    this.workspace = await reviewerSet(name);
    this.changes += 1;
  }
}

export const windowState = new WindowState();
