// Both clocks, as the server last told them, running on between.
import { h } from "./dom.js";
import { say } from "./words.js";

const LOW_MS = 10000;
/** Times that are announced once to those who do not see the clock. */
const ANNOUNCED_MS = [30000, 10000];

const two = (n) => String(n).padStart(2, "0");

/** A duration as a clock shows it: tenths below ten seconds. */
export const clockText = (ms) => {
  const left = Math.max(0, ms);
  const seconds = Math.floor(left / 1000);
  if (left < LOW_MS) return `0:${two(seconds)}.${Math.floor((left % 1000) / 100)}`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
};

export class Clocks {
  /** `now` is the server's time; `announce` says something aloud; `mine` is the own side. */
  constructor({ now, announce, mine, names }) {
    Object.assign(this, { now, announce, mine, told: null, said: new Set() });
    const element = (side) => h("div", { class: "clock num", role: "timer", "aria-live": "off", "aria-label": say("game.clock", { name: names[side] }) });
    this.elements = { first: element("first"), second: element("second") };
    setInterval(() => this.draw(), 100);
  }

  set(told) {
    this.told = told;
    this.draw();
  }

  left(side) {
    const { running, at } = this.told;
    return this.told[side] - (running === side ? Math.max(0, this.now() - at) : 0);
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
    for (const mark of ANNOUNCED_MS) {
      if (left <= mark && left > mark - 2000 && !this.said.has(mark)) {
        this.said.add(mark);
        this.announce(say("hint.low", { n: mark / 1000 }));
      }
    }
  }

  /** Both clocks in words. */
  spoken() {
    return this.told ? `${clockText(this.left("first"))}, ${clockText(this.left("second"))}` : "";
  }
}
