// What each mark of the chart means, drawn with the mark itself: on the page and in the picture that is saved.
// Deliberately not here: definitions in sentences (wording/definitions.ts).
import type { CurveView } from "$lib/generated/CurveView";
import { count } from "$lib/wording/figures";
import { worstBins } from "./curve-shapes";

const SVG = "http://www.w3.org/2000/svg";
/** Room for a mark, for a line of marks, and for a letter of the small type, in pixels. */
const MARK = 26;
const LINE = 18;
const LETTER = 5.7;

function element(name: string, attributes: Record<string, string | number>): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

const line = (x1: number, y1: number, x2: number, y2: number, stroke: string, width: number, dash = "") =>
  element("line", { x1, y1, x2, y2, stroke, "stroke-width": width, ...(dash === "" ? {} : { "stroke-dasharray": dash }) });

interface Entry {
  words: string;
  marks: () => SVGElement[];
}

function entries(curve: CurveView, second: CurveView | null): Entry[] {
  const name = (drawn: CurveView) => `${drawn.model} ${drawn.prompt_version}`;
  const all: Entry[] = [
    {
      words: second === null ? "share right, 95 % interval" : `${name(curve)}: share right, 95 % interval`,
      marks: () => [
        line(10, -8, 10, 8, "var(--accent)", 2),
        element("circle", { cx: 10, cy: 0, r: 4.5, fill: "var(--accent)", stroke: "var(--ground)" }),
      ],
    },
  ];
  if (second !== null) {
    all.push({
      words: name(second),
      marks: () => [
        line(10, -8, 10, 8, "var(--text)", 2, "4 2"),
        element("path", { d: "M10,-6L14,0L10,6L6,0Z", fill: "var(--ground)", stroke: "var(--text)", "stroke-width": 2 }),
      ],
    });
  }
  const step = { d: "M0,4H10V-4H20", fill: "none", stroke: "var(--accent)", "stroke-width": 1.25 };
  all.push({ words: "rising fit", marks: () => [element("path", step)] });
  if (worstBins(curve).length > 0) {
    all.push({
      words: `if the ${count(curve.pending, "pending one", "pending ones")} were all wrong`,
      marks: () => [
        line(10, 0, 10, 8, "var(--warning)", 2, "1.5 3"),
        element("path", { d: "M5,-4.5H15L10,4Z", fill: "var(--ground)", stroke: "var(--warning)", "stroke-width": 1.75 }),
      ],
    });
  }
  all.push({ words: "as often right as it says", marks: () => [line(0, 6, 20, -6, "var(--control-line)", 1, "2 4")] });
  return all;
}

/** The legend in as many lines as it needs at this width. */
export function drawLegend(curve: CurveView, second: CurveView | null, width: number): SVGSVGElement {
  const legend = element("svg", { width, "font-size": 11 }) as SVGSVGElement;
  let [x, row] = [12, 0];
  for (const { words, marks } of entries(curve, second)) {
    const wide = MARK + words.length * LETTER + 18;
    if (x > 12 && x + wide > width) [x, row] = [12, row + 1];
    const group = element("g", { transform: `translate(${x},${row * LINE + LINE / 2})` });
    const text = element("text", { x: MARK, y: 4, fill: "var(--text-second)" });
    text.textContent = words;
    group.append(...marks(), text);
    legend.append(group);
    x += wide;
  }
  legend.setAttribute("height", String((row + 1) * LINE));
  return legend;
}
