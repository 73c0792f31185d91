// The way to a game, and the sound that calls somebody to it. Only who has switched sounds on loads them.
import { wish } from "./wish.js";

const wanted = wish("sound", false);

/** Nobody comes late to a game because its sound does. */
const LATE_MS = 1000;

/** A page that is still there after so long was not left. */
const GOING_MS = 5000;

/**
 * Plays it, if it is wanted and can be had.
 * @returns {Promise<number>} how long it should be waited for, in milliseconds
 */
export const call = async () => {
  if (!wanted.is()) return 0;
  const heard = import("./sound.js").then(({ sound }) => sound("accepted")).catch(() => 0);
  return Promise.race([heard, new Promise((done) => setTimeout(done, LATE_MS, 0))]);
};

let going = false;

/**
 * Goes to a game; the answer and the news of it come both, and one of them is enough.
 * @param {string} id
 * @param {() => Promise<number>} [before] what is done first: it says how long is waited for it
 */
export const goTo = async (id, before = async () => 0) => {
  if (going) return;
  going = true;
  // Whoever stops that, or comes back here, can go again.
  setTimeout(() => {
    going = false;
  }, GOING_MS);
  const wait = await before();
  if (wait) setTimeout(() => location.assign(`/${id}`), wait);
  else location.assign(`/${id}`);
};
