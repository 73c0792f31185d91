// Games on one device, of which the browser keeps one for each variant, so that a closed tab
// continues where it was. Several tabs may show the same game: a tab whose game is not the kept one
// is outdated, shows the kept one, and does not replace it. Used by pass.js and device-game.js.
import { onStoredElsewhere, setting, storedJson } from "../lib/settings.js";

/**
 * Game on one device. `start` is the position text of the start, `seed` the number that has
 * shuffled it, null without a shuffle; `first` and `second` are the names of the players, ""
 * without one.
 * @typedef {object} SavedGame
 * @property {Options} options
 * @property {string} start
 * @property {number | null} seed
 * @property {string} moves  notations, separated by spaces
 * @property {string} first
 * @property {string} second
 */

/** @typedef {Record<string, Partial<SavedGame>>} SavedGames */

const KEY = "passAndPlay";

const stored = storedJson(KEY, /** @type {SavedGames} */ ({}));

/** Turn of the board to the player to move. */
export const turnSetting = setting("passTurn", false);

/**
 * Whether a value from the storage is a game. Its moves are checked by the rules core.
 * @param {Partial<SavedGame> | undefined} game
 * @returns {game is SavedGame}
 */
const isGame = (game) =>
  [game?.start, game?.moves, game?.first, game?.second].every((text) => typeof text === "string") &&
  typeof game?.options === "object" &&
  game.options !== null &&
  (game.seed === null || typeof game.seed === "number");

/**
 * Returns the game of a variant, null if there is none.
 * @param {string} key
 * @returns {SavedGame | null}
 */
export const savedGame = (key) => {
  const game = stored.get()[key];
  return isGame(game) ? game : null;
};

/**
 * Whether the browser keeps another game of a variant, or another state of it, than a tab has kept
 * or loaded.
 * @param {string} key
 * @param {SavedGame} game
 */
export const isOutdated = (key, game) => {
  const kept = savedGame(key);
  /** @param {SavedGame} each */
  const textOf = ({ options, start, seed, moves, first, second }) =>
    JSON.stringify([Object.entries(options), start, seed, moves, first, second]);
  return kept !== null && textOf(kept) !== textOf(game);
};

/**
 * Calls `action` when another tab has kept a game.
 * @param {() => unknown} action
 */
export const onKeptElsewhere = (action) => onStoredElsewhere(KEY, action);

/** Returns the key of the variant that was played last, undefined if there is none. */
export const lastVariant = () => Object.keys(stored.get()).at(-1);

/**
 * Keeps the game of a variant, or with null none.
 * @param {string} key
 * @param {SavedGame | null} game
 */
export const saveGame = (key, game) => {
  const { [key]: _, ...others } = stored.get();
  // The last key is that of the variant played last.
  stored.set(game ? { ...others, [key]: game } : others);
};
