// The chart as a file: SVG that stands by itself, and PNG made of it. Always in the light colours: what is saved goes into a
// document or onto paper.
//
// Deliberately not here: where the file goes (the platform asks), and the CSV (curve-csv.ts).
import type { CurveView } from "$lib/generated/CurveView";
import { count, whole } from "$lib/wording/figures";
import { drawLegend } from "./chart-legend";
import { drawCurve } from "./curve-plot";
import type { Handles } from "./threshold-handle";

const SVG = "http://www.w3.org/2000/svg";
export const WIDTH = 880;
const HEIGHT = 460;
const HEAD = 60;
const GAP = 6;
const LINE = 18;
/** Pixels of the PNG for each of the drawing: sharp in print. */
const DENSITY = 2;
/** Every colour of the page that a drawing names. */
const COLOURS = [
  ...["ground", "quiet-ground", "line", "line-strong", "control-line"],
  ...["text", "text-second", "text-third", "accent", "warning", "bad"],
];

/** Writes colours in the place of their names: a file knows none of the page's style. */
export const standingAlone = (svg: string, colour: (name: string) => string) =>
  svg
    .replace(/var\((--[\w-]+)\)/g, (_, name: string) => colour(name))
    .replaceAll("currentColor", colour("--text-second"));

/** A file's name of these parts, without what no file system takes. */
export const nameOf = (parts: readonly string[], extension: string) =>
  `${parts.join(" ").replace(/[\\/:*?"<>|\u0000-\u001f]/g, "-")}.${extension}`;

/** "retention.period present ext-large ext-3.4.svg" */
export const fileName = (curve: CurveView, extension: string) =>
  nameOf([curve.field, curve.of, curve.model, curve.prompt_version], extension);

function lightColours(): (name: string) => string {
  const root = document.documentElement;
  const before = root.dataset.theme;
  root.dataset.theme = "light";
  const style = getComputedStyle(root);
  const seen = new Map<string, string>();
  for (const name of COLOURS) seen.set(`--${name}`, style.getPropertyValue(`--${name}`).trim());
  if (before === undefined) delete root.dataset.theme;
  else root.dataset.theme = before;
  return (name) => seen.get(name) ?? "#000";
}

function element(name: string, attributes: Record<string, string | number>, words = ""): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = words;
  return made;
}

export interface Picture {
  title: string;
  /** What stands below the title. */
  words: string;
  /** One below the other, each with its height in pixels, and words above it where it has any. */
  parts: readonly { drawing: SVGElement; height: number; words?: string }[];
}

/** A picture that stands by itself: its title, its words, its parts. */
export function pictureSvg({ title, words, parts }: Picture): string {
  const above = (said: string | undefined) => (said === undefined ? 0 : LINE);
  const height = HEAD + parts.reduce((sum, part) => sum + above(part.words) + part.height + GAP, 0) + 4;
  const root = element("svg", {
    width: WIDTH,
    height,
    viewBox: `0 0 ${WIDTH} ${height}`,
    "font-family": "system-ui, 'Segoe UI', 'Noto Sans', 'Liberation Sans', sans-serif",
  });
  root.append(
    element("rect", { width: WIDTH, height, fill: "var(--ground)" }),
    element("text", { x: 14, y: 26, "font-size": 15, "font-weight": 600, fill: "var(--text)" }, title),
    element("text", { x: 14, y: 46, "font-size": 12, fill: "var(--text-second)" }, words),
  );
  let y = HEAD;
  for (const { drawing, height: tall, words: said } of parts) {
    if (said !== undefined) root.append(element("text", { x: 14, y: y + 12, "font-size": 12, fill: "var(--text)" }, said));
    y += above(said);
    drawing.setAttribute("y", String(y));
    drawing.setAttribute("overflow", "visible");
    drawing.setAttribute("font-size", "11");
    drawing.removeAttribute("font-family");
    drawing.removeAttribute("class");
    root.append(drawing);
    y += tall + GAP;
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n${standingAlone(new XMLSerializer().serializeToString(root), lightColours())}\n`;
}

export function chartSvg(curve: CurveView, second: CurveView | null, handles: Handles): string {
  const legend = drawLegend(curve, second, WIDTH);
  const named = `${curve.of} records · ${curve.model} · ${curve.prompt_version}`;
  return pictureSvg({
    title: curve.title === curve.field ? curve.field : `${curve.title} (${curve.field})`,
    words: `${named} · ${count(curve.labels, "label")}, effective ${whole(curve.labels_effective)}`,
    parts: [
      { drawing: drawCurve({ curve, second, handles, width: WIDTH, height: HEIGHT }), height: HEIGHT },
      { drawing: legend, height: Number(legend.getAttribute("height")) },
    ],
  });
}

/** Draws the SVG onto a canvas. Rejects where the picture can't be made. */
export async function chartPng(svg: string): Promise<Uint8Array> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth * DENSITY;
    canvas.height = image.naturalHeight * DENSITY;
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (blob === null) throw new Error("The picture could not be made. Save it as SVG.");
    return new Uint8Array(await blob.arrayBuffer());
  } finally {
    URL.revokeObjectURL(address);
  }
}
