// Which games are offered, with what options, and on which side.
import { choose, h } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { Picker } from "../lib/choice.js";
import { say, variantName } from "../lib/i18n.js";

export class GameChoice {
  /** @type {Catalogue} */ variants;
  /** @type {(key: string) => unknown} */ changed;
  /** @type {string} */ color;
  /** @type {boolean} */ seats;
  /** @type {Options} */ options;

  /**
   * `changed(key)` is told the first of the games whenever they change; `several` says whether many can be chosen.
   * @param {Catalogue} variants
   * @param {(key: string) => unknown} changed
   * @param {boolean} [several]
   */
  constructor(variants, changed, several = true) {
    Object.assign(this, { variants, changed, color: "random", seats: true });
    this.options = Object.fromEntries(
      [...variants.values()].flatMap((variant) =>
        variant.options.map(({ key, default: usual }) => [key, usual]),
      ),
    );
    this.details = h("div", {});
    const games = [...variants.values()].map((variant) => [
      variant.key,
      icon(variant.key),
      variantName(variant),
    ]);
    const [first] = variants.keys();
    this.picker = new Picker("pick", say("form.choose"), games, first, () => this.draw());
    this.picker.more.hidden = !several;
    this.element = this.picker.element;
  }

  /** Takes up what was sent another time, as far as it can still be chosen. */
  recall(sent) {
    for (const { key, values } of [...this.variants.values()].flatMap(({ options }) => options)) {
      const value = values.find((each) => String(each) === String(sent[`options.${key}`]));
      if (value !== undefined) this.options[key] = value;
    }
    if (this.variants.has(sent.variant)) this.picker.pick(sent.variant);
    this.draw(["first", "second"].includes(sent.color) ? sent.color : "random");
  }

  chosen() {
    return this.picker.chosen.map((key) => this.variants.get(key));
  }

  /** Whether a side can be chosen: not where seats go by their links. */
  setSeats(seats) {
    if (this.seats === seats) return;
    this.seats = seats;
    this.draw();
  }

  draw(color = "random") {
    const chosen = this.chosen();
    this.picker.label.textContent =
      chosen.length > 1
        ? say("form.games", { n: chosen.length })
        : say("form.game", { name: variantName(chosen[0]) });
    this.color = color;
    this.details.replaceChildren(
      ...chosen.flatMap((variant) => this.optionFields(variant, chosen.length > 1)),
      ...(this.sided() ? [this.sides(chosen[0])] : []),
    );
    this.details.hidden = this.details.childElementCount === 0;
    this.changed(chosen[0].key);
  }

  optionFields(variant, named) {
    return variant.options.map(({ key, values }) => {
      const choices = values.map((value) =>
        h(
          "option",
          { value: String(value), selected: String(value) === String(this.options[key]) },
          say(`option.${key}.${value}`),
        ),
      );
      const change = (event) => {
        this.options[key] = event.target.value;
      };
      const label = `${named ? `${variantName(variant)}: ` : ""}${say(`option.${key}`)}`;
      return h(
        "label",
        { class: "field" },
        label,
        h("select", { name: key, onchange: change }, ...choices),
      );
    });
  }

  /** Which of several games it will be is not known, so nobody can choose a side. */
  sided() {
    return this.seats && this.picker.chosen.length === 1;
  }

  sides(variant) {
    const sides = [
      ["random", say("form.random")],
      ...variant.sides.map((side, at) => [at ? "second" : "first", say(`side.${side}`)]),
    ];
    return h(
      "fieldset",
      {},
      h("legend", {}, say("form.side")),
      choose("seg", say("form.side"), sides, this.color, (color) => {
        this.color = color;
      }),
    );
  }

  /** What is sent. */
  fields() {
    const chosen = this.chosen();
    const own = chosen.flatMap((variant) =>
      variant.options.map(({ key }) => [`options.${key}`, this.options[key]]),
    );
    const games =
      chosen.length > 1 ? { variants: this.picker.chosen.join(",") } : { variant: chosen[0].key };
    return { ...games, ...(this.sided() ? { color: this.color } : {}), ...Object.fromEntries(own) };
  }
}
