// The sound that calls somebody to a game. Only who has switched sounds on loads them.
import { wish } from "./wish.js";

const wanted = wish("sound", false);

/** Nobody comes late to a game because its sound does. */
const LATE_MS = 1000;

/**
 * Plays it, if it is wanted and can be had.
 * @returns {Promise<number>} how long it should be waited for, in milliseconds
 */
export const call = async () => {
  if (!wanted.is()) return 0;
  const heard = import("./sound.js").then(({ sound }) => sound("accepted")).catch(() => 0);
  return Promise.race([heard, new Promise((done) => setTimeout(done, LATE_MS, 0))]);
};
