// Settings and other values that the browser stores, with their keys.
//
// No other module accesses `localStorage` or, for values of one tab, `sessionStorage`; only the
// script `theme.js` reads the theme before the first paint. If storage is blocked, values last as
// long as the page. The module imports nothing: `i18n.js`, below all others, reads the language.

/**
 * Accessors of a stored value. `set` returns whether the value could be stored.
 * @template T
 * @typedef {{ get: () => T, set: (value: T) => boolean }} Stored
 */

/** @returns {Storage} */
const browserStorage = () => localStorage;
/** @returns {Storage} */
export const tabStorage = () => sessionStorage;

/**
 * Returns accessors of a text; null if it has never been set.
 * @param {string} key
 * @param {() => Storage} [storage]
 * @returns {{ get: () => string | null, set: (text: string) => boolean }}
 */
export const storedText = (key, storage = browserStorage) => {
  /** @type {string | null} */
  let unstored = null;
  return {
    get: () => {
      try {
        return unstored ?? storage().getItem(key);
      } catch {
        return null;
      }
    },
    set: (text) => {
      try {
        storage().setItem(key, text);
        unstored = null;
      } catch {
        unstored = text;
      }
      return unstored === null;
    },
  };
};

/**
 * Whether a stored value is of the kind of the default value: an array or an object.
 * @param {unknown} value
 * @param {unknown} defaultValue
 */
const isSameShape = (value, defaultValue) =>
  value !== null &&
  typeof value === typeof defaultValue &&
  Array.isArray(value) === Array.isArray(defaultValue);

/**
 * Returns accessors of an array or object stored as JSON; a damaged or missing one reads as
 * `defaultValue`.
 * @template T
 * @param {string} key
 * @param {T} defaultValue
 * @param {() => Storage} [storage]
 * @returns {Stored<T>}
 */
export const storedJson = (key, defaultValue, storage) => {
  const text = storedText(key, storage);
  return {
    get: () => {
      try {
        const value = JSON.parse(text.get() ?? "null");
        return isSameShape(value, defaultValue) ? value : defaultValue;
      } catch {
        return defaultValue;
      }
    },
    set: (value) => text.set(JSON.stringify(value)),
  };
};

/**
 * Returns accessors of a setting that is on or off. `isSet` returns whether it is set explicitly.
 * @param {string} key
 * @param {boolean} defaultValue
 * @param {() => Storage} [storage]
 * @returns {Stored<boolean> & { isSet: () => boolean }}
 */
export const setting = (key, defaultValue, storage) => {
  const text = storedText(key, storage);
  return {
    get: () => {
      const value = text.get();
      // Older versions stored "on" and "off".
      return value === null ? defaultValue : value === "yes" || value === "on";
    },
    isSet: () => text.get() !== null,
    set: (on) => text.set(on ? "yes" : "no"),
  };
};

/**
 * Calls `action` when another tab has stored a text, or has cleared the storage.
 * @param {string} key
 * @param {() => unknown} action
 */
export const onStoredElsewhere = (key, action) =>
  addEventListener("storage", (event) => {
    if (event.key === key || event.key === null) action();
  });

export const languageSetting = storedText("language");

/** Sounds on boards, and of a new game. */
export const soundSetting = setting("sound", false);

export const premoveSetting = setting("premove", true);

/** Chat of games. */
export const chatSetting = setting("chat", true);

/** Confirmation of each move. */
export const confirmationSetting = setting("confirmMove", false);

/** Single-letter keyboard shortcuts. */
export const letterKeysSetting = setting("letterKeys", true);

/** Engine of the analysis board. */
export const engineSetting = setting("engine", false);

/** Zen mode of this tab. */
export const zenSetting = setting("zen", false, tabStorage);

/** Fields of the last challenge to the engine, where any of them may be missing. */
export const lastAiFields = storedJson("computer", /** @type {Record<string, unknown>} */ ({}));

/** Games and time controls of the last search for an opponent; empty before the first one. */
export const lastSearch = storedJson("find", /** @type {Record<string, string[]>} */ ({}));

/** Search for an opponent of this tab; empty if there is none. */
export const tabSearch = storedJson(
  "search",
  /** @type {Record<string, unknown>} */ ({}),
  tabStorage,
);

/** Ids of the challenges whose card was closed in this tab. */
export const dismissedChallenges = storedJson("aside", /** @type {string[]} */ ([]), tabStorage);

/** Ids of the challenges that were removed from the inbox of this tab. */
export const removedChallenges = storedJson("removed", /** @type {string[]} */ ([]), tabStorage);

/** Texts of the inbox that this tab has not shown yet, as a clock of the user could run. */
export const waitingTexts = storedJson("texts", /** @type {string[]} */ ([]), tabStorage);

/** Keys of the variants whose lesson was finished in this browser. */
export const finishedLessons = storedJson("learned", /** @type {string[]} */ ([]));

const storedTheme = storedText("theme");

/**
 * Applies and stores a color theme.
 * @param {string} theme
 */
export const setTheme = (theme) => {
  sprongTheme.set(theme);
  storedTheme.set(theme);
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
