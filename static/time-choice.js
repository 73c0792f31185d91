// Which clocks are offered: some by the minute, some by the day, or none.
import { h } from "./dom.js";
import { Picker } from "./picker.js";
import { say } from "./words.js";

const CLOCKS = ["3+2", "5+3", "10+5"];
const DAYS = [1, 2, 3, 5, 7, 10, 14];
const DAYS_USUAL = 3;

export class TimeChoice {
  /**
   * `changed()` is told whenever they change; `several` says whether many can be chosen.
   * @param {() => unknown} changed
   * @param {boolean} [several]
   */
  constructor(changed, several = true) {
    this.minutes = h("input", { type: "number", min: 0, max: 180, value: 15 });
    this.seconds = h("input", { type: "number", min: 0, max: 180, value: 10 });
    this.days = h("select", { name: "days" }, ...DAYS.map((n) => h("option", { value: n, selected: n === DAYS_USUAL }, say("card.days", { n }))));
    this.other = h("div", { class: "two", hidden: true }, h("label", { class: "field" }, say("form.minutes"), this.minutes), h("span", {}), h("label", { class: "field" }, say("form.increment"), this.seconds));
    this.daily = h("label", { class: "field", hidden: true }, say("form.pace"), this.days);
    const times = [...CLOCKS.map((show) => [show, show]), ["other", say("form.other")], ["days", say("form.days")], ["none", say("form.noclock")]];
    this.picker = new Picker("seg six num", say("form.time"), times, "5+3", () => {
      this.other.hidden = !this.has("other");
      this.daily.hidden = !this.has("days");
      changed();
    });
    this.picker.more.hidden = !several;
    this.element = this.picker.element;
    this.element.append(this.other, this.daily);
  }

  /** Takes up what was sent another time; where no time was, there is no clock. */
  recall({ days, "clock.limit": limit, "clock.increment": increment }) {
    const clock = `${limit / 60}+${increment}`;
    if (DAYS.includes(days)) this.days.value = days;
    const other = limit !== undefined && !CLOCKS.includes(clock);
    if (other) [this.minutes.value, this.seconds.value] = [String(limit / 60), String(increment)];
    this.picker.pick(DAYS.includes(days) ? "days" : limit === undefined ? "none" : other ? "other" : clock);
  }

  has(time) {
    return this.picker.chosen.includes(time);
  }

  /** Whether there are days and nothing else. */
  isDaily() {
    return this.picker.chosen.every((time) => time === "days");
  }

  clock(time) {
    const [limit, increment] = time === "other" ? [this.minutes.value, this.seconds.value] : time.split("+");
    return [Math.round(60 * Number(limit)), Number(increment)];
  }

  /** What is sent. */
  fields() {
    const [first, ...others] = this.picker.chosen;
    if (others.length > 0) {
      const keys = this.picker.chosen.map((time) => ({ none: "unlimited", days: `${this.days.value}d` })[time] ?? this.clock(time).join("+"));
      return { clocks: keys.join(",") };
    }
    if (first === "none") return {};
    if (first === "days") return { days: Number(this.days.value) };
    const [limit, increment] = this.clock(first);
    return { "clock.limit": limit, "clock.increment": increment };
  }
}
