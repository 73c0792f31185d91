// The page for what is not there.
import { h, s } from "./dom.js";
import { listen } from "./me.js";
import { top } from "./top.js";
import { say } from "./words.js";

/** A board with one ghost, and a way back. */
export const missing = () => {
  const cells = [0, 1, 2].flatMap((row) => [0, 1, 2].map((col) => s("rect", { x: col * 34 + 2, y: row * 34 + 2, width: 30, height: 30, rx: 5, fill: "var(--sunken)", stroke: "var(--line)" })));
  const ghost = s("circle", { cx: 51, cy: 51, r: 11, fill: "none", stroke: "var(--edge)", "stroke-width": 2, "stroke-dasharray": "4 4" });
  document.title = `${say("missing.title")} · Sprong`;
  return h("div", { class: "message" }, s("svg", { viewBox: "0 0 102 102", "aria-hidden": "true" }, ...cells, ghost),
    h("h1", {}, say("missing.title")), h("p", { class: "soft" }, say("missing.text")), h("a", { class: "btn main", href: "/" }, say("missing.home")));
};

if (document.querySelector("script[src='/missing.js']")) {
  top(null);
  listen();
  document.querySelector("main").append(missing());
}
