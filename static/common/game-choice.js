// Fields of a challenge form: one or several games, their options, and the side. At least one game
// is always selected. Used by the lobby's challenge form and the dialog for a game against the
// engine.
import { choiceGroup, h, selectBox } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { ChoiceGroup } from "../lib/choice.js";
import { t, variantName } from "../lib/i18n.js";

export class GameChoice {
  /** @type {Catalog} */ variants;
  /** @type {(key: string) => unknown} */ changed;
  /** @type {string} */ color;
  /** @type {boolean} */ hasSides;
  /** @type {Options} */ options;

  /**
   * `changed(key)` is called with the first selected game after each change; `isMultiple` allows
   * the selection of several games.
   * @param {Catalog} variants
   * @param {(key: string) => unknown} changed
   * @param {boolean} [isMultiple]
   */
  constructor(variants, changed, isMultiple = true) {
    Object.assign(this, { variants, changed, color: "random", hasSides: true });
    this.options = Object.fromEntries(
      [...variants.values()].flatMap((variant) =>
        variant.options.map(({ key, default: defaultValue }) => [key, defaultValue]),
      ),
    );
    this.details = h("div", {});
    const games = [...variants.values()].map((variant) => [
      variant.key,
      [icon(variant.key), h("span", {}, variantName(variant))],
      variantName(variant),
    ]);
    const [first] = variants.keys();
    this.picker = new ChoiceGroup("game-choice", t("form.choose"), games, first, () => this.draw());
    this.picker.multipleButton.hidden = !isMultiple;
    this.element = this.picker.element;
  }

  /**
   * Restores the fields of an earlier request, as far as they are still valid.
   * @param {{ variant: string, color: string, [field: string]: unknown }} sent
   */
  restore(sent) {
    for (const { key, values } of [...this.variants.values()].flatMap(({ options }) => options)) {
      const value = values.find((each) => String(each) === String(sent[`options.${key}`]));
      if (value !== undefined) this.options[key] = value;
    }
    if (this.variants.has(sent.variant)) this.picker.select(sent.variant);
    this.draw(["first", "second"].includes(sent.color) ? sent.color : "random");
  }

  selectedVariants() {
    return this.picker.chosen.map((key) => this.variants.get(key));
  }

  /**
   * Enables or disables the choice of a side: with two free seats, each link belongs to a side.
   * @param {boolean} isEnabled
   */
  enableSides(isEnabled) {
    if (this.hasSides === isEnabled) return;
    this.hasSides = isEnabled;
    this.draw();
  }

  draw(color = "random") {
    const chosen = this.selectedVariants();
    this.picker.label.textContent =
      chosen.length > 1
        ? t("form.games", { n: chosen.length })
        : t("form.game", { name: variantName(chosen[0]) });
    this.color = color;
    this.details.replaceChildren(
      ...chosen.flatMap((variant) => this.optionFields(variant, chosen.length > 1)),
      ...(this.hasSideChoice() ? [this.sideField(chosen[0])] : []),
    );
    this.details.hidden = this.details.childElementCount === 0;
    this.changed(chosen[0].key);
  }

  /**
   * @param {Variant} variant
   * @param {boolean} hasName  whether labels begin with the name of the variant
   */
  optionFields(variant, hasName) {
    return variant.options.map(({ key, values }) => {
      const change = (/** @type {Event & { target: HTMLSelectElement }} */ event) => {
        this.options[key] = event.target.value;
      };
      const label = `${hasName ? `${variantName(variant)}: ` : ""}${t(`option.${key}`)}`;
      return h(
        "label",
        { class: "field" },
        label,
        selectBox(
          { name: key, onchange: change },
          values.map((value) => [String(value), t(`option.${key}.${value}`)]),
          String(this.options[key]),
        ),
      );
    });
  }

  /** Whether the form has a choice of sides: the sides of several games have no common names. */
  hasSideChoice() {
    return this.hasSides && this.picker.chosen.length === 1;
  }

  /** @param {Variant} variant */
  sideField(variant) {
    const sides = [
      ["random", t("form.random")],
      ...variant.sides.map((side, at) => [at ? "second" : "first", t(`side.${side}`)]),
    ];
    return h(
      "fieldset",
      {},
      h("legend", {}, t("form.side")),
      choiceGroup("segmented", t("form.side"), sides, this.color, (color) => {
        this.color = color;
      }),
    );
  }

  /** Returns the fields of the request. */
  fields() {
    const chosen = this.selectedVariants();
    const own = chosen.flatMap((variant) =>
      variant.options.map(({ key }) => [`options.${key}`, this.options[key]]),
    );
    const games =
      chosen.length > 1 ? { variants: this.picker.chosen.join(",") } : { variant: chosen[0].key };
    return {
      ...games,
      ...(this.hasSideChoice() ? { color: this.color } : {}),
      ...Object.fromEntries(own),
    };
  }
}
