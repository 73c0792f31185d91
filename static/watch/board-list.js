// List of games in progress on its page: mini-boards, number of games, empty state and pager.
// Created by `watch.js`, which calls `show` after each change of the state.
import { h, setText } from "../lib/dom.js";
import { MiniBoard } from "../common/mini-board.js";
import { Pager } from "./tv.js";
import { emptyBoard } from "../common/variant-cards.js";
import { t } from "../lib/i18n.js";

/** Time for which a finished game stays. */
const FINISHED_MS = 2000;

/** @typedef {import("./state.js").WatchState} WatchState */

/** List of mini-boards. */
export class BoardList {
  /** @type {Catalog} */ catalog;
  /** @type {import("./filter.js").LiveFilter} */ filter;
  /** @type {() => number} */ now;
  /** @type {Map<number, MiniBoard>} */ cards;
  /** @type {string} */ drawnKey;

  /**
   * `now()` returns the server time in epoch milliseconds; `reload()` loads the list of the
   * address.
   * @param {Catalog} catalog
   * @param {import("./filter.js").LiveFilter} filter
   * @param {{ now: () => number, reload: () => Promise<unknown> }} options
   */
  constructor(catalog, filter, { now, reload }) {
    Object.assign(this, { catalog, filter, now, cards: new Map() });
    this.count = h("p", { class: "small soft num", role: "status" });
    this.head = h("h2", { tabindex: -1 }, t("live.all"));
    this.list = h("ul", { class: "watch-boards" });
    this.empty = h("div", { class: "empty-state watch-empty", hidden: true });
    this.pager = new Pager(
      (page) => filter.address({ page }),
      () => reload().then(() => this.head.focus()),
    );
    this.element = h(
      "section",
      {},
      h("div", { class: "watch-head" }, this.head, this.count),
      filter.element,
      this.list,
      this.empty,
      this.pager.element,
    );
  }

  /** Shows that another list is requested. */
  setBusy() {
    this.list.setAttribute("aria-busy", "true");
  }

  /**
   * Shows a state. `previous` is the state shown before.
   * @param {WatchState} state
   * @param {WatchState} previous
   */
  show(state, previous) {
    if (state.boards !== previous.boards) this.showBoards(state, previous);
    if (state.listing !== previous.listing) this.showListing(state);
  }

  /**
   * @param {WatchState} state
   * @param {WatchState} previous
   */
  showBoards({ boards }, previous) {
    const numbers = new Set(boards.map(({ number }) => number));
    for (const [number, { element }] of this.cards) {
      if (numbers.has(number)) continue;
      element.remove();
      this.cards.delete(number);
    }
    boards.forEach((board, at) => {
      if (!previous.boards.includes(board)) this.showBoard(board, at);
    });
  }

  /**
   * Updates a board, or inserts a new one at its position.
   * @param {import("./state.js").WatchedBoard} board
   * @param {number} at
   */
  showBoard({ number, game, end }, at) {
    const card = this.cards.get(number);
    if (!card) {
      const added = new MiniBoard(game, this.catalog.get(game.variant.key));
      this.cards.set(number, added);
      this.list.insertBefore(added.element, this.list.children[at] ?? null);
      return;
    }
    if (end) card.end(end, this.now());
    else card.show(game);
    card.tick(this.now());
  }

  /** @param {WatchState} state */
  showListing({ boards, listing: { total, page, pages, error } }) {
    this.list.removeAttribute("aria-busy");
    const count = total ? t("live.total", { n: total }) : "";
    setText(this.count, count);
    this.empty.hidden = boards.length > 0;
    if (!this.empty.hidden) this.drawEmpty(error);
    if (error === undefined) this.pager.show(page, pages);
  }

  /** @param {string} [errorText] */
  drawEmpty(errorText) {
    const variant =
      this.catalog.get(this.filter.query.get("variant") ?? "") ?? [...this.catalog.values()].at(-1);
    const other = this.filter.isSet || this.filter.page > 1;
    const key = [variant.key, other, errorText].join();
    if (this.drawnKey === key) return;
    this.drawnKey = key;
    const button = other
      ? h(
          "button",
          { class: "btn btn-primary", type: "button", onclick: () => this.filter.reset() },
          t("live.reset"),
        )
      : h("a", { class: "btn btn-primary", href: "/lobby" }, t("live.post"));
    this.empty.replaceChildren(
      emptyBoard(variant),
      h("p", {}, errorText ?? t(other ? "live.nonesuch" : "live.none")),
      button,
    );
  }

  /**
   * Returns the games that can be replaced: they were visible for `FINISHED_MS` after their end,
   * and neither the pointer nor the focus is on them.
   */
  replaceableIds() {
    return [...this.cards.values()]
      .filter(
        ({ ended, element }) =>
          ended !== null &&
          Date.now() - ended.at >= FINISHED_MS &&
          !element.matches(":hover, :focus-within"),
      )
      .map(({ id }) => id);
  }

  tick() {
    const now = this.now();
    for (const card of this.cards.values()) card.tick(now);
  }
}
