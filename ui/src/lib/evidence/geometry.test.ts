// Pages and rectangles: where they stand, at any zoom and with pages of different sizes.
import { describe, expect, it } from "vitest";
import { extentOf, fitScale, GAP, imageScale, inPercent, pageAt, pagesInView, scrollTo, stackOf, zoomed } from "./geometry";

const page = (width: number, height: number) => ({ width, height, scanned: false, untrusted: false, recognised: false });
const pages = [page(600, 800), page(800, 600), page(600, 800)];

describe("stackOf", () => {
  it("reserves each page's box before any image is there", () => {
    const stack = stackOf(pages, 0.5);
    expect(stack.tops).toEqual([GAP, GAP + 400 + GAP, GAP + 400 + GAP + 300 + GAP]);
    expect(stack.heights).toEqual([400, 300, 400]);
    expect(stack.height).toBe(GAP * 4 + 1100);
    expect(stack.width).toBe(400);
  });

  it("finds the pages in view", () => {
    const stack = stackOf(pages, 1);
    expect(pageAt(stack, 0)).toBe(0);
    expect(pageAt(stack, 820)).toBe(0);
    expect(pageAt(stack, 840)).toBe(1);
    expect(pagesInView(stack, 0, 500, 0)).toEqual([0, 0]);
    expect(pagesInView(stack, 0, 500, 1)).toEqual([0, 1]);
    expect(pagesInView(stack, 900, 5000, 1)).toEqual([0, 2]);
    expect(pagesInView(stackOf([], 1), 0, 500, 1)).toBeNull();
  });
});

describe("fitScale", () => {
  it("fits the widest page, and grows no further than reads well", () => {
    expect(fitScale(pages, 432)).toBe(0.5);
    expect(fitScale(pages, 100_000)).toBe(1.6);
    expect(fitScale([], 0)).toBe(0.2);
  });
});

describe("rectangles", () => {
  const rects = [
    { page: 2, x0: 80, y0: 60, x1: 400, y1: 72 },
    { page: 2, x0: 80, y0: 74, x1: 200, y1: 86 },
    { page: 3, x0: 10, y0: 10, x1: 20, y1: 20 },
  ];

  it("cover an extent of one page", () => {
    const stack = stackOf(pages, 2);
    expect(extentOf(rects, 2, stack, 2)).toEqual({ top: (stack.tops[1] ?? 0) + 120, bottom: (stack.tops[1] ?? 0) + 172, left: 160, right: 800 });
    expect(extentOf(rects, 1, stack, 2)).toBeNull();
    expect(extentOf(rects, 9, stack, 2)).toBeNull();
  });

  it("stand in per cent of their page, whatever the zoom", () => {
    expect(inPercent({ page: 2, x0: 80, y0: 60, x1: 400, y1: 72 }, page(800, 600))).toEqual({ left: 10, top: 10, width: 40, height: 2 });
  });

  it("are opened a third down the view, and never above the document", () => {
    expect(scrollTo({ top: 1000, bottom: 1020, left: 0, right: 0 }, 600)).toBe(820);
    expect(scrollTo({ top: 1000, bottom: 3000, left: 0, right: 0 }, 600)).toBe(1000 - GAP);
    expect(scrollTo({ top: 20, bottom: 40, left: 0, right: 0 }, 600)).toBe(0);
  });
});

describe("zoom", () => {
  it("goes in steps and stops at its ends", () => {
    expect(zoomed(1, 1)).toBe(1.1);
    expect(zoomed(1, -1)).toBe(0.9);
    expect(zoomed(4, 1)).toBe(4);
    expect(zoomed(0.5, -1)).toBe(0.5);
  });

  it("asks for one image per level", () => {
    expect(imageScale(1.07513, 1)).toBe(1.08);
    expect(imageScale(1.07513, 2)).toBe(2.15);
  });
});
