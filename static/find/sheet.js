// Choice of games, time controls and rated or casual games for a search: chips, of each group at
// least one. Created by find.js.
import { h } from "../lib/dom.js";
import { asyncButton } from "../lib/form.js";
import { icon } from "../variants/index.js";
import { SEARCH_CLOCKS, SEARCH_KINDS } from "../common/opponent-search.js";
import { t, variantName } from "../lib/i18n.js";

/** @typedef {import("../common/opponent-search.js").SearchTerms} SearchTerms */

/** Group of chips of which one or several are pressed. */
class Chips {
  /** @type {string[]} */ chosen;

  /**
   * `choices` are [value, ...content].
   * @param {string} label
   * @param {[value: string, ...content: Child[]][]} choices
   * @param {string[]} chosen
   */
  constructor(label, choices, chosen) {
    this.chosen = chosen;
    this.buttons = choices.map(([value, ...content]) =>
      h(
        "button",
        { type: "button", "data-value": value, onclick: () => this.toggle(value) },
        ...content,
      ),
    );
    this.element = h(
      "div",
      { class: "filter-chips find-chips", role: "group", "aria-label": label },
      ...this.buttons,
    );
    this.draw();
  }

  /**
   * Presses or releases a chip; the last one stays pressed.
   * @param {string} value
   */
  toggle(value) {
    const others = this.chosen.filter((each) => each !== value);
    const isOn = others.length === this.chosen.length;
    if (!isOn && others.length === 0) return;
    const values = this.buttons.map(({ dataset }) => /** @type {string} */ (dataset.value));
    this.chosen = values.filter((each) => others.includes(each) || (isOn && each === value));
    this.draw();
  }

  draw() {
    for (const button of this.buttons)
      button.setAttribute(
        "aria-pressed",
        String(this.chosen.includes(/** @type {string} */ (button.dataset.value))),
      );
  }
}

/** Returns the labels of the time controls, with what they mean. */
const clockLabels = () => [
  ["5", t("find.clock5"), "5+3"],
  ["10", t("find.clock10"), "10+5"],
  ["days", t("find.clockDays"), t("card.days", { n: 3 })],
];

/** Choice of the terms of a search. */
export class SearchSheet {
  /**
   * `startSearch(terms)` starts the search. Guests have no choice between rated and casual games.
   * @param {Catalog} catalog
   * @param {Partial<SearchTerms>} last terms of the last search
   * @param {boolean} isGuest
   * @param {(terms: SearchTerms) => Promise<unknown>} startSearch
   */
  constructor(catalog, last, isGuest, startSearch) {
    const known = (last.games ?? []).filter((key) => catalog.has(key));
    const clocks = (last.clocks ?? []).filter((key) => Object.hasOwn(SEARCH_CLOCKS, key));
    this.games = new Chips(
      t("find.games"),
      [...catalog.values()].map((variant) => [
        variant.key,
        icon(variant.key),
        variantName(variant),
      ]),
      known.length ? known : [...catalog.keys()],
    );
    this.clocks = new Chips(
      t("find.time"),
      clockLabels().map(([key, name, meaning]) => [
        key,
        h("b", {}, name),
        h("span", { class: "num" }, meaning),
      ]),
      clocks.length ? clocks : ["10"],
    );
    const kinds = (last.kinds ?? []).filter((key) => SEARCH_KINDS.includes(key));
    this.kinds = new Chips(
      t("find.kind"),
      [
        ["rated", t("card.rated")],
        ["casual", t("card.casual")],
      ],
      kinds.length ? kinds : SEARCH_KINDS,
    );
    this.error = h("p", { class: "form-error", role: "alert" });
    this.element = h(
      "div",
      { class: "find-sheet" },
      h("h1", {}, t("quick.person")),
      h("h2", {}, t("find.games")),
      this.games.element,
      h("h2", {}, t("find.time")),
      this.clocks.element,
      ...(isGuest ? [] : [h("h2", {}, t("find.kind")), this.kinds.element]),
      this.error,
      h(
        "div",
        { class: "sheet-foot" },
        asyncButton(
          t("find.look"),
          async () => {
            this.error.textContent = "";
            await startSearch({
              games: this.games.chosen,
              clocks: this.clocks.chosen,
              kinds: this.kinds.chosen,
            });
          },
          "btn btn-primary btn-large find-look",
        ),
      ),
    );
  }

  /**
   * Shows the refusal of a search.
   * @param {string} message
   */
  showError(message) {
    this.error.textContent = message;
  }
}
