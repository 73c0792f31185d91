// The time of a game that is played over days.
import { h } from "./dom.js";
import { say } from "./words.js";

const MINUTE_MS = 60000;
const LOW_MS = 60 * MINUTE_MS;
/** What is left changes by the minute. */
const BEAT_MS = 20000;

/**
 * A long time as it is told: the two greatest parts of it.
 * @param {number} ms
 * @returns {string}
 */
export const daysText = (ms) => {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  if (days > 0) return hours ? say("days.dh", { d: days, h: hours }) : say("days.d", { d: days });
  return hours > 0 ? say("days.hm", { h: hours, m: String(minutes % 60).padStart(2, "0") }) : say("wait.minutes", { n: minutes });
};

/** Stands where the clocks of a quicker game stand, and is told the same. */
export class DayClocks {
  /** @type {() => number} */ now;
  /** @type {Side | null | undefined} */ mine;
  /** @type {Record<Side, string>} */ names;
  /** @type {{ turn?: Side, daysPerTurn?: number | null, dueBy?: number | null }} */ game;

  /** @param {{ now: () => number, mine?: Side | null, names: Record<Side, string> }} how */
  constructor({ now, mine, names }) {
    Object.assign(this, { now, mine, names, game: {} });
    const element = (side) => h("div", { class: "clock days num", role: "timer", "aria-live": "off", "aria-label": say("game.clock", { name: names[side] }) });
    this.elements = { first: element("first"), second: element("second") };
    setInterval(() => this.draw(), BEAT_MS);
  }

  /**
   * Takes whose turn it is, and until when; nobody's once the game is over.
   * @param {ClockTimes | null | undefined} clocks
   * @param {{ turn: Side, dueBy?: number | null, daysPerTurn?: number | null, end?: End | null }} game
   */
  set(clocks, { turn, dueBy, daysPerTurn = this.game.daysPerTurn, end }) {
    this.game = { turn, daysPerTurn, dueBy: end ? null : dueBy };
    this.draw();
  }

  left(side) {
    const { turn, dueBy, daysPerTurn } = this.game;
    return dueBy && side === turn ? dueBy - this.now() : (daysPerTurn ?? 0) * 1440 * MINUTE_MS;
  }

  draw() {
    const { turn, dueBy } = this.game;
    for (const [side, element] of Object.entries(this.elements)) {
      const left = this.left(side);
      const running = Boolean(dueBy) && side === turn;
      const text = daysText(left);
      if (element.textContent !== text) element.textContent = text;
      element.classList.toggle("run", running && left >= LOW_MS);
      element.classList.toggle("low", running && left < LOW_MS);
    }
  }

  /** Both in words. */
  spoken() {
    return ["first", "second"].map((side) => say("clocks.says", { name: this.names[side], time: daysText(this.left(side)) })).join(", ");
  }
}
