// What a challenge offers, and why it may not be accepted, in words.
import { waiterName } from "./user-link.js";
import { knows, say } from "../lib/i18n.js";

/**
 * Why the viewer may not accept, in words with numbers; `range` is that of the variant in question.
 * @param {{ ineligibleReason?: string, ratingRange: RatingRange }} challenge
 * @param {number} you
 * @returns {string}
 */
export const whyNot = ({ ineligibleReason: reason, ratingRange: { min, max } }, you) => {
  const low = reason === "ratingTooLow" && (min === null || you >= min);
  const high = reason === "ratingTooHigh" && (max === null || you <= max);
  // A range that follows its maker is another in every game: numbers that do not fit are not told.
  if (low || high) return say("why.outside", { you });
  return say(knows(`why.${reason}`) ? `why.${reason}` : "why.notForYou", { you, min, max });
};

/**
 * Why an acceptance was refused, in words with numbers: the rating is what it was just then.
 * @param {import("../lib/http.js").Refused} refused
 * @param {Challenge} challenge
 * @returns {string}
 */
export const refusalText = (refused, challenge) =>
  refused.body?.rating === undefined
    ? refused.message
    : whyNot({ ...challenge, ineligibleReason: refused.reason }, refused.body.rating);

/**
 * A time control in words.
 * @param {TimeControl} time
 * @returns {string}
 */
export const timeText = ({ type, show, daysPerTurn }) => {
  if (type === "clock") return show;
  return type === "correspondence" ? say("card.days", { n: daysPerTurn }) : say("card.unlimited");
};

/**
 * How long until a moment, in words.
 * @param {number} until
 * @param {number} now
 * @returns {string}
 */
export const leftText = (until, now) => {
  const minutes = Math.max(1, Math.round((until - now) / 60000));
  if (minutes >= 2880) return say("wait.days", { n: Math.round(minutes / 1440) });
  return minutes >= 90
    ? say("wait.hours", { n: Math.round(minutes / 60) })
    : say("wait.minutes", { n: minutes });
};

/**
 * Whether a challenge in the lobby is the viewer's own; of those with two free seats nobody else's is shown there.
 * @param {Challenge} challenge
 */
export const isOwn = ({ kind, ineligibleReason }) => ineligibleReason === "own" || kind === "open";

/**
 * Whether the acceptor has something to choose.
 * @param {Challenge} challenge
 */
export const isChoice = ({ choices }) => choices.variants.length > 1 || choices.clocks.length > 1;

/**
 * The options that are not the usual ones, in words.
 * @param {Options} options
 * @param {Variant} variant
 * @returns {string[]}
 */
export const optionsOf = (options, variant) =>
  variant.options
    .filter(({ key, default: usual }) => options[key] !== usual)
    .map(({ key }) => `${say(`option.${key}`)} ${say(`option.${key}.${options[key]}`)}`);

/**
 * The options of a challenge for one game that are not the usual ones, and the side the viewer plays, in words: what is left, or the own choice.
 * @param {Challenge} challenge
 * @param {Variant} variant
 * @param {boolean} own
 * @returns {string[]}
 */
export const detailsOf = (challenge, variant, own) => {
  if (challenge.choices.variants.length > 1) return [];
  const side = challenge.side ? variant.sides[(challenge.side === "first") === own ? 0 : 1] : null;
  return [
    ...optionsOf(challenge.options, variant),
    ...(side ? [say("card.side", { side: say(`side.${side}`) })] : []),
  ];
};

/**
 * For whom a challenge is, where that is not everybody.
 * @param {Challenge} challenge
 * @returns {string | null}
 */
export const kindText = ({ kind, standing, direction, destUser }) => {
  const name = destUser?.name;
  if (kind === "rematch")
    return direction === "in" ? say("kind.rematchYou") : say("kind.rematch", { name });
  if (kind === "direct")
    return direction === "in" ? say("kind.forYou") : say("kind.forName", { name });
  if (kind === "open") return say("kind.open");
  if (kind === "seek") return say("kind.seek");
  if (standing) return say("kind.standing");
  return kind === "link" ? say("kind.link") : null;
};

/**
 * Why a challenge was declined, in the words of who declined it.
 * @param {string | null | undefined} key
 * @returns {string}
 */
export const declineText = (key) =>
  say(knows(`decline.${key}`) ? `decline.${key}` : "decline.generic");

/**
 * Why a ready check came to nothing; `you` is the viewer's rating, which may have left the range meanwhile.
 * @param {string} reason
 * @param {Challenge} challenge
 * @param {number} you
 * @returns {string}
 */
export const ringText = (reason, challenge, you) => {
  if (knows(`ring.${reason}`)) return say(`ring.${reason}`, { name: waiterName(challenge) });
  return knows(`why.${reason}`)
    ? `${say("ring.other")} ${whyNot({ ...challenge, ineligibleReason: reason }, you)}`
    : say("ring.other");
};
