// Chooses the platform once, before anything is drawn.
//
// The stand-in is behind a condition that a production build knows to be false, so none of it is shipped. Deliberately
// not here: a choice at run time in production; there it is Tauri or nothing.
import { CommandError, type Platform } from "./contract";

let chosen: Platform | undefined;

export async function startPlatform(): Promise<void> {
  if (import.meta.env.MODE === "mock" || (import.meta.env.DEV && !("__TAURI_INTERNALS__" in window))) {
    const { startMock } = await import("./mock/start");
    chosen = await startMock();
  } else {
    const { startTauri } = await import("./tauri");
    chosen = await startTauri();
  }
}

/** The platform; startPlatform has to be over. */
export function platform(): Platform {
  if (!chosen) throw new CommandError({ code: "internal", message: "The window has not started yet." });
  return chosen;
}
