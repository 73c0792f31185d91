// Content of the page of a challenge that is over: taken by another player, expired, canceled or
// declined. Each names what can be done instead.
import { declineText } from "../common/challenge-text.js";
import { h } from "../lib/dom.js";
import { locale } from "../lib/format-time.js";
import { t } from "../lib/i18n.js";
import { alternatives } from "./invitation.js";
import { isOwn } from "./state.js";

/** @typedef {import("./state.js").ChallengeState} ChallengeState */

/** @param {number} at  epoch milliseconds */
const dateText = (at) =>
  new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" }).format(at);

/**
 * Returns the heading and a sentence about the end of a challenge.
 * @param {ChallengeState} state
 * @returns {[heading: string, text: string]}
 */
const endTexts = (state) => {
  const { challenge, isCreatorGone } = state;
  const { status, declineReasonKey: key, destUser, challenger, createdAt } = challenge;
  const own = isOwn(state);
  if (status === "declined")
    return [
      t("closed.declined"),
      own
        ? t("wait.declined", { name: destUser?.name ?? "", why: declineText(key) })
        : t("wait.declinedByYou"),
    ];
  if (status === "expired")
    return [t("closed.expired"), t("closed.date", { date: dateText(createdAt) })];
  if (isCreatorGone)
    return [t("closed.canceled"), t("closed.account", { name: challenger?.name ?? "" })];
  return [t("closed.canceled"), t("wait.canceled")];
};

/**
 * Returns the content of a closed challenge.
 * @param {ChallengeState} state
 * @returns {Child[]}
 */
export const closedContent = (state) => {
  const [heading, text] = endTexts(state);
  const own = isOwn(state);
  return [
    h("h1", {}, heading),
    h("p", { class: "soft", role: "status" }, text),
    h(
      "div",
      { class: "challenge-page-actions" },
      ...(own
        ? [h("a", { class: "btn btn-primary", href: "/lobby" }, t("end.lobby"))]
        : alternatives(state.challenge, { canChallenge: !state.isCreatorGone })),
    ),
  ];
};

/**
 * Returns the page for a visitor whose invitation another player has accepted. `watch()` shows the
 * game.
 * @param {Challenge} challenge
 * @param {() => unknown} watch
 */
export const takenPage = (challenge, watch) =>
  h(
    "section",
    { class: "card challenge-page" },
    h("h1", {}, t("invite.taken", { name: challenge.challenger?.name ?? "" })),
    h(
      "div",
      { class: "challenge-page-actions" },
      h(
        "button",
        { class: "btn btn-primary btn-large", type: "button", onclick: watch },
        t("rematch.look"),
      ),
      ...alternatives(challenge, { className: "btn" }),
    ),
  );
