// Games in play to choose from: the best of each variant, one link each, and the pages of their list, each with an address of its own.
import { get } from "../lib/http.js";
import { h, turnLink } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { seatLine, seatText } from "../common/mini-board.js";
import { say, variantName } from "../lib/i18n.js";

/** How often it is looked whether another game is on air. */
const LOOK_MS = 5000;

export class LiveTv {
  /** @type {Catalogue} */ catalogue;
  /** @type {Map<string, { item: HTMLElement, gameId: string }>} */ shown;

  /** @param {Catalogue} catalogue */
  constructor(catalogue) {
    Object.assign(this, { catalogue, shown: new Map() });
    this.list = h("ul", { class: "tv" });
    this.element = h(
      "section",
      { hidden: true, "aria-labelledby": "tv-title" },
      h("h2", { id: "tv-title" }, say("tv.title")),
      this.list,
    );
    setInterval(() => document.hidden || this.look(), LOOK_MS);
    /** What is on air has been asked for once. */
    this.known = this.look();
  }

  async look() {
    const channels = await get("/api/tv/channels").catch(() => null);
    if (!channels) return;
    for (const [key, { item }] of this.shown)
      if (!channels[key] && !item.matches(":hover, :focus-within")) this.drop(key);
    for (const variant of this.catalogue.values())
      if (channels[variant.key]) this.show(variant, channels[variant.key]);
    this.element.hidden = this.shown.size === 0;
  }

  drop(key) {
    this.shown.get(key)?.item.remove();
    this.shown.delete(key);
  }

  /** Another game takes its place in the link that stands; nothing moves under a hand. */
  show(variant, { gameId, game }) {
    const { key } = variant;
    const before = this.shown.get(key);
    if (before?.gameId === gameId) return;
    const name = variantName(variant);
    const [first, second] = [seatText(game.first), seatText(game.second)];
    const link = h("a", {
      class: "stretched",
      href: `/${gameId}?tv=${key}`,
      "aria-label": say("tv.says", { game: name, first, second }),
    });
    const tile = h(
      "div",
      { class: "channel" },
      h("span", { class: "glyph" }, icon(key)),
      h(
        "span",
        { class: "who", "aria-hidden": "true" },
        h("span", { class: "small soft" }, name),
        seatLine(game.first),
        seatLine(game.second),
      ),
      link,
    );
    if (before) {
      const had = before.item.contains(document.activeElement);
      before.item.replaceChildren(tile);
      if (had) link.focus({ preventScroll: true });
      before.gameId = gameId;
      return;
    }
    const item = h("li", { class: "card", "data-tv": key }, tile);
    const order = [...this.catalogue.keys()];
    const next = [.../** @type {Iterable<HTMLElement>} */ (this.list.children)].find(
      (other) => order.indexOf(other.dataset.tv ?? "") > order.indexOf(key),
    );
    this.list.insertBefore(item, next ?? null);
    this.shown.set(key, { item, gameId });
  }
}

export class LivePager {
  /** @type {(page: number | null) => string} */ address;
  /** @type {() => unknown} */ turned;
  /** @type {string} */ drawn;

  /**
   * `address(page)` is where a page stands, the first being null; `turned()` is told when the address has become another.
   * @param {(page: number | null) => string} address
   * @param {() => unknown} turned
   */
  constructor(address, turned) {
    Object.assign(this, { address, turned });
    this.element = h("nav", { class: "pager", "aria-label": say("games.pages"), hidden: true });
  }

  show(page, pages) {
    this.element.hidden = pages <= 1 && page <= 1;
    const key = `${page} ${pages} ${location.search}`;
    if (this.drawn === key) return;
    this.drawn = key;
    const words = h(
      "span",
      { class: "small soft num" },
      say("games.page", { page, pages: Math.max(page, pages) }),
    );
    this.element.replaceChildren(
      this.leaf("live.back", page - 1, page > 1),
      words,
      this.leaf("live.on", page + 1, page < pages),
    );
  }

  /** A link to another page of the list; without one its place is kept. */
  leaf(key, page, there) {
    return there
      ? turnLink(say(key), this.address(page > 1 ? page : null), () => this.turned())
      : h("span", {});
  }
}
