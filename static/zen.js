// Zen: nothing but board, clocks and hint, for as long as this tab is open.
import { h, line } from "./dom.js";
import { say } from "./words.js";
import { wish } from "./wish.js";

const wanted = wish("zen", false, () => sessionStorage);

/** Whether it is on. */
export const isZen = () => document.body.classList.contains("zen");

/** Goes there, or back. */
export const setZen = (on) => {
  wanted.set(on);
  document.body.classList.toggle("zen", on);
};

/** Puts the way out into the page, and takes up what was wished before. */
export const openZen = () => {
  document.body.append(h("button", { type: "button", class: "icon zen-leave", "aria-label": say("wish.leave"), title: say("wish.leave"), onclick: () => setZen(false) }, line("M6 6l12 12M18 6L6 18")));
  setZen(wanted.is());
};
