// Setup panel of the analysis board: variant, options and start position (initial or from a
// position text). Created by analysis.js when no game is analyzed.
import { field } from "../lib/form.js";
import { h, selectBox } from "../lib/dom.js";
import { iconButton } from "../lib/keyboard.js";
import { t, variantName } from "../lib/i18n.js";

/**
 * @typedef {(variant: Variant, options: Options, start: string | null) => Promise<unknown>}
 * StartHandler
 */

/** Setup panel. */
export class Setup {
  /** @type {Catalog} */ catalog;
  /** @type {StartHandler} */ onStart;
  /** @type {Variant} */ variant;
  /** @type {Options} */ options;
  /** @type {import("./tree.js").Tree} */ tree;

  /**
   * `onStart(variant, options, start)` loads a position; it rejects if the position is invalid.
   * @param {Catalog} catalog
   * @param {Variant} variant
   * @param {StartHandler} onStart
   */
  constructor(catalog, variant, onStart) {
    Object.assign(this, { catalog, onStart, variant, options: {} });
    this.game = selectBox(
      { name: "variant", onchange: () => this.choose(catalog.get(this.game.value)) },
      [...catalog.values()].map((one) => [one.key, variantName(one)]),
      variant.key,
    );
    this.fields = h("div", { class: "analysis-options" });
    this.text = h("textarea", {
      name: "position",
      rows: 4,
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
    });
    this.error = h("p", { class: "form-error", role: "alert" });
    const resetButton = iconButton("analysis.fresh", "M4 5v5h5M4.6 10a8 8 0 1 1-.5 4", () =>
      this.reset(),
    );
    // The variant stands at the top of the page; the rarely used position text has a card of its
    // own.
    this.chooser = h(
      "div",
      { class: "analysis-chooser" },
      field(t("analysis.game"), this.game),
      this.fields,
      resetButton,
    );
    this.element = h(
      "section",
      { class: "card analysis-setup" },
      h("h2", {}, t("analysis.position")),
      h(
        "form",
        {
          class: "analysis-setup-form",
          novalidate: true,
          onsubmit: (/** @type {SubmitEvent} */ event) => this.applyText(event),
        },
        field(t("analysis.text"), this.text),
        this.error,
        h("button", { class: "btn", type: "submit" }, t("analysis.set")),
      ),
    );
  }

  /**
   * Switches to the initial position of a variant.
   * @param {Variant} variant
   */
  choose(variant) {
    this.variant = variant;
    this.options = {};
    return this.reset();
  }

  /** Loads the initial position. */
  async reset() {
    this.error.textContent = "";
    this.text.removeAttribute("aria-invalid");
    await this.onStart(this.variant, this.options, null).catch((refused) => {
      this.error.textContent = refused.message;
    });
  }

  /**
   * Loads the position of the text field.
   * @param {SubmitEvent} event
   */
  async applyText(event) {
    event.preventDefault();
    const text = this.text.value.trim();
    this.error.textContent = "";
    try {
      await this.onStart(this.variant, this.options, text);
      this.text.removeAttribute("aria-invalid");
    } catch (refused) {
      this.showError(text, refused);
    }
  }

  /**
   * Shows the error of a position text.
   * @param {string} text
   * @param {import("../lib/http.js").ApiError & { body: { error: string } }} error  the body
   *   exists
   *   whenever there is a reason
   */
  showError(text, error) {
    this.text.value = text;
    this.text.setAttribute("aria-invalid", "true");
    this.error.textContent =
      error.reason === "badPosition" ? t("analysis.bad", { why: error.body.error }) : error.message;
  }

  /**
   * Shows a message about the moves of the position.
   * @param {string} text
   */
  showMessage(text) {
    this.error.textContent = text;
  }

  /**
   * Updates the fields to a tree and its current step.
   * @param {import("./tree.js").Tree} tree
   */
  show(tree) {
    const { variant, options } = tree;
    const other = this.variant !== variant || !this.fields.childElementCount;
    Object.assign(this, { variant, options: { ...options } });
    this.game.value = variant.key;
    if (other || this.tree !== tree)
      this.fields.replaceChildren(...variant.options.map((option) => this.optionSelect(option)));
    this.tree = tree;
    if (document.activeElement !== this.text) this.text.value = tree.at.position;
  }

  /**
   * Returns the select of a variant option.
   * @param {VariantOption} option
   */
  optionSelect({ key, values }) {
    const change = (/** @type {{ target: HTMLSelectElement }} */ event) => {
      this.options[key] = /** @type {OptionValue} */ (
        values.find((value) => String(value) === event.target.value)
      );
      this.reset();
    };
    return field(
      t(`option.${key}`),
      selectBox(
        { name: key, onchange: change },
        values.map((value) => [String(value), t(`option.${key}.${value}`)]),
        String(this.options[key]),
      ),
    );
  }
}
