// The stand-in's text selection: the code points between two points of a page, by reading order of the boxes.
// Deliberately not here: columns; the real one knows them.
import type { RectView } from "$lib/generated/RectView";
import type { MockData } from "./data";

interface Request {
  doc_sha256: string;
  page: number;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

export function selectBetween(data: MockData, request: Request) {
  const document = data.documents[request.doc_sha256];
  const boxes = document?.boxes[request.page - 1];
  const start = document?.starts[request.page - 1];
  if (!document || !boxes || start === undefined) return null;
  const near = (x: number, y: number) => {
    let best = 0;
    let distance = Infinity;
    boxes.forEach((box, index) => {
      if (!box) return;
      const off = Math.abs((box[0] + box[2]) / 2 - x) + 8 * Math.max(0, box[1] - y, y - box[3]);
      if (off < distance) [best, distance] = [index, off];
    });
    return best;
  };
  const [from, to] = [near(request.x0, request.y0), near(request.x1, request.y1)].sort((a, b) => a - b) as [number, number];
  const rects: RectView[] = [];
  for (const box of boxes.slice(from, to + 1)) {
    if (!box) continue;
    const last = rects.at(-1);
    if (last && Math.abs(last.y1 - box[3]) < 6 && box[0] >= last.x0) {
      last.x1 = Math.max(last.x1, box[2]);
      last.y0 = Math.min(last.y0, box[1]);
      last.y1 = Math.max(last.y1, box[3]);
    } else rects.push({ page: request.page, x0: box[0], y0: box[1], x1: box[2], y1: box[3] });
  }
  const span = { start: start + from, end: start + to + 1 };
  return { ...span, text: document.layer.slice(span.start, span.end), rects, spans: [span] };
}
