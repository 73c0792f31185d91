// One axis of ratings, a band for those who may accept, a tick for you.
import { h } from "./dom.js";
import { say } from "./words.js";

const LOW = 800;
const HIGH = 2200;

/**
 * Where a rating stands on the axis, in percent.
 * @param {number} rating
 * @param {number} you
 * @returns {number}
 */
export const placeOf = (rating, you) => {
  const low = Math.min(LOW, you - 100);
  const high = Math.max(HIGH, you + 100);
  return (100 * (Math.min(high, Math.max(low, rating)) - low)) / (high - low);
};

/**
 * A range in words.
 * @param {RatingRange} range
 * @returns {string}
 */
export const rangeText = ({ min, max }) => {
  if (min === null && max === null) return say("card.any");
  if (max === null) return say("card.up", { min });
  if (min === null) return say("card.down", { max });
  return say("card.between", { min, max });
};

/**
 * The bar of a challenge, seen by somebody with that rating; `fits` is what the server says.
 * @param {RatingRange} range
 * @param {number} you
 * @param {boolean} fits
 */
export const rangeBar = (range, you, fits) => {
  const text = rangeText(range);
  const band = h("i", { class: "band" });
  band.style.left = `${range.min === null ? 0 : placeOf(range.min, you)}%`;
  band.style.right = `${range.max === null ? 0 : 100 - placeOf(range.max, you)}%`;
  const tick = h("i", { class: "tick" });
  tick.style.left = `${placeOf(you, you)}%`;
  const whole = `${say("range.says", { range: text })} ${say("range.you", { you })}`;
  return h("span", { class: fits ? "range num" : "range num no", role: "img", "aria-label": whole },
    h("span", { class: "small soft" }, text), h("span", { class: "axis" }, band, tick));
};
