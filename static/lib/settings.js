// What this browser is to remember of how somebody likes it: wishes that are on or off, and challenges that were put aside.
import { h, line, toggle } from "./dom.js";
import { say } from "./i18n.js";

/**
 * A wish by its name in the storage; without storage it lasts as long as the page.
 * @param {string} key
 * @param {boolean} usual what holds until somebody has said
 * @param {() => Storage} storage where it is kept
 * @returns {{ is: () => boolean, said: () => boolean, set: (on: boolean) => void }} `said()` tells whether somebody has
 */
export const wish = (key, usual, storage = () => localStorage) => {
  /** @type {string | null} */
  let here = null;
  const stored = () => {
    try {
      return storage().getItem(key);
    } catch {
      return here;
    }
  };
  return {
    is: () => {
      const word = stored();
      // Some browsers still keep "on" and "off".
      return word === null ? usual : word === "yes" || word === "on";
    },
    said: () => stored() !== null,
    set: (on) => {
      here = on ? "yes" : "no";
      try {
        storage().setItem(key, here);
      } catch {
        // It is kept above.
      }
    },
  };
};

/** Under that name the challenges that somebody put aside are kept, for every page of this tab. */
const KEY = "aside";
const forgetful = new Set();

const asideBefore = () => {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
};

/**
 * Whether that challenge was put aside.
 * @param {string} id
 */
export const isAside = (id) => forgetful.has(id) || asideBefore().includes(id);

/**
 * Puts a challenge aside; without storage it lasts as long as the page.
 * @param {string} id
 */
export const putAside = (id) => {
  forgetful.add(id);
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...new Set([...asideBefore(), id])]));
  } catch {
    // It is kept above.
  }
};

/** Letters and numbers beside the boards. Their place stays when they go. */
const coordinates = wish("coordinates", true);

const apply = () => document.documentElement.classList.toggle("no-coordinates", !coordinates.is());

/** Whether they are shown. */
export const showsCoordinates = coordinates.is;

/** From now on so, on all boards of this page. */
export const setCoordinates = (on) => {
  coordinates.set(on);
  apply();
};

apply();

/** Zen: nothing but board, clocks and hint, for as long as this tab is open. */
const zen = wish("zen", false, () => sessionStorage);

/** Whether that is on. */
export const isZen = () => document.body.classList.contains("zen");

/** Goes there, or back. */
export const setZen = (on) => {
  zen.set(on);
  document.body.classList.toggle("zen", on);
};

/** Puts the way out into the page, and takes up what was wished before. */
export const openZen = () => {
  document.body.append(
    h(
      "button",
      {
        type: "button",
        class: "icon zen-leave",
        "aria-label": say("wish.leave"),
        title: say("wish.leave"),
        onclick: () => setZen(false),
      },
      line("M6 6l12 12M18 6L6 18"),
    ),
  );
  setZen(zen.is());
};

const confirmMove = wish("confirmMove", false);

/** Whether a move waits for a last yes before it is sent. */
export const confirms = confirmMove.is;

/** From now on so. */
export const setConfirms = confirmMove.set;

/** Whether it should be offered: to fingers, which slip, and once. */
export const asksConfirm = () => !confirmMove.said() && matchMedia("(pointer: coarse)").matches;

/**
 * The switch; `changed()` is told that it was used.
 * @param {() => unknown} changed
 */
export const confirmSwitch = (changed) =>
  toggle(say("game.confirm"), confirms(), (on) => {
    setConfirms(on);
    changed();
  });
