// What a person marked in a drawn text, in UTF-16 units of the layer.
//
// Each drawn piece says in `data-at` which unit it begins with, so a place in the page is a place in the layer, whatever
// stands between (line numbers, page marks). Deliberately not here: the text itself; it is cut from the layer.
import type { Units } from "./text-segments";

/** The unit at a place of the document tree; null outside of the text. */
function unitOf(node: Node, offset: number): number | null {
  const element = node instanceof Element ? node : node.parentElement;
  const piece = element?.closest<HTMLElement>("[data-at]");
  if (piece) {
    const begin = Number(piece.dataset.at);
    if (node instanceof Text) return begin + offset;
    return offset === 0 ? begin : begin + (piece.textContent?.length ?? 0);
  }
  // Between pieces: the place before a child is where the child's first piece begins; after the last, where it ends.
  const child = node.childNodes[offset];
  if (child instanceof Element) {
    const next = child.matches("[data-at]") ? child : child.querySelector("[data-at]");
    if (next instanceof HTMLElement) return Number(next.dataset.at);
  }
  const all = element?.querySelectorAll<HTMLElement>("[data-at]");
  const last = all?.[all.length - 1];
  return last ? Number(last.dataset.at) + (last.textContent?.length ?? 0) : null;
}

/** What is marked inside an element; null where that is nothing. */
export function markedIn(root: HTMLElement): Units | null {
  const marked = document.getSelection();
  if (!marked || marked.isCollapsed || marked.rangeCount === 0) return null;
  const range = marked.getRangeAt(0);
  if (!root.contains(range.startContainer) || !root.contains(range.endContainer)) return null;
  const from = unitOf(range.startContainer, range.startOffset);
  const to = unitOf(range.endContainer, range.endOffset);
  return from !== null && to !== null && from < to ? { from, to } : null;
}
