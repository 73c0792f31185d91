// Responses to requests of other players: the notice bar at the top of a page, the dialog for a
// decline reason, and the choice of game and clock for a challenge that offers several.
// Notifications load this module with the first notice; the challenge list and the challenge page
// use its dialogs.
import { post } from "../lib/http.js";
import { openDialog } from "../lib/dialog.js";
import { asyncButton } from "../lib/form.js";
import { choiceGroup, h, iconSvg } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import "../lib/i18n-more.js";
import {
  declineText,
  isChoice,
  changedOptions,
  timeControlText,
  rejectionText,
} from "./challenge-text.js";
import { t, variantName } from "../lib/i18n.js";

/**
 * Fields of every notice: `by` is the other player, `readyBy` the end of a ready check, `bound` the
 * game that the ready check would start, `game` the id of a game that has started, `bar` the
 * element once it is drawn.
 * @typedef {{
 *   by?: Player | null,
 *   readyBy?: number,
 *   bound?: Pick<Ring, "variant" | "options" | "timeControl">,
 *   game?: string,
 *   bar?: HTMLElement,
 * }} NoticeFields
 */

/**
 * Notice: an incoming challenge, a ready check for its creator (`ring`) or its acceptor (`asked`),
 * or a game that has started, which need not have a challenge.
 * @typedef {NoticeFields & (
 *   | { kind: "challenge" | "ring" | "asked", challenge: Challenge }
 *   | { kind: "begun", challenge?: Challenge }
 * )} Notice
 */

/**
 * Names of the actions of a notice's buttons.
 * @typedef {(
 *   | "accept" | "decline" | "ready" | "notReady" | "later" | "open" | "dismiss"
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
 * @param {Notice} notice
 * @param {Catalog} catalog
 */
const noticeText = ({ kind, challenge, by, bound }, catalog) => {
  const name = by?.name ?? "";
  if (kind === "begun") return by ? t("news.begun", { name }) : t("news.begunAny");
  // A ready check names the one game that would start.
  const offer = offerText(
    kind === "ring" ? { ...challenge, ...bound, choices: undefined } : challenge,
    catalog,
  );
  if (kind === "ring") return t("news.rings", { name, what: offer });
  if (kind === "asked") return t("news.asked", { name });
  return t(challenge.kind === "rematch" ? "news.rematch" : "news.challenge", { name, what: offer });
};

/**
 * Draws the bar of a notice.
 * @param {Notice} notice
 * @param {Catalog} catalog
 * @param {Record<NoticeAction, () => Promise<unknown>>} actions
 */
