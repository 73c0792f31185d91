// Buttons that show a drawing, and among them those that step through moves.
import { h, line } from "./dom.js";
import { say } from "./words.js";

/** What each step is called, and its drawing. */
const STEPS = {
  first: ["game.first", "M18 6l-6 6 6 6M8 6v12"], back: ["game.back", "M14 6l-6 6 6 6"],
  forward: ["game.forward", "M10 6l6 6-6 6"], last: ["game.last", "M6 6l6 6-6 6M16 6v12"],
};

/**
 * A button that shows a drawing; the phrase is what it is called.
 * @param {string} key
 * @param {string} d
 * @param {() => unknown} deed
 */
export const iconButton = (key, d, deed) => h("button", { class: "icon", type: "button", title: say(key), "aria-label": say(key), onclick: deed }, line(d));

/**
 * The button of one step.
 * @param {keyof typeof STEPS} where
 * @param {() => unknown} deed
 */
export const stepButton = (where, deed) => iconButton(STEPS[where][0], STEPS[where][1], deed);

/**
 * The buttons of all steps in a row; `go(where)` is told first, back, forward or last.
 * @param {(where: keyof typeof STEPS) => unknown} go
 */
export const stepButtons = (go) => /** @type {(keyof typeof STEPS)[]} */ (Object.keys(STEPS)).map((where) => stepButton(where, () => go(where)));
