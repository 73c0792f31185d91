// Elements of the page of a challenge: heading, terms, rating range, seats with their links, and
// the actions of the viewer, which depend on the status of the challenge. `page.js` calls `render`
// after each change of the state.
import { playerText, waitingPlayerName } from "../common/user-link.js";
import { openDeclineDialog } from "../common/notice-bar.js";
import { countdown, rangeBar } from "../common/challenge-card.js";
import { h } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { isOwn } from "./state.js";
import { linkField, shareBox } from "../lib/share.js";
import { shuffleNote } from "../common/fair-start.js";
import {
  declineText,
  challengeDetails,
  timeLeftText,
  timeControlText,
  rejectionText,
} from "../common/challenge-text.js";
import { t, variantName } from "../lib/i18n.js";

/**
 * Returns the names of the variants of a challenge.
 * @param {Challenge} challenge
 * @param {Catalog} catalog
 * @returns {string}
 */
export const gamesText = ({ choices: { variants } }, catalog) =>
  variants.map(({ variant: { key } }) => variantName(catalog.get(key))).join(", ");

/** @type {(challenge: Challenge, own: boolean) => string} */
const headingOf = ({ kind, challenger, destUser, direction }, own) => {
  const name = challenger?.name;
  if (kind === "open") return t("wait.open");
  if (own) return t("wait.yours");
  return destUser && direction !== "in"
    ? t("wait.others", { name, other: destUser.name })
    : t("wait.theirs", { name });
};

/**
 * Builds icons, heading, terms and rating range.
 * @param {Challenge} challenge
 * @param {Catalog} catalog
 * @param {number} you rating of the viewer
 * @param {boolean} own
 */
const challengeHead = (challenge, catalog, you, own) => {
  const {
    choices: { variants, clocks },
    challenger,
    eligible,
    rated,
    standing,
  } = challenge;
  const details = challengeDetails(challenge, catalog.get(challenge.variant.key), own);
  const terms = [
    clocks.map(({ timeControl }) => timeControlText(timeControl)).join(" / "),
    t(rated ? "card.rated" : "card.casual"),
    ...details,
    standing && t("kind.standing"),
  ].filter(Boolean);
  return [
    h(
      "span",
      { class: "challenge-page-icons" },
      ...variants.map(({ variant: { key } }) => h("span", { class: "variant-icon" }, icon(key))),
    ),
    h("h1", {}, headingOf(challenge, own)),
    h(
      "p",
      {},
      h("b", {}, gamesText(challenge, catalog)),
      h("span", { class: "soft num" }, terms.join(" · ")),
      !own && challenger && h("span", { class: "soft small num" }, playerText(challenger)),
    ),
    rangeBar(challenge.ratingRange, you, own || eligible),
  ];
};

/** @type {Side[]} */
const SIDES = ["first", "second"];

/**
 * Returns the seat whose link opened the page, if any.
 * @param {Challenge} challenge
 * @returns {Side | null}
 */
const seatFromUrl = ({ urlFirst, urlSecond }) =>
  SIDES[[urlFirst, urlSecond].indexOf(location.href)] ?? null;

/**
 * Builds the rows of both seats. `take` is called when the viewer takes a seat.
 * @param {Challenge} challenge
 * @param {Catalog} catalog
 * @param {Account} me
 * @param {(seat: Side, button: HTMLButtonElement) => unknown} take
 */
const seatRows = (challenge, catalog, me, take) => {
  const { seats = { first: null, second: null }, choices, eligible } = challenge;
  const linkedSeat = seatFromUrl(challenge);
  const variant = choices.variants.length === 1 ? catalog.get(challenge.variant.key) : null;
  const hasSeat = SIDES.some((seat) => seats[seat]?.id === me.id);
  return SIDES.map((seat, at) => {
    const name = variant ? t(`side.${variant.sides[at]}`) : t(`seat.${seat}`);
    const player = seats[seat];
    const canTake = !player && !hasSeat && eligible && (!linkedSeat || linkedSeat === seat);
    const occupant = !player
      ? t("seat.free")
      : player.id === me.id
        ? t("seat.you")
        : playerText(player);
    const button =
      canTake &&
      h(
        "button",
        {
          class: "btn",
          type: "button",
          "data-seat": seat,
          onclick: (/** @type {MouseEvent & { currentTarget: HTMLButtonElement }} */ event) =>
            take(seat, event.currentTarget),
        },
        t("seat.take"),
      );
    return h(
      "div",
      { class: "challenge-seat" },
      h(
        "div",
        { class: "challenge-seat-row" },
        variant && h("span", { class: "variant-icon" }, icon(variant.key, seat)),
        h("span", {}, h("b", {}, name), h("span", { class: "soft small num" }, occupant)),
        button,
      ),
      !player &&
        !linkedSeat &&
        linkField(
          (seat === "first" ? challenge.urlFirst : challenge.urlSecond) ?? challenge.url,
          t("seat.link", { side: name }),
        ),
    );
  });
};

