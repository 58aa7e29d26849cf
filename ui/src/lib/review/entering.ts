// Entering a value before the candidate is seen: sent at once, and the item read again with the candidate in it.
//
// What was typed stays typed whatever the answer, and is there to be sent again or decided with. Deliberately not here:
// which items are entered first (the core says so by giving no candidate), and deciding.
import { itemEnter } from "$lib/commands";
import { CommandError } from "$lib/platform/contract";
import { REFUSALS } from "./session-words";
import type { ReviewSession } from "./session.svelte";

type Entered = Pick<ReviewSession, "open" | "claim" | "said" | "whyNot" | "reread">;

const underWay = new WeakSet<object>();

/** `null` says that the document states none. False, and a word of why, where nothing was kept. */
export async function enterValue(session: Entered, value: unknown): Promise<boolean> {
  const why = session.whyNot("enter");
  const { open, claim } = session;
  if (why !== null || open === null || claim === null) {
    session.said = why ?? REFUSALS.nothing_open;
    return false;
  }
  if (underWay.has(open)) return false;
  underWay.add(open);
  const { item, item_version } = open.item.item;
  try {
    await itemEnter({ item, item_version, token: claim.token, value });
    session.said = "";
    return true;
  } catch (cause) {
    if (session.open?.item.item.item === item) session.said = CommandError.from(cause).message;
    return false;
  } finally {
    underWay.delete(open);
    // Kept or not, what the store says of the item now is shown: it may have moved, or the answer may be what was lost.
    await session.reread();
  }
}
