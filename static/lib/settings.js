// Settings and dismissed challenges of this browser.
//
// Settings are on or off and stored in `localStorage` or, per tab, in `sessionStorage`. If storage
// is blocked they last as long as the page.
import { h, line, toggle } from "./dom.js";
import { say } from "./i18n.js";

/**
 * Returns accessors of a setting. `is` returns its value, `said` whether it is set explicitly.
 * @param {string} key storage key
 * @param {boolean} usual default value
 * @param {() => Storage} storage
 * @returns {{ is: () => boolean, said: () => boolean, set: (on: boolean) => void }}
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
      // Older versions stored "on" and "off".
      return word === null ? usual : word === "yes" || word === "on";
    },
    said: () => stored() !== null,
    set: (on) => {
      here = on ? "yes" : "no";
      try {
        storage().setItem(key, here);
      } catch {
        // Without storage, the variable holds the value.
      }
    },
  };
};

/** Storage key of the dismissed challenges of this tab. */
const KEY = "aside";
const forgetful = new Set();

/** @returns {string[]} */
const asideBefore = () => {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
  } catch {
    return [];
  }
};

/**
 * Returns whether a challenge is dismissed.
 * @param {string} id
 */
export const isAside = (id) => forgetful.has(id) || asideBefore().includes(id);

/**
 * Dismisses a challenge for this tab; without storage, for this page.
 * @param {string} id
 */
export const putAside = (id) => {
  forgetful.add(id);
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...new Set([...asideBefore(), id])]));
  } catch {
    // Without storage, the set holds the id.
  }
};

/** Coordinates beside the boards. Hiding them does not change the layout. */
const coordinates = wish("coordinates", true);

const apply = () => document.documentElement.classList.toggle("no-coordinates", !coordinates.is());

/** Returns whether coordinates are shown. */
export const showsCoordinates = coordinates.is;

/**
 * Shows or hides the coordinates of all boards.
 * @param {boolean} on
 */
export const setCoordinates = (on) => {
  coordinates.set(on);
  apply();
};

apply();

/** Zen mode of this tab: only board, clocks and status line. */
const zen = wish("zen", false, () => sessionStorage);

/** Returns whether zen mode is active. */
export const isZen = () => document.body.classList.contains("zen");

/**
 * Enters or leaves zen mode.
 * @param {boolean} on
 */
export const setZen = (on) => {
  zen.set(on);
  document.body.classList.toggle("zen", on);
};

/** Adds the button that leaves zen mode, and restores the mode of this tab. */
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

/** Returns whether moves need a confirmation. */
export const confirms = confirmMove.is;

/** Sets whether moves need a confirmation. */
export const setConfirms = confirmMove.set;

/** Returns whether to offer move confirmation: on touch devices, until the user decides. */
export const asksConfirm = () => !confirmMove.said() && matchMedia("(pointer: coarse)").matches;

/**
 * Creates the switch of move confirmation; `changed` is called after each use.
 * @param {() => unknown} changed
 */
export const confirmSwitch = (changed) =>
  toggle(say("game.confirm"), confirms(), (on) => {
    setConfirms(on);
    changed();
  });
