// An item with all its evidence, loaded as one, and drawn ahead.
//
// Deliberately not here: leases; reading an item claims nothing.
import { documentWhole, evidenceView, itemView } from "$lib/commands";
import { drawAhead } from "$lib/evidence/page-images";
import { textAhead } from "$lib/evidence/text-layers";
import type { EvidenceView } from "$lib/generated/EvidenceView";
import type { ItemView } from "$lib/generated/ItemView";

export interface OpenItem {
  item: ItemView;
  /** One for each citation of the candidate, in order. */
  evidence: EvidenceView[];
  /**
   * The whole document from its first page, where the candidate cites nothing: "not stated" is checked by reading. And
   * where the value is entered before the candidate is seen: its place would lead whoever is to find it.
   */
  whole: EvidenceView | null;
}

export async function loadItem(id: string): Promise<OpenItem> {
  const item = await itemView(id);
  const evidence = await Promise.all((item.candidate?.citations ?? []).map((citation) => evidenceView(citation.id)));
  return { item, evidence, whole: evidence.length === 0 ? await wholeDocument(item) : null };
}

/** Null where it can't be read: the item is shown without. */
async function wholeDocument({ item }: ItemView): Promise<EvidenceView | null> {
  try {
    return await documentWhole(item.doc_id, item.doc_sha256);
  } catch {
    return null;
  }
}

/** What is on the screen first: both passages of a conflict, else the first citation, else the whole document. */
export function firstShown(open: OpenItem): EvidenceView[] {
  if (isConflict(open)) return open.evidence.slice(0, 2);
  const first = open.evidence[0] ?? open.whole;
  return first ? [first] : [];
}

/** What is on the screen at a citation, from 0: both of the first two of a conflict. */
export function shownAt(open: OpenItem, citation: number): EvidenceView[] {
  if (isConflict(open) && citation < 2) return firstShown(open);
  const one = open.evidence[citation] ?? open.whole;
  return one ? [one] : [];
}

export const isConflict = (open: OpenItem) =>
  open.item.candidate?.status === "conflicting" && open.evidence.length >= 2;

/** Whether what is painted of one reading is what another would paint: the same candidate over the same evidence. */
export const sameEvidence = (one: OpenItem, other: OpenItem) =>
  one.item.item.item === other.item.item.item &&
  one.item.candidate?.record_id === other.item.candidate?.record_id &&
  one.item.candidate?.value_text === other.item.candidate?.value_text &&
  JSON.stringify([one.evidence, one.whole]) === JSON.stringify([other.evidence, other.whole]);

export function drawItemAhead(open: OpenItem, imageScale: number): void {
  for (const evidence of firstShown(open)) {
    if (evidence.in_text) textAhead(evidence.citation.doc_sha256, evidence.in_text.layer_sha256);
    else if (evidence.pages.length > 0) drawAhead(evidence.citation.doc_sha256, evidence.open_page, imageScale);
  }
}
