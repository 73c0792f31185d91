// Input of a rating range: any rating, fixed bounds, or bounds relative to the creator's rating.
// The slider and the number fields show the same bounds. Used by the lobby's challenge form.
import { AXIS_MAX, AXIS_MIN, axisPosition } from "./challenge-card.js";
import { choiceGroup, h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

const STEP = 50;
const ARROW_STEP = 10;

/** @typedef {"min" | "max" | "below" | "above"} BoundKey */

/** @param {HTMLInputElement} input */
const fieldNumber = (input) => (input.value === "" ? null : Number(input.value));

/** Input of a rating range. */
export class RatingRangeInput {
  /** @type {HTMLElement} */ band;
  /** @type {HTMLElement} */ tick;
  /** @type {Record<"min" | "max", HTMLElement>} */ thumbs;

  constructor() {
    this.mode = "any";
    this.rating = 1500;
    this.isProvisional = false;
    this.fields = {
      min: this.field("form.lowest", 1400),
      max: this.field("form.highest", 1700),
      below: this.field("form.below", 100),
      above: this.field("form.above", 200),
    };
    this.summary = h("p", { class: "small soft num", "aria-live": "polite" });
    this.error = h("p", { class: "form-error", id: "range-wrong", role: "alert" });
    this.slider = this.makeSlider();
    this.fixed = h("div", {}, this.slider, this.fieldPair("min", "max"));
    this.around = this.fieldPair("below", "above");
    const modes = [
      ["any", t("form.anyone")],
      ["fixed", t("form.fromto")],
      ["around", t("form.around")],
    ];
    const segment = choiceGroup("segmented", t("form.who"), modes, "any", (mode) => {
      this.mode = mode;
      this.draw();
    });
    this.element = h(
      "fieldset",
      {},
      h("legend", {}, t("form.who")),
      segment,
      this.fixed,
      this.around,
      this.summary,
      this.error,
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
      "aria-label": t(label),
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
  fieldPair(low, high) {
    const signed = (/** @type {string} */ sign, /** @type {HTMLElement} */ field) =>
      low === "below"
        ? h("span", { class: "field-signed" }, h("span", { "aria-hidden": "true" }, sign), field)
        : field;
    return h(
      "div",
      { class: "field-pair field" },
      signed("−", this.fields[low]),
      h("span", { class: "weak" }, t("form.to")),
      signed("+", this.fields[high]),
    );
  }

  makeSlider() {
    this.band = h("i", { class: "rating-range-band" });
    this.tick = h("i", { class: "rating-range-tick" });
    this.thumbs = { min: this.thumb("min", "form.lowest"), max: this.thumb("max", "form.highest") };
    return h(
      "div",
      { class: "rating-range-slider" },
      h("i", { class: "rating-range-rail" }),
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
        /** @type {unknown} */ (Math.min(AXIS_MAX, Math.max(AXIS_MIN, value)))
      );
      this.draw();
    };
    const thumb = h("button", {
      type: "button",
      class: "rating-range-thumb",
      role: "slider",
      "aria-label": t(label),
      "aria-valuemin": AXIS_MIN,
      "aria-valuemax": AXIS_MAX,
    });
    thumb.addEventListener("keydown", ({ key }) => {
      const step = {
        ArrowRight: ARROW_STEP,
        ArrowUp: ARROW_STEP,
        ArrowLeft: -ARROW_STEP,
        ArrowDown: -ARROW_STEP,
        PageUp: STEP,
        PageDown: -STEP,
      }[key];
      if (step) set((fieldNumber(this.fields[end]) ?? this.rating) + step);
    });
    thumb.addEventListener("pointerdown", (event) => thumb.setPointerCapture(event.pointerId));
    thumb.addEventListener("pointermove", (event) => {
      if (!thumb.hasPointerCapture(event.pointerId)) return;
      const box = this.slider.getBoundingClientRect();
      const rating = AXIS_MIN + ((AXIS_MAX - AXIS_MIN) * (event.clientX - box.left)) / box.width;
      set(Math.round(rating / STEP) * STEP);
    });
    return thumb;
  }

  /**
   * Sets the creator's rating; `isProvisional` is true if it may change by much in one rated game.
   * @param {number} rating
   * @param {boolean} isProvisional
   */
  setRating(rating, isProvisional) {
    Object.assign(this, { rating, isProvisional });
    this.draw();
  }

  /** Returns the lower and the upper bound; null is unbounded. */
  bounds() {
    const { min, max, below, above } = this.fields;
    if (this.mode === "fixed") return [fieldNumber(min), fieldNumber(max)];
    if (this.mode === "around")
      return [this.rating - (fieldNumber(below) ?? 0), this.rating + (fieldNumber(above) ?? 0)];
    return [null, null];
  }

  /** Returns the range in the server's syntax, or null if it is empty. */
  value() {
    const [min, max] = this.bounds();
    if (min !== null && max !== null && min > max) return null;
    if (this.mode === "around") {
      const sign = (/** @type {number} */ n) => (n < 0 ? String(n) : `+${n}`);
      return `${sign(-(fieldNumber(this.fields.below) ?? 0))}..${sign(fieldNumber(this.fields.above) ?? 0)}`;
    }
    return min === null && max === null ? "" : `${min ?? ""}-${max ?? ""}`;
  }

  draw() {
    const [min, max] = this.bounds();
    this.fixed.hidden = this.mode !== "fixed";
    this.around.hidden = this.mode !== "around";
    const isEmpty = this.value() === null;
    for (const field of Object.values(this.fields))
      field.setAttribute("aria-invalid", String(isEmpty));
    this.error.textContent = isEmpty ? t("form.empty") : "";
    const isOutside = (min !== null && this.rating < min) || (max !== null && this.rating > max);
    const ratingLine = t(isOutside ? "form.outside" : "form.you", { you: this.rating });
    this.summary.textContent =
      this.mode === "around"
        ? `${t("form.now", { min, max })}${isOutside ? ` ${ratingLine}` : ""}`
        : ratingLine;
    // A range that excludes its creator after one game also excludes them from a rematch.
    if (this.mode === "fixed" && this.isProvisional && !isOutside)
      this.summary.textContent += ` ${t("form.unsettled")}`;
    /** @type {(rating: number | null, open: number) => number} */
    const position = (rating, open) => (rating === null ? open : axisPosition(rating, 1500));
    const [from, to] = [position(min, 0), position(max, 100)];
    this.band.style.left = `${Math.min(from, to)}%`;
    this.band.style.right = `${100 - Math.max(from, to)}%`;
    this.tick.style.left = `${axisPosition(this.rating, 1500)}%`;
    for (const [end, at, value] of /** @type {["min" | "max", number, number | null][]} */ ([
      ["min", from, min],
      ["max", to, max],
    ])) {
      this.thumbs[end].style.left = `${at}%`;
      this.thumbs[end].setAttribute(
        "aria-valuenow",
        String(value ?? (end === "min" ? AXIS_MIN : AXIS_MAX)),
      );
    }
  }

  /** Focuses the first field of an invalid range. */
  focus() {
    this.fields[this.mode === "around" ? "below" : "min"].focus();
  }
}
