// Responses to requests of other players: the bar of a notice, on a card over the page or in the
// inbox, the dialog for a decline reason, and the choice of game and clock for a challenge that
// offers several. Used by inbox.js; the challenge list and the challenge page use its dialogs.
import { post } from "../lib/http.js";
import { openDialog } from "../lib/dialog.js";
import { asyncButton } from "../lib/form.js";
import { h, iconSvg } from "../lib/dom.js";
import { CLOSE } from "../lib/icons.js";
import { icon } from "../variants/index.js";
import "../lib/i18n-more.js";
import { awayText, declineText, isChoice, timeControlText } from "./challenge-text.js";
import { eventText } from "./event-news.js";
import { OfferChoice } from "./offer-choice.js";
import { t, variantName } from "../lib/i18n.js";

/**
 * Fields of every notice: `by` is the other player, `readyBy` the end of a ready check, `bound` the
 * game that the ready check or the request would start, `answer` answers the request, `game` the id
 * of a game that has started, `event` a game night that runs.
 * @typedef {{
 *   by?: Player | null,
 *   readyBy?: number,
 *   bound?: Pick<Ring, "variant" | "timeControl"> & Partial<Pick<Ring, "options">>,
 *   answer?: (answer: "yes" | "no") => Promise<unknown>,
 *   game?: string,
 *   event?: GameNight,
 * }} NoticeFields
 */

/**
 * Notice: an incoming challenge, a ready check for its creator (`ring`) or its acceptor (`asked`),
 * a guest who asks its creator for a casual game, a game that has started, which need not have a
 * challenge, or a game night.
 * @typedef {NoticeFields & (
 *   | { kind: "challenge" | "ring" | "asked" | "casual", challenge: Challenge }
 *   | { kind: "begun", challenge?: Challenge }
 *   | { kind: "event", challenge?: undefined }
 * )} Notice
 */

/**
 * Names of the actions of a notice's buttons.
 * @typedef {(
 *   | "accept" | "decline" | "ready" | "notReady" | "open" | "dismiss"
 * )} NoticeAction
 */

/**
 * Classes of the kinds of notices.
 * @type {Record<string, string | undefined>}
 */
const KIND_CLASSES = { ring: "notice-ready-check", begun: "notice-game-started" };

/** @param {Challenge["choices"] | undefined} choices */
const hasSeveral = (choices) =>
  /** @type {number} */ (choices?.variants.length) > 1 ||
  /** @type {number} */ (choices?.clocks.length) > 1;

/**
 * Describes game, clock and kind of a challenge, or the choice of several.
 * @param {Pick<Challenge, "variant" | "timeControl" | "rated"> & Partial<Challenge>} offer
 * @param {Catalog} catalog
 */
const offerText = ({ variant, timeControl, rated, choices }, catalog) => {
  if (hasSeveral(choices)) return t("news.choice");
  return [
    variantName(catalog.get(variant.key) ?? variant),
    timeControlText(timeControl),
    t(rated ? "card.rated" : "card.casual"),
  ].join(" · ");
};

/**
 * Returns the sentence of a notice.
 * @param {Notice} notice
 * @param {Catalog} catalog
 */
export const noticeText = ({ kind, challenge, by, bound, event }, catalog) => {
  if (kind === "event") return eventText(/** @type {GameNight} */ (event), catalog);
  const name = by?.name ?? "";
  if (kind === "begun") return by ? t("news.begun", { name }) : t("news.begunAny");
  // A ready check names the one game that would start.
  const offer = offerText(
    kind === "ring" ? { ...challenge, ...bound, choices: undefined } : challenge,
    catalog,
  );
  if (kind === "ring") return t("news.rings", { name, what: offer });
  if (kind === "asked") return t("news.asked", { name });
  if (kind === "casual")
    return t("invite.notice", {
      name,
      what: offerText({ ...challenge, ...bound, rated: false, choices: undefined }, catalog),
    });
  return t(challenge.kind === "rematch" ? "news.rematch" : "news.challenge", { name, what: offer });
};

/**
 * Shows the remaining time of a ready check.
 * @param {HTMLElement} bar
 * @param {number} ms
 */
