// Filter of the games in progress: variant, average rating, rated or casual, and order. The query
// string of the address is the only state, so that links and the Back button work. Used by
// watch.js.
import { h } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { t, variantName } from "../lib/i18n.js";

const SORTS = ["rating", "new", "watchers"];

/** The highest bound a rating may have. */
const RATING_MAX = 4000;

/** Viewport on which the additional filters are expanded at first. */
const WIDE = "(min-width: 768px)";

/** @type {(text: string, input: HTMLElement) => HTMLElement} */
const label = (text, input) => h("label", { class: "field" }, text, input);

/** @type {(name: string, choices: string[][]) => HTMLSelectElement} */
const select = (name, choices) =>
  h("select", { name }, ...choices.map(([value, text]) => h("option", { value }, text)));

/** @type {(name: string) => HTMLInputElement} */
const boundInput = (name) =>
  h("input", {
    name,
    type: "number",
    inputmode: "numeric",
    min: 0,
    max: RATING_MAX,
    step: 50,
    "aria-describedby": "live-wrong",
  });

/**
 * Splits the rating range of the address into its bounds. Keeps invalid bounds unchanged, for the
 * error message.
 * @param {string} text
 */
const boundsOf = (text) => (/^(-?[^-]*)-(.*)$/.exec(text) ?? ["", text, ""]).slice(1);

/**
 * Returns the error message for a rating range; "" if it is valid.
 * @param {string} low
 * @param {string} high
 */
const rangeError = (low, high) => {
  const isBound = (/** @type {string} */ text) => /^\d*$/.test(text) && Number(text) <= RATING_MAX;
  if (!isBound(low) || !isBound(high)) return t("live.bounds", { max: RATING_MAX });
  return low && high && Number(low) > Number(high) ? t("form.empty") : "";
};

/** Filter controls of the page of games in progress. */
export class LiveFilter {
  /**
   * @param {Catalog} catalog
   * @param {() => unknown} changed  called after each change of the filter
   */
  constructor(catalog, changed) {
    this.changed = changed;
    this.chips = this.createChips(catalog);
    this.bounds = { low: boundInput("low"), high: boundInput("high") };
    this.kind = select("rated", [
      ["", t("games.all")],
      ["true", t("card.rated")],
      ["false", t("card.casual")],
    ]);
    this.sort = select(
      "sort",
      SORTS.map((sort) => [sort, t(`live.sort.${sort}`)]),
    );
    this.error = h("p", { class: "form-error", id: "live-wrong", role: "alert" });
    this.more = h(
      "details",
      { class: "watch-more-filters" },
      h("summary", {}, t("live.filters")),
      this.createForm(),
    );
    this.more.open =
      matchMedia(WIDE).matches || ["rating", "rated", "sort"].some((name) => this.query.get(name));
    addEventListener("popstate", () => this.show());
    this.element = h(
      "div",
      {},
      h(
        "div",
        { class: "filter-chips watch-variants", role: "group", "aria-label": t("lobby.filter") },
        ...this.chips,
      ),
      this.more,
      this.error,
    );
    this.show(false);
  }

  /**
   * Returns the buttons that choose a variant.
   * @param {Catalog} catalog
   */
  createChips(catalog) {
    const games = [
      ["", t("lobby.all")],
      ...[...catalog.values()].map((variant) => [variant.key, variantName(variant)]),
    ];
    return games.map(([key, name]) =>
      h(
        "button",
        { type: "button", "data-key": key, onclick: () => this.set({ variant: key }) },
        key && icon(key),
        name,
      ),
    );
  }

  /** Returns the form of the additional filters. */
  createForm() {
    const form = h(
      "form",
      { class: "watch-filters", role: "search", "aria-label": t("lobby.filter") },
      h(
        "div",
        { class: "watch-rating-range", role: "group", "aria-label": t("live.average") },
        label(t("live.low"), this.bounds.low),
        label(t("live.high"), this.bounds.high),
      ),
      label(t("games.kind"), this.kind),
      label(t("live.sort"), this.sort),
    );
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", () => this.applyForm());
    return form;
  }

  get query() {
    return new URLSearchParams(location.search);
  }

  /** Returns whether any filter other than the order is set. */
  get isSet() {
    return ["variant", "rating", "rated"].some((name) => this.query.get(name));
  }

  /** Returns the rating bounds of the address. */
  get ratingBounds() {
    const text = this.query.get("rating");
    const [low, high] = text ? boundsOf(text) : ["", ""];
    return { low, high };
  }

  /** Returns the error message for the rating bounds of the address; "" if they are valid. */
  get ratingError() {
    const { low, high } = this.ratingBounds;
    return rangeError(low, high);
  }

  get page() {
    return Math.max(1, Math.floor(Number(this.query.get("page"))) || 1);
  }

  /**
   * Shows an error message for the rating bounds; "" removes it.
   * @param {string} message
   */
  showRatingError(message) {
    this.error.textContent = message;
    for (const input of Object.values(this.bounds))
      input.setAttribute("aria-invalid", String(Boolean(message)));
  }

  /** Applies the values of the form, if they are valid. */
  applyForm() {
    const { low, high } = Object.fromEntries(
      Object.entries(this.bounds).map(([end, { value }]) => [end, value.trim()]),
    );
    const error = rangeError(low, high);
    this.showRatingError(error);
    if (error) return;
    this.set({
      rating: low || high ? `${low}-${high}` : "",
      rated: this.kind.value,
      sort: this.sort.value === SORTS[0] ? "" : this.sort.value,
    });
  }

  /**
   * Returns the address with changed parameters. Removes empty ones, and the page number unless
   * given.
   * @param {Record<string, string | number | null>} values
   */
  address(values) {
    const query = this.query;
    query.delete("page");
    for (const [name, value] of Object.entries(values)) {
      if (value) query.set(name, value);
      else query.delete(name);
    }
    return `${location.pathname}${query.size ? `?${query}` : ""}`;
  }

  /**
   * Navigates to a changed filter.
   * @param {Record<string, string>} values
   */
  set(values) {
    const next = this.address(values);
    if (next === `${location.pathname}${location.search}`) return;
    history.pushState(null, "", next);
    this.show();
  }

  reset() {
    this.set({ variant: "", rating: "", rated: "" });
  }

  /**
   * Updates the controls to the address.
   * @param {boolean} [notify]  whether to call `changed`
   */
  show(notify = true) {
    const { query } = this;
    for (const chip of this.chips)
      chip.setAttribute("aria-pressed", String(chip.dataset.key === (query.get("variant") ?? "")));
    const { low, high } = this.ratingBounds;
    this.bounds.low.value = low;
    this.bounds.high.value = high;
    this.kind.value = query.get("rated") ?? "";
    this.sort.value = query.get("sort") ?? SORTS[0];
    this.showRatingError(this.ratingError);
    if (notify) this.changed();
  }
}
