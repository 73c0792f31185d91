// Games that have ended in this browser, per variant, as far as beginners are offered the lessons:
// accounts count rated games only, and guests have no account. Called by `result-card.js`.
import { storedJson } from "../lib/settings.js";

/** Number of games from which a player counts as experienced. */
export const BEGINNER_GAMES = 3;

/**
 * Ids of the first games of each variant, and of the first lost one.
 * @typedef {Record<string, { games: string[], lost?: string }>} PlayedGames
 */

const playedGames = storedJson("played", /** @type {PlayedGames} */ ({}));

/**
 * Records the end of a game. Returns whether it is the first lost one, and the number of games of
 * the variant before it, at most `BEGINNER_GAMES`.
 * @param {string} variant
 * @param {string} id
 * @param {boolean} isLost
 */
export const recordGame = (variant, id, isLost) => {
  const all = playedGames.get();
  const { games, lost } = all[variant] ?? { games: [] };
  const isKnown = games.includes(id);
  const next = isKnown || games.length > BEGINNER_GAMES ? games : [...games, id];
  const firstLost = lost ?? (isLost ? id : undefined);
  playedGames.set({ ...all, [variant]: { games: next, lost: firstLost } });
  return {
    isFirstLoss: isLost && firstLost === id,
    before: Math.min(BEGINNER_GAMES, isKnown ? games.indexOf(id) : games.length),
  };
};
