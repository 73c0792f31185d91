// Text that rises from a cell and fades, such as the points of a move. Reduced motion shows none:
// the status line reports the same. The next input ends it, as all animations.
import { s } from "../lib/dom.js";

/** Duration, and the height that the text rises, in board units. */
const FLOAT_MS = 1300;
const RISE = 76;

/**
 * Floats a text up from a cell of a board.
 * @param {import("./board.js").Board} board
 * @param {{ cell: string, text: string }} float
 * @param {number} delay in milliseconds
 */
export const floatText = (board, { cell, text }, delay) => {
  if (document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const inner = s("g", {}, s("text", { class: "board-float", y: 16 }, text));
  const node = board.marks.groupAt(cell, inner);
  node.setAttribute("aria-hidden", "true");
  node.setAttribute("class", "board-effect");
  board.svg.insertBefore(node, board.layers.focus);
  const frames = [
    { opacity: 0, transform: "translateY(0)" },
    { opacity: 1, transform: `translateY(${-RISE * 0.6}px)`, offset: 0.25 },
    { opacity: 1, transform: `translateY(${-RISE * 0.85}px)`, offset: 0.7 },
    { opacity: 0, transform: `translateY(${-RISE}px)` },
  ];
  const timing = {
    delay,
    duration: FLOAT_MS,
    easing: "ease-out",
    fill: /** @type {const} */ ("both"),
  };
  board.motion.run({ parts: [{ node: inner, frames, timing }], overlays: [node] });
};
