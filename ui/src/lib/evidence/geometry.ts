// Where pages and rectangles stand in the evidence pane: pure arithmetic over page sizes.
//
// Lengths in points are scaled by `scale` (CSS pixels per point); gaps between pages are in CSS pixels and never scaled.
// Deliberately not here: where the rectangles come from. They are stored boxes; a page is never searched.
import type { PageView } from "$lib/generated/PageView";
import type { RectView } from "$lib/generated/RectView";

/** Above the first page, between pages, below the last: CSS pixels. */
export const GAP = 16;
/** A page wider than this reads worse, however wide the window: CSS pixels per point. */
const WIDEST_SCALE = 1.6;
export const ZOOM_STEPS = [0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4] as const;

export interface Stack {
  /** Upper edge of each page, CSS pixels from the top of the content. */
  tops: number[];
  heights: number[];
  width: number;
  height: number;
}

/** The scale at which the widest page fills the pane. */
export function fitScale(pages: readonly PageView[], paneWidth: number): number {
  const widest = Math.max(1, ...pages.map((page) => page.width));
  return Math.max(0.2, Math.min(WIDEST_SCALE, (paneWidth - 2 * GAP) / widest));
}

export function stackOf(pages: readonly PageView[], scale: number): Stack {
  const tops: number[] = [];
  const heights: number[] = [];
  let top = GAP;
  let width = 0;
  for (const page of pages) {
    const height = page.height * scale;
    tops.push(top);
    heights.push(height);
    width = Math.max(width, page.width * scale);
    top += height + GAP;
  }
  return { tops, heights, width, height: top };
}

/** Indices of the pages that touch the view and of `beyond` more on either side: [first, last]; null without pages. */
export function pagesInView(
  stack: Stack,
  scrollTop: number,
  viewHeight: number,
  beyond: number,
): [number, number] | null {
  const count = stack.tops.length;
  if (count === 0) return null;
  const first = Math.max(0, pageAt(stack, scrollTop) - beyond);
  const last = Math.min(count - 1, pageAt(stack, scrollTop + viewHeight) + beyond);
  return [first, last];
}

/** Index of the last page that begins at or above a height. */
export function pageAt(stack: Stack, y: number): number {
  let low = 0;
  let high = stack.tops.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((stack.tops[middle] ?? 0) <= y) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

export interface Extent {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** What the rectangles of one page cover, in CSS pixels of the content; null without any. */
export function extentOf(rects: readonly RectView[], page: number, stack: Stack, scale: number): Extent | null {
  const own = rects.filter((rect) => rect.page === page);
  const top = stack.tops[page - 1];
  if (own.length === 0 || top === undefined) return null;
  return {
    top: top + Math.min(...own.map((rect) => rect.y0)) * scale,
    bottom: top + Math.max(...own.map((rect) => rect.y1)) * scale,
    left: Math.min(...own.map((rect) => rect.x0)) * scale,
    right: Math.max(...own.map((rect) => rect.x1)) * scale,
  };
}

/** Where to scroll so that the extent stands a third down the view, or begins at its top where it is taller. */
export function scrollTo(extent: Extent, viewHeight: number): number {
  const height = extent.bottom - extent.top;
  const above = Math.max(GAP, Math.min(viewHeight * 0.3, (viewHeight - height) / 2));
  return Math.max(0, extent.top - above);
}

/** A rectangle in per cent of its page, for CSS. */
export function inPercent(rect: RectView, page: PageView) {
  const across = 100 / page.width;
  const down = 100 / page.height;
  return {
    left: rect.x0 * across,
    top: rect.y0 * down,
    width: Math.max(0, rect.x1 - rect.x0) * across,
    height: Math.max(0, rect.y1 - rect.y0) * down,
  };
}

/** The next step of the zoom in a direction. */
export function zoomed(zoom: number, direction: 1 | -1): number {
  const steps = direction === 1 ? ZOOM_STEPS : [...ZOOM_STEPS].reverse();
  return steps.find((step) => (direction === 1 ? step > zoom + 0.001 : step < zoom - 0.001)) ?? zoom;
}

/** Device pixels per point, rounded so that one zoom level is one image. */
export const imageScale = (scale: number, devicePixelRatio: number) => Math.round(scale * devicePixelRatio * 100) / 100;
