// Clocks of both sides, in a game with a time limit per player or by correspondence. They count
// down from the last times of the server; the server alone decides about flags. Created by
// `page.js`.
import { h, setText } from "../lib/dom.js";
import { sound } from "../board/sound.js";
import { clockText, daysText, LOW_MS } from "../lib/format-time.js";
import { t } from "../lib/i18n.js";

/** Remaining times that are announced once to screen readers. */
const ANNOUNCED_MS = [30000, 10000];

/** Update interval, for tenths of seconds. */
const UPDATE_INTERVAL_MS = 100;

/** Time without a connection after which the times are no longer known, as in the banner. */
const SUSPENDED_MS = 1500;

const DAY_MS = 86400000;
/** Remaining time below which the clock of a correspondence game is highlighted. */
const DAYS_LOW_MS = 3600000;
/** Update interval of correspondence clocks, which show minutes. */
const DAYS_UPDATE_INTERVAL_MS = 20000;

/** @type {Side[]} */
const SIDES = ["first", "second"];

/**
 * `now` returns the server time, `announce` speaks to screen readers, `ownSide` is the side of the
 * viewer.
 * @typedef {{
 *   now: () => number,
 *   announce: (text: string) => unknown,
 *   ownSide?: Side | null,
 *   names: Record<Side, string>,
 * }} ClockOptions
 */

/**
 * Creates the elements of both clocks.
 * @param {Record<Side, string>} names
 * @param {string} className
 * @returns {Record<Side, HTMLElement>}
 */
const clockElements = (names, className) => {
  /** @param {Side} side */
  const element = (side) =>
    h("div", {
      class: className,
      role: "timer",
      "aria-live": "off",
      "aria-label": t("game.clock", { name: names[side] }),
    });
  return { first: element("first"), second: element("second") };
};

/**
 * Shows a time on a clock.
 * @param {HTMLElement} element
 * @param {string} text
 * @param {boolean} isRunning
 * @param {boolean} isLow
 */
const showTime = (element, text, isRunning, isLow) => {
  setText(element, text);
  element.classList.toggle("is-running", isRunning && !isLow);
  element.classList.toggle("is-low", isRunning && isLow);
};

/**
 * Returns both clocks in words.
 * @param {Record<Side, string>} names
 * @param {(side: Side) => string} timeText
 */
const spokenTimes = (names, timeText) =>
  SIDES.map((side) => t("clocks.says", { name: names[side], time: timeText(side) })).join(", ");

/** Clocks of a game with a time limit per player. */
export class Clocks {
  /** @type {() => number} */ now;
  /** @type {(text: string) => unknown} */ announce;
  /** @type {Side | null | undefined} */ ownSide;
  /** @type {Record<Side, string>} */ names;
  /** @type {ClockTimes | null | undefined} */ times;
  /** @type {Set<number>} */ announced;
  /** @type {number | undefined} */ lastTickSecond;
  /** @type {number | null} */ disconnectedAt;

  /** @param {ClockOptions} options */
  constructor({ now, announce, ownSide, names }) {
    Object.assign(this, {
      now,
      announce,
      ownSide,
      names,
      times: null,
      announced: new Set(),
      disconnectedAt: null,
    });
    this.elements = clockElements(names, "game-clock num");
    setInterval(() => this.draw(), UPDATE_INTERVAL_MS);
  }

  /** @param {ClockTimes | null | undefined} times */
  set(times) {
    this.times = times;
    this.draw();
  }

  /**
   * Returns the remaining time in milliseconds, negative after the flag. Requires known times.
   * @param {Side} side
   */
  left(side) {
    const { [side]: left, running, at } = /** @type {ClockTimes} */ (this.times);
    return left - (running === side ? Math.max(0, this.now() - at) : 0);
  }

  /**
   * Notes whether there is a connection. Without one for `SUSPENDED_MS`, the clocks stand still:
   * during an outage of the server no clock runs, and the times follow with the next connection.
   * @param {boolean} isConnected
   */
  setConnected(isConnected) {
    this.disconnectedAt = isConnected ? null : (this.disconnectedAt ?? performance.now());
  }

  draw() {
    const isSuspended =
      this.disconnectedAt !== null && performance.now() - this.disconnectedAt > SUSPENDED_MS;
    for (const side of SIDES) {
      this.elements[side].classList.toggle("is-suspended", isSuspended);
    }
    if (isSuspended) return;
    for (const side of SIDES) {
      const element = this.elements[side];
      element.hidden = !this.times;
      if (!this.times) continue;
      const left = this.left(side);
      const isRunning = this.times.running === side;
      showTime(element, clockText(left), isRunning, left < LOW_MS);
      element.classList.toggle("is-flagged", left <= 0);
      if (isRunning && side === this.ownSide) this.announceLow(left);
    }
  }

  /**
   * Plays one sound per second below `LOW_MS` and announces the times in `ANNOUNCED_MS`.
   * @param {number} left
   */
  announceLow(left) {
    const second = Math.ceil(left / 1000);
    if (left > 0 && left <= LOW_MS && second !== this.lastTickSecond) {
      this.lastTickSecond = second;
      sound("low");
    }
    for (const threshold of ANNOUNCED_MS) {
      if (left <= threshold && left > threshold - 2000 && !this.announced.has(threshold)) {
        this.announced.add(threshold);
        this.announce(t("hint.low", { n: threshold / 1000 }));
      }
    }
  }

  /** Returns both clocks in words, "" in a game without a clock. */
  spoken() {
    return this.times ? spokenTimes(this.names, (side) => clockText(this.left(side))) : "";
  }
}

/** Clocks of a correspondence game; same interface. */
export class CorrespondenceClocks {
  /** @type {() => number} */ now;
  /** @type {Record<Side, string>} */ names;
  /** @type {{ turn?: Side, daysPerTurn?: number | null, dueBy?: number | null }} */ game;

  /** @param {Pick<ClockOptions, "now" | "names">} options */
  constructor({ now, names }) {
    Object.assign(this, { now, names, game: {} });
    this.elements = clockElements(names, "game-clock is-correspondence num");
    setInterval(() => this.draw(), DAYS_UPDATE_INTERVAL_MS);
  }

  /**
   * Sets the side to move and its deadline. After the end of the game, no time for a move is shown.
   * @param {ClockTimes | null | undefined} clocks
   * @param {object} game
   * @param {Side} game.turn
   * @param {number | null} [game.dueBy]
   * @param {number | null} [game.daysPerTurn]
   * @param {End | null} [game.end]
   */
  set(clocks, { turn, dueBy, daysPerTurn = this.game.daysPerTurn, end }) {
    this.game = { turn, daysPerTurn, dueBy: end ? null : dueBy };
    for (const side of SIDES) this.elements[side].classList.toggle("is-over", Boolean(end));
    this.draw();
  }

  /**
   * Returns the remaining time of a side in milliseconds.
   * @param {Side} side
   */
  left(side) {
    const { turn, dueBy, daysPerTurn } = this.game;
    return dueBy && side === turn ? dueBy - this.now() : (daysPerTurn ?? 0) * DAY_MS;
  }

  /** Does nothing: minutes of an outage do not matter to days. */
  setConnected() {}

  draw() {
    const { turn, dueBy } = this.game;
    for (const side of SIDES) {
      const left = this.left(side);
      const isRunning = Boolean(dueBy) && side === turn;
      showTime(this.elements[side], daysText(left), isRunning, left < DAYS_LOW_MS);
    }
  }

  /** Returns both clocks in words. */
  spoken() {
    return spokenTimes(this.names, (side) => daysText(this.left(side)));
  }
}
