// Dialog for a game against the engine: game, level, side and time control. It opens with the
// fields of the last challenge sent from this browser. Called by the lobby and by the pages of
// engine accounts.
import { post } from "../lib/http.js";
import { openDialog } from "../lib/dialog.js";
import { form } from "../lib/form.js";
import { LevelMarks } from "./beaten-levels.js";
import { choiceGroup, h } from "../lib/dom.js";
import { GameChoice } from "./game-choice.js";
import "../lib/i18n-more.js";
import { TimeControlInput } from "../lib/choice.js";
import { lastAiFields } from "../lib/settings.js";
import { overrideReason, t } from "../lib/i18n.js";

const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8];
const LEVEL_DEFAULT = 2;

/**
 * Fields of `POST /api/challenge/ai`; the keys of options are `options.` and the option's key.
 * @typedef {{
 *   level: number,
 *   variant: string,
 *   color: string,
 *   days: number,
 *   "clock.limit": number,
 *   "clock.increment": number,
 *   [option: string]: unknown,
 * }} AiFields
 */

/** @param {number} n */
const levelText = (n) => t("computer.named", { n, word: t(`level.${n}`) });

class AiForm {
  /** @type {LevelMarks | undefined} */ marks;

  /**
   * The fields of `preset` override those of the last challenge.
   * @param {Catalog} catalog
   * @param {Partial<AiFields>} [preset]
   */
  constructor(catalog, preset = {}) {
    const presetFields = Object.fromEntries(
      Object.entries(preset).filter(([, value]) => value !== undefined),
    );
    const last = /** @type {AiFields} */ ({ ...lastAiFields.get(), ...presetFields });
    this.level = LEVELS.includes(last.level) ? last.level : LEVEL_DEFAULT;
    this.pass = h("a", { class: "btn btn-quiet" }, t("pass.link"));
    this.games = new GameChoice(
      catalog,
      (key) => {
        this.pass.href = `/pass-and-play/${key}`;
        this.marks?.show(key);
      },
      false,
    );
    this.games.restore(last);
    this.times = new TimeControlInput(() => {}, false);
    this.times.restore(last);
  }

  levels() {
    const legend = h("legend", {}, levelText(this.level));
    const choices = LEVELS.map((n) => [n, String(n), levelText(n)]);
    const group = choiceGroup(
      "ai-levels num",
      t("computer.level"),
      choices,
      this.level,
      (level) => {
        this.level = Number(level);
        legend.textContent = levelText(this.level);
      },
    );
    this.marks = new LevelMarks(group, this.games.selectedVariants()[0].key, levelText);
    return h("fieldset", {}, legend, group);
  }

  /** Returns the request body. */
  fields() {
    return { level: this.level, ...this.games.fields(), ...this.times.fields() };
  }

  /**
   * Builds the form; `begun(id)` is called with the id of the new game.
   * @param {(id: string) => unknown} begun
   */
  form(begun) {
    const send = async () => {
      const sent = this.fields();
      // The socket may announce the game before the response arrives, and the page is then left.
      lastAiFields.set(sent);
      begun(
        (
          await post("/api/challenge/ai", sent).catch(
            overrideReason("declined", "computer.declined"),
          )
        ).id,
      );
    };
    const element = form(
      [this.games.element, this.games.details, this.levels(), this.times.element],
      t("computer.play"),
      send,
      "btn btn-primary btn-large",
    );
    element.classList.add("challenge-form", "ai-form");
    const button = /** @type {HTMLElement} */ (element.querySelector("[type=submit]"));
    element.append(h("div", { class: "sheet-foot" }, button), this.pass);
    return element;
  }
}

/**
 * Opens the dialog; `go(id)` navigates to the new game, `preset` presets fields.
 * @param {Catalog} catalog
 * @param {(id: string) => unknown} go
 * @param {Partial<AiFields>} [presets]
 */
export const openAiDialog = (catalog, go, presets) => {
  const dialog = openDialog(t("computer.title"), (close) =>
    new AiForm(catalog, presets).form((id) => {
      // A closed dialog cannot be submitted twice.
      close();
      go(id);
    }),
  );
  dialog.querySelector("[type=submit]").focus({ preventScroll: true });
};
