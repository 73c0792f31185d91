// A board with one ghost, for pages on which nothing stands.
import { s } from "./dom.js";

/** @returns {SVGElement} */
export const ghost = () => {
  const cells = [0, 1, 2].flatMap((row) => [0, 1, 2].map((col) => s("rect", { x: col * 34 + 2, y: row * 34 + 2, width: 30, height: 30, rx: 5, fill: "var(--sunken)", stroke: "var(--line)" })));
  const piece = s("circle", { cx: 51, cy: 51, r: 11, fill: "none", stroke: "var(--edge)", "stroke-width": 2, "stroke-dasharray": "4 4" });
  return s("svg", { viewBox: "0 0 102 102", "aria-hidden": "true" }, ...cells, piece);
};
