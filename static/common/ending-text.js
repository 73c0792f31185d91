// Endings of games by the goal of their variant, with the counts of both sides.
import "../lib/i18n-more.js";
import { otherSide } from "../model/notation.js";
import { language, sideName, t } from "../lib/i18n.js";

/**
 * Describes how a game ended by its own rules, to a player of the side `you` or to a spectator.
 * Returns "" if the end has no ending, such as a resignation.
 * @param {{ sides: string[] }} game
 * @param {{ winner?: Side | null, ending?: Ending | null }} end
 * @param {Side | null} [you]
 * @returns {string}
 */
export const endingText = (game, { winner, ending }, you) => {
  if (!ending) return "";
  const { kind, side, first = 0, second = 0, points, plies = 0 } = ending;
  if (kind === "noProgress") return t("ending.noProgress", { n: plies });
  if (points !== undefined) return t("ending.points", { n: points });
  const number = new Intl.NumberFormat(language);
  const counts = winner === "second" ? [second, first] : [first, second];
  const [high, low] = counts.map((count) => number.format(count));
  // The sentence is about the side without a move, or about the one that is not home.
  const subject = kind === "allHome" && side ? otherSide(side) : side;
  const values = { side: sideName(game, subject), high, low, n: counts[1] };
  if ((kind === "allHome" || kind === "noLeap" || kind === "noMove") && subject === you)
    return t(`ending.you.${kind}`, values);
  return t(`ending.${kind}`, values);
};