/** @typedef {import("./page.js").ChallengePage} ChallengePage */
/** @typedef {import("./state.js").ChallengeState} ChallengeState */

/**
 * Builds a button that runs an action.
 * @param {ChallengePage} page
 * @param {string} className
 * @param {string} key
 * @param {() => unknown} action
 */
const actionButton = (page, className, key, action) => {
  const button = h("button", { class: className, type: "button" }, t(key));
  button.addEventListener("click", () => page.act(button, action));
  return button;
};

/**
 * Builds the reason why the viewer cannot accept.
 * @param {ChallengePage} page
 */
const reasonNote = (page) => h("p", {}, rejectionText(page.state.challenge, page.rating()));

/**
 * Describes the end of a closed challenge.
 * @param {ChallengeState} state
 */
const closedText = (state) => {
  const { status, declineReasonKey: key, destUser } = state.challenge;
  if (status === "declined")
    return isOwn(state)
      ? t("wait.declined", { name: destUser?.name ?? "", why: declineText(key) })
      : t("wait.declinedByYou");
  return t(status === "expired" ? "wait.expired" : "wait.canceled");
};

/**
 * Builds the question of a ready check to the creator.
 * @param {ChallengePage} page
 * @param {number} readyBy
 */
const readyQuestion = (page, readyBy) => {
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
 * Returns the content for the creator of a challenge that waits for an opponent.
 * @param {ChallengePage} page
 * @returns {HTMLElement[]}
 */
const ownContent = (page) => {
  const { catalog, me, state } = page;
  const { destUser, url } = state.challenge;
  const link = destUser ? t("wait.answer", { name: destUser.name }) : t("wait.link");
  return [
    h("p", { class: "small soft" }, link),
    shareBox(
      url,
      t("share.text", { name: me.username, games: gamesText(state.challenge, catalog) }),
    ),
    actionButton(page, "btn", "card.withdraw", () => page.withdraw()),
  ];
};

/**
 * Returns the seats of an open challenge.
 * @param {ChallengePage} page
 * @returns {(HTMLElement | false | null)[]}
 */
const seatContent = (page) => {
  const { catalog, choice, me, state } = page;
  const { challenge } = state;
  const own = isOwn(state);
  return [
    choice.element,
    ...seatRows(challenge, catalog, me, (seat, button) =>
      page.act(button, () => page.accept(seat)),
    ),
    challenge.eligible || own ? null : reasonNote(page),
    own && actionButton(page, "btn", "card.withdraw", () => page.withdraw()),
  ];
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
 * Returns the text about the state of the challenge, followed by the elements for the actions.
 * @param {ChallengePage} page
 * @returns {[state: string, ...deeds: (HTMLElement | false | null)[]]}
 */
const stageContent = (page) => {
  const { state } = page;
  const { challenge } = state;
  if (challenge.status !== "created")
    return [
      closedText(state),
      h("a", { class: "btn btn-primary", href: "/lobby" }, t("end.lobby")),
    ];
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
  if (!challenge.eligible) return [remaining, reasonNote(page), decline];
  return [
    remaining,
    page.choice.element,
    actionButton(page, "btn btn-primary btn-large", "card.accept", () => page.accept()),
    decline,
  ];
};

/**
 * Shows a state. `previous` is the state shown before, null for the first one.
 * @param {ChallengePage} page
 * @param {ChallengeState} state
 * @param {ChallengeState | null} previous
 */
export const render = (page, state, previous) => {
  const { challenge, readyBy, by } = state;
  if (previous?.challenge === challenge && previous.readyBy === readyBy && previous.by === by)
    return;
  page.resetChoice();
  const [text, ...actions] = stageContent(page);
  page.element.replaceChildren(
    ...challengeHead(challenge, page.catalog, page.rating(), isOwn(state)),
    ...(text ? [h("p", { class: "soft", role: "status" }, text)] : []),
    ...(challenge.shuffle ? [shuffleNote(challenge.shuffle)] : []),
    h("div", { class: "challenge-page-actions" }, ...actions.filter(Boolean)),
    page.errorText,
  );
};
