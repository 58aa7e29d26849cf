// Text selected on a page with the mouse or marked in a text, in code points of the layer, and its copy.
//
// The layer's own text is copied, exactly: no spaces joined, no hyphens mended. One selection for the whole window.
// Deliberately not here: which glyphs lie between two points; the core answers that from the stored boxes.
import { documentSelect } from "$lib/commands";
import type { SelectionView } from "$lib/generated/SelectionView";

export interface Point {
  x: number;
  y: number;
}

interface Drag {
  docSha256: string;
  layerSha256: string;
  page: number;
  from: Point;
  to: Point;
}

class PageSelection {
  selected = $state.raw<SelectionView | null>(null);
  /** The version that it is on. */
  docSha256 = $state<string | null>(null);
  copied = $state(false);
  #drag: Drag | null = null;
  #asking = false;

  begin(docSha256: string, layerSha256: string, page: number, at: Point): void {
    this.clear();
    this.#drag = { docSha256, layerSha256, page, from: at, to: at };
  }

  async move(to: Point): Promise<void> {
    const drag = this.#drag;
    if (!drag) return;
    drag.to = to;
    // One question at a time; the last position wins.
    if (this.#asking || Math.hypot(to.x - drag.from.x, to.y - drag.from.y) < 2) return;
    this.#asking = true;
    try {
      let asked: Point | null = null;
      while (this.#drag === drag && asked !== drag.to) {
        asked = drag.to;
        const selected = await documentSelect({
          doc_sha256: drag.docSha256,
          layer_sha256: drag.layerSha256,
          page: drag.page,
          x0: drag.from.x,
          y0: drag.from.y,
          x1: asked.x,
          y1: asked.y,
        });
        if (this.#drag !== drag) break;
        this.selected = selected;
        this.docSha256 = drag.docSha256;
        this.copied = false;
      }
    } catch {
      this.selected = null;
    } finally {
      this.#asking = false;
    }
  }

  /** Something was marked in a text. */
  marked(docSha256: string, selected: SelectionView): void {
    this.#drag = null;
    this.selected = selected;
    this.docSha256 = docSha256;
    this.copied = false;
  }

  clear(): void {
    this.#drag = null;
    this.selected = null;
    this.docSha256 = null;
    this.copied = false;
  }

  /** True where there was something to copy. */
  async copy(): Promise<boolean> {
    const text = this.selected?.text;
    if (text === undefined || text === "") return false;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      copyThroughEvent(text);
    }
    this.copied = true;
    return true;
  }
}

/** Where the clipboard interface is denied, the old command still fires a copy event that can be filled. */
function copyThroughEvent(text: string): void {
  const fill = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
  };
  document.addEventListener("copy", fill, { once: true });
  document.execCommand("copy");
  document.removeEventListener("copy", fill);
}

export const pageSelection = new PageSelection();
