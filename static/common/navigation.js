// What calls somebody to a game, and the way there: a sound, which only who has switched it on loads, the title of the page, a
// badge that tells in how many games one is to move; and whether something is under way here that nobody should be taken away from.
import { h } from "../lib/dom.js";
import { wish } from "../lib/settings.js";
import { say } from "../lib/i18n.js";

const wanted = wish("sound", false);

/** Nobody comes late to a game because its sound does. */
const LATE_MS = 1000;

/** A page that is still there after so long was not left. */
const GOING_MS = 5000;

/**
 * Plays it, if it is wanted and can be had.
 * @returns {Promise<number>} how long it should be waited for, in milliseconds
 */
export const call = async () => {
  if (!wanted.is()) return 0;
  const heard = import("../board/sound.js").then(({ sound }) => sound("accepted")).catch(() => 0);
  return Promise.race([heard, new Promise((done) => setTimeout(done, LATE_MS, 0))]);
};

let going = false;

/**
 * Goes to a game; the answer and the news of it come both, and one of them is enough.
 * @param {string} id
 * @param {() => Promise<number>} [before] what is done first: it says how long is waited for it
 */
export const goTo = async (id, before = async () => 0) => {
  if (going) return;
  going = true;
  // Whoever stops that, or comes back here, can go again.
  setTimeout(() => {
    going = false;
  }, GOING_MS);
  const wait = await before();
  if (wait) setTimeout(() => location.assign(`/${id}`), wait);
  else location.assign(`/${id}`);
};

const FLASH_MS = 900;

const number = h("span", { "aria-hidden": "true" });
const words = h("span", { class: "unseen" });

/** The badge; it stands in the link to the first page, Play, where the games are. */
export const badge = h("span", { class: "turns num", hidden: true }, number, " ", words);

let turns = 0;
/** @type {string | null} */
let cried = null;
let flash;
let plain = document.title;
let drawn = plain;

const draw = (loud) => {
  drawn = loud && cried ? cried : `${turns ? `(${turns}) ` : ""}${plain}`;
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
  const was = cried;
  cried = word;
  if (word === null) return was !== null && draw(false);
  let loud = true;
  draw(loud);
  flash = setInterval(() => {
    loud = !loud;
    draw(loud);
  }, FLASH_MS);
  return undefined;
};

const works = new Set();
const typed = new Set();

// What a page itself writes into a field is nobody's work; what was sent is done.
document.addEventListener("input", (event) => {
  const field = /** @type {HTMLElement} */ (event.target);
  if (field.matches("input, textarea")) typed.add(field);
});
document.addEventListener("submit", (event) =>
  [.../** @type {HTMLFormElement} */ (event.target).elements].forEach((field) =>
    typed.delete(field),
  ),
);

/**
 * Has a page say for itself whether it is at work.
 * @param {() => boolean} test
 */
export const worksWhile = (test) => works.add(test);

/** Whether a text is being typed, stands unsent in a field of several lines, or the page says so itself. */
export const atWork = () => {
  const texts = [...typed].filter(({ value, isConnected }) => isConnected && value !== "");
  return (
    texts.some((field) => field === document.activeElement || field.matches("textarea")) ||
    [...works].some((test) => test())
  );
};
