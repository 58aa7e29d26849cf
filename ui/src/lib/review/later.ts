// Holding the open item for later, with a note, and going on to the next.
//
// What was typed for the item stays with it, the note too where the hold is refused. Deliberately not here: taking it up
// again (ReviewSession.regain), and who may hold what; the store says that.
import { queueHold } from "$lib/commands";
import { CommandError } from "$lib/platform/contract";
import type { ReviewSession } from "./session.svelte";
import { REFUSALS } from "./session-words";

/** False, and a word of why, where it may not be. */
export async function holdForLater(session: ReviewSession, note: string): Promise<boolean> {
  const { claim } = session;
  const open = session.open?.item.item;
  if (claim === null || open === undefined || claim.item !== open.item) {
    session.said = session.notHeld ?? REFUSALS.not_held;
    return false;
  }
  if (note.trim() === "") {
    session.said = "Say why it waits, for whoever takes it up.";
    return false;
  }
  try {
    await queueHold(claim, note.trim());
  } catch (cause) {
    session.said = CommandError.from(cause).message;
    return false;
  }
  await session.goOnFrom(claim);
  session.said = `Held for later: ${open.field}.`;
  return true;
}
