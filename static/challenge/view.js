// Elements of the page of a challenge: picture, heading, terms, rating range, and the actions of
// the viewer, which depend on the status of the challenge: `own.js` for its creator,
// `invitation.js` for visitors, `seats.js` for a challenge between two others, `closed.js` for its
// end. `page.js` calls `render` after each change of the state.
import { playerText, waitingPlayerName } from "../common/user-link.js";
import { boardPicture } from "../common/variant-cards.js";
import { openDeclineDialog } from "../common/notice-bar.js";
import { countdown, rangeBar } from "../common/challenge-card.js";
import {
  challengeDetails,
  ratedText,
  timeLeftText,
  timeControlText,
} from "../common/challenge-text.js";
import { h } from "../lib/dom.js";
import { icon, pieceSetOf } from "../variants/index.js";
import { shuffleNote } from "../common/fair-start.js";
import { t } from "../lib/i18n.js";
import { actionButton } from "./action-button.js";
import { closedContent } from "./closed.js";
import { invitationContent } from "./invitation.js";
import { ownContent, readyQuestion } from "./own.js";
import { seatContent } from "./seats.js";
import { isOwn } from "./state.js";
import { gamesText, headingOf } from "./texts.js";

/** @typedef {import("./page.js").ChallengePage} ChallengePage */
/** @typedef {import("./state.js").ChallengeState} ChallengeState */

/**
 * Builds a line with the terms and, for visitors, the creator and the rating range.
 * @param {ChallengePage} page
 */
const termsLines = (page) => {
  const { state, catalog } = page;
  const { challenge } = state;
  const { choices, challenger, eligible, kind, ratingRange, standing } = challenge;
  const own = isOwn(state);
  const terms = [
    choices.clocks.map(({ timeControl }) => timeControlText(timeControl)).join(" / "),
    ratedText(challenge),
    ...challengeDetails(challenge, catalog.get(challenge.variant.key), own),
    standing && t("kind.standing"),
    challenge.alsoCasual && eligible && t("card.acceptRated"),
  ].filter(Boolean);
  const isLimited = ratingRange.min !== null || ratingRange.max !== null;
  return [
    h(
      "p",
      {},
      (own || kind === "open") && h("b", {}, gamesText(challenge, catalog)),
      h("span", { class: "soft num" }, terms.join(" · ")),
      !own && challenger && h("span", { class: "soft small num" }, playerText(challenger)),
    ),
    isLimited && rangeBar(ratingRange, page.rating(), own || eligible),
  ];
};

/**
 * Builds the picture of a game, or the icons of several.
 * @param {Challenge} challenge
 * @param {Catalog} catalog
 */
const picture = ({ choices: { variants } }, catalog) => {
  const [{ variant }] = variants;
  const { sampleCells } = pieceSetOf(variant.key);
  if (variants.length === 1 && sampleCells)
    return h(
      "div",
      { class: "challenge-page-board" },
      boardPicture(catalog.get(variant.key), sampleCells),
    );
  return h(
    "span",
    { class: "challenge-page-icons" },
    ...variants.map(({ variant: { key } }) => h("span", { class: "variant-icon" }, icon(key))),
  );
};

/**
 * Builds the button that declines a challenge to the viewer.
 * @param {ChallengePage} page
 */
const declineButton = (page) =>
  actionButton(page, "btn btn-quiet", "card.decline", async () =>
    openDeclineDialog(
      page.state.challenge,
      page.me,
      () => page.onDeclined(),
      (refused) => page.showError(refused.message),
    ),
  );

/**
 * Returns the text about the state of an open challenge, followed by the elements for the actions.
 * @param {ChallengePage} page
 * @returns {[state: string, ...actions: Child[]]}
 */
const stageContent = (page) => {
  const { state } = page;
  const { challenge } = state;
  if (state.readyBy)
    return [
      "",
      countdown("ready.waiting", waitingPlayerName(challenge), state.readyBy, () => page.now()),
      actionButton(page, "btn", "ready.cancel", () => page.answer("no")),
    ];
  const own = isOwn(state);
  if (own && challenge.readyBy) return ["", ...readyQuestion(page, challenge.readyBy)];
  const remaining = t("wait.left", { left: timeLeftText(challenge.expiresAt, page.now()) });
  if (challenge.kind === "open") return [remaining, ...seatContent(page)];
  if (own) return [remaining, ...ownContent(page)];
  if (challenge.readyBy) return [t("card.taking")];
  const decline = challenge.direction === "in" && declineButton(page);
  return ["", ...invitationContent(page, decline)];
};

/**
 * Returns the content of an open challenge.
 * @param {ChallengePage} page
 */
const openContent = (page) => {
  const { state, catalog } = page;
  const { challenge } = state;
  const own = isOwn(state);
  const aim = h("p", { class: "challenge-page-aim" });
  if (!own && challenge.choices.variants.length === 1 && challenge.kind !== "open")
    page.onGame((key) => {
      aim.textContent = t(`aim.${key}`);
    });
  const [text, ...actions] = stageContent(page);
  return [
    h("h1", {}, headingOf(challenge, catalog, own)),
    aim.textContent && aim,
    ...termsLines(page),
    text && h("p", { class: "soft", role: "status" }, text),
    challenge.shuffle && shuffleNote(challenge.shuffle),
    h("div", { class: "challenge-page-actions" }, ...actions),
  ];
};

/**
 * Shows a state. `previous` is the state shown before, null for the first one.
 * @param {ChallengePage} page
 * @param {ChallengeState} state
 * @param {ChallengeState | null} previous
 */
export const render = (page, state, previous) => {
  const { challenge } = state;
  /** @type {(keyof ChallengeState)[]} */
  const shown = ["challenge", "readyBy", "by", "isCreatorGone"];
  if (previous && shown.every((key) => state[key] === previous[key])) return;
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  page.updateChoice(previous);
  const isOpen = challenge.status === "created";
  page.element.replaceChildren(
    ...(isOpen ? [picture(challenge, page.catalog)] : []),
    h(
      "div",
      { class: "challenge-page-body" },
      ...(isOpen ? openContent(page) : closedContent(state)),
      page.errorText,
    ),
  );
  // Elements that are kept, such as the fields of the form, lose the focus when they are moved.
  if (focused?.isConnected && page.element.contains(focused))
    focused.focus({ preventScroll: true });
};
