// Text field for moves: lists the legal moves that start with the input, and plays a complete one.
import { h } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { meaning } from "../model/notation.js";

/** Maximum number of moves that are listed. */
const NAMED = 4;

/**
 * Callbacks of the field. `legal` returns the legal moves, `wait` the reason why no move can be
 * made ("" if one can), `make` plays a move, `leave` moves the focus out of the field.
 * @typedef {object} TypedOptions
 * @property {() => string[]} legal
 * @property {() => string} wait
 * @property {(u: string) => unknown} make
 * @property {() => unknown} leave
 */

/** Text field for moves. */
export class Typed {
  /** @type {() => string[]} */ legal;
  /** @type {() => string} */ wait;
  /** @type {(u: string) => unknown} */ make;
  /** @type {() => unknown} */ leave;

  /** @param {TypedOptions} how */
  constructor({ legal, wait, make, leave }) {
    Object.assign(this, { legal, wait, make, leave });
    this.told = h("p", { id: "typed-told", role: "status" });
    this.field = h("input", {
      "aria-label": say("typed.label"),
      "aria-describedby": "typed-told",
      placeholder: say("typed.label"),
      maxlength: 60,
      autocomplete: "off",
      autocapitalize: "off",
      autocorrect: "off",
      spellcheck: "false",
      enterkeyhint: "go",
    });
    this.field.addEventListener("input", () => this.tell());
    this.field.addEventListener("focus", () => this.tell());
    this.field.addEventListener("keydown", (event) => this.key(event));
    this.element = h("div", { class: "typed" }, this.field, this.told);
  }

  focus() {
    this.field.focus({ preventScroll: true });
  }

  /** Updates the status text with the moves that match the input. */
  tell() {
    const { move, begin } = meaning(this.field.value, this.legal());
    this.field.removeAttribute("aria-invalid");
    this.told.textContent = this.wait() || this.found(move, begin);
  }

  /**
   * Returns the status text for the matching moves.
   * @param {string | null} move
   * @param {string[]} begin
   */
  found(move, begin) {
    const text = this.field.value.trim();
    if (!text) return say("typed.how", { u: this.legal()[0] ?? "" });
    if (begin.length === 0) return say("typed.none", { text });
    const more = begin.filter((u) => u !== move);
    const names = more.length > NAMED ? "" : `: ${more.join(", ")}`;
    const others =
      more.length > 0 ? say(move ? "typed.more" : "typed.begin", { n: more.length }) + names : "";
    return [move && say("typed.plays", { u: move }), others && `${others}.`]
      .filter(Boolean)
      .join(" ");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      this.enter();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      if (!this.field.value) return this.leave();
      this.field.value = "";
      this.tell();
    }
    return undefined;
  }

  /** Plays the entered move; an unambiguous prefix is completed first. */
  enter() {
    if (this.wait()) return this.tell();
    const { move, begin } = meaning(this.field.value, this.legal());
    if (!move && begin.length === 1) {
      [this.field.value] = begin;
      return this.tell();
    }
    if (!move) {
      this.tell();
      return this.field.setAttribute("aria-invalid", "true");
    }
    this.field.value = "";
    this.told.textContent = "";
    return this.make(move);
  }
}
