// Button groups for one or several choices, and the time control input.
//
// `ChoiceGroup` is a radio group that can be switched to multiple selection; at least one choice is
// always selected. `TimeControlInput` builds on it. Used by the challenge forms and dialogs.
import { h, selectBox } from "./dom.js";
import { t } from "./i18n.js";

/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Button group with one selected choice, or several. */
export class ChoiceGroup {
  /** @type {(chosen: string[]) => unknown} */ change;
  /** @type {boolean} */ isMultiple;
  /** @type {string[]} */ chosen;

  /**
   * `choices` are [value, content, name?]; `change` receives the selected values in display order.
   * @param {string} className
   * @param {string} label
   * @param {any[][]} choices
   * @param {string} first
   * @param {(chosen: string[]) => unknown} change
   */
  constructor(className, label, choices, first, change) {
    Object.assign(this, { change, isMultiple: false, chosen: [first] });
    this.buttons = choices.map(([value, content, name]) =>
      h(
        "button",
        { type: "button", "data-value": value, "aria-label": name, title: name },
        content,
      ),
    );
    this.group = h("div", { class: className, "aria-label": label }, ...this.buttons);
    this.multipleButton = h(
      "button",
      {
        type: "button",
        class: "choice-group-toggle small",
        title: t("form.severalWhy"),
        onclick: () => this.setMultiple(!this.isMultiple),
      },
      t("form.several"),
    );
    this.group.addEventListener("click", (event) => {
      const button = /** @type {Element} */ (event.target).closest("button");
      if (button) this.select(button.dataset.value);
    });
    this.group.addEventListener("keydown", (event) => this.handleKey(event));
    this.label = h("span", {}, label);
    this.element = h(
      "div",
      { class: "choice-group" },
      h("div", { class: "choice-group-head" }, this.label, this.multipleButton),
      this.group,
    );
    this.draw();
  }

  /**
   * Selects a value, or toggles it if several can be selected. The last one cannot be deselected.
   * @param {string | undefined} value
   */
  select(value) {
    const without = this.chosen.filter((other) => other !== value);
    const next = !this.isMultiple
      ? [value]
      : without.length < this.chosen.length && without.length > 0
        ? without
        : [...without, value];
    this.chosen = this.buttons
      .map(({ dataset }) => dataset.value ?? "")
      .filter((each) => next.includes(each));
    this.draw();
    this.change(this.chosen);
  }

  /**
   * Switches between single and multiple selection.
   * @param {boolean} isMultiple
   */
  setMultiple(isMultiple) {
    this.isMultiple = isMultiple;
    if (!isMultiple) this.chosen = this.chosen.slice(0, 1);
    this.draw();
    this.change(this.chosen);
  }

  /**
   * Handles the arrow keys, which select in a radio group only.
   * @param {KeyboardEvent} event
   */
  handleKey(event) {
    const step = STEPS[event.key];
    if (!step || this.isMultiple) return;
    event.preventDefault();
    const at = this.buttons.indexOf(/** @type {any} */ (document.activeElement));
    const next = this.buttons[(at + step + this.buttons.length) % this.buttons.length];
    next.focus();
    this.select(next.dataset.value);
  }

  draw() {
    this.multipleButton.setAttribute("aria-pressed", String(this.isMultiple));
    this.group.setAttribute("role", this.isMultiple ? "group" : "radiogroup");
    for (const button of this.buttons) {
      const on = this.chosen.includes(button.dataset.value ?? "");
      button.setAttribute("role", this.isMultiple ? "checkbox" : "radio");
      button.setAttribute("aria-checked", String(on));
      button.tabIndex = on || this.isMultiple ? 0 : -1;
    }
  }
}

const CLOCKS = ["3+2", "5+3", "10+5"];
const DAYS = [1, 2, 3, 5, 7, 10, 14];
const DAYS_DEFAULT = 3;

/** Time control input: presets, other clocks, days per move, or no clock. */
export class TimeControlInput {
  /**
   * @param {() => unknown} changed
   * @param {boolean} [isMultiple] several time controls can be selected
   */
  constructor(changed, isMultiple = true) {
    this.minutes = h("input", { type: "number", min: 0, max: 180, value: 15 });
    this.seconds = h("input", { type: "number", min: 0, max: 180, value: 10 });
    this.days = selectBox(
      { name: "days" },
      DAYS.map((n) => [n, t("card.days", { n })]),
      DAYS_DEFAULT,
    );
    this.other = h(
      "div",
      { class: "field-pair", hidden: true },
      h("label", { class: "field" }, t("form.minutes"), this.minutes),
      h("span", {}),
      h("label", { class: "field" }, t("form.increment"), this.seconds),
    );
    this.daily = h("label", { class: "field", hidden: true }, t("form.pace"), this.days);
    const times = [
      ...CLOCKS.map((show) => [show, show]),
      ["other", t("form.other")],
      ["days", t("form.days")],
      ["none", t("form.noclock")],
    ];
    this.picker = new ChoiceGroup(
      "segmented is-three-column num",
      t("form.time"),
      times,
      "5+3",
      () => {
        this.other.hidden = !this.isSelected("other");
        this.daily.hidden = !this.isSelected("days");
        changed();
      },
    );
    this.picker.multipleButton.hidden = !isMultiple;
    this.element = this.picker.element;
    this.element.append(this.other, this.daily);
  }

  /**
   * Restores the fields of an earlier request. Without a time control there is no clock.
   * @param {{ days?: number, "clock.limit"?: number, "clock.increment"?: number }} fields
   */
  restore({ days, "clock.limit": limit, "clock.increment": increment }) {
    const clock = `${/** @type {number} */ (limit) / 60}+${increment}`;
    if (DAYS.includes(/** @type {number} */ (days)))
      this.days.value = /** @type {string} */ (/** @type {unknown} */ (days));
    const other = limit !== undefined && !CLOCKS.includes(clock);
    if (other) [this.minutes.value, this.seconds.value] = [String(limit / 60), String(increment)];
    this.picker.select(
      DAYS.includes(/** @type {number} */ (days))
        ? "days"
        : limit === undefined
          ? "none"
          : other
            ? "other"
            : clock,
    );
  }

  /** @param {string} time */
  isSelected(time) {
    return this.picker.chosen.includes(time);
  }

  /** Returns whether only correspondence is selected. */
  isDaily() {
    return this.picker.chosen.every((time) => time === "days");
  }

  /**
   * Returns limit and increment in seconds.
   * @param {string} time
   * @returns {[limit: number, increment: number]}
   */
  clock(time) {
    const [limit, increment] =
      time === "other" ? [this.minutes.value, this.seconds.value] : time.split("+");
    return [Math.round(60 * Number(limit)), Number(increment)];
  }

  /** Returns the fields of the request. */
  fields() {
    const [first, ...others] = this.picker.chosen;
    if (others.length > 0) {
      const keys = this.picker.chosen.map(
        (time) =>
          ({ none: "unlimited", days: `${this.days.value}d` })[time] ?? this.clock(time).join("+"),
      );
      return { clocks: keys.join(",") };
    }
    if (first === "none") return {};
    if (first === "days") return { days: Number(this.days.value) };
    const [limit, increment] = this.clock(first);
    return { "clock.limit": limit, "clock.increment": increment };
  }
}
