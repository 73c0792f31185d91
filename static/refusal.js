// What a refusal of the server is called in the words of whoever reads it: its own sentences are English, and for programs.
import { knows, say } from "./words.js";

/**
 * A refusal in words, by its reason; a rating that does not fit is told, its bounds are not known here.
 * @param {{ reason?: string | null, rating?: number | null }} refused
 * @returns {string}
 */
export const reasonText = ({ reason, rating }) => {
  const key = knows(`error.${reason}`) ? `error.${reason}` : `why.${reason}`;
  if (!knows(key)) return say("error.other");
  if (!/\{/.test(say(key))) return say(key);
  return typeof rating === "number" ? say("why.outside", { you: rating }) : say("why.notForYou");
};
