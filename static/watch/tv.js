// TV channels (the best game in progress of each variant, one link each) and the pager of the list
// of games in progress. Used by watch.js.
import { get } from "../lib/http.js";
import { h, pagingLink } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { playerLine, playerWithRating } from "../common/mini-board.js";
import { t, variantName } from "../lib/i18n.js";

/** Polling interval of the channels. */
const POLL_INTERVAL_MS = 5000;

/** Section of the TV channels; hidden while there are none. */
export class TvChannels {
  /** @type {Catalog} */ catalog;
  /** @type {Map<string, { item: HTMLElement, gameId: string }>} */ items;

  /** @param {Catalog} catalog */
  constructor(catalog) {
    Object.assign(this, { catalog, items: new Map() });
    this.list = h("ul", { class: "tv-channels" });
    this.element = h(
      "section",
      { hidden: true, "aria-labelledby": "tv-title" },
      h("h2", { id: "tv-title" }, t("tv.title")),
      this.list,
    );
    setInterval(() => document.hidden || this.refresh(), POLL_INTERVAL_MS);
    /** Resolves after the first response. */
    this.ready = this.refresh();
  }

  /**
   * Reloads the channels. Keeps a channel without a game while the pointer or the focus is on it.
   */
  async refresh() {
    const channels = await get("/api/tv/channels").catch(() => null);
    if (!channels) return;
    for (const [key, { item }] of this.items)
      if (!channels[key] && !item.matches(":hover, :focus-within")) this.drop(key);
    for (const variant of this.catalog.values())
      if (channels[variant.key]) this.show(variant, channels[variant.key]);
    this.element.hidden = this.items.size === 0;
  }

  /** @param {string} key */
  drop(key) {
    this.items.get(key)?.item.remove();
    this.items.delete(key);
  }

  /**
   * Shows the game of a channel. A new game replaces the content of the existing item, so that no
   * item moves under the pointer.
   * @param {Variant} variant
   * @param {{ gameId: string, game: AnyGame }} channel
   */
  show(variant, { gameId, game }) {
    const { key } = variant;
    const previous = this.items.get(key);
    if (previous?.gameId === gameId) return;
    const name = variantName(variant);
    const [first, second] = [playerWithRating(game.first), playerWithRating(game.second)];
    const link = h("a", {
      class: "stretched-link",
      href: `/${gameId}?tv=${key}`,
      "aria-label": t("tv.says", { game: name, first, second }),
    });
    const tile = h(
      "div",
      { class: "tv-channel" },
      h("span", { class: "variant-icon" }, icon(key)),
      h(
        "span",
        { class: "tv-channel-players", "aria-hidden": "true" },
        h("span", { class: "small soft" }, name),
        playerLine(game.first),
        playerLine(game.second),
      ),
      link,
    );
    if (previous) {
      const hadFocus = previous.item.contains(document.activeElement);
      previous.item.replaceChildren(tile);
      if (hadFocus) link.focus({ preventScroll: true });
      previous.gameId = gameId;
      return;
    }
    const item = h("li", { class: "card", "data-tv": key }, tile);
    const order = [...this.catalog.keys()];
    const next = [.../** @type {Iterable<HTMLElement>} */ (this.list.children)].find(
      (other) => order.indexOf(other.dataset.tv ?? "") > order.indexOf(key),
    );
    this.list.insertBefore(item, next ?? null);
    this.items.set(key, { item, gameId });
  }
}

/** Links to the previous and the next page of the list. */
export class Pager {
  /** @type {(page: number | null) => string} */ address;
  /** @type {() => unknown} */ onPage;
  /** @type {string} */ drawnKey;

  /**
   * `address(page)` returns the address of a page, null being the first; `onPage()` is called after
   * navigation to another page.
   * @param {(page: number | null) => string} address
   * @param {() => unknown} onPage
   */
  constructor(address, onPage) {
    Object.assign(this, { address, onPage });
    this.element = h("nav", { class: "pager", "aria-label": t("games.pages"), hidden: true });
  }

  /**
   * @param {number} page  1-based
   * @param {number} pages  number of pages
   */
  show(page, pages) {
    this.element.hidden = pages <= 1 && page <= 1;
    const key = `${page} ${pages} ${location.search}`;
    if (this.drawnKey === key) return;
    this.drawnKey = key;
    const content = h(
      "span",
      { class: "small soft num" },
      t("games.page", { page, pages: Math.max(page, pages) }),
    );
    this.element.replaceChildren(
      this.pageLink("live.back", page - 1, page > 1),
      content,
      this.pageLink("live.on", page + 1, page < pages),
    );
  }

  /**
   * Returns the link to a page, or an empty placeholder that keeps the layout.
   * @param {string} key  phrase key of the link
   * @param {number} page
   * @param {boolean} exists  whether the page exists
   */
  pageLink(key, page, exists) {
    return exists
      ? pagingLink(t(key), this.address(page > 1 ? page : null), () => this.onPage())
      : h("span", {});
  }
}
