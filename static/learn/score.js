// Counts of both sides in a lesson, below its title. Used by view.js.
import { parsePosition } from "../model/notation.js";
import { sideName, t } from "../lib/i18n.js";

/** Counts that decide a game, and that the board does not show: ends of their phrase keys. */
const SCORES = ["points", "takenOf"];

/**
 * Returns the default values of the options of a variant.
 * @param {Variant} variant
 * @returns {Options}
 */
export const defaultOptions = ({ options }) =>
  Object.fromEntries(options.map(({ key, default: value }) => [key, value]));

/**
 * Returns the counts of both sides in the position of a lesson, "" if they do not decide the game.
 * @param {Variant} variant
 * @param {import("./lesson-board.js").LessonBoard} lessonBoard
 */
export const scoreText = (variant, { pieceSet, shown }) => {
  if (!shown) return "";
  const { phrase, values, of } = pieceSet.count({
    ...parsePosition(shown.position),
    options: defaultOptions(variant),
    board: variant.board,
  });
  if (!SCORES.includes(phrase.replace("count.", ""))) return "";
  /** @type {Side[]} */
  const sides = ["first", "second"];
  const names = sides.map((side) => sideName(variant, side));
  // The phrase of each side, for which there is no space, is said once.
  return of
    ? t("learn.taken", { of, counts: names.map((name, at) => `${name} ${values[at]}`).join(" · ") })
    : names.map((name, at) => `${name}: ${t(phrase, { n: values[at] })}`).join(" · ");
};