export const noticeBar = (notice, catalog, actions) => {
  const { kind, challenge, readyBy } = notice;
  /** @type {HTMLElement[]} */
  const buttons = [];
  /** @type {(key: string, act: () => Promise<unknown>, className: string) => unknown} */
  const add = (key, act, className) => buttons.push(asyncButton(t(key), act, className));
  const addViewLink = (/** @type {string} */ className) =>
    buttons.push(
      h(
        "a",
        { class: className, href: `/${/** @type {Challenge} */ (challenge).id}` },
        t("news.look"),
      ),
    );
  if (kind === "ring") {
    add("news.start", actions.ready, "btn btn-primary");
    add("news.notnow", actions.notReady, "btn");
  } else if (kind === "asked") add("card.withdraw", actions.notReady, "btn");
  else if (kind === "begun") add("news.open", actions.open, "btn btn-primary");
  else {
    const open = challenge.eligible !== false && !hasSeveral(challenge.choices);
    if (open) add("card.accept", actions.accept, "btn btn-primary");
    else addViewLink("btn btn-primary");
    add("news.decline", actions.decline, "btn");
    if (open) addViewLink("btn btn-quiet");
  }
  const close = kind === "begun" ? actions.dismiss : actions.later;
  const closeButton =
    (kind === "challenge" || kind === "begun") &&
    h(
      "button",
      {
        class: "icon notice-close",
        type: "button",
        "aria-label": t("news.later"),
        title: t("news.later"),
        onclick: close,
      },
      iconSvg("M6 6l12 12M18 6L6 18"),
    );
  const text = noticeText(notice, catalog);
  return h(
    "div",
    { class: `notice ${KIND_CLASSES[kind] ?? ""}`, role: "group", "aria-label": text },
    h(
      "span",
      { class: "variant-icon" },
      challenge && icon((notice.bound ?? challenge).variant.key),
    ),
    h(
      "p",
      { role: kind === "ring" ? "alert" : undefined },
      text,
      " ",
      readyBy && h("span", { class: "notice-countdown num", "aria-hidden": "true" }),
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
  return /** @type {string[]} */ (
    [
      "generic",
      "later",
      timed && "tooFast",
      timed && "tooSlow",
      "timeControl",
      rated ? "casual" : "rated",
      "variant",
      "standard",
      /** @type {Player} */ (challenger).title === "BOT" && "noBot",
      me.title === "BOT" && "onlyBot",
    ].filter(Boolean)
  );
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
  const decline = (/** @type {string} */ reason) => async () => {
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

/** Choice of game and clock for a challenge that offers several. */
export class OfferChoice {
  /** @type {Challenge} */ challenge;
  /** @type {Catalog} */ catalog;
  /** @type {Account} */ me;

  /**
   * @param {Challenge} challenge
   * @param {Catalog} catalog
   * @param {Account} me
   */
  constructor(challenge, catalog, me) {
    const { variants, clocks } = challenge.choices;
    Object.assign(this, { challenge, catalog, me });
    this.variant = variants.find(({ eligible }) => eligible)?.variant.key;
    this.clock = clocks[0].key;
    const times = clocks.map(({ key, timeControl }) => [key, timeControlText(timeControl)]);
    this.element = h(
      "div",
      { class: "offer-choice" },
      variants.length > 1 &&
        h("fieldset", {}, h("legend", {}, t("offer.game")), this.games(variants)),
      clocks.length > 1 &&
        h(
          "fieldset",
          {},
          h("legend", {}, t("form.time")),
          choiceGroup(
            `segmented num ${clocks.length > 3 ? "is-three-column" : ""}`,
            t("form.time"),
            times,
            this.clock,
            (key) => {
              this.clock = key;
            },
          ),
        ),
    );
  }

  /** @param {PlayChoice[]} variants */
  games(variants) {
    const available = variants.filter(({ eligible }) => eligible);
    const group = choiceGroup(
      "option-list",
      t("offer.game"),
      available.map((choice) => [choice.variant.key, this.row(choice)]),
      this.variant,
      (key) => {
        this.variant = key;
      },
    );
    // Games for which the viewer is not eligible are listed with the reason and cannot be selected.
    const unavailable = variants
      .filter(({ eligible }) => !eligible)
      .map((choice) => h("div", { class: "option-list-item is-unavailable" }, this.row(choice)));
    return h("div", {}, group, ...unavailable);
  }

  /** @param {PlayChoice} choice */
  row(choice) {
    const variant = this.catalog.get(choice.variant.key);
    const you = choice.yourRating ?? this.me.perfs[variant.key].rating;
    const details = choice.eligible
      ? [t("offer.you", { you }), ...changedOptions(choice.options, variant)].join(" · ")
      : rejectionText({ ratingRange: this.challenge.ratingRange, ...choice }, you);
    return h(
      "span",
      { class: "offer-choice-game" },
      h("span", { class: "variant-icon" }, icon(variant.key)),
      h(
        "span",
        {},
        h("b", {}, variantName(variant)),
        h("span", { class: "small soft num" }, details),
      ),
    );
  }

  /**
   * Returns the fields of the acceptance, or null if the viewer is eligible for none of the games.
   */
  value() {
    if (!isChoice(this.challenge)) return {};
    return this.variant ? { variant: this.variant, clock: this.clock } : null;
  }
}

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
    const choice = new OfferChoice(challenge, catalog, me);
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
      done(choice.value());
      window.close();
    });
  });
};
