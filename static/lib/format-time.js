// Formats of dates, durations and clocks, and the clocks of correspondence games.
//
// Dates follow the reader's locale if it matches the language in use.
import { h } from "./dom.js";
import { language, t } from "./i18n.js";

/** Preferred locale with the language in use, or that language. */
export const locale = navigator.languages.find((tag) => tag.slice(0, 2) === language) ?? language;

const dateFormat = new Intl.DateTimeFormat(locale, {
  day: "numeric",
  month: "short",
  year: "numeric",
});
const dateTimeFormat = new Intl.DateTimeFormat(locale, {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});
const relativeFormat = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });

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
 * Formats a date: "3 Mar 2026".
 * @param {number} ms
 * @returns {string}
 */
export const dayText = (ms) => dateFormat.format(ms);

/**
 * Formats a date with the time of day.
 * @param {number} ms
 * @returns {string}
 */
export const dateTimeText = (ms) => dateTimeFormat.format(ms);

/**
 * Formats the time since a date: "3 hours ago".
 * @param {number} ms
 * @returns {string}
 */
export const agoText = (ms) => {
  const elapsed = Math.max(0, Date.now() - ms);
  const [unit, length] = UNITS.find(([, least]) => elapsed >= least) ?? ["minute", 60000];
  return relativeFormat.format(-Math.floor(elapsed / length), unit);
};

/** Remaining time below which a clock shows tenths and is highlighted. */
export const LOW_MS = 10000;

/** @param {number} n */
const twoDigits = (n) => String(n).padStart(2, "0");

/**
 * Formats a remaining time, with tenths below `LOW_MS`.
 * @param {number} ms
 * @returns {string}
 */
export const clockText = (ms) => {
  const left = Math.max(0, ms);
  const seconds = Math.floor(left / 1000);
  if (left < LOW_MS) return `0:${twoDigits(seconds)}.${Math.floor((left % 1000) / 100)}`;
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return hours
    ? `${hours}:${twoDigits(minutes)}:${twoDigits(seconds % 60)}`
    : `${minutes}:${twoDigits(seconds % 60)}`;
};

const MINUTE_MS = 60000;
/** Remaining time below which the clock of a correspondence game is highlighted. */
const DAYS_LOW_MS = 60 * MINUTE_MS;
/** Update interval of correspondence clocks, which show minutes. */
const UPDATE_INTERVAL_MS = 20000;

/**
 * Formats a long duration in its two largest units.
 * @param {number} ms
 * @returns {string}
 */
export const daysText = (ms) => {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  if (days > 0) return hours ? t("days.dh", { d: days, h: hours }) : t("days.d", { d: days });
  return hours > 0
    ? t("days.hm", { h: hours, m: String(minutes % 60).padStart(2, "0") })
    : t("wait.minutes", { n: minutes });
};

/** Clocks of a correspondence game; same interface as the clocks of a live game. */
export class CorrespondenceClocks {
  /** @type {() => number} */ now;
  /** @type {Side | null | undefined} */ ownSide;
  /** @type {Record<Side, string>} */ names;
  /** @type {{ turn?: Side, daysPerTurn?: number | null, dueBy?: number | null }} */ game;

  /** @param {{ now: () => number, ownSide?: Side | null, names: Record<Side, string> }} options */
  constructor({ now, ownSide, names }) {
    Object.assign(this, { now, ownSide, names, game: {} });
    /** @param {Side} side */
    const element = (side) =>
      h("div", {
        class: "game-clock is-correspondence num",
        role: "timer",
        "aria-live": "off",
        "aria-label": t("game.clock", { name: names[side] }),
      });
    this.elements = { first: element("first"), second: element("second") };
    setInterval(() => this.draw(), UPDATE_INTERVAL_MS);
  }

  /**
   * Sets the side to move and its deadline; no clock runs once the game is over.
   * @param {ClockTimes | null | undefined} clocks
   * @param {object} game
   * @param {Side} game.turn
   * @param {number | null} [game.dueBy]
   * @param {number | null} [game.daysPerTurn]
   * @param {End | null} [game.end]
   */
  set(clocks, { turn, dueBy, daysPerTurn = this.game.daysPerTurn, end }) {
    this.game = { turn, daysPerTurn, dueBy: end ? null : dueBy };
    this.draw();
  }

  /**
   * Returns the remaining time of a side in milliseconds.
   * @param {Side} side
   */
  left(side) {
    const { turn, dueBy, daysPerTurn } = this.game;
    return dueBy && side === turn ? dueBy - this.now() : (daysPerTurn ?? 0) * 1440 * MINUTE_MS;
  }

  draw() {
    const { turn, dueBy } = this.game;
    for (const [side, element] of /** @type {[Side, HTMLElement][]} */ (
      Object.entries(this.elements)
    )) {
      const left = this.left(side);
      const running = Boolean(dueBy) && side === turn;
      const text = daysText(left);
      if (element.textContent !== text) element.textContent = text;
      element.classList.toggle("is-running", running && left >= DAYS_LOW_MS);
      element.classList.toggle("is-low", running && left < DAYS_LOW_MS);
    }
  }

  /** Returns both clocks in words. */
  spoken() {
    return /** @type {Side[]} */ (["first", "second"])
      .map((side) => t("clocks.says", { name: this.names[side], time: daysText(this.left(side)) }))
      .join(", ");
  }
}
