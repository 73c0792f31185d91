// Paged list of a player's games with filters. The address is the only state: each change of filter
// or page pushes a history entry, so that Back works. Used by the player page.
import { get } from "../lib/http.js";
import { h, pagingLink, selectBox } from "../lib/dom.js";
import { userHandle } from "./user-link.js";
import { gameRow } from "./result.js";
import { emptyBoard } from "./variant-cards.js";
import { t, variantName } from "../lib/i18n.js";

const CHOICES = {
  rated: [
    ["true", "card.rated"],
    ["false", "card.casual"],
  ],
  result: [
    ["win", "games.win"],
    ["loss", "games.loss"],
    ["draw", "games.draw"],
    ["void", "games.void"],
    ["playing", "games.playing"],
  ],
  side: [
    ["first", "games.first"],
    ["second", "games.second"],
  ],
};
const FIELDS = ["variant", "rated", "result", "vs", "side"];

/**
 * Response of `GET /api/user/{name}/games`.
 * @typedef {{ games: Summary[], page: number, pages: number, total: number }} GamePage
 */

/**
 * Form with controls by name.
 * @typedef {HTMLFormElement & {
 *   elements: Record<string, HTMLInputElement | HTMLSelectElement>,
 * }} FilterForm
 */

/**
 * @param {string} label
 * @param {HTMLElement} input
 */
const field = (label, input) => h("label", { class: "field" }, label, input);

/** List of one player's games. */
export class GameList {
  /** @type {Catalog} */ catalog;
  /** @type {User} */ user;
  /** @type {number} */ lastRequest;

  /**
   * @param {Catalog} catalog
   * @param {User} user
   */
  constructor(catalog, user) {
    Object.assign(this, { catalog, user, lastRequest: 0 });
    /** @type {(name: string, label: string, choices: [string, string][]) => HTMLElement} */
    const select = (name, label, choices) =>
      field(label, selectBox({ name }, [["", t("games.all")], ...choices]));
    /** @type {(name: keyof typeof CHOICES) => [string, string][]} */
    const choices = (name) => CHOICES[name].map(([value, key]) => [value, t(key)]);
    this.filters = /** @type {FilterForm} */ (
      h(
        "form",
        { class: "game-list-filters", role: "search", "aria-label": t("games.filter") },
        select(
          "variant",
          t("games.variant"),
          [...catalog.values()].map((variant) => [variant.key, variantName(variant)]),
        ),
        select("rated", t("games.kind"), choices("rated")),
        select("result", t("games.result"), choices("result")),
        select("side", t("games.side"), choices("side")),
        field(
          t("games.opponent"),
          h("input", {
            name: "vs",
            type: "search",
            maxlength: 20,
            autocomplete: "off",
            autocapitalize: "none",
            spellcheck: "false",
          }),
        ),
      )
    );
    this.filters.addEventListener("submit", (event) => {
      event.preventDefault();
      this.change();
    });
    this.filters.addEventListener("change", () => this.change());
    this.head = h("h2", { tabindex: -1 }, t("games.title"));
    this.count = h("p", { class: "small soft num", role: "status" });
    this.list = h("ul", { class: "game-list" });
    this.pager = h("nav", { class: "pager", "aria-label": t("games.pages") });
    this.element = h(
      "section",
      {},
      h("div", { class: "game-list-head" }, this.head, this.count),
      this.filters,
      this.list,
      this.pager,
    );
    addEventListener("popstate", () => this.show());
    this.show();
  }

  get query() {
    return new URLSearchParams(location.search);
  }

  /**
   * Returns the address with changed query values; empty values are removed from it.
   * @param {Record<string, string | number | null>} values
   */
  address(values) {
    const query = this.query;
    for (const [name, value] of Object.entries(values)) {
      if (value) query.set(name, value);
      else query.delete(name);
    }
    return `${location.pathname}${query.size ? `?${query}` : ""}`;
  }

  change() {
    const values = Object.fromEntries(
      FIELDS.map((name) => [name, this.filters.elements[name].value.trim()]),
    );
    const next = this.address({ ...values, page: null });
    if (next === `${location.pathname}${location.search}`) return;
    history.pushState(null, "", next);
    this.show();
  }

  async show() {
    const query = this.query;
    for (const name of FIELDS) this.filters.elements[name].value = query.get(name) ?? "";
    const request = ++this.lastRequest;
    this.list.setAttribute("aria-busy", "true");
    try {
      const answer = await get(`/api/user/${userHandle(this.user)}/games?${query}`);
      if (request === this.lastRequest) this.draw(answer);
    } catch (refused) {
      if (request === this.lastRequest)
        this.list.replaceChildren(h("li", { class: "empty-state" }, refused.message));
    }
    this.list.removeAttribute("aria-busy");
  }

  /** @param {GamePage} answer */
  draw({ games, page, pages, total }) {
    this.count.textContent = t("games.total", { n: total });
    const filtered = FIELDS.some((name) => this.query.get(name));
    this.filters.hidden = !filtered && total === 0;
    const none = filtered ? h("li", { class: "empty-state" }, t("games.nonesuch")) : this.noGames();
    this.list.replaceChildren(
      ...(games.length
        ? games.map((game) => gameRow(game, this.user, this.catalog.get(game.variant.key)))
        : [none]),
    );
    this.pager.hidden = pages <= 1;
    this.pager.replaceChildren(
      this.pageLink("games.newer", page - 1, page > 1),
      h("span", { class: "small soft num" }, t("games.page", { page, pages })),
      this.pageLink("games.older", page + 1, page < pages),
    );
  }

  /** Returns the content of a list without games. */
  noGames() {
    return h(
      "li",
      { class: "empty-state" },
      emptyBoard([...this.catalog.values()][this.catalog.size - 1]),
      h("p", {}, t("games.none")),
      h("a", { class: "btn", href: "/" }, t("nav.play")),
    );
  }

  /**
   * Returns a link to another page of the list, or an empty element that preserves the layout.
   * @param {string} key
   * @param {number} page
   * @param {boolean} exists  whether the page exists
   */
  pageLink(key, page, exists) {
    return exists
      ? pagingLink(t(key), this.address({ page: page > 1 ? page : null }), () =>
          this.show().then(() => this.head.focus()),
        )
      : h("span", {});
  }
}
