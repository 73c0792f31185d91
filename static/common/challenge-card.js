// Parts of challenges: the card in a list, the rating axis with the accepted range and the viewer's
// rating, and the countdown of a ready check. The server decides who may accept; this module
// displays its answer. Used by the lobby's challenge list, by the challenge page and, for the
// rating axis, by the rating range input.
import { onlineDot, playerText, waitingPlayerName } from "./user-link.js";
import { post } from "../lib/http.js";
import { asyncButton } from "../lib/form.js";
import { h } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import {
  awayText,
  challengeDetails,
  isOwn,
  kindText,
  ratedText,
  timeLeftText,
  timeControlText,
  rejectionText,
} from "./challenge-text.js";
import { agoText, locale } from "../lib/format-time.js";
import { t, variantName } from "../lib/i18n.js";

/** Ends of the rating axis; `axisPosition` extends it for a viewer near or beyond them. */
export const AXIS_MIN = 800;
export const AXIS_MAX = 2200;

/**
 * Returns the position of a rating on the axis of that viewer, in percent.
 * @param {number} rating
 * @param {number} you
 * @returns {number}
 */
export const axisPosition = (rating, you) => {
  const low = Math.min(AXIS_MIN, you - 100);
  const high = Math.max(AXIS_MAX, you + 100);
  return (100 * (Math.min(high, Math.max(low, rating)) - low)) / (high - low);
};

/**
 * Describes a rating range.
 * @param {RatingRange} range
 * @returns {string}
 */
export const rangeText = ({ min, max }) => {
  if (min === null && max === null) return t("card.any");
  if (max === null) return t("card.up", { min });
  if (min === null) return t("card.down", { max });
  return t("card.between", { min, max });
};

/**
 * Draws the rating axis of a challenge for a viewer with rating `you`; `isEligible` is the server's
 * decision whether the viewer may accept.
 * @param {RatingRange} range
 * @param {number} you
 * @param {boolean} isEligible
 */
export const rangeBar = (range, you, isEligible) => {
  const text = rangeText(range);
  const band = h("i", { class: "rating-range-band" });
  band.style.left = `${range.min === null ? 0 : axisPosition(range.min, you)}%`;
  band.style.right = `${range.max === null ? 0 : 100 - axisPosition(range.max, you)}%`;
  const tick = h("i", { class: "rating-range-tick" });
  tick.style.left = `${axisPosition(you, you)}%`;
  const label = `${t("range.says", { range: text })} ${t("range.you", { you })}`;
  return h(
    "span",
    {
      class: isEligible ? "rating-range num" : "rating-range num is-ineligible",
      role: "img",
      "aria-label": label,
    },
    h("span", { class: "small soft" }, text),
    h("span", { class: "rating-range-axis" }, band, tick),
  );
};

