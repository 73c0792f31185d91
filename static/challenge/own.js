// Content of the page of a challenge for its creator: the link, the questions of guests who ask for
// a casual game, and the ready check.
import { countdown } from "../common/challenge-card.js";
import { timeControlText } from "../common/challenge-text.js";
import { shareBox } from "../lib/share.js";
import { h } from "../lib/dom.js";
import { t, variantName } from "../lib/i18n.js";
import { actionButton } from "./action-button.js";
import { gamesText } from "./texts.js";

/** @typedef {import("./page.js").ChallengePage} ChallengePage */

/**
 * Asks the creator below the card whether the browser may announce the acceptance.
 * @param {ChallengePage} page
 */
export const askForPush = (page) =>
  import("../common/push-question.js")
    .then(({ askAfterPosting }) =>
      askAfterPosting(page.state.challenge, page.now(), (question) => page.element.after(question)),
    )
    .catch(() => {});

/**
 * Builds the question of a ready check to the creator.
 * @param {ChallengePage} page
 * @param {number} readyBy
 */
export const readyQuestion = (page, readyBy) => {
  const { by } = page.state;
  const now = () => page.now();
  return [
    by
      ? countdown("ready.here", by.name, readyBy, now)
      : countdown("ready.somebody", null, readyBy, now),
    h(
      "div",
      { class: "challenge-page-answers" },
      actionButton(page, "btn", "ready.no", () => page.answer("no")),
      actionButton(page, "btn btn-primary", "ready.yes", () => page.answer("yes")),
    ),
  ];
};

/**
 * Builds the question of a guest who asks for a casual game.
 * @param {ChallengePage} page
 * @param {CasualRequest} request
 */
const casualQuestion = (page, { by, variant, timeControl }) => {
  const game = [variantName(page.catalog.get(variant.key)), timeControlText(timeControl)];
  return h(
    "div",
    { class: "challenge-page-question", role: "group", "aria-label": by.name },
    h(
      "p",
      { role: "status" },
      h("b", {}, t("invite.casualAsked")),
      h("span", { class: "soft small num" }, [by.name, ...game].join(" · ")),
    ),
    h(
      "div",
      { class: "challenge-page-answers" },
      actionButton(page, "btn", "invite.no", () => page.answerCasual(by, "no")),
      actionButton(page, "btn btn-primary", "invite.yes", () => page.answerCasual(by, "yes")),
    ),
  );
};

/**
 * Returns the sentence about what happens next for the creator of a challenge.
 * @param {Challenge} challenge
 */
const waitText = ({ destUser, choices: { clocks } }) => {
  if (destUser) return t("wait.answer", { name: destUser.name });
  const isLive = clocks.some(({ timeControl }) => timeControl.type === "clock");
  return t(isLive ? "wait.link" : "wait.leave");
};

/**
 * Returns the content for the creator of a challenge that waits for an opponent.
 * @param {ChallengePage} page
 * @returns {Child[]}
 */
export const ownContent = (page) => {
  const { catalog, me, state } = page;
  const { challenge } = state;
  return [
    ...(challenge.casualRequests ?? []).map((request) => casualQuestion(page, request)),
    shareBox(
      challenge.url,
      t("share.text", { name: me.username, games: gamesText(challenge, catalog) }),
    ),
    h("p", { class: "small soft" }, waitText(challenge)),
    actionButton(page, "btn", "card.cancel", () => page.cancel()),
  ];
};
