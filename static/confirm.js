// Whether a move waits for a last yes before it is sent: a wish of this browser.
import { toggle } from "./dom.js";
import { say } from "./words.js";

const KEY = "confirmMove";
/** @type {string | null} */
let here = null;

const stored = () => {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return here;
  }
};

/** Whether each move is to be confirmed. */
export const confirms = () => stored() === "yes";

/**
 * From now on so; without storage for as long as the page stands.
 * @param {boolean} on
 */
export const setConfirms = (on) => {
  here = on ? "yes" : "no";
  try {
    localStorage.setItem(KEY, here);
  } catch {
    // It is kept above.
  }
};

/** Whether it should be offered: to fingers, which slip, and once. */
export const asksConfirm = () => stored() === null && matchMedia("(pointer: coarse)").matches;

/**
 * The switch; `changed()` is told that it was used.
 * @param {() => unknown} changed
 */
export const confirmSwitch = (changed) =>
  toggle(say("game.confirm"), confirms(), (on) => {
    setConfirms(on);
    changed();
  });
