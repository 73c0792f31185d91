// Seats of a challenge between two other players, with their links. The creator can also take one.
import { playerText } from "../common/user-link.js";
import { rejectionText } from "../common/challenge-text.js";
import { h } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { linkField } from "../lib/share.js";
import { loginPath } from "../lib/next-path.js";
import { t } from "../lib/i18n.js";
import { actionButton } from "./action-button.js";
import { isOwn } from "./state.js";

/** @typedef {import("./page.js").ChallengePage} ChallengePage */

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

/**
 * Builds the reason why the viewer cannot accept; a guest can sign up and return.
 * @param {ChallengePage} page
 */
const reasonNote = (page) => {
  const { challenge } = page.state;
  if (!page.me.guest || challenge.ineligibleReason !== "anonymous")
    return h("p", {}, rejectionText(challenge, page.rating()));
  return h(
    "p",
    {},
    t("invite.account"),
    h("a", { class: "btn btn-primary", href: loginPath("signup") }, t("login.signup")),
  );
};

/**
 * Returns the seats of an open challenge.
 * @param {ChallengePage} page
 * @returns {Child[]}
 */
export const seatContent = (page) => {
  const { catalog, choice, me, state } = page;
  const { challenge } = state;
  const own = isOwn(state);
  return [
    choice.element,
    ...seatRows(challenge, catalog, me, (seat, button) =>
      page.act(button, () => page.accept(seat)),
    ),
    challenge.eligible || own ? null : reasonNote(page),
    own && actionButton(page, "btn", "card.cancel", () => page.cancel()),
  ];
};
