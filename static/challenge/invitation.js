// Content of the page of an open challenge for a visitor who may accept it, needs an account, or is
// excluded: the game with its aim, the button that starts it, or the reason with what can be done.
import { h } from "../lib/dom.js";
import { awayText, rejectionText } from "../common/challenge-text.js";
import { loginPath } from "../lib/next-path.js";
import { userHandle } from "../common/user-link.js";
import { t } from "../lib/i18n.js";
import { actionButton } from "./action-button.js";

/** @typedef {import("./page.js").ChallengePage} ChallengePage */

/** @param {Pick<Challenge, "challenger">} challenge */
const creatorName = ({ challenger }) => challenger?.name ?? "";

/**
 * Returns links to a new game for a visitor who cannot accept: a challenge to the creator, unless
 * one of the two has blocked the other or the creator is a guest, and another opponent.
 * @param {Challenge} challenge
 * @param {{ canChallenge?: boolean, className?: string }} [options]  class of the first link
 */
export const alternatives = (
  { challenger },
  { canChallenge = true, className = "btn btn-primary" } = {},
) => [
  challenger && !challenger.guest && canChallenge
    ? h(
        "a",
        { class: className, href: `/lobby?to=${userHandle(challenger)}` },
        t("invite.challenge", { name: challenger.name }),
      )
    : null,
  h("a", { class: "btn", href: "/find" }, t("invite.other")),
];

/**
 * Returns the link to the lesson of the game; it leads back to this page.
 * @param {ChallengePage} page
 */
const lessonLink = (page) => {
  const link = h("a", { class: "btn btn-quiet" }, t("invite.learn"));
  page.onGame((key) => {
    link.href = `/learn/${key}?game=${page.state.challenge.id}`;
  });
  return link;
};

/**
 * Returns the note for guests, with the login that returns here.
 * @param {ChallengePage} page
 */
const guestNote = (page) =>
  page.me.guest
    ? h(
        "p",
        { class: "small soft challenge-page-guest" },
        t("invite.asGuest", { name: page.me.username }),
        " ",
        h(
          "a",
          { href: loginPath("login"), onclick: () => page.keepInvitation() },
          t("invite.haveAccount"),
        ),
      )
    : null;

/**
 * Returns the form that signs up without leaving the page; hidden until the button is pressed.
 * @param {ChallengePage} page
 */
const signupParts = (page) => {
  const open = h(
    "button",
    {
      class: "btn btn-primary btn-large",
      type: "button",
      hidden: Boolean(page.signupForm),
      "aria-expanded": "false",
    },
    t("login.signup"),
  );
  const place = h("div", { class: "challenge-page-signup" }, page.signupForm);
  open.addEventListener("click", () =>
    page.act(open, async () => {
      place.replaceChildren(await page.createSignupForm());
      open.hidden = true;
      place.querySelector("input").focus();
    }),
  );
  return [open, place];
};

/**
 * Returns the state of the visitor's request for a casual game, or the button that sends it.
 * @param {ChallengePage} page
 */
const casualRequest = (page) => {
  const { challenge } = page.state;
  const name = creatorName(challenge);
  if (challenge.casualRequest === "declined")
    return h("p", { role: "status" }, t("invite.casualNo", { name }));
  if (challenge.casualRequest === "asked") {
    const isAway = challenge.challenger?.online !== true;
    return h(
      "p",
      { role: "status" },
      h("b", {}, t("invite.asked", { name })),
      " ",
      t(isAway ? "invite.askedAway" : "invite.askedWhy", { name }),
    );
  }
  const isInvitation = challenge.kind === "link" && challenge.rated && !challenge.standing;
  if (!isInvitation || challenge.provisional === "deny") return null;
  return actionButton(page, "btn btn-large", "invite.ask", () => page.askCasual());
};

/**
 * Returns the content for a guest whom only an account lets in.
 * @param {ChallengePage} page
 */
const accountContent = (page) => [
  h("p", {}, t(page.state.challenge.rated ? "invite.rated" : "invite.account")),
  page.choice.element,
  ...signupParts(page),
  casualRequest(page),
  guestNote(page),
];

/**
 * Returns the content for a visitor whom the terms exclude.
 * @param {ChallengePage} page
 */
const excludedContent = (page) => {
  const { challenge } = page.state;
  return [
    h("p", { role: "status" }, h("b", {}, rejectionText(challenge, page.rating()))),
    ...alternatives(challenge, { canChallenge: challenge.ineligibleReason !== "blocked" }),
  ];
};

/**
 * Returns the content for a visitor. `decline` is the button that declines a challenge to them.
 * @param {ChallengePage} page
 * @param {HTMLElement | false} decline
 * @returns {Child[]}
 */
export const invitationContent = (page, decline) => {
  const { challenge } = page.state;
  if (!challenge.eligible && challenge.ineligibleReason === "anonymous" && page.me.guest)
    return accountContent(page);
  if (!challenge.eligible) return [...excludedContent(page), decline];
  const away = awayText(challenge);
  return [
    challenge.casualRequest === "granted" &&
      h("p", { role: "status" }, t("invite.casualYes", { name: creatorName(challenge) })),
    page.choice.element,
    away && h("p", { class: "soft small challenge-page-away" }, away),
    actionButton(page, "btn btn-primary btn-large", "computer.play", () => page.accept()),
    lessonLink(page),
    decline,
    guestNote(page),
  ];
};
