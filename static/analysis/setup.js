// What is analysed: a game with its options, from its start or from any position text.
import { field } from "../lib/dialog.js";
import { h } from "../lib/dom.js";
import { iconButton } from "../lib/keyboard.js";
import { say, variantName } from "../lib/i18n.js";

export class Setup {
  /** @type {Catalogue} */ catalogue;
  /** @type {(variant: Variant, options: Options, start: string | null) => Promise<unknown>} */ begin;
  /** @type {Variant} */ variant;
  /** @type {Options} */ options;
  /** @type {import("./tree.js").Tree} */ shown;

  /**
   * `begin(variant, options, start)` begins anew; it throws if there is no such position.
   * @param {Catalogue} catalogue
   * @param {Variant} variant
   * @param {(variant: Variant, options: Options, start: string | null) => Promise<unknown>} begin
   */
  constructor(catalogue, variant, begin) {
    Object.assign(this, { catalogue, begin, variant, options: {} });
    const games = [...catalogue.values()].map((one) =>
      h("option", { value: one.key, selected: one === variant }, variantName(one)),
    );
    this.game = h(
      "select",
      { name: "variant", onchange: () => this.choose(catalogue.get(this.game.value)) },
      ...games,
    );
    this.fields = h("div", { class: "fields" });
    this.text = h("textarea", {
      name: "position",
      rows: 4,
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
    });
    this.wrong = h("p", { class: "wrong", role: "alert" });
    const fresh = iconButton("analysis.fresh", "M4 5v5h5M4.6 10a8 8 0 1 1-.5 4", () =>
      this.fresh(),
    );
    // Which game it is stands at the top; the text of a position is for those who look for it.
    this.chooser = h(
      "div",
      { class: "chooser" },
      field(say("analysis.game"), this.game),
      this.fields,
      fresh,
    );
    this.element = h(
      "section",
      { class: "card setup" },
      h("h2", {}, say("analysis.position")),
      h(
        "form",
        { class: "fields", novalidate: true, onsubmit: (event) => this.set(event) },
        field(say("analysis.text"), this.text),
        this.wrong,
        h("button", { class: "btn", type: "submit" }, say("analysis.set")),
      ),
    );
  }

  /** Another game begins at its own start. */
  choose(variant) {
    this.variant = variant;
    this.options = {};
    return this.fresh();
  }

  async fresh() {
    this.wrong.textContent = "";
    this.text.removeAttribute("aria-invalid");
    await this.begin(this.variant, this.options, null).catch((refused) => {
      this.wrong.textContent = refused.message;
    });
  }

  async set(event) {
    event.preventDefault();
    const text = this.text.value.trim();
    this.wrong.textContent = "";
    try {
      await this.begin(this.variant, this.options, text);
      this.text.removeAttribute("aria-invalid");
    } catch (refused) {
      this.refuse(text, refused);
    }
  }

  /** Says what is wrong with a text, and where, as the rules have it. */
  refuse(text, refused) {
    this.text.value = text;
    this.text.setAttribute("aria-invalid", "true");
    this.wrong.textContent =
      refused.reason === "badPosition"
        ? say("analysis.bad", { why: refused.body.error })
        : refused.message;
  }

  /** Shows what is analysed now, and the text of what stands. */
  show(tree) {
    const { variant, options } = tree;
    const other = this.variant !== variant || !this.fields.childElementCount;
    Object.assign(this, { variant, options: { ...options } });
    this.game.value = variant.key;
    if (other || this.shown !== tree)
      this.fields.replaceChildren(...variant.options.map((option) => this.choice(option)));
    this.shown = tree;
    if (document.activeElement !== this.text) this.text.value = tree.at.position;
  }

  choice({ key, values }) {
    const choices = values.map((value) =>
      h(
        "option",
        { value: String(value), selected: String(value) === String(this.options[key]) },
        say(`option.${key}.${value}`),
      ),
    );
    const change = (event) => {
      this.options[key] = values.find((value) => String(value) === event.target.value);
      this.fresh();
    };
    return field(say(`option.${key}`), h("select", { name: key, onchange: change }, ...choices));
  }
}