export const showCountdown = (bar, ms) => {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  bar.querySelector(".notice-countdown").textContent =
    `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

/**
 * Draws the bar of a notice; `pager` leads to the next one. The page below has a primary button of
 * its own, so the bar has none.
 * @param {Notice} notice
 * @param {Catalog} catalog
 * @param {Record<NoticeAction, () => Promise<unknown>>} actions
 * @param {HTMLElement | false} [pager]
 */
export const noticeBar = (notice, catalog, actions, pager = false) => {
  const { kind, challenge, by, readyBy, answer, event } = notice;
  /** @type {HTMLElement[]} */
  const buttons = [];
  /** @type {(key: string, act: () => Promise<unknown>, className: string) => unknown} */
  const add = (key, act, className) => buttons.push(asyncButton(t(key), act, className));
  const addViewLink = (/** @type {string} */ className) => {
    const { id, rematchOf, eligible } = /** @type {Challenge} */ (challenge);
    // The page of the previous game has the answers to a rematch outside the rating range.
    const page = eligible === false && rematchOf ? rematchOf : id;
    buttons.push(h("a", { class: className, href: `/${page}` }, t("news.look")));
  };
  if (kind === "ring") {
    add("news.start", actions.ready, "btn");
    add("news.notnow", actions.notReady, "btn btn-quiet");
  } else if (kind === "asked") add("card.cancel", actions.notReady, "btn");
  else if (kind === "begun") add("news.open", actions.open, "btn");
  else if (kind === "event")
    buttons.push(h("a", { class: "btn", href: "/events" }, t("news.look")));
  else if (kind === "casual") {
    add("invite.yes", async () => answer?.("yes"), "btn");
    add("invite.no", async () => answer?.("no"), "btn btn-quiet");
  } else {
    const open = challenge.eligible !== false && !hasSeveral(challenge.choices);
    if (open) add("card.accept", actions.accept, "btn");
    else addViewLink("btn");
    add("news.decline", actions.decline, "btn btn-quiet");
    if (open) addViewLink("btn btn-quiet");
  }
  const closeButton =
    ["challenge", "begun", "casual", "event"].includes(kind) &&
    h(
      "button",
      {
        class: "icon notice-close",
        type: "button",
        "aria-label": t("news.later"),
        title: t("news.later"),
        onclick: actions.dismiss,
      },
      iconSvg(CLOSE),
    );
  const game = event ?? (challenge && (notice.bound ?? challenge));
  const text = noticeText(notice, catalog);
  const away = kind === "challenge" && challenge.eligible !== false && awayText(challenge);
  return h(
    "div",
    { class: `notice ${KIND_CLASSES[kind] ?? ""}`, role: "group", "aria-label": text },
    h("span", { class: "variant-icon" }, game && icon(game.variant.key)),
    h(
      "p",
      {},
      h("span", { class: "notice-text" }, text),
      kind === "ring" && h("span", { class: "notice-short" }, t("find.here", { name: by?.name })),
      " ",
      readyBy && h("span", { class: "notice-countdown num", "aria-hidden": "true" }),
      pager,
      away && h("span", { class: "soft small" }, " ", away),
    ),
    h("span", { class: "notice-actions" }, ...buttons),
    closeButton,
  );
};

/**
 * Returns the decline reasons that apply to a challenge.
 * @param {Challenge} challenge
 * @param {Account} me
 */
const declineReasons = ({ rated, challenger, choices }, me) => {
  const timed = choices.clocks.some(({ timeControl }) => timeControl.type === "clock");
  /** @type {(DeclineReason | false)[]} */
  const reasons = [
    "generic",
    "later",
    timed && "tooFast",
    timed && "tooSlow",
    "timeControl",
    rated ? "casual" : "rated",
    "variant",
    "standard",
    challenger?.title === "BOT" && "noBot",
    me.title === "BOT" && "onlyBot",
  ];
  return reasons.filter((reason) => reason !== false);
};

/**
 * Opens a dialog for a reason and declines with it; calls `done()` on success and `failed(refused)`
 * on a refusal.
 * @param {Challenge} challenge
 * @param {Account} me
 * @param {() => unknown} done
 * @param {(refused: Error) => unknown} failed
 */
export const openDeclineDialog = (challenge, me, done, failed) => {
  const decline = (/** @type {DeclineReason} */ reason) => async () => {
    window.close();
    try {
      await post(`/api/challenge/${challenge.id}/decline`, { reason });
      done();
    } catch (refused) {
      failed(refused);
    }
  };
  const buttons = declineReasons(challenge, me).map((reason) =>
    h(
      "button",
      {
        class: "option-list-item",
        type: "button",
        "data-reason": reason,
        onclick: decline(reason),
      },
      declineText(reason),
    ),
  );
  const intro = h(
    "p",
    { class: "small soft" },
    t("decline.lead", { name: challenge.challenger?.name }),
  );
  const window = openDialog(t("decline.title"), () =>
    h("div", { class: "dialog-body" }, intro, h("div", { class: "option-list" }, ...buttons)),
  );
};

/**
 * Opens a dialog if there is a choice. Returns the fields of the acceptance, or null if the dialog
 * is closed.
 * @param {Challenge} challenge
 * @param {Catalog} catalog
 * @param {Account} me
 * @returns {Promise<{ variant?: string, clock?: string } | null>}
 */
export const openOfferDialog = (challenge, catalog, me) => {
  if (!isChoice(challenge)) return Promise.resolve({});
  return new Promise((done) => {
    const choice = new OfferChoice(challenge, catalog, me, {
      legend: t("offer.game"),
      describe: (_, you) => t("offer.you", { you }),
    });
    const canAccept = challenge.choices.variants.some(({ eligible }) => eligible);
    const accept = h(
      "button",
      { class: "btn btn-primary btn-large", type: "button" },
      t("card.accept"),
    );
    const window = openDialog(t("offer.title", { name: challenge.challenger?.name }), () =>
      h("div", { class: "dialog-body" }, choice.element, accept),
    );
    window.addEventListener("close", () => done(null));
    accept.addEventListener("click", () => {
      done(canAccept ? choice.value() : null);
      window.close();
    });
  });
};
