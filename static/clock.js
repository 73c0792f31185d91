// Both clocks, as the server last told them, running on between.
import { LOW_MS, clockText } from "./clock-text.js";
import { h } from "./dom.js";
import { sound } from "./sound.js";
import { say } from "./words.js";

/** Times that are announced once to those who do not see the clock. */
const ANNOUNCED_MS = [30000, 10000];

export class Clocks {
  /** @type {() => number} */ now;
  /** @type {(text: string) => unknown} */ announce;
  /** @type {Side | null | undefined} */ mine;
  /** @type {Record<Side, string>} */ names;
  /** @type {ClockTimes | null} */ told;
  /** @type {Set<number>} */ said;

  /**
   * `now` is the server's time; `announce` says something aloud; `mine` is the own side.
   * @param {{ now: () => number, announce: (text: string) => unknown, mine?: Side | null, names: Record<Side, string> }} how
   */
  constructor({ now, announce, mine, names }) {
    Object.assign(this, { now, announce, mine, names, told: null, said: new Set() });
    const element = (side) => h("div", { class: "clock num", role: "timer", "aria-live": "off", "aria-label": say("game.clock", { name: names[side] }) });
    this.elements = { first: element("first"), second: element("second") };
    setInterval(() => this.draw(), 100);
  }

  set(told) {
    this.told = told;
    this.draw();
  }

  left(side) {
    const { running, at } = /** @type {ClockTimes} */ (this.told);
    return /** @type {ClockTimes} */ (this.told)[side] - (running === side ? Math.max(0, this.now() - at) : 0);
  }

  draw() {
    for (const [side, element] of Object.entries(this.elements)) {
      element.hidden = !this.told;
      if (!this.told) continue;
      const left = this.left(side);
      const text = clockText(left);
      if (element.textContent !== text) element.textContent = text;
      const running = this.told.running === side;
      element.classList.toggle("run", running && left >= LOW_MS);
      element.classList.toggle("low", running && left < LOW_MS);
      element.classList.toggle("flag", left <= 0);
      if (running && side === this.mine) this.announceLow(left);
    }
  }

  announceLow(left) {
    // Each of the last seconds is heard once.
    const second = Math.ceil(left / 1000);
    if (left > 0 && left <= LOW_MS && second !== this.ticked) {
      this.ticked = second;
      sound("low");
    }
    for (const mark of ANNOUNCED_MS) {
      if (left <= mark && left > mark - 2000 && !this.said.has(mark)) {
        this.said.add(mark);
        this.announce(say("hint.low", { n: mark / 1000 }));
      }
    }
  }

  /** Both clocks in words. */
  spoken() {
    return this.told ? ["first", "second"].map((side) => say("clocks.says", { name: this.names[side], time: clockText(this.left(side)) })).join(", ") : "";
  }
}
