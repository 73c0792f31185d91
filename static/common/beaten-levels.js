// Levels of the computer that the player has beaten, and their marks. Used by the dialog for a game
// against the computer and by the home page of players.
import { get } from "../lib/http.js";
import { h } from "../lib/dom.js";
import { loadStyleSheet } from "../lib/style-sheet.js";
import "../lib/i18n-more.js";
import { t } from "../lib/i18n.js";

/**
 * Levels in ascending order, by key of the variant.
 * @typedef {Record<string, number[]>} BeatenLevels
 */

/**
 * Fetches the levels; none on failure, as they are an addition to the page.
 * @returns {Promise<BeatenLevels>}
 */
export const fetchBeatenLevels = () => get("/api/account/levels").catch(() => ({}));

/** Returns a mark of something achieved, which the text beside it names. */
export const achievedMark = () => h("span", { class: "achieved-mark", "aria-hidden": "true" }, "✓");

/** Buttons of the levels in the dialog, drawn as rising steps. */
export class LevelMarks {
  /** @type {BeatenLevels} */ levels;
  /** @type {string} */ key;
  /** @type {(level: number) => string} */ name;

  /**
   * `name(level)` returns the name of a level. The value of each button is its level.
   * @param {HTMLElement} group
   * @param {string} key
   * @param {(level: number) => string} name
   */
  constructor(group, key, name) {
    Object.assign(this, { group, key, name, levels: {} });
    this.buttons = /** @type {HTMLElement[]} */ ([...group.querySelectorAll("button")]);
    loadStyleSheet("home");
    fetchBeatenLevels().then((levels) => {
      this.levels = levels;
      this.draw();
    });
  }

  /**
   * Shows the marks of a variant.
   * @param {string} key
   */
  show(key) {
    this.key = key;
    this.draw();
  }

  draw() {
    const beaten = this.levels[this.key] ?? [];
    for (const button of this.buttons) {
      const level = Number(button.dataset.value);
      const isBeaten = beaten.includes(level);
      const label = isBeaten ? t("level.beaten", { level: this.name(level) }) : this.name(level);
      button.setAttribute("aria-label", label);
      button.title = label;
      button.classList.toggle("is-beaten", isBeaten);
      button.replaceChildren(String(level), ...(isBeaten ? [achievedMark()] : []));
    }
  }
}
