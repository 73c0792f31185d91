// Whether a move waits for a last yes before it is sent: a wish of this browser.
import { toggle } from "./dom.js";
import { wish } from "./wish.js";
import { say } from "./words.js";

const wanted = wish("confirmMove", false);

/** Whether each move is to be confirmed. */
export const confirms = wanted.is;

/** From now on so. */
export const setConfirms = wanted.set;

/** Whether it should be offered: to fingers, which slip, and once. */
export const asksConfirm = () => !wanted.said() && matchMedia("(pointer: coarse)").matches;

/**
 * The switch; `changed()` is told that it was used.
 * @param {() => unknown} changed
 */
export const confirmSwitch = (changed) =>
  toggle(say("game.confirm"), confirms(), (on) => {
    setConfirms(on);
    changed();
  });
