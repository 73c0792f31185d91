// Keyboard shortcuts, their help dialog, icon buttons and step buttons.
//
// Single-letter shortcuts can be switched off (WCAG 2.1.4): they interfere with speech input. Each
// page passes its own shortcuts to `Shortcuts`.
import { openDialog } from "./dialog.js";
import { h, iconSvg, toggle } from "./dom.js";
import { BACK } from "./icons.js";
import { letterKeysSetting } from "./settings.js";
import { t } from "./i18n.js";

/**
 * Returns whether a key is not a shortcut of the page: handled already, a browser shortcut, input
 * in a field, or any key while a dialog is open.
 * @param {KeyboardEvent} event
 * @returns {boolean}
 */
export const isReservedKey = (event) =>
  event.defaultPrevented ||
  event.altKey ||
  event.ctrlKey ||
  event.metaKey ||
  document.querySelector("dialog[open]") !== null ||
  /** @type {Element} */ (event.target).closest("input, select, textarea") !== null;

/** Phrase and icon of each step. */
const STEPS = {
  first: ["game.first", "M18 6l-6 6 6 6M8 6v12"],
  back: ["game.back", BACK],
  forward: ["game.forward", "M10 6l6 6-6 6"],
  last: ["game.last", "M6 6l6 6-6 6M16 6v12"],
};

/**
 * Creates an icon button.
 * @param {string} key phrase of its label
 * @param {string} d
 * @param {() => unknown} action
 */
export const iconButton = (key, d, action) =>
  h(
    "button",
    { class: "icon", type: "button", title: t(key), "aria-label": t(key), onclick: action },
    iconSvg(d),
  );

/**
 * Creates the button of a step through the moves.
 * @param {keyof typeof STEPS} step
 * @param {() => unknown} action
 */
export const stepButton = (step, action) => iconButton(STEPS[step][0], STEPS[step][1], action);

/**
 * Creates the buttons of all steps; `go` receives the step.
 * @param {(where: keyof typeof STEPS) => unknown} onStep
 */
export const stepButtons = (onStep) =>
  /** @type {(keyof typeof STEPS)[]} */ (Object.keys(STEPS)).map((step) =>
    stepButton(step, () => onStep(step)),
  );

/** @typedef {[keys: string[], phrase: string]} HelpLine keys, and the phrase that describes them */

/**
 * Keys of the board, active while it has the focus.
 * @type {HelpLine[]}
 */
const BOARD_KEYS = [
  [["↑", "↓", "←", "→"], "keys.arrows"],
  [["Home", "End"], "keys.row"],
  [["Page Up", "Page Down"], "keys.column"],
  [["Ctrl Home", "Ctrl End"], "keys.corner"],
  [["n", "N"], "keys.next"],
  [["Enter"], "keys.choose"],
  [["i"], "keys.inspect"],
  [["Esc"], "keys.undo"],
];

/**
 * Keys of the move list, active while neither a field nor the board has the focus.
 * @type {HelpLine[]}
 */
const MOVE_KEYS = [
  [["←", "→"], "keys.step"],
  [["Home", "End"], "keys.ends"],
];

/**
 * Creates a section of the help dialog.
 * @param {string} title
 * @param {(HelpLine | Letter)[]} lines
 */
const helpSection = (title, lines) =>
  h(
    "div",
    {},
    h("h3", {}, title),
    h(
      "dl",
      { class: "keyboard-help" },
      ...lines.map(([keys, phrase]) =>
        h("div", {}, h("dt", {}, ...keys.map((key) => h("kbd", {}, key))), h("dd", {}, t(phrase))),
      ),
    ),
  );

/**
 * @typedef {[keys: string[], phrase: string, action: () => unknown]} Letter keys, help and action
 */

/** Keyboard shortcuts of a page. */
export class Shortcuts {
  /** @type {Letter[]} */ letters;

  /** @param {Letter[]} letters */
  constructor(letters) {
    this.letters = [...letters, [["?"], "keys.help", () => this.openHelp()]];
    this.button = iconButton(
      "keys.title",
      "M3 6h18v12H3zM7 10h.1M11 10h.1M15 10h.1M18 10h.1M7 14h.1M17.5 14h.1M10 14h5",
      () => this.openHelp(),
    );
    document.addEventListener("keydown", (event) => this.handleKey(event));
  }

  /** @param {KeyboardEvent} event */
  handleKey(event) {
    if (!letterKeysSetting.get() || isReservedKey(event)) return;
    const shortcut = this.letters.find(([keys]) => keys.includes(event.key));
    if (!shortcut) return;
    event.preventDefault();
    if (!event.repeat) shortcut[2]();
  }

  /** Opens the help dialog. */
  openHelp() {
    openDialog(t("keys.title"), () =>
      h(
        "div",
        { class: "dialog-body" },
        helpSection(t("keys.onboard"), BOARD_KEYS),
        helpSection(t("keys.letters"), this.letters),
        toggle(t("keys.on"), letterKeysSetting.get(), letterKeysSetting.set, t("keys.onwhy")),
        helpSection(t("keys.onmoves"), MOVE_KEYS),
      ),
    );
  }
}
