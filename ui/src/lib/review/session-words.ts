// What the desk says where a key did nothing, and where a lease is over.
// Deliberately not here: when it is said (session.svelte.ts), and the store's own sentences.
import type { Refusal } from "$lib/keys/routing";
import type { QueueItem } from "$lib/generated/QueueItem";
import { clock, dateAndTime } from "$lib/wording/time";

export const NOT_YET = "The last decision is not saved yet; try again once it is.";
export const CAME_BACK = "A decision came back and is not saved: claim its item again or let it go, then hand over.";

export const REFUSALS: Record<Refusal, string> = {
  nothing_open: "No item is open.",
  enter_first: "Enter first what the document states; then the record is shown, and you decide.",
  passages_disagree: "Two passages disagree: choose one by its number, type the true value, or reject.",
  not_painted: "The evidence is not on the screen yet; nothing was decided.",
  not_held: "This item is not yours yet; nothing was decided.",
  item_moved: "This item has changed since it was read; it was read again.",
};

export const STATE_THE_VALUE = "Two reviewers differ: state the true value, or that there is none.";
export const NO_SUCH_SIDE = "That reviewer stated no value: choose the other, or type the true one.";

/** A lease that ended by itself; `who` is the sentence about who has the item now, null where nobody does. */
export function ranOut(expiresAt: string, who: string | null, kept: boolean): string {
  const at = clock(expiresAt);
  const over = at === "unknown" ? "Your time on this item is over." : `Your time on this item ran out at ${at}.`;
  return [over, who, kept ? "What you typed is kept." : null].filter((part) => part !== null).join(" ");
}

/** Of an item that is held for later: by whom, since when and why; null where there is none. */
export function waits(item: QueueItem | undefined, reviewer: string | undefined): string | null {
  if (item === undefined) return null;
  const who = item.held_for_later_by === reviewer ? "You hold" : `${item.held_for_later_by} holds`;
  const since = item.held_for_later_at === null ? "" : ` since ${dateAndTime(item.held_for_later_at)}`;
  return `${who} this for later${since}: “${item.hold_note ?? ""}”.`;
}
