// Which of the open challenges are shown.
import { h, toggle } from "./dom.js";
import { icon } from "./glyphs/index.js";
import { isOwn } from "./terms.js";
import { say, variantName } from "./words.js";

export class ChallengeFilter {
  /** @type {string | null} */ variant;
  /** @type {boolean} */ hide;

  /**
   * `changed()` is told when others are to be shown.
   * @param {Catalogue} catalogue
   * @param {() => unknown} changed
   */
  constructor(catalogue, changed) {
    Object.assign(this, { variant: null, hide: false });
    this.head = h("div", { class: "lobby-head" }, h("h2", {}, say("lobby.title")), toggle(say("lobby.hide"), false, (hide) => {
      this.hide = hide;
      changed();
    }));
    const games = [[null, say("lobby.all")], ...[...catalogue.values()].map((variant) => [variant.key, variantName(variant)])];
    const buttons = games.map(([key, name]) => {
      const button = h("button", { type: "button", "aria-pressed": String(key === null) }, key && icon(key), name);
      button.addEventListener("click", () => {
        this.variant = key;
        for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
        changed();
      });
      return button;
    });
    this.games = h("div", { class: "filters", role: "group", "aria-label": say("lobby.filter") }, ...buttons);
  }

  shows(challenge) {
    const fits = !this.variant || challenge.choices.variants.some(({ variant }) => variant.key === this.variant);
    return fits && (!this.hide || challenge.eligible || isOwn(challenge));
  }
}
