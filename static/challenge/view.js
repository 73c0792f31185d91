// Elements of the page of a challenge: heading, terms, rating range, seats with their links, and
// the actions of the viewer, which depend on the status of the challenge. Used by `page.js`.
import { playerText, waitingPlayerName } from "../common/user-link.js";
import { openDeclineDialog } from "../common/notice-bar.js";
import { post } from "../lib/http.js";
import { countdown, rangeBar } from "../common/challenge-card.js";
import { h } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { linkField, shareBox } from "../lib/share.js";
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
 * @param {Catalogue} catalogue
 * @returns {string}
 */
export const gamesText = ({ choices: { variants } }, catalogue) =>
  variants.map(({ variant: { key } }) => variantName(catalogue.get(key))).join(", ");

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
 * @param {Catalogue} catalogue
 * @param {number} you rating of the viewer
 * @param {boolean} own
 */
export const challengeHead = (challenge, catalogue, you, own) => {
  const {
    choices: { variants, clocks },
    challenger,
    eligible,
    rated,
    standing,
  } = challenge;
  const details = challengeDetails(challenge, catalogue.get(challenge.variant.key), own);
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
      h("b", {}, gamesText(challenge, catalogue)),
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
 * @param {Catalogue} catalogue
 * @param {Account} me
 * @param {(seat: Side, button: HTMLButtonElement) => unknown} take
 */
const seatRows = (challenge, catalogue, me, take) => {
  const { seats = { first: null, second: null }, choices, eligible } = challenge;
  const linkedSeat = seatFromUrl(challenge);
  const variant = choices.variants.length === 1 ? catalogue.get(challenge.variant.key) : null;
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

/** @typedef {import("./page.js").ChallengePage} Waiting */

/**
 * Builds the reason why the viewer cannot accept.
 * @param {Waiting} page
 */
const reasonNote = (page) => h("p", {}, rejectionText(page.challenge, page.rating()));

/**
 * Describes the end of a closed challenge.
 * @param {Waiting} page
 */
const closedText = (page) => {
  const { status, declineReasonKey: key, destUser } = page.challenge;
  if (status === "declined")
    return page.isOwn()
      ? t("wait.declined", { name: destUser?.name ?? "", why: declineText(key) })
      : t("wait.declinedByYou");
  return t(status === "expired" ? "wait.expired" : "wait.canceled");
};

/**
 * Returns the text about the state of the challenge, followed by the elements for the actions.
 * @param {Waiting} page
 * @returns {[state: string, ...deeds: (HTMLElement | false | null)[]]}
 */
export const stageContent = (page) => {
  const { challenge } = page;
  const { status, kind, direction, destUser, id } = challenge;
  const withdraw = page.button("btn", "card.withdraw", async () => {
    await post(`/api/challenge/${id}/cancel`);
    page.onGone({ status: "canceled" });
  });
  if (status !== "created")
    return [closedText(page), h("a", { class: "btn btn-primary", href: "/lobby" }, t("end.lobby"))];
  if (page.readyBy)
    return [
      "",
      countdown("ready.waiting", waitingPlayerName(challenge), page.readyBy, () => page.now()),
      page.button("btn", "ready.cancel", () => page.answer("no")),
    ];
  if (page.isOwn() && challenge.readyBy) {
    return [
      "",
      page.by
        ? countdown("ready.here", page.by.name, challenge.readyBy, () => page.now())
        : countdown("ready.somebody", null, challenge.readyBy, () => page.now()),
      h(
        "div",
        { class: "challenge-page-answers" },
        page.button("btn", "ready.no", () => page.answer("no")),
        page.button("btn btn-primary", "ready.yes", () => page.answer("yes")),
      ),
    ];
  }
  const remaining = t("wait.left", { left: timeLeftText(challenge.expiresAt, page.now()) });
  if (kind === "open")
    return [
      remaining,
      page.choice.element,
      ...seatRows(challenge, page.catalogue, page.me, (seat, button) =>
        page.act(button, () => page.accept(seat)),
      ),
      challenge.eligible || page.isOwn() ? null : reasonNote(page),
      page.isOwn() && withdraw,
    ];
  if (page.isOwn()) {
    const link = destUser ? t("wait.answer", { name: destUser.name }) : t("wait.link");
    return [
      remaining,
      h("p", { class: "small soft" }, link),
      shareBox(
        challenge.url,
        t("share.text", { name: page.me.username, games: gamesText(challenge, page.catalogue) }),
      ),
      withdraw,
    ];
  }
  if (challenge.readyBy) return [t("card.taking")];
  const decline =
    direction === "in" &&
    page.button("btn btn-quiet", "card.decline", async () =>
      openDeclineDialog(
        challenge,
        page.me,
        () => page.onGone({ status: "declined" }),
        (refused) => {
          page.errorText.textContent = refused.message;
        },
      ),
    );
  if (!challenge.eligible) return [remaining, reasonNote(page), decline];
  return [
    remaining,
    page.choice.element,
    page.button("btn btn-primary btn-large", "card.accept", () => page.accept()),
    decline,
  ];
};
