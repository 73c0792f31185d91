// The field for typed moves: shows which moves begin with the text, and plays a complete one.
import { h } from "../lib/dom.js";
import { say } from "../lib/i18n.js";
import { meaning } from "../model/notation.js";

/** So many moves that begin alike are named. */
const NAMED = 4;

export class Typed {
  /** @type {() => string[]} */ legal;
  /** @type {() => string} */ wait;
  /** @type {(u: string) => unknown} */ make;
  /** @type {() => unknown} */ leave;

  /**
   * `legal()` are the moves that may be made now, `wait()` says why none may, if so, `make(u)` makes one, and `leave()` puts
   * the focus where it goes on.
   * @param {{ legal: () => string[], wait: () => string, make: (u: string) => unknown, leave: () => unknown }} how
   */
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

  /** Says what is typed so far: which moves begin so. */
  tell() {
    const { move, begin } = meaning(this.field.value, this.legal());
    this.field.removeAttribute("aria-invalid");
    this.told.textContent = this.wait() || this.found(move, begin);
  }

  /**
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

  /** Makes the move that is typed; what only one move begins with is completed first. */
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
