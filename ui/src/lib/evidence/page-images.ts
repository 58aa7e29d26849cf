// Decoded page images, kept as elements: what was drawn ahead is on the screen without another request.
//
// An element can stand in one place only: whoever shows one that stands elsewhere shows a copy (placed). Deliberately not here: which pages
// to draw ahead, and any copy on disk; pages live in memory only.
import { platform } from "$lib/platform/start";

/** Some 5 MB each at usual sizes. */
const LIMIT = 14;

const decoding = new Map<string, Promise<HTMLImageElement>>();
const decoded = new Map<string, HTMLImageElement>();

async function decode(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.decoding = "sync";
  image.draggable = false;
  image.src = url;
  await image.decode();
  return image;
}

function fetchImage(url: string): Promise<HTMLImageElement> {
  const held = decoding.get(url);
  if (held) {
    decoding.delete(url);
    decoding.set(url, held);
    return held;
  }
  const started = decode(url);
  decoding.set(url, started);
  started.then(
    (image) => {
      if (decoding.get(url) === started) decoded.set(url, image);
    },
    () => {
      decoding.delete(url);
    },
  );
  for (const oldest of decoding.keys()) {
    if (decoding.size <= LIMIT) break;
    decoding.delete(oldest);
    decoded.delete(oldest);
  }
  return started;
}

/** The image if it is decoded: it can be shown within this very frame. */
export const imageNow = (url: string): HTMLImageElement | null => decoded.get(url) ?? null;

/** The image, decoded. Rejects where the page can't be drawn. */
export const imageOf = (url: string): Promise<HTMLImageElement> => fetchImage(url);

/** Puts an image into its place and gives back what stands there: itself, or a copy where it stands elsewhere too. */
export function placed(image: HTMLImageElement, place: HTMLElement): HTMLImageElement {
  const own = image.isConnected && image.parentElement !== place ? (image.cloneNode() as HTMLImageElement) : image;
  place.replaceChildren(own);
  return own;
}

/** Draws a page ahead. A failure shows when the page is asked for. */
export function drawAhead(docSha256: string, page: number, scale: number): void {
  fetchImage(platform().pageUrl(docSha256, page, scale)).catch(() => undefined);
}

/** Resolves in the second frame from now: by then what was changed is on the screen. */
export function secondFrame(): Promise<number> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())));
  });
}
