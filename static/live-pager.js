// Leafing through the games in play: the pages of their list, each with an address of its own.
import { h } from "./dom.js";
import { say } from "./words.js";

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
    const words = h("span", { class: "small soft num" }, say("games.page", { page, pages: Math.max(page, pages) }));
    this.element.replaceChildren(this.leaf("live.back", page - 1, page > 1), words, this.leaf("live.on", page + 1, page < pages));
  }

  /** A link to another page of the list; without one its place is kept. */
  leaf(key, page, there) {
    if (!there) return h("span", {});
    const turn = (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      history.pushState(null, "", event.currentTarget.href);
      this.turned();
    };
    return h("a", { class: "btn", href: this.address(page > 1 ? page : null), onclick: turn }, say(key));
  }
}
