// What a position is worth, in words and figures.
import { language, say } from "./words.js";

const percent = new Intl.NumberFormat(language, { style: "percent" });

/**
 * A chance of 0 to 1.
 * @param {number} chance
 * @returns {string}
 */
export const chanceText = (chance) => percent.format(chance);

/**
 * The name of a side of that variant.
 * @param {Variant} variant
 * @param {Side} side
 * @returns {string}
 */
export const sideName = (variant, side) => say(`side.${variant.sides[side === "first" ? 0 : 1]}`);

/**
 * A score as the server tells it, for whoever is to move: points with their sign, or when it is won or lost.
 * @param {Score} score
 * @returns {string}
 */
export const scoreText = ({ points = 0, win, loss }) => {
  if (win !== undefined) return say("analysis.win", { n: Math.ceil(win / 2) });
  if (loss !== undefined) return say("analysis.loss", { n: Math.ceil(loss / 2) });
  return `${points < 0 ? "−" : "+"}${Math.abs(points)}`;
};
