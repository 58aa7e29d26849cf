// What makes a saved picture stand by itself.
import { expect, it } from "vitest";
import { fileName, standingAlone } from "./chart-export";
import { aCurve } from "./curve-sample";

it("leaves no name of a colour behind", () => {
  const svg = '<g fill="currentColor"><line stroke="var(--bad)"/><text fill="var(--text-third)">x</text></g>';
  expect(standingAlone(svg, (name) => `#${name.length}`)).toBe('<g fill="#13"><line stroke="#5"/><text fill="#12">x</text></g>');
});

it("names the file by its curve, without what no file system takes", () => {
  expect(fileName(aCurve({ model: "org/large:7b" }), "csv")).toBe("f present org-large-7b p-1.csv");
});
