// Sentence and answers of a rematch, from the terms that the server has sent and the open offer.
// Pure, except for the phrases. Called by `rematch.js`; the tests in `tests/client` call it
// directly.
import { rangeText } from "../common/challenge-card.js";
import "../lib/i18n-more.js";
import { t } from "../lib/i18n.js";

/** Answers of the `rematch` command. @typedef {"yes" | "no" | "widen" | "ask" | "casual"} Answer */

/**
 * State of a rematch: the terms (absent until the server has sent them), the side of the open
 * offer, whether the player may accept it, and a note about the last offer.
 * @typedef {object} RematchState
 * @property {Side} you
 * @property {string} name name of the opponent
 * @property {boolean} rated whether the previous game was rated
 * @property {RematchTerms | null | undefined} terms
 * @property {Side | null} by
 * @property {boolean} isEligible
 * @property {string[]} requested sentences about the options of the offer
 * @property {string} note
 */

/**
 * Sentence, answers with their labels, of which the first is the main one, and the links beside
 * them.
 * @typedef {object} RematchContent
 * @property {string} text
 * @property {[label: string, answer: Answer][]} answers
 * @property {("opponent" | "review")[]} links
 */

/**
 * Describes why a rating is outside the range of the previous game.
 * @param {OutsideRange} outside
 * @param {Side} you
 * @param {string} name
 */
const outsideText = ({ side, owner, reason, rating, min, max }, you, name) => {
  const range = rangeText({ min, max });
  const isRange = reason === "ratingTooLow" || reason === "ratingTooHigh";
  if (side === you && owner === you) return t("rematch.ownOutside", { rating, range });
  if (owner === you)
    return t(isRange ? "rematch.outsideMine" : "rematch.unsettledMine", { name, rating, range });
  if (owner === null) return t("rematch.outsideAny", { range });
  return t(isRange ? "rematch.outsideTheirs" : "rematch.unsettledTheirs", { name, range });
};

/**
 * Returns the answers to a rating outside the range: its owner may widen it or drop it for a casual
 * game, the other player may ask for that.
 * @param {OutsideRange} outside
 * @param {RematchState} state
 * @returns {RematchContent["answers"]}
 */
const outsideAnswers = ({ owner }, { you, name, rated }) => {
  if (owner === null) return [];
  if (owner !== you) return [[t("rematch.askName", { name }), "ask"]];
  /** @type {RematchContent["answers"]} */
  const answers = [[t("rematch.anyway"), "widen"]];
  if (rated) answers.push([t("rematch.casual"), "casual"]);
  return answers;
};

/**
 * Returns the content for an open offer of the opponent.
 * @param {RematchState} state
 * @returns {RematchContent}
 */
const incomingContent = (state) => {
  const { you, name, terms, isEligible, requested, note } = state;
  /** @type {RematchContent["answers"][number]} */
  const decline = [t("hint.no"), "no"];
  const outside = isEligible ? null : terms?.outside;
  if (!outside) {
    const text = note || [t("rematch.offered", { name }), ...requested].join(" ");
    return { text, answers: isEligible ? [[t("hint.yes"), "yes"], decline] : [decline], links: [] };
  }
  const { reason, owner, side, rating, min, max } = outside;
  const isRange = reason === "ratingTooLow" || reason === "ratingTooHigh";
  return {
    text:
      owner === you && side !== you && isRange
        ? t("rematch.asks", { name, rating, range: rangeText({ min, max }) })
        : `${t("rematch.offered", { name })} ${outsideText(outside, you, name)}`,
    answers: [...outsideAnswers(outside, state), decline],
    links: [],
  };
};

/**
 * Returns the content without an open offer.
 * @param {RematchState} state
 * @returns {RematchContent}
 */
const idleContent = (state) => {
  const { you, name, rated, terms, note } = state;
  const outside = terms?.outside;
  if (outside) {
    const answers = outsideAnswers(outside, state);
    return {
      text: [note, outsideText(outside, you, name)].filter(Boolean).join(" "),
      answers,
      links: answers.length > 1 ? ["opponent"] : ["opponent", "review"],
    };
  }
  if (terms?.fit === "declined")
    return { text: t("rematch.declined", { name }), answers: [], links: ["opponent", "review"] };
  if (terms?.fit === "unavailable") {
    const isLimit = terms.reason === "dailyLimit";
    return {
      text: t(isLimit ? "why.dailyLimit" : "rematch.unavailable"),
      answers: isLimit && rated ? [[t("rematch.casual"), "casual"]] : [],
      links: ["opponent", "review"],
    };
  }
  return { text: note, answers: [[t("rematch.ask"), "yes"]], links: ["opponent", "review"] };
};

/**
 * Returns the content for a state.
 * @param {RematchState} state
 * @returns {RematchContent}
 */
export const rematchContent = (state) => {
  const { you, name, by } = state;
  if (by === null) return idleContent(state);
  if (by !== you) return incomingContent(state);
  return {
    text: t("rematch.waiting", { name }),
    answers: [[t("hint.takeback"), "no"]],
    links: ["review"],
  };
};
