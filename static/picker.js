// One choice in a row, or several of them at the same time.
import { h } from "./dom.js";
import { say } from "./words.js";

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export class Picker {
  /** @type {(chosen: string[]) => unknown} */ change;
  /** @type {boolean} */ several;
  /** @type {string[]} */ chosen;

  /**
   * `choices` are [value, content, name?]; `change(chosen)` is told the values in the order of the row.
   * @param {string} className
   * @param {string} label
   * @param {any[][]} choices
   * @param {string} first
   * @param {(chosen: string[]) => unknown} change
   */
  constructor(className, label, choices, first, change) {
    Object.assign(this, { change, several: false, chosen: [first] });
    this.buttons = choices.map(([value, content, name]) => h("button", { type: "button", "data-value": value, "aria-label": name, title: name }, content));
    this.group = h("div", { class: className, "aria-label": label }, ...this.buttons);
    this.more = h("button", { type: "button", class: "several small", title: say("form.severalWhy"), onclick: () => this.setSeveral(!this.several) }, say("form.several"));
    this.group.addEventListener("click", (event) => {
      const button = /** @type {Element} */ (event.target).closest("button");
      if (button) this.pick(button.dataset.value);
    });
    this.group.addEventListener("keydown", (event) => this.key(event));
    this.label = h("span", {}, label);
    this.element = h("div", { class: "many" }, h("div", { class: "many-head" }, this.label, this.more), this.group);
    this.draw();
  }

  /** One is always chosen: what is offered is never nothing. */
  pick(value) {
    const without = this.chosen.filter((other) => other !== value);
    const next = !this.several ? [value] : without.length < this.chosen.length && without.length > 0 ? without : [...without, value];
    this.chosen = this.buttons.map(({ dataset }) => dataset.value ?? "").filter((each) => next.includes(each));
    this.draw();
    this.change(this.chosen);
  }

  setSeveral(several) {
    this.several = several;
    if (!several) this.chosen = this.chosen.slice(0, 1);
    this.draw();
    this.change(this.chosen);
  }

  /** The arrows choose as long as only one can be chosen. */
  key(event) {
    const step = STEPS[event.key];
    if (!step || this.several) return;
    event.preventDefault();
    const at = this.buttons.indexOf(/** @type {any} */ (document.activeElement));
    const next = this.buttons[(at + step + this.buttons.length) % this.buttons.length];
    next.focus();
    this.pick(next.dataset.value);
  }

  draw() {
    this.more.setAttribute("aria-pressed", String(this.several));
    this.group.setAttribute("role", this.several ? "group" : "radiogroup");
    for (const button of this.buttons) {
      const on = this.chosen.includes(button.dataset.value ?? "");
      button.setAttribute("role", this.several ? "checkbox" : "radio");
      button.setAttribute("aria-checked", String(on));
      button.tabIndex = on || this.several ? 0 : -1;
    }
  }
}
