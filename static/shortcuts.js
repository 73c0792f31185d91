// Keys that are letters: what each of them does on a page, the dialog that names all keys, and the switch
// that puts the letters off, for whoever speaks to the computer or types with a shaking hand.
import { openDialog } from "./dialog.js";
import { h, toggle } from "./dom.js";
import { isTaken } from "./key-owner.js";
import { iconButton } from "./steps.js";
import { wish } from "./wish.js";
import { say } from "./words.js";

const wanted = wish("letterKeys", true);

/** The keys of the board: what is written on them, and what they do. They work while it has the focus. */
const BOARD = [
  [["↑", "↓", "←", "→"], "keys.arrows"], [["Home", "End"], "keys.row"], [["Page Up", "Page Down"], "keys.column"], [["Ctrl Home", "Ctrl End"], "keys.corner"],
  [["n", "N"], "keys.next"], [["Enter"], "keys.choose"], [["Esc"], "keys.undo"],
];

/** The keys of the moves: they work as long as nothing is typed and the ring is not on the board. */
const MOVES = [[["←", "→"], "keys.step"], [["Home", "End"], "keys.ends"]];

const table = (title, lines) => h("div", {}, h("h3", {}, title), h("dl", { class: "keys-list" }, ...lines.map(([keys, phrase]) =>
  h("div", {}, h("dt", {}, ...keys.map((key) => h("kbd", {}, key))), h("dd", {}, say(phrase))))));

/** @typedef {[keys: string[], phrase: string, deed: () => unknown]} Letter */

export class Shortcuts {
  /** @type {Letter[]} */ letters;

  /**
   * `letters` are what is pressed, what the help says of it, and what it does.
   * @param {Letter[]} letters
   */
  constructor(letters) {
    this.letters = [...letters, [["?"], "keys.help", () => this.help()]];
    this.button = iconButton("keys.title", "M3 6h18v12H3zM7 10h.1M11 10h.1M15 10h.1M18 10h.1M7 14h.1M17.5 14h.1M10 14h5", () => this.help());
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
    openDialog(say("keys.title"), () => h("div", { class: "ask-body" },
      table(say("keys.onboard"), BOARD), table(say("keys.letters"), this.letters), toggle(say("keys.on"), wanted.is(), wanted.set, say("keys.onwhy")), table(say("keys.onmoves"), MOVES)));
  }
}
