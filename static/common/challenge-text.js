// Texts about challenges: options, time control, audience, and the reasons of refusals. Reasons are
// the server's keys; an unknown key has a general text, so that older pages understand newer
// servers. Used by every module that shows challenges.
import { waitingPlayerName } from "./user-link.js";
import { hasPhrase, t } from "../lib/i18n.js";

/**
 * Describes why a viewer with rating `you` may not accept; `ratingRange` is that of the same
 * variant.
 * @param {{ ineligibleReason?: string, ratingRange: RatingRange }} challenge
 * @param {number} you
 * @returns {string}
 */
export const rejectionText = ({ ineligibleReason: reason, ratingRange: { min, max } }, you) => {
  const low = reason === "ratingTooLow" && (min === null || you >= min);
  const high = reason === "ratingTooHigh" && (max === null || you <= max);
  // A range relative to the creator's rating differs between variants: bounds that contradict the
  // reason are omitted.
  if (low || high) return t("why.outside", { you });
  return t(hasPhrase(`why.${reason}`) ? `why.${reason}` : "why.notForYou", { you, min, max });
};

/**
 * Describes why an acceptance was refused, with the rating that the server compared.
 * @param {import("../lib/http.js").ApiError} refused
 * @param {Challenge} challenge
 * @returns {string}
 */
export const refusalText = (refused, challenge) =>
  refused.body?.rating === undefined
    ? refused.message
    : rejectionText({ ...challenge, ineligibleReason: refused.reason }, refused.body.rating);

/**
 * Describes a time control.
 * @param {TimeControl} time
 * @returns {string}
 */
export const timeControlText = ({ type, show, daysPerTurn }) => {
  if (type === "clock") return show;
  return type === "correspondence" ? t("card.days", { n: daysPerTurn }) : t("card.unlimited");
};

/**
 * Describes whether the game of a challenge is rated, or the games that a search looks for.
 * @param {Pick<Challenge, "rated" | "alsoCasual">} challenge
 * @returns {string}
 */
export const ratedText = ({ rated, alsoCasual }) => {
  if (alsoCasual) return t("card.either");
  return t(rated ? "card.rated" : "card.casual");
};

/**
 * Describes the time from `now` to `until` in minutes, hours or days.
 * @param {number} until
 * @param {number} now
 * @returns {string}
 */
export const timeLeftText = (until, now) => {
  const minutes = Math.max(1, Math.round((until - now) / 60000));
  if (minutes >= 2880) return t("wait.days", { n: Math.round(minutes / 1440) });
  return minutes >= 90
    ? t("wait.hours", { n: Math.round(minutes / 60) })
    : t("wait.minutes", { n: minutes });
};

/**
 * Whether a challenge in the lobby is the viewer's own. Challenges with two free seats are listed
 * to their creator only.
 * @param {Challenge} challenge
 */
export const isOwn = ({ kind, ineligibleReason }) => ineligibleReason === "own" || kind === "open";

/**
 * Whether the acceptor chooses among several games or clocks.
 * @param {Challenge} challenge
 */
export const isChoice = ({ choices }) => choices.variants.length > 1 || choices.clocks.length > 1;

/**
 * Describes the options that differ from the defaults.
 * @param {Options} options
 * @param {Variant} variant
 * @returns {string[]}
 */
export const changedOptions = (options, variant) =>
  variant.options
    .filter(({ key, default: defaultValue }) => options[key] !== defaultValue)
    .map(({ key }) => `${t(`option.${key}`)} ${t(`option.${key}.${options[key]}`)}`);

/**
 * Describes the non-default options of a challenge and the side the viewer would play; returns
 * nothing if it offers several games.
 * @param {Challenge} challenge
 * @param {Variant} variant
 * @param {boolean} own
 * @returns {string[]}
 */
export const challengeDetails = (challenge, variant, own) => {
  if (challenge.choices.variants.length > 1) return [];
  const side = challenge.side ? variant.sides[(challenge.side === "first") === own ? 0 : 1] : null;
  return [
    ...changedOptions(challenge.options, variant),
    ...(side ? [t("card.side", { side: t(`side.${side}`) })] : []),
  ];
};

/**
 * Describes the audience of a challenge, or returns null if it is public.
 * @param {Challenge} challenge
 * @returns {string | null}
 */
export const kindText = ({ kind, standing, direction, destUser }) => {
  const name = destUser?.name;
  if (kind === "rematch")
    return direction === "in" ? t("kind.rematchYou") : t("kind.rematch", { name });
  if (kind === "direct") return direction === "in" ? t("kind.forYou") : t("kind.forName", { name });
  if (kind === "open") return t("kind.open");
  if (kind === "seek") return t("kind.seek");
  if (standing) return t("kind.standing");
  return kind === "link" ? t("kind.link") : null;
};

/** Wait for the message about the end of a ready check after its deadline. */
export const READY_CHECK_GRACE_MS = 3000;

/**
 * Returns the sentence of a decline reason.
 * @param {DeclineReason | null | undefined} key
 * @returns {string}
 */
export const declineText = (key) =>
  t(hasPhrase(`decline.${key}`) ? `decline.${key}` : "decline.generic");

/**
 * Describes why a ready check failed; `you` is the viewer's rating, which may have left the range
 * since the acceptance.
 * @param {string} reason
 * @param {Challenge} challenge
 * @param {number} you
 * @returns {string}
 */
export const readyCheckText = (reason, challenge, you) => {
  if (hasPhrase(`ring.${reason}`))
    return t(`ring.${reason}`, { name: waitingPlayerName(challenge) });
  return hasPhrase(`why.${reason}`)
    ? `${t("ring.other")} ${rejectionText({ ...challenge, ineligibleReason: reason }, you)}`
    : t("ring.other");
};

/**
 * Returns the note that the creator of an open challenge is away, so that the acceptor waits for an
 * answer. Empty if the creator is present or the game has no clock.
 * @param {Challenge} challenge
 */
export const awayText = (challenge) => {
  const hasClock = challenge.choices.clocks.some(({ timeControl }) => timeControl.type === "clock");
  return hasClock && !challenge.creatorPresent
    ? t("card.away", { name: waitingPlayerName(challenge) })
    : "";
};
