// The stand-in's filter of the queue. Deliberately not here: the real one; the store has it.
import type { QueueFilter } from "$lib/generated/QueueFilter";
import type { QueueItem } from "$lib/generated/QueueItem";

export const leaves =
  (filter: QueueFilter, reviewer: string, claimed: string | undefined) =>
  (item: QueueItem): boolean =>
    (!filter.mine || item.held_by === reviewer || item.item === claimed) &&
    (!filter.hard || item.hard) &&
    (!filter.overdue || (item.due_at !== null && Date.parse(item.due_at) < Date.now())) &&
    (filter.field === null || item.field === filter.field) &&
    (filter.doc_id === null || item.doc_id === filter.doc_id);

export function choices(open: QueueItem[], inside: (item: QueueItem) => boolean) {
  const counted = (names: string[]) =>
    [...new Set(names)].sort().map((name) => ({ name, items: names.filter((other) => other === name).length }));
  return {
    matching: open.filter(inside).length,
    fields: counted(open.map((item) => item.field)),
    documents: counted(open.map((item) => item.doc_id)),
  };
}
