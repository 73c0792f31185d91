// Way from a finished game to the search for another opponent: the search begins at once, with the
// same variant and the most similar time control.
import { rememberSearch, SEARCH_CLOCKS } from "../common/opponent-search.js";

/** Moves of a game by which increments are compared, as in the estimates of speeds. */
const ESTIMATED_MOVES = 40;

/**
 * Address of the search for another opponent.
 * @param {string} variant
 */
export const opponentPath = (variant) => `/find?variant=${variant}`;

/**
 * Returns the key of the time control of searches that is most similar to that of a game.
 * @param {{ clock?: { initial: number, increment: number } | null }} game  times in milliseconds
 */
const similarClock = ({ clock }) => {
  if (!clock) return "days";
  const seconds = (clock.initial + ESTIMATED_MOVES * clock.increment) / 1000;
  const distance = (/** @type {string} */ key) => {
    const [initial, increment] = SEARCH_CLOCKS[key].split("+").map(Number);
    return Math.abs(Math.log((initial + ESTIMATED_MOVES * increment) / Math.max(1, seconds)));
  };
  return Object.keys(SEARCH_CLOCKS)
    .filter((key) => key !== "days")
    .reduce((best, key) => (distance(key) < distance(best) ? key : best));
};

/**
 * Remembers the search that the page at `opponentPath` begins when it opens.
 * @param {Pick<Game, "clock">} game
 * @param {string} variant
 * @param {number} now  server time in epoch milliseconds
 */
export const rememberNextSearch = (game, variant, now) =>
  rememberSearch({
    terms: { games: [variant], clocks: [similarClock(game)] },
    since: now,
  });
