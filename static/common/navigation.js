// Navigation to a game that starts: sound, title and badges (the number of games in which it is the
// user's turn, and of news in the inbox), and whether the user is busy and must not be taken to
// another page. The sound module is loaded only if sound is enabled. Used by the header, the
// notifications and every module that opens a game.
import { h, iconSvg } from "../lib/dom.js";
import { soundSetting } from "../lib/settings.js";
import { t } from "../lib/i18n.js";

/** Maximum time to load the sound before the navigation. */
const SOUND_TIMEOUT_MS = 1000;

/** Time after which a navigation that has not left the page counts as canceled. */
const NAVIGATION_TIMEOUT_MS = 5000;

/**
 * Plays the sound of a new game, if it is enabled and can be loaded.
 * @returns {Promise<number>} milliseconds to wait until it has ended
 */
export const playGameSound = async () => {
  if (!soundSetting.get()) return 0;
  const played = import("../board/sound.js").then(({ sound }) => sound("accepted")).catch(() => 0);
  return Promise.race([played, new Promise((done) => setTimeout(done, SOUND_TIMEOUT_MS, 0))]);
};

let isNavigating = false;

/**
 * Navigates to a game. The response and the socket both announce a new game; the second call has no
 * effect.
 * @param {string} id
 * @param {() => Promise<number>} [before] action before the navigation; returns the delay in ms
 */
export const goToGame = async (id, before = async () => 0) => {
  if (isNavigating) return;
  isNavigating = true;
  // The user may cancel the navigation, or return to this page from the back/forward cache.
  setTimeout(() => {
    isNavigating = false;
  }, NAVIGATION_TIMEOUT_MS);
  const wait = await before();
  if (wait) setTimeout(() => location.assign(`/${id}`), wait);
  else location.assign(`/${id}`);
};

const FLASH_MS = 900;

const badgeNumber = h("span", { "aria-hidden": "true" });
const badgeLabel = h("span", { class: "visually-hidden" });

/** Badge with the number of games; the header puts it into the link to Play. */
export const badge = h(
  "span",
  { class: "turn-count num", hidden: true },
  badgeNumber,
  " ",
  badgeLabel,
);

let turns = 0;
let newsCount = 0;
/** @type {Set<HTMLElement>} */
const inboxButtons = new Set();

const drawInboxButtons = () => {
  const n = turns + newsCount;
  for (const button of inboxButtons) {
    const name = t("news.title");
    button.setAttribute("aria-label", n ? `${name}: ${n}` : name);
    const count = /** @type {HTMLElement} */ (button.lastChild);
    count.textContent = String(n);
    count.hidden = n === 0;
  }
};

/**
 * Returns a bell with the number of news and of games in which it is the user's turn.
 * @param {() => unknown} onclick
 */
export const inboxButton = (onclick) => {
  const button = h(
    "button",
    { class: "icon inbox-button", type: "button", "aria-haspopup": "dialog", onclick },
    iconSvg("M6 17V11a6 6 0 0 1 12 0v6l2 1H4zM10 21h4"),
    h("span", { class: "turn-count num", "aria-hidden": "true" }),
  );
  inboxButtons.add(button);
  drawInboxButtons();
  return button;
};

/**
 * Shows the number of news.
 * @param {number} n
 */
export const showNewsCount = (n) => {
  newsCount = n;
  drawInboxButtons();
};

/** @type {string | null} */
let flashText = null;
/** @type {number | undefined} */
let flashTimer;
let plainTitle = document.title;
let shownTitle = plainTitle;

/** @param {boolean} isFlashing */
const drawTitle = (isFlashing) => {
  shownTitle = isFlashing && flashText ? flashText : `${turns ? `(${turns}) ` : ""}${plainTitle}`;
  document.title = shownTitle;
};

// Pages set their titles at any time: a title that this module did not write is the new plain
// title.
new MutationObserver(() => {
  if (document.title === shownTitle) return;
  plainTitle = document.title;
  drawTitle(false);
}).observe(document.querySelector("title"), { childList: true });

/**
 * Shows the number of games in which it is the user's turn.
 * @param {number} [n]
 */
export const showTurns = (n = 0) => {
  turns = n;
  badge.hidden = n === 0;
  badgeNumber.textContent = String(n);
  badge.title = badgeLabel.textContent = t("turns.waiting", { n });
  drawInboxButtons();
  drawTitle(false);
};

/**
 * Alternates the title with a text, to be seen from another tab; null ends it.
 * @param {string | null} text
 */
export const flashTitle = (text) => {
  clearInterval(flashTimer);
  const previous = flashText;
  flashText = text;
  if (text === null) return previous !== null && drawTitle(false);
  let isFlashing = true;
  drawTitle(isFlashing);
  flashTimer = setInterval(() => {
    isFlashing = !isFlashing;
    drawTitle(isFlashing);
  }, FLASH_MS);
  return undefined;
};

/** @type {Set<() => boolean>} */
const busyTests = new Set();
/** @type {Set<HTMLInputElement | HTMLTextAreaElement>} */
const editedFields = new Set();

// Values that a script sets fire no `input` event and do not count as work. Submitted fields no
// longer count.
document.addEventListener("input", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (field.matches("input, textarea")) editedFields.add(field);
});
document.addEventListener("submit", (event) =>
  [.../** @type {HTMLFormElement} */ (event.target).elements].forEach((field) =>
    editedFields.delete(/** @type {HTMLInputElement} */ (field)),
  ),
);

/**
 * Registers a test of the page whether the user is busy.
 * @param {() => boolean} test
 */
export const addBusyTest = (test) => busyTests.add(test);

/**
 * Whether the user is typing, has unsent text in a multi-line field, or is busy by a test of the
 * page.
 */
export const isBusy = () => {
  const texts = [...editedFields].filter(({ value, isConnected }) => isConnected && value !== "");
  return (
    texts.some((field) => field === document.activeElement || field.matches("textarea")) ||
    [...busyTests].some((test) => test())
  );
};
