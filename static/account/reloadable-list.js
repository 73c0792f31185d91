// List of the account page that is loaded again after each change. Used by lists.js and tokens.js.
import { h } from "../lib/dom.js";

/** @typedef {() => Promise<void>} Reload */

/**
 * List of entries from the server; `again` reloads it.
 * @template T
 */
export class ReloadableList {
  /** @type {() => Promise<T[]>} */ load;
  /** @type {(entry: T, again: Reload) => Child[]} */ row;

  /**
   * @param {string} label  accessible name
   * @param {() => Promise<T[]>} load
   * @param {(entry: T, again: Reload) => Child[]} row  returns the content of an item
   * @param {string} emptyNote  text of the empty list
   */
  constructor(label, load, row, emptyNote) {
    Object.assign(this, { load, row });
    this.list = h("ul", { class: "account-list", "aria-label": label, tabindex: -1 });
    this.none = h("p", { class: "soft small", hidden: true }, emptyNote);
    this.element = h("div", {}, this.list, this.none);
    this.reload();
  }

  async reload() {
    try {
      const entries = await this.load();
      // The focused button may have been removed; the focus then moves to the list.
      const inside = this.list.contains(document.activeElement);
      this.list.replaceChildren(
        ...entries.map((entry) => h("li", {}, ...this.row(entry, () => this.reload()))),
      );
      this.list.hidden = entries.length === 0;
      this.none.hidden = entries.length > 0;
      if (inside) this.list.focus();
    } catch (refused) {
      this.list.replaceChildren(h("li", { class: "soft" }, refused.message));
      this.list.hidden = false;
      this.none.hidden = true;
    }
  }
}
