// Settings and dismissed challenges of this browser.
//
// Settings are on or off and stored in `localStorage` or, per tab, in `sessionStorage`. If storage
// is blocked they last as long as the page.
import { h, iconSvg, toggle } from "./dom.js";
import { t } from "./i18n.js";

/**
 * Returns accessors of a setting. `get` returns its value, `isSet` whether it is set explicitly.
 * @param {string} key storage key
 * @param {boolean} defaultValue default value
 * @param {() => Storage} storage
 * @returns {{ get: () => boolean, isSet: () => boolean, set: (on: boolean) => void }}
 */
export const setting = (key, defaultValue, storage = () => localStorage) => {
  /** @type {string | null} */
  let fallback = null;
  const read = () => {
    try {
      return storage().getItem(key);
    } catch {
      return fallback;
    }
  };
  return {
    get: () => {
      const value = read();
      // Older versions stored "on" and "off".
      return value === null ? defaultValue : value === "yes" || value === "on";
    },
    isSet: () => read() !== null,
    set: (on) => {
      fallback = on ? "yes" : "no";
      try {
        storage().setItem(key, fallback);
      } catch {
        // Without storage, the variable holds the value.
      }
    },
  };
};

/** Storage key of the dismissed challenges of this tab. */
const DISMISSED_KEY = "aside";
const dismissedOnPage = new Set();

/** @returns {string[]} */
const storedDismissals = () => {
  try {
    return JSON.parse(sessionStorage.getItem(DISMISSED_KEY) ?? "[]");
  } catch {
    return [];
  }
};

/**
 * Returns whether a challenge is dismissed.
 * @param {string} id
 */
export const isDismissed = (id) => dismissedOnPage.has(id) || storedDismissals().includes(id);

/**
 * Dismisses a challenge for this tab; without storage, for this page.
 * @param {string} id
 */
export const dismiss = (id) => {
  dismissedOnPage.add(id);
  try {
    sessionStorage.setItem(
      DISMISSED_KEY,
      JSON.stringify([...new Set([...storedDismissals(), id])]),
    );
  } catch {
    // Without storage, the set holds the id.
  }
};

/** Coordinates beside the boards. Hiding them does not change the layout. */
const coordinates = setting("coordinates", true);

const applyCoordinates = () =>
  document.documentElement.classList.toggle("board-coordinates-hidden", !coordinates.get());

/** Returns whether coordinates are shown. */
export const showsCoordinates = coordinates.get;

/**
 * Shows or hides the coordinates of all boards.
 * @param {boolean} on
 */
export const setCoordinates = (on) => {
  coordinates.set(on);
  applyCoordinates();
};

applyCoordinates();

/** Zen mode of this tab: only board, clocks and status line. */
const zen = setting("zen", false, () => sessionStorage);

/** Returns whether zen mode is active. */
export const isZen = () => document.body.classList.contains("is-zen");

/**
 * Enters or leaves zen mode.
 * @param {boolean} on
 */
export const setZen = (on) => {
  zen.set(on);
  document.body.classList.toggle("is-zen", on);
};

/** Adds the button that leaves zen mode, and restores the mode of this tab. */
export const applyZen = () => {
  document.body.append(
    h(
      "button",
      {
        type: "button",
        class: "icon zen-leave",
        "aria-label": t("wish.leave"),
        title: t("wish.leave"),
        onclick: () => setZen(false),
      },
      iconSvg("M6 6l12 12M18 6L6 18"),
    ),
  );
  setZen(zen.get());
};

const confirmMove = setting("confirmMove", false);

/** Returns whether moves need a confirmation. */
export const confirmsMoves = confirmMove.get;

/** Sets whether moves need a confirmation. */
export const setConfirmsMoves = confirmMove.set;

/** Returns whether to offer move confirmation: on touch devices, until the user decides. */
export const offersConfirmation = () =>
  !confirmMove.isSet() && matchMedia("(pointer: coarse)").matches;

/**
 * Creates the switch of move confirmation; `changed` is called after each use.
 * @param {() => unknown} changed
 */
export const confirmSwitch = (changed) =>
  toggle(t("game.confirm"), confirmsMoves(), (on) => {
    setConfirmsMoves(on);
    changed();
  });
