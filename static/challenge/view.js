// Elements of the page of a challenge: heading, terms, rating range, seats with their links, and
// the actions of the viewer, which depend on the status of the challenge. Used by `page.js`.
import { personText, waiterName } from "../common/user-link.js";
import { askDecline } from "../common/notice-bar.js";
import { post } from "../lib/http.js";
import { countdown, rangeBar } from "../common/challenge-card.js";
import { h } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { linkField, shareBox } from "../lib/share.js";
import { declineText, detailsOf, leftText, timeText, whyNot } from "../common/challenge-text.js";
import { say, variantName } from "../lib/i18n.js";

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
  if (kind === "open") return say("wait.open");
  if (own) return say("wait.yours");
  return destUser && direction !== "in"
    ? say("wait.others", { name, other: destUser.name })
    : say("wait.theirs", { name });
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
  const details = detailsOf(challenge, catalogue.get(challenge.variant.key), own);
  const terms = [
    clocks.map(({ timeControl }) => timeText(timeControl)).join(" / "),
    say(rated ? "card.rated" : "card.casual"),
    ...details,
    standing && say("kind.standing"),
  ].filter(Boolean);
  return [
    h(
      "span",
      { class: "glyphs" },
      ...variants.map(({ variant: { key } }) => h("span", { class: "glyph" }, icon(key))),
    ),
    h("h1", {}, headingOf(challenge, own)),
    h(
      "p",
      {},
      h("b", {}, gamesText(challenge, catalogue)),
      h("span", { class: "soft num" }, terms.join(" · ")),
      !own && challenger && h("span", { class: "soft small num" }, personText(challenger)),
    ),
    rangeBar(challenge.ratingRange, you, own || eligible),
  ];
};

/** @type {Side[]} */
const SEATS = ["first", "second"];

/**
 * Returns the seat whose link opened the page, if any.
 * @param {Challenge} challenge
 * @returns {Side | null}
 */
const seatHere = ({ urlFirst, urlSecond }) =>
  SEATS[[urlFirst, urlSecond].indexOf(location.href)] ?? null;

/**
 * Builds the rows of both seats. `take` is called when the viewer takes a seat.
 * @param {Challenge} challenge
 * @param {Catalogue} catalogue
 * @param {Account} me
 * @param {(seat: Side, button: HTMLButtonElement) => unknown} take
 */
const seatRows = (challenge, catalogue, me, take) => {
  const { seats = { first: null, second: null }, choices, eligible } = challenge;
  const here = seatHere(challenge);
  const variant = choices.variants.length === 1 ? catalogue.get(challenge.variant.key) : null;
  const seated = SEATS.some((seat) => seats[seat]?.id === me.id);
  return SEATS.map((seat, at) => {
    const name = variant ? say(`side.${variant.sides[at]}`) : say(`seat.${seat}`);
    const taken = seats[seat];
    const may = !taken && !seated && eligible && (!here || here === seat);
    const who = !taken
      ? say("seat.free")
      : taken.id === me.id
        ? say("seat.you")
        : personText(taken);
    const button =
      may &&
      h(
        "button",
        {
          class: "btn",
          type: "button",
          "data-seat": seat,
          onclick: (/** @type {MouseEvent & { currentTarget: HTMLButtonElement }} */ event) =>
            take(seat, event.currentTarget),
        },
        say("seat.take"),
      );
    return h(
      "div",
      { class: "seat" },
      h(
        "div",
        { class: "seat-row" },
        variant && h("span", { class: "glyph" }, icon(variant.key, seat)),
        h("span", {}, h("b", {}, name), h("span", { class: "soft small num" }, who)),
        button,
      ),
      !taken &&
        !here &&
        linkField(
          (seat === "first" ? challenge.urlFirst : challenge.urlSecond) ?? challenge.url,
          say("seat.link", { side: name }),
        ),
    );
  });
};

/** @typedef {import("./page.js").Waiting} Waiting */

/**
 * Builds the reason why the viewer cannot accept.
 * @param {Waiting} page
 */
const why = (page) => h("p", { class: "why" }, whyNot(page.challenge, page.rating()));

/**
 * Describes the end of a closed challenge.
 * @param {Waiting} page
 */
const closed = (page) => {
  const { status, declineReasonKey: key, destUser } = page.challenge;
  if (status === "declined")
    return page.own()
      ? say("wait.declined", { name: destUser?.name ?? "", why: declineText(key) })
      : say("wait.declinedByYou");
  return say(status === "expired" ? "wait.expired" : "wait.canceled");
};

/**
 * Returns the text about the state of the challenge, followed by the elements for the actions.
 * @param {Waiting} page
 * @returns {[state: string, ...deeds: (HTMLElement | false | null)[]]}
 */
export const stage = (page) => {
  const { challenge } = page;
  const { status, kind, direction, destUser, id } = challenge;
  const withdraw = page.button("btn", "card.withdraw", async () => {
    await post(`/api/challenge/${id}/cancel`);
    page.gone({ status: "canceled" });
  });
  if (status !== "created")
    return [closed(page), h("a", { class: "btn main", href: "/lobby" }, say("end.lobby"))];
  if (page.readyBy)
    return [
      "",
      countdown("ready.waiting", waiterName(challenge), page.readyBy, () => page.now()),
      page.button("btn", "ready.cancel", () => page.answer("no")),
    ];
  if (page.own() && challenge.readyBy) {
    return [
      "",
      page.by
        ? countdown("ready.here", page.by.name, challenge.readyBy, () => page.now())
        : countdown("ready.somebody", null, challenge.readyBy, () => page.now()),
      h(
        "div",
        { class: "answers" },
        page.button("btn", "ready.no", () => page.answer("no")),
        page.button("btn main", "ready.yes", () => page.answer("yes")),
      ),
    ];
  }
  const left = say("wait.left", { left: leftText(challenge.expiresAt, page.now()) });
  if (kind === "open")
    return [
      left,
      page.choice.element,
      ...seatRows(challenge, page.catalogue, page.me, (seat, button) =>
        page.act(button, () => page.accept(seat)),
      ),
      challenge.eligible || page.own() ? null : why(page),
      page.own() && withdraw,
    ];
  if (page.own()) {
    const link = destUser ? say("wait.answer", { name: destUser.name }) : say("wait.link");
    return [
      left,
      h("p", { class: "small soft" }, link),
      shareBox(
        challenge.url,
        say("share.text", { name: page.me.username, games: gamesText(challenge, page.catalogue) }),
      ),
      withdraw,
    ];
  }
  if (challenge.readyBy) return [say("card.taking")];
  const decline =
    direction === "in" &&
    page.button("btn quiet", "card.decline", async () =>
      askDecline(
        challenge,
        page.me,
        () => page.gone({ status: "declined" }),
        (refused) => {
          page.wrong.textContent = refused.message;
        },
      ),
    );
  if (!challenge.eligible) return [left, why(page), decline];
  return [
    left,
    page.choice.element,
    page.button("btn main big", "card.accept", () => page.accept()),
    decline,
  ];
};