/** @param {number} ms */
const countdownText = (ms) => {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

/**
 * Draws a phrase followed by a countdown to `until`. Screen readers announce it once. The timer
 * ends when the element leaves the document.
 * @param {string} key
 * @param {string | null} name
 * @param {number} until
 * @param {() => number} now
 */
export const countdown = (key, name, until, now) => {
  const text = h("span", { class: "num" }, name ? t(key, { name }) : t(key));
  const left = h("span", { class: "num", role: "timer", "aria-live": "off" });
  const draw = () => {
    left.textContent = countdownText(until - now());
  };
  const beat = setInterval(() => (left.isConnected ? draw() : clearInterval(beat)), 500);
  draw();
  return h("span", { class: "ready-countdown" }, text, " ", left);
};

/**
 * Answers a ready check: the creator starts the game or declines, the acceptor can only leave.
 * @param {string} id
 * @param {"yes" | "no"} answer
 */
export const answerReady = (id, answer) => post(`/api/challenge/${id}/ready`, { answer });

const ageFormat = new Intl.RelativeTimeFormat(locale, { style: "short", numeric: "auto" });

/**
 * Returns the challenger with presence and the age of the challenge.
 * @param {Challenge} challenge
 * @param {() => number} now
 */
const challengerLine = ({ challenger, createdAt, creatorPresent }, now) =>
  challenger &&
  h(
    "span",
    { class: "soft small num" },
    onlineDot(creatorPresent),
    playerText(challenger),
    " · ",
    h("time", { datetime: createdAt }, agoText(createdAt, now(), ageFormat)),
  );

/**
 * Updates the ages of the challenges of a list.
 * @param {HTMLElement} list
 * @param {number} now
 */
export const updateAges = (list, now) => {
  for (const time of list.querySelectorAll("time"))
    time.textContent = agoText(Number(time.dateTime), now, ageFormat);
};

/**
 * Names the offered game, or each of several as a chip.
 * @param {Challenge} challenge
 * @param {Catalog} catalog
 */
const gameNames = ({ choices: { variants } }, catalog) => {
  const names = variants.map(({ variant: { key } }) => [key, variantName(catalog.get(key))]);
  if (names.length === 1) return h("b", {}, names[0][1]);
  return h(
    "span",
    { class: "challenge-card-chips" },
    ...names.map(([key, name]) => h("span", { class: "challenge-card-chip" }, icon(key), name)),
  );
};

/** @param {Challenge} challenge */
const clockNames = ({ choices: { clocks } }) => {
  if (clocks.length === 1) return h("b", {}, timeControlText(clocks[0].timeControl));
  const short = (/** @type {TimeControl} */ time) =>
    time.type === "correspondence" ? t("days.d", { d: time.daysPerTurn }) : timeControlText(time);
  return h(
    "span",
    { class: "challenge-card-chips" },
    ...clocks.map(({ timeControl }) =>
      h(
        "span",
        { class: "challenge-card-chip", title: timeControlText(timeControl) },
        short(timeControl),
      ),
    ),
  );
};

/**
 * State of a challenge for the viewer: not eligible, in the ready check of another acceptor, in the
 * viewer's own ready check, created by the viewer, or open to the viewer.
 * @typedef {"ineligible" | "inReadyCheck" | "waiting" | "own" | "open"} CardStage
 */

/**
 * Context of a card: `readyBy` is set during the viewer's own ready check, `note` replaces the
 * reason.
 * @typedef {{
 *   catalog: Catalog,
 *   me: Account,
 *   now: () => number,
 *   readyBy?: number,
 *   note?: string,
 * }} CardContext
 */

/** @typedef {(challenge: Challenge) => unknown} CardAction */
/** @typedef {Record<"accept" | "cancel" | "decline" | "leave", CardAction>} CardActions */

/**
 * Returns the viewer's buttons, or the reason why there are none.
 * @param {Challenge} challenge
 * @param {CardStage} stage
 * @param {HTMLElement} explanation
 * @param {CardContext} seen
 * @param {CardActions} actions
 * @returns {Child[]}
 */
const actionButtons = (
  challenge,
  stage,
  explanation,
  { readyBy, now },
  { accept, cancel, decline, leave },
) => {
  if (stage === "ineligible" || stage === "inReadyCheck") return [explanation];
  if (stage === "waiting")
    return [
      countdown(
        "ready.waiting",
        waitingPlayerName(challenge),
        /** @type {number} */ (readyBy),
        now,
      ),
      asyncButton(t("ready.cancel"), async () => leave(challenge), "btn btn-quiet"),
    ];
  if (stage === "own")
    return [
      explanation,
      ["link", "open"].includes(challenge.kind) &&
        h("a", { class: "btn", href: `/${challenge.id}` }, t("card.link")),
      asyncButton(t("card.cancel"), async () => cancel(challenge), "btn btn-quiet"),
    ].filter(Boolean);
  const refuse =
    challenge.direction === "in" &&
    asyncButton(t("card.decline"), async () => decline(challenge), "btn btn-quiet");
  return [
    explanation.textContent && explanation,
    asyncButton(t("card.accept"), async () => accept(challenge)),
    refuse,
  ].filter(Boolean);
};

/**
 * Draws the card of a challenge; `actions` are those of its buttons.
 * @param {Challenge} challenge
 * @param {CardContext} context
 * @param {CardActions} actions
 * @returns {HTMLLIElement}
 */
export const challengeCard = (challenge, context, actions) => {
  const { catalog, me, now, readyBy, note } = context;
  const variant = catalog.get(challenge.variant.key);
  const you = challenge.yourRating ?? me.perfs[variant.key].rating;
  const own = isOwn(challenge);
  const taking = Boolean(challenge.readyBy) && !readyBy;
  const stage = readyBy
    ? "waiting"
    : own
      ? "own"
      : taking
        ? "inReadyCheck"
        : challenge.eligible
          ? "open"
          : "ineligible";
  const reason = taking
    ? t("card.taking")
    : stage === "ineligible"
      ? rejectionText(challenge, you)
      : own
        ? t("card.yours", { left: timeLeftText(challenge.expiresAt, now()) })
        : "";
  const isBlocked = ["ineligible", "inReadyCheck"].includes(stage);
  const away = awayText(challenge);
  const needsAccount = stage === "ineligible" && challenge.ineligibleReason === "anonymous";
  const explanation = h(
    "span",
    { class: "challenge-card-reason", id: `why-${challenge.id}` },
    note ?? (needsAccount ? h("a", { href: "/login" }, reason) : reason),
  );
  const details = challengeDetails(challenge, variant, own);
  const kind = kindText(challenge);
  // A recipient who is not eligible can still decline a direct challenge.
  const decline =
    stage === "ineligible" &&
    challenge.direction === "in" &&
    asyncButton(t("card.decline"), async () => actions.decline(challenge), "btn btn-quiet");
  return h(
    "li",
    {
      class: isBlocked ? "challenge-card is-unavailable" : "card challenge-card",
      "data-id": challenge.id,
      "aria-describedby": isBlocked ? explanation.id : undefined,
    },
    h("span", { class: "variant-icon" }, icon(variant.key)),
    h(
      "span",
      { class: "challenge-card-info" },
      gameNames(challenge, catalog),
      challengerLine(challenge, now),
      kind && h("span", { class: "challenge-card-kind small" }, kind),
      details.length > 0 && h("span", { class: "soft small" }, details.join(" · ")),
      stage === "open" &&
        challenge.alsoCasual &&
        h("span", { class: "soft small" }, t("card.acceptRated")),
      stage === "open" && away && h("span", { class: "soft small" }, away),
    ),
    h(
      "span",
      { class: "challenge-card-time num" },
      clockNames(challenge),
      h("span", { class: "soft small" }, ratedText(challenge)),
    ),
    rangeBar(challenge.ratingRange, you, challenge.eligible || own),
    h(
      "span",
      { class: "challenge-card-actions" },
      ...actionButtons(challenge, stage, explanation, context, actions),
      decline,
    ),
  );
};

/**
 * Returns the sort rank: challenges to and by the viewer, then acceptable ones, then others; in
 * both groups, challenges of guests last.
 * @param {Challenge} challenge
 */
export const rank = (challenge) => {
  if (challenge.direction === "in") return 0;
  if (isOwn(challenge)) return 1;
  return (challenge.eligible ? 2 : 4) + (challenge.challenger?.guest ? 1 : 0);
};
