// Times in words and figures: dates, what is left on a clock, and the clocks of games that are played over days.
import { h } from "./dom.js";
import { language, say } from "./i18n.js";

/** The reader's own region, if it speaks the language in use. */
export const locale = navigator.languages.find((tag) => tag.slice(0, 2) === language) ?? language;

const dates = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric" });
const moments = new Intl.DateTimeFormat(locale, {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});
const spans = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [
  ["year", 31557600000],
  ["month", 2629800000],
  ["week", 604800000],
  ["day", 86400000],
  ["hour", 3600000],
  ["minute", 60000],
];

/**
 * A day: "3 Mar 2026".
 * @param {number} ms
 * @returns {string}
 */
export const dayText = (ms) => dates.format(ms);

/**
 * A day and the time of it.
 * @param {number} ms
 * @returns {string}
 */
export const momentText = (ms) => moments.format(ms);

/**
 * How long ago: "3 hours ago".
 * @param {number} ms
 * @returns {string}
 */
export const agoText = (ms) => {
  const past = Math.max(0, Date.now() - ms);
  const [unit, length] = UNITS.find(([, least]) => past >= least) ?? ["minute", 60000];
  return spans.format(-Math.floor(past / length), unit);
};

/** Below this a clock shows tenths, and looks as if it mattered. */
export const LOW_MS = 10000;

const two = (n) => String(n).padStart(2, "0");

/**
 * A duration as a clock shows it: tenths below ten seconds.
 * @param {number} ms
 * @returns {string}
 */
export const clockText = (ms) => {
  const left = Math.max(0, ms);
  const seconds = Math.floor(left / 1000);
  if (left < LOW_MS) return `0:${two(seconds)}.${Math.floor((left % 1000) / 100)}`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return hours
    ? `${hours}:${two(minutes)}:${two(seconds % 60)}`
    : `${minutes}:${two(seconds % 60)}`;
};

const MINUTE_MS = 60000;
/** Below this the time of a game over days looks as if it mattered. */
const DAYS_LOW_MS = 60 * MINUTE_MS;
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
  return hours > 0
    ? say("days.hm", { h: hours, m: String(minutes % 60).padStart(2, "0") })
    : say("wait.minutes", { n: minutes });
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
    const element = (side) =>
      h("div", {
        class: "clock days num",
        role: "timer",
        "aria-live": "off",
        "aria-label": say("game.clock", { name: names[side] }),
      });
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
      element.classList.toggle("run", running && left >= DAYS_LOW_MS);
      element.classList.toggle("low", running && left < DAYS_LOW_MS);
    }
  }

  /** Both in words. */
  spoken() {
    return ["first", "second"]
      .map((side) =>
        say("clocks.says", { name: this.names[side], time: daysText(this.left(side)) }),
      )
      .join(", ");
  }
}
