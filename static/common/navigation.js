// Navigation to a game that starts: sound, title and badge (the number of games in which it is the
// user's turn), and whether the user is busy and must not be taken to another page. The sound
// module is loaded only if sound is enabled. Used by the header, the notifications and every module
// that opens a game.
import { h } from "../lib/dom.js";
import { wish } from "../lib/settings.js";
import { say } from "../lib/i18n.js";

const wanted = wish("sound", false);

/** Maximum time to load the sound before the navigation. */
const LATE_MS = 1000;

/** Time after which a navigation that has not left the page counts as canceled. */
const GOING_MS = 5000;

/**
 * Plays the sound of a new game, if it is enabled and can be loaded.
 * @returns {Promise<number>} milliseconds to wait until it has ended
 */
export const call = async () => {
  if (!wanted.is()) return 0;
  const heard = import("../board/sound.js").then(({ sound }) => sound("accepted")).catch(() => 0);
  return Promise.race([heard, new Promise((done) => setTimeout(done, LATE_MS, 0))]);
};

let going = false;

/**
 * Navigates to a game. The response and the socket both announce a new game; the second call has no
 * effect.
 * @param {string} id
 * @param {() => Promise<number>} [before] action before the navigation; returns the delay in ms
 */
export const goTo = async (id, before = async () => 0) => {
  if (going) return;
  going = true;
  // The user may cancel the navigation, or return to this page from the back/forward cache.
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

/** Badge with the number of games; the header puts it into the link to Play. */
export const badge = h("span", { class: "turns num", hidden: true }, number, " ", words);

let turns = 0;
/** @type {string | null} */
let cried = null;
/** @type {number | undefined} */
let flash;
let plain = document.title;
let drawn = plain;

/** @param {boolean} loud */
const draw = (loud) => {
  drawn = loud && cried ? cried : `${turns ? `(${turns}) ` : ""}${plain}`;
  document.title = drawn;
};

// Pages set their titles at any time: a title that this module did not write is the new plain
// title.
new MutationObserver(() => {
  if (document.title === drawn) return;
  plain = document.title;
  draw(false);
}).observe(document.querySelector("title"), { childList: true });

/**
 * Shows the number of games in which it is the user's turn.
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
 * Alternates the title with a text, to be seen from another tab; null ends it.
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

/** @type {Set<() => boolean>} */
const works = new Set();
/** @type {Set<HTMLInputElement | HTMLTextAreaElement>} */
const typed = new Set();

// Values that a script sets fire no `input` event and do not count as work. Submitted fields no
// longer count.
document.addEventListener("input", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (field.matches("input, textarea")) typed.add(field);
});
document.addEventListener("submit", (event) =>
  [.../** @type {HTMLFormElement} */ (event.target).elements].forEach((field) =>
    typed.delete(/** @type {HTMLInputElement} */ (field)),
  ),
);

/**
 * Registers a test of the page whether the user is busy.
 * @param {() => boolean} test
 */
export const worksWhile = (test) => works.add(test);

/**
 * Whether the user is typing, has unsent text in a multi-line field, or is busy by a test of the
 * page.
 */
export const atWork = () => {
  const texts = [...typed].filter(({ value, isConnected }) => isConnected && value !== "");
  return (
    texts.some((field) => field === document.activeElement || field.matches("textarea")) ||
    [...works].some((test) => test())
  );
};
