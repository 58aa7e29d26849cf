// What the window asks of the machine it runs on: commands, events, the file dialog, dropped files, page images.
//
// Two implementations: Tauri (tauri.ts) and a stand-in for plain browsers (mock/). Deliberately not here: what any
// command means (commands.ts), and any decision.
import type { ErrorCode } from "$lib/generated/ErrorCode";
import type { ErrorView } from "$lib/generated/ErrorView";

export type StopListening = () => void;

export interface FileDrop {
  /** Files hang over the window (true) or left it (false). */
  over(hovering: boolean): void;
  /** They were let go: absolute paths. */
  dropped(paths: string[]): void;
}

export interface Platform {
  /** Rejects with a CommandError, whatever went wrong. */
  call<T>(command: string, request?: object): Promise<T>;
  on<T>(event: string, handler: (payload: T) => void): Promise<StopListening>;
  /** Empty when nothing was chosen. */
  pickFiles(): Promise<string[]>;
  onFileDrop(drop: FileDrop): Promise<StopListening>;
  /** Where the image of a page is; `scale` is in device pixels per point, `page` counts from 1. */
  pageUrl(docSha256: string, page: number, scale: number): string;
}

/** An ErrorView as a JavaScript error. */
export class CommandError extends Error {
  readonly code: ErrorCode;

  constructor(view: ErrorView) {
    super(view.message);
    this.name = "CommandError";
    this.code = view.code;
  }

  /** Makes one of whatever a rejected call carried. */
  static from(cause: unknown): CommandError {
    if (cause instanceof CommandError) return cause;
    if (typeof cause === "object" && cause !== null && "code" in cause && "message" in cause) {
      return new CommandError(cause as ErrorView);
    }
    return new CommandError({ code: "internal", message: cause instanceof Error ? cause.message : String(cause) });
  }
}
