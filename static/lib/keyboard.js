// Buttons that show a drawing, those that step through moves, and keys that are letters: whose a key is, what each does on a page, the
// dialog that names all, and the switch that puts letters off, for whoever speaks to the computer or types with a shaking hand.
import { openDialog } from "./dialog.js";
import { h, line, toggle } from "./dom.js";
import { wish } from "./settings.js";
import { say } from "./i18n.js";

/**
 * Whether a key belongs to somebody else than the page: to the browser, to a field that is written in, to a dialog
 * (wherever the focus is: the page behind it is not acted on), or to who has answered it already.
 * @param {KeyboardEvent} event
 * @returns {boolean}
 */
export const isTaken = (event) =>
  event.defaultPrevented ||
  event.altKey ||
  event.ctrlKey ||
  event.metaKey ||
  document.querySelector("dialog[open]") !== null ||
  /** @type {Element} */ (event.target).closest("input, select, textarea") !== null;

/** What each step is called, and its drawing. */
const STEPS = {
  first: ["game.first", "M18 6l-6 6 6 6M8 6v12"],
  back: ["game.back", "M14 6l-6 6 6 6"],
  forward: ["game.forward", "M10 6l6 6-6 6"],
  last: ["game.last", "M6 6l6 6-6 6M16 6v12"],
};

/**
 * A button that shows a drawing; the phrase is what it is called.
 * @param {string} key
 * @param {string} d
 * @param {() => unknown} deed
 */
export const iconButton = (key, d, deed) =>
  h(
    "button",
    { class: "icon", type: "button", title: say(key), "aria-label": say(key), onclick: deed },
    line(d),
  );

/**
 * The button of one step.
 * @param {keyof typeof STEPS} where
 * @param {() => unknown} deed
 */
export const stepButton = (where, deed) => iconButton(STEPS[where][0], STEPS[where][1], deed);

/**
 * The buttons of all steps in a row; `go(where)` is told first, back, forward or last.
 * @param {(where: keyof typeof STEPS) => unknown} go
 */
export const stepButtons = (go) =>
  /** @type {(keyof typeof STEPS)[]} */ (Object.keys(STEPS)).map((where) =>
    stepButton(where, () => go(where)),
  );

const wanted = wish("letterKeys", true);

/** The keys of the board: what is written on them, and what they do. They work while it has the focus. */
const BOARD = [
  [["↑", "↓", "←", "→"], "keys.arrows"],
  [["Home", "End"], "keys.row"],
  [["Page Up", "Page Down"], "keys.column"],
  [["Ctrl Home", "Ctrl End"], "keys.corner"],
  [["n", "N"], "keys.next"],
  [["Enter"], "keys.choose"],
  [["Esc"], "keys.undo"],
];

/** The keys of the moves: they work as long as nothing is typed and the ring is not on the board. */
const MOVES = [
  [["←", "→"], "keys.step"],
  [["Home", "End"], "keys.ends"],
];

const table = (title, lines) =>
  h(
    "div",
    {},
    h("h3", {}, title),
    h(
      "dl",
      { class: "keys-list" },
      ...lines.map(([keys, phrase]) =>
        h(
          "div",
          {},
          h("dt", {}, ...keys.map((key) => h("kbd", {}, key))),
          h("dd", {}, say(phrase)),
        ),
      ),
    ),
  );

/** @typedef {[keys: string[], phrase: string, deed: () => unknown]} Letter */

export class Shortcuts {
  /** @type {Letter[]} */ letters;

  /**
   * `letters` are what is pressed, what the help says of it, and what it does.
   * @param {Letter[]} letters
   */
  constructor(letters) {
    this.letters = [...letters, [["?"], "keys.help", () => this.help()]];
    this.button = iconButton(
      "keys.title",
      "M3 6h18v12H3zM7 10h.1M11 10h.1M15 10h.1M18 10h.1M7 14h.1M17.5 14h.1M10 14h5",
      () => this.help(),
    );
    document.addEventListener("keydown", (event) => this.hear(event));
  }

  /** @param {KeyboardEvent} event */
  hear(event) {
    if (!wanted.is() || isTaken(event)) return;
    const found = this.letters.find(([keys]) => keys.includes(event.key));
    if (!found) return;
    event.preventDefault();
    if (!event.repeat) found[2]();
  }

  /** Names every key. */
  help() {
    openDialog(say("keys.title"), () =>
      h(
        "div",
        { class: "ask-body" },
        table(say("keys.onboard"), BOARD),
        table(say("keys.letters"), this.letters),
        toggle(say("keys.on"), wanted.is(), wanted.set, say("keys.onwhy")),
        table(say("keys.onmoves"), MOVES),
      ),
    );
  }
}
