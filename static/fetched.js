// A list that is fetched, drawn, and fetched again after each change.
import { h } from "./dom.js";

export class Fetched {
  /** @type {() => Promise<any[]>} */ load;
  /** @type {(entry: any, again: () => Promise<void>) => Child[]} */ row;

  /**
   * `load()` answers the entries, `row(entry, again)` what stands in one, `none` what is said when there are none.
   * @param {string} label
   * @param {() => Promise<any[]>} load
   * @param {(entry: any, again: () => Promise<void>) => Child[]} row
   * @param {string} none
   */
  constructor(label, load, row, none) {
    Object.assign(this, { load, row });
    this.list = h("ul", { class: "plain", "aria-label": label, tabindex: -1 });
    this.none = h("p", { class: "soft small", hidden: true }, none);
    this.element = h("div", {}, this.list, this.none);
    this.again();
  }

  async again() {
    try {
      const entries = await this.load();
      // What was pressed may be gone: then the list itself keeps the place of the keyboard.
      const inside = this.list.contains(document.activeElement);
      this.list.replaceChildren(...entries.map((entry) => h("li", {}, ...this.row(entry, () => this.again()))));
      this.list.hidden = entries.length === 0;
      this.none.hidden = entries.length > 0;
      if (inside) this.list.focus();
    } catch (refused) {
      this.list.replaceChildren(h("li", { class: "soft" }, refused.message));
    }
  }
}
