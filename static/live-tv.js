// Television: the best game of each variant, one link each.
import { get } from "./api.js";
import { h } from "./dom.js";
import { icon } from "./glyphs/index.js";
import { seatLine, seatText } from "./live-board.js";
import { say, variantName } from "./words.js";

/** How often it is looked whether another game is on air. */
const LOOK_MS = 5000;

export class LiveTv {
  /** @type {Catalogue} */ catalogue;
  /** @type {Map<string, { item: HTMLElement, gameId: string }>} */ shown;

  /** @param {Catalogue} catalogue */
  constructor(catalogue) {
    Object.assign(this, { catalogue, shown: new Map() });
    this.list = h("ul", { class: "tv" });
    this.element = h("section", { hidden: true, "aria-labelledby": "tv-title" }, h("h2", { id: "tv-title" }, say("tv.title")), this.list);
    setInterval(() => document.hidden || this.look(), LOOK_MS);
    /** What is on air has been asked for once. */
    this.known = this.look();
  }

  async look() {
    const channels = await get("/api/tv/channels").catch(() => null);
    if (!channels) return;
    for (const [key, { item }] of this.shown) if (!channels[key] && !item.matches(":hover, :focus-within")) this.drop(key);
    for (const variant of this.catalogue.values()) if (channels[variant.key]) this.show(variant, channels[variant.key]);
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
    const link = h("a", { class: "stretched", href: `/${gameId}?tv=${key}`, "aria-label": say("tv.says", { game: name, first, second }) });
    const tile = h("div", { class: "channel" }, h("span", { class: "glyph" }, icon(key)),
      h("span", { class: "who", "aria-hidden": "true" }, h("span", { class: "small soft" }, name), seatLine(game.first), seatLine(game.second)), link);
    if (before) {
      const had = before.item.contains(document.activeElement);
      before.item.replaceChildren(tile);
      if (had) link.focus({ preventScroll: true });
      before.gameId = gameId;
      return;
    }
    const item = h("li", { class: "card", "data-tv": key }, tile);
    const order = [...this.catalogue.keys()];
    const next = [.../** @type {Iterable<HTMLElement>} */ (this.list.children)].find((other) => order.indexOf(other.dataset.tv ?? "") > order.indexOf(key));
    this.list.insertBefore(item, next ?? null);
    this.shown.set(key, { item, gameId });
  }
}
