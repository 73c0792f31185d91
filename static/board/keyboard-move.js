// Text field for moves: lists the legal moves that start with the input, and plays a complete one.
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { parseTypedMove } from "../model/typed-move.js";

/** Maximum number of moves that are listed. */
const LISTED_MAX = 4;

/**
 * Callbacks of the field. `legal` returns the legal moves, `blockReason` the reason why no move can
 * be made ("" if one can), `make` plays a move, `leave` moves the focus out of the field.
 * @typedef {object} TypedOptions
 * @property {() => string[]} legal
 * @property {() => string} blockReason
 * @property {(u: string) => unknown} make
 * @property {() => unknown} leave
 */

/** Text field for moves. */
export class KeyboardMove {
  /** @type {() => string[]} */ legal;
  /** @type {() => string} */ blockReason;
  /** @type {(u: string) => unknown} */ make;
  /** @type {() => unknown} */ leave;

  /** @param {TypedOptions} options */
  constructor({ legal, blockReason, make, leave }) {
    Object.assign(this, { legal, blockReason, make, leave });
    this.status = h("p", { id: "typed-told", role: "status" });
    this.field = h("input", {
      "aria-label": t("typed.label"),
      "aria-describedby": "typed-told",
      placeholder: t("typed.label"),
      maxlength: 60,
      autocomplete: "off",
      autocapitalize: "off",
      autocorrect: "off",
      spellcheck: "false",
      enterkeyhint: "go",
    });
    this.field.addEventListener("input", () => this.updateStatus());
    this.field.addEventListener("focus", () => this.updateStatus());
    this.field.addEventListener("keydown", (event) => this.handleKey(event));
    this.element = h("div", { class: "keyboard-move" }, this.field, this.status);
  }

  focus() {
    this.field.focus({ preventScroll: true });
  }

  /** Updates the status text with the moves that match the input. */
  updateStatus() {
    const { move, candidates } = parseTypedMove(this.field.value, this.legal());
    this.field.removeAttribute("aria-invalid");
    this.status.textContent = this.blockReason() || this.statusText(move, candidates);
  }

  /**
   * Returns the status text for the matching moves.
   * @param {string | null} move
   * @param {string[]} candidates
   */
  statusText(move, candidates) {
    const text = this.field.value.trim();
    if (!text) return t("typed.how", { u: this.legal()[0] ?? "" });
    if (candidates.length === 0) return t("typed.none", { text });
    const more = candidates.filter((u) => u !== move);
    const names = more.length > LISTED_MAX ? "" : `: ${more.join(", ")}`;
    const others =
      more.length > 0 ? t(move ? "typed.more" : "typed.begin", { n: more.length }) + names : "";
    return [move && t("typed.plays", { u: move }), others && `${others}.`]
      .filter(Boolean)
      .join(" ");
  }

  /** @param {KeyboardEvent} event */
  handleKey(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      this.enter();
    } else if (event.key === "Escape") {
      event.stopPropagation();
      if (!this.field.value) return this.leave();
      this.field.value = "";
      this.updateStatus();
    }
    return undefined;
  }

  /** Plays the entered move; an unambiguous prefix is completed first. */
  enter() {
    if (this.blockReason()) return this.updateStatus();
    const { move, candidates } = parseTypedMove(this.field.value, this.legal());
    if (!move && candidates.length === 1) {
      [this.field.value] = candidates;
      return this.updateStatus();
    }
    if (!move) {
      this.updateStatus();
      return this.field.setAttribute("aria-invalid", "true");
    }
    this.field.value = "";
    this.status.textContent = "";
    return this.make(move);
  }
}
