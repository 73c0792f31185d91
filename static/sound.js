// Whether anything is heard, and when. Off until somebody switches it on; never before the page was touched.
import { score } from "./score.js";
import { outlet, voice } from "./sound-voices.js";
import { wish } from "./wish.js";

/** What calls somebody who looks at another page. */
const CALLS = new Set(["yours", "accepted"]);

/** How long the sound that calls to a game is waited for before that page takes this one's place. */
const CALL_MS = 420;

const wanted = wish("sound", false);

/** @type {AudioContext | null} */
let context = null;
/** @type {AudioNode | null} */
let out = null;

/** Whether it is switched on. */
export const sounds = () => wanted.is();

/** From now on so; what is switched on is heard at once. */
export const setSounds = (on) => {
  wanted.set(on);
  if (on) sound("yours");
};

const ready = () => {
  if (!navigator.userActivation?.hasBeenActive || !wanted.is() || !globalThis.AudioContext) return null;
  context ??= new AudioContext();
  out ??= outlet(context);
  if (context.state === "suspended") context.resume().catch(() => {});
  return { context, out };
};

/** Plays notes `{ what, at, step }` on a material; answers whether anything is heard. A device that will not sound stops nothing else. */
const play = (notes, material) => {
  const heard = notes.filter(({ what }) => !document.hidden || CALLS.has(what));
  try {
    const to = heard.length > 0 && ready();
    if (!to) return false;
    for (const { what, at = 0, step } of heard) voice(to.context, to.out, what, to.context.currentTime + 0.01 + at / 1000, { material, step });
    return true;
  } catch {
    return false;
  }
};

/**
 * Plays one sound by its name, so many milliseconds from now.
 * @returns {number} how long it should be waited for, in milliseconds
 */
export const sound = (what, at = 0) => (play([{ what, at }]) ? CALL_MS : 0);

/** Plays what is heard of a move: `times` is its timeline, `turns` whether a piece was turned over. */
export const soundMove = (glyph, times, turns) => play(score(times, { turns, wipes: Boolean(glyph.sweep) }), glyph.sound);
