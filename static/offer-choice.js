// Which of the games and clocks of a challenge: its acceptor chooses.
import { openDialog } from "./dialog.js";
import { choose, h } from "./dom.js";
import { icon } from "./glyphs/index.js";
import { isChoice, optionsOf, timeText, whyNot } from "./terms.js";
import { say, variantName } from "./words.js";

/** Rows to choose from; `value()` is what is sent, or null while nothing can be accepted. */
export class OfferChoice {
  /** @type {Challenge} */ challenge;
  /** @type {Catalogue} */ catalogue;
  /** @type {Account} */ me;

  /**
   * @param {Challenge} challenge
   * @param {Catalogue} catalogue
   * @param {Account} me
   */
  constructor(challenge, catalogue, me) {
    const { variants, clocks } = challenge.choices;
    Object.assign(this, { challenge, catalogue, me });
    this.variant = variants.find(({ eligible }) => eligible)?.variant.key;
    this.clock = clocks[0].key;
    const times = clocks.map(({ key, timeControl }) => [key, timeText(timeControl)]);
    this.element = h("div", { class: "offer" },
      variants.length > 1 && h("fieldset", {}, h("legend", {}, say("offer.game")), this.games(variants)),
      clocks.length > 1 && h("fieldset", {}, h("legend", {}, say("form.time")), choose(`seg num ${clocks.length > 3 ? "six" : ""}`, say("form.time"), times, this.clock, (key) => {
        this.clock = key;
      })));
  }

  games(variants) {
    const open = variants.filter(({ eligible }) => eligible);
    const group = choose("rows", say("offer.game"), open.map((choice) => [choice.variant.key, this.row(choice)]), this.variant, (key) => {
      this.variant = key;
    });
    // What is not for the viewer can be read, and there is nothing to press.
    const shut = variants.filter(({ eligible }) => !eligible).map((choice) => h("div", { class: "row grey" }, this.row(choice)));
    return h("div", {}, group, ...shut);
  }

  row(choice) {
    const variant = this.catalogue.get(choice.variant.key);
    const you = choice.yourRating ?? this.me.perfs[variant.key].rating;
    const about = choice.eligible ? [say("offer.you", { you }), ...optionsOf(choice.options, variant)].join(" · ")
      : whyNot({ ratingRange: this.challenge.ratingRange, ...choice }, you);
    return h("span", { class: "offered" }, h("span", { class: "glyph" }, icon(variant.key)), h("span", {}, h("b", {}, variantName(variant)), h("span", { class: "small soft num" }, about)));
  }

  value() {
    if (!isChoice(this.challenge)) return {};
    return this.variant ? { variant: this.variant, clock: this.clock } : null;
  }
}

/**
 * Asks in a dialog, if there is anything to choose; answers what is sent, or null when it is closed.
 * @param {Challenge} challenge
 * @param {Catalogue} catalogue
 * @param {Account} me
 * @returns {Promise<{ variant?: string, clock?: string } | null>}
 */
export const askOffer = (challenge, catalogue, me) => {
  if (!isChoice(challenge)) return Promise.resolve({});
  return new Promise((done) => {
    const choice = new OfferChoice(challenge, catalogue, me);
    const accept = h("button", { class: "btn main big", type: "button" }, say("card.accept"));
    const window = openDialog(say("offer.title", { name: challenge.challenger?.name }), () => h("div", { class: "ask-body" }, choice.element, accept));
    window.addEventListener("close", () => done(null));
    accept.addEventListener("click", () => {
      done(choice.value());
      window.close();
    });
  });
};
