// What the whole window knows: the workspace, the desk that is open, whether the panel of keys is.
//
// Deliberately not here: the state of any one desk.
import { reviewerSet, sessionEnd, sessionView, workspaceView } from "$lib/commands";
import type { SessionView } from "$lib/generated/SessionView";
import type { WorkspaceView } from "$lib/generated/WorkspaceView";
import { CommandError } from "$lib/platform/contract";
import { platform } from "$lib/platform/start";

export type Desk = "review" | "calibration" | "documents" | "corpus";

/** Several writes in a row are one change to look at. */
const SETTLE = 120;

class WindowState {
  desk = $state<Desk>("review");
  workspace = $state.raw<WorkspaceView | null>(null);
  trouble = $state<string | null>(null);
  keysOpen = $state(false);
  importOpen = $state(false);
  /** Where the window is, and who is signed in there. */
  session = $state.raw<SessionView | null>(null);
  /** Whether another team's address is asked for. */
  joining = $state(false);
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

  /** Whether a team's workspace waits for somebody to sign in. */
  get signedOut(): boolean {
    return this.session !== null && this.session.team && this.session.account === null;
  }

  async load(): Promise<void> {
    let session = this.session;
    try {
      session = await sessionView();
      if (!session.team || session.account !== null) this.workspace = await workspaceView();
      // Only now: a session that is over is known by its answer, and who is signing in again must not be interrupted.
      this.session = session;
      this.trouble = null;
    } catch (cause) {
      const error = CommandError.from(cause);
      // The session is over: whatever is on the screen waits until somebody has signed in again.
      if (error.code === "signed_out" && session !== null) this.session = { ...session, account: null };
      else this.trouble = error.message;
    }
  }

  async signedIn(): Promise<void> {
    await this.load();
    this.changes += 1;
  }

  async signOut(): Promise<void> {
    this.session = await sessionEnd();
    this.workspace = null;
  }

  /** Only through the review session, which must let go of everything first (ReviewSession.switchReviewer). */
  async setReviewer(name: string): Promise<void> {
    this.workspace = await reviewerSet(name);
    this.changes += 1;
  }
}

export const windowState = new WindowState();
