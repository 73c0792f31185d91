// Input of a rating range: any rating, fixed bounds, or bounds relative to the creator's rating.
// The slider and the number fields show the same bounds. Used by the lobby's challenge form.
import { HIGH, LOW, placeOf } from "./challenge-card.js";
import { choose, h } from "../lib/dom.js";
import { say } from "../lib/i18n.js";

const STEP = 50;
const ARROW = 10;

/** @typedef {"min" | "max" | "below" | "above"} BoundKey */

/** @param {HTMLInputElement} input */
const number = (input) => (input.value === "" ? null : Number(input.value));

/** Input of a rating range. */
export class RangeControl {
  /** @type {HTMLElement} */ band;
  /** @type {HTMLElement} */ tick;
  /** @type {Record<"min" | "max", HTMLElement>} */ thumbs;

  constructor() {
    this.mode = "any";
    this.rating = 1500;
    this.fields = {
      min: this.field("form.lowest", 1400),
      max: this.field("form.highest", 1700),
      below: this.field("form.below", 100),
      above: this.field("form.above", 200),
    };
    this.line = h("p", { class: "small soft num", "aria-live": "polite" });
    this.wrong = h("p", { class: "wrong", id: "range-wrong", role: "alert" });
    this.slider = this.makeSlider();
    this.fixed = h("div", {}, this.slider, this.pair("min", "max"));
    this.around = this.pair("below", "above");
    const modes = [
      ["any", say("form.anyone")],
      ["fixed", say("form.fromto")],
      ["around", say("form.around")],
    ];
    const segment = choose("seg", say("form.who"), modes, "any", (mode) => {
      this.mode = mode;
      this.draw();
    });
    this.element = h(
      "fieldset",
      {},
      h("legend", {}, say("form.who")),
      segment,
      this.fixed,
      this.around,
      this.line,
      this.wrong,
    );
    this.draw();
  }

  /**
   * @param {string} label
   * @param {number} value
   */
  field(label, value) {
    const input = h("input", {
      type: "number",
      inputmode: "numeric",
      min: 0,
      max: 4000,
      step: STEP,
      value,
      "aria-label": say(label),
      "aria-describedby": "range-wrong",
    });
    input.addEventListener("input", () => this.draw());
    return input;
  }

  /**
   * Returns two fields in a row; relative bounds have signs.
   * @param {BoundKey} low
   * @param {BoundKey} high
   */
  pair(low, high) {
    const signed = (/** @type {string} */ sign, /** @type {HTMLElement} */ field) =>
      low === "below"
        ? h("span", { class: "signed" }, h("span", { "aria-hidden": "true" }, sign), field)
        : field;
    return h(
      "div",
      { class: "two field" },
      signed("−", this.fields[low]),
      h("span", { class: "weak" }, say("form.to")),
      signed("+", this.fields[high]),
    );
  }

  makeSlider() {
    this.band = h("i", { class: "band" });
    this.tick = h("i", { class: "tick" });
    this.thumbs = { min: this.thumb("min", "form.lowest"), max: this.thumb("max", "form.highest") };
    return h(
      "div",
      { class: "slider" },
      h("i", { class: "rail" }),
      this.band,
      this.tick,
      this.thumbs.min,
      this.thumbs.max,
    );
  }

  /**
   * @param {"min" | "max"} end
   * @param {string} label
   */
  thumb(end, label) {
    const set = (/** @type {number} */ value) => {
      this.fields[end].value = /** @type {string} */ (
        /** @type {unknown} */ (Math.min(HIGH, Math.max(LOW, value)))
      );
      this.draw();
    };
    const thumb = h("button", {
      type: "button",
      class: "thumb",
      role: "slider",
      "aria-label": say(label),
      "aria-valuemin": LOW,
      "aria-valuemax": HIGH,
    });
    thumb.addEventListener("keydown", ({ key }) => {
      const by = {
        ArrowRight: ARROW,
        ArrowUp: ARROW,
        ArrowLeft: -ARROW,
        ArrowDown: -ARROW,
        PageUp: STEP,
        PageDown: -STEP,
      }[key];
      if (by) set((number(this.fields[end]) ?? this.rating) + by);
    });
    thumb.addEventListener("pointerdown", (event) => thumb.setPointerCapture(event.pointerId));
    thumb.addEventListener("pointermove", (event) => {
      if (!thumb.hasPointerCapture(event.pointerId)) return;
      const box = this.slider.getBoundingClientRect();
      const rating = LOW + ((HIGH - LOW) * (event.clientX - box.left)) / box.width;
      set(Math.round(rating / STEP) * STEP);
    });
    return thumb;
  }

  /**
   * Sets the creator's rating.
   * @param {number} rating
   */
  you(rating) {
    this.rating = rating;
    this.draw();
  }

  /** Returns the lower and the upper bound; null is unbounded. */
  bounds() {
    const { min, max, below, above } = this.fields;
    if (this.mode === "fixed") return [number(min), number(max)];
    if (this.mode === "around")
      return [this.rating - (number(below) ?? 0), this.rating + (number(above) ?? 0)];
    return [null, null];
  }

  /** Returns the range in the server's syntax, or null if it is empty. */
  value() {
    const [min, max] = this.bounds();
    if (min !== null && max !== null && min > max) return null;
    if (this.mode === "around") {
      const sign = (/** @type {number} */ n) => (n < 0 ? String(n) : `+${n}`);
      return `${sign(-(number(this.fields.below) ?? 0))}..${sign(number(this.fields.above) ?? 0)}`;
    }
    return min === null && max === null ? "" : `${min ?? ""}-${max ?? ""}`;
  }

  draw() {
    const [min, max] = this.bounds();
    this.fixed.hidden = this.mode !== "fixed";
    this.around.hidden = this.mode !== "around";
    const empty = this.value() === null;
    for (const field of Object.values(this.fields))
      field.setAttribute("aria-invalid", String(empty));
    this.wrong.textContent = empty ? say("form.empty") : "";
    const outside = (min !== null && this.rating < min) || (max !== null && this.rating > max);
    const you = say(outside ? "form.outside" : "form.you", { you: this.rating });
    this.line.textContent =
      this.mode === "around" ? `${say("form.now", { min, max })}${outside ? ` ${you}` : ""}` : you;
    /** @type {(rating: number | null, open: number) => number} */
    const place = (rating, open) => (rating === null ? open : placeOf(rating, 1500));
    const [from, to] = [place(min, 0), place(max, 100)];
    this.band.style.left = `${Math.min(from, to)}%`;
    this.band.style.right = `${100 - Math.max(from, to)}%`;
    this.tick.style.left = `${placeOf(this.rating, 1500)}%`;
    for (const [end, at, value] of /** @type {["min" | "max", number, number | null][]} */ ([
      ["min", from, min],
      ["max", to, max],
    ])) {
      this.thumbs[end].style.left = `${at}%`;
      this.thumbs[end].setAttribute("aria-valuenow", String(value ?? (end === "min" ? LOW : HIGH)));
    }
  }

  /** Focuses the first field of an invalid range. */
  focus() {
    this.fields[this.mode === "around" ? "below" : "min"].focus();
  }
}
