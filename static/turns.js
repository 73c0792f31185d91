// In how many games one is to move: a badge in the header, and the title of the page.
import { h } from "./dom.js";
import { say } from "./words.js";

const FLASH_MS = 900;

const number = h("span", { "aria-hidden": "true" });
const words = h("span", { class: "unseen" });

/** The badge; it stands in the link to the first page, Play, where the games are. */
export const badge = h("span", { class: "turns num", hidden: true }, number, " ", words);

let turns = 0;
/** @type {string | null} */
let call = null;
let flash;
let plain = document.title;
let drawn = plain;

const draw = (loud) => {
  drawn = loud && call ? call : `${turns ? `(${turns}) ` : ""}${plain}`;
  document.title = drawn;
};

// Pages name themselves whenever they like: whatever another hand wrote is the plain title.
new MutationObserver(() => {
  if (document.title === drawn) return;
  plain = document.title;
  draw(false);
}).observe(document.querySelector("title"), { childList: true });

/**
 * Shows in how many games it is one's turn.
 * @param {number} [n]
 */
export const showTurns = (n = 0) => {
  turns = n;
  badge.hidden = n === 0;
  number.textContent = String(n);
  badge.title = words.textContent = say("turns.waiting", { n });
  draw(false);
};

/**
 * Flashes a word in the title, for somebody who looks at another tab; null ends it.
 * @param {string | null} word
 */
export const flashTitle = (word) => {
  clearInterval(flash);
  const was = call;
  call = word;
  if (word === null) return was !== null && draw(false);
  let loud = true;
  draw(loud);
  flash = setInterval(() => {
    loud = !loud;
    draw(loud);
  }, FLASH_MS);
  return undefined;
};
