// Choice of game and clock by the acceptor of a challenge that offers several. A game for which the
// viewer is not eligible is shown with the reason. Used by the dialog of an acceptance and by the
// page of a challenge.
import { changedOptions, isChoice, rejectionText, timeControlText } from "./challenge-text.js";
import { choiceGroup, h } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { t, variantName } from "../lib/i18n.js";

/**
 * Texts of the choice: the legend of the games, and the description of a game for a viewer with
 * that rating.
 * @typedef {{ legend: string, describe: (key: string, rating: number) => string }} OfferTexts
 */

/** Choice among the games and clocks of a challenge. */
export class OfferChoice {
  /** @type {Challenge} */ challenge;
  /** @type {Catalog} */ catalog;
  /** @type {Account} */ me;
  /** @type {OfferTexts} */ texts;
  /** @type {(key: string) => unknown} */ changed;

  /**
   * `changed(key)` is called when another game is selected.
   * @param {Challenge} challenge
   * @param {Catalog} catalog
   * @param {Account} me
   * @param {OfferTexts} texts
   * @param {(key: string) => unknown} [changed]
   */
  constructor(challenge, catalog, me, texts, changed = () => {}) {
    const { variants, clocks } = challenge.choices;
    Object.assign(this, { challenge, catalog, me, texts, changed });
    // A guest without an account can still ask for a casual game of any of them.
    this.offered = variants.some(({ eligible }) => eligible)
      ? variants.filter(({ eligible }) => eligible)
      : variants;
    this.variant = this.offered[0].variant.key;
    this.clock = clocks[0].key;
    this.element = h(
      "div",
      { class: "offer-choice", hidden: !isChoice(challenge) },
      variants.length > 1 && h("fieldset", {}, h("legend", {}, texts.legend), this.games()),
      clocks.length > 1 && h("fieldset", {}, h("legend", {}, t("form.time")), this.clocks()),
    );
  }

  games() {
    const unavailable = this.challenge.choices.variants.filter(
      (choice) => !this.offered.includes(choice),
    );
    return h(
      "div",
      {},
      choiceGroup(
        "option-list",
        this.texts.legend,
        this.offered.map((choice) => [choice.variant.key, this.row(choice, this.details(choice))]),
        this.variant,
        (key) => {
          this.variant = key;
          this.changed(key);
        },
      ),
      ...unavailable.map((choice) =>
        h(
          "div",
          { class: "option-list-item is-unavailable" },
          this.row(choice, this.reason(choice)),
        ),
      ),
    );
  }

  clocks() {
    const { clocks } = this.challenge.choices;
    return choiceGroup(
      `segmented num ${clocks.length > 3 ? "is-three-column" : ""}`,
      t("form.time"),
      clocks.map(({ key, timeControl }) => [key, timeControlText(timeControl)]),
      this.clock,
      (key) => {
        this.clock = key;
      },
    );
  }

  /** @param {PlayChoice} choice */
  rating({ yourRating, variant: { key } }) {
    return yourRating ?? this.me.perfs[key].rating;
  }

  /** @param {PlayChoice} choice */
  details(choice) {
    const { key } = choice.variant;
    const text = this.texts.describe(key, this.rating(choice));
    return [text, ...changedOptions(choice.options, this.catalog.get(key))].join(" · ");
  }

  /** @param {PlayChoice} choice */
  reason(choice) {
    const { ratingRange } = this.challenge;
    return rejectionText({ ratingRange, ...choice }, this.rating(choice));
  }

  /**
   * @param {PlayChoice} choice
   * @param {string} text
   */
  row({ variant: { key } }, text) {
    return h(
      "span",
      { class: "offer-choice-game" },
      h("span", { class: "variant-icon" }, icon(key)),
      h(
        "span",
        {},
        h("b", {}, variantName(this.catalog.get(key))),
        h("span", { class: "small soft num" }, text),
      ),
    );
  }

  /** Returns the fields of the acceptance. */
  value() {
    return isChoice(this.challenge) ? { variant: this.variant, clock: this.clock } : {};
  }
}
