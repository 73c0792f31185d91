// Player bars (name, rating, count of points or pieces, absence) and game clocks. The clocks count
// down from the last times of the server; the server alone decides about flags. Created by
// `page.js`.
import { h } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { botBadge } from "../common/user-link.js";
import { sound } from "../board/sound.js";
import { clockText, LOW_MS } from "../lib/format-time.js";
import { t } from "../lib/i18n.js";

/** Remaining times that are announced once to screen readers. */
const ANNOUNCED_MS = [30000, 10000];

/** Clocks of both players in a game with a time limit per player. */
export class Clocks {
  /** @type {() => number} */ now;
  /** @type {(text: string) => unknown} */ announce;
  /** @type {Side | null | undefined} */ ownSide;
  /** @type {Record<Side, string>} */ names;
  /** @type {ClockTimes | null | undefined} */ times;
  /** @type {Set<number>} */ announced;

  /**
   * `now` returns the server time, `announce` speaks to screen readers, `ownSide` is the side of the
   * viewer.
   * @param {{
   *   now: () => number,
   *   announce: (text: string) => unknown,
   *   ownSide?: Side | null,
   *   names: Record<Side, string>,
   * }} options
   */
  constructor({ now, announce, ownSide, names }) {
    Object.assign(this, {
      now,
      announce,
      ownSide,
      names,
      times: null,
      announced: new Set(),
    });
    /** @type {(side: Side) => HTMLElement} */
    const element = (side) =>
      h("div", {
        class: "game-clock num",
        role: "timer",
        "aria-live": "off",
        "aria-label": t("game.clock", { name: names[side] }),
      });
    this.elements = { first: element("first"), second: element("second") };
    setInterval(() => this.draw(), 100);
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
    const { running, at } = /** @type {ClockTimes} */ (this.times);
    return (
      /** @type {ClockTimes} */ (this.times)[side] -
      (running === side ? Math.max(0, this.now() - at) : 0)
    );
  }

  draw() {
    for (const [side, element] of /** @type {[Side, HTMLElement][]} */ (
      Object.entries(this.elements)
    )) {
      element.hidden = !this.times;
      if (!this.times) continue;
      const left = this.left(side);
      const text = clockText(left);
      if (element.textContent !== text) element.textContent = text;
      const running = this.times.running === side;
      element.classList.toggle("is-running", running && left >= LOW_MS);
      element.classList.toggle("is-low", running && left < LOW_MS);
      element.classList.toggle("is-flagged", left <= 0);
      if (running && side === this.ownSide) this.announceLow(left);
    }
  }

  /**
   * Plays one sound per second below `LOW_MS` and announces the times in `ANNOUNCED_MS`.
   * @param {number} left
   */
  announceLow(left) {
    const second = Math.ceil(left / 1000);
    if (left > 0 && left <= LOW_MS && second !== this.lastTickSecond) {
      /** @type {number | undefined} */
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

  /** Returns both clocks as text, "" in a game without a clock. */
  spoken() {
    return this.times
      ? /** @type {Side[]} */ (["first", "second"])
          .map((side) =>
            t("clocks.says", { name: this.names[side], time: clockText(this.left(side)) }),
          )
          .join(", ")
      : "";
  }
}

/** @type {Side[]} */
const SIDES = ["first", "second"];
/** @type {(side: Side) => Side} */
const other = (side) => (side === "first" ? "second" : "first");

/** Seconds that one click gives to the opponent; the server applies the same value. */
const GIVEN_S = 15;

/**
 * Builds the thinking indicator of the computer. It occupies its space even while invisible. Screen
 * readers get the same information from the status line.
 */
const thinkingIndicator = () =>
  h(
    "span",
    { class: "game-player-thinking is-hidden", "aria-hidden": "true" },
    h("span", {}, t("game.thinking")),
    h("i"),
    h("i"),
    h("i"),
  );

/** Bars of both players above and below the board. */
export class PlayerBars {
  /** @type {import("./page.js").GamePage} */ play;
  /** @type {() => unknown} */ again;
  /** @type {Side} */ bottomSide;

  /**
   * `give()` gives the opponent time, `again()` reopens the claim that the player postponed.
   * @param {import("./page.js").GamePage} play
   * @param {{ give: () => unknown, again: () => unknown }} actions
   */
  constructor(play, { give, again }) {
    const { you } = play;
    Object.assign(this, { play, again, bottomSide: you ?? "first" });
    // More time does not change the play of the computer.
    const canGive = you && play.game.clock && !play.isComputer(other(you));
    this.giveButton = canGive
      ? h(
          "button",
          {
            type: "button",
            class: "game-player-more-time num",
            "aria-label": t("game.give", { name: play.name(other(you)), n: GIVEN_S }),
            title: t("game.give", { name: play.name(other(you)), n: GIVEN_S }),
            onclick: give,
          },
          `+${GIVEN_S} s`,
        )
      : null;
    this.elements = { first: this.bar("first"), second: this.bar("second") };
  }

  /** @param {Side} side */
  bar(side) {
    const { play } = this;
    const { name, rating, provisional, guest, title, level } = play.game[side];
    // In a casual game, the level of the computer replaces its rating.
    const ratingLabel =
      guest || (level && !play.game.rated)
        ? null
        : h("small", { class: "num" }, `${rating}${provisional ? "?" : ""}`);
    // With a clock, the first row has no space for the thinking indicator.
    const hasClock = Boolean(play.game.clock ?? play.game.daysPerTurn);
    const indicator = level && thinkingIndicator();
    const away = h("button", {
      type: "button",
      class: "game-player-absence num",
      hidden: true,
      onclick: this.again,
    });
    return h(
      "section",
      { class: "card game-player", "aria-label": `${name}, ${play.sideName(side)}` },
      h("span", { class: "variant-icon" }, icon(play.variant.key, side)),
      h(
        "div",
        {},
        h(
          "div",
          { class: "game-player-name", title: name },
          h("span", {}, name),
          !hasClock && indicator,
        ),
        h(
          "div",
          { class: "game-player-details" },
          botBadge({ title, level }),
          hasClock && indicator,
          ratingLabel,
          away,
          h(
            "div",
            { class: "game-player-count num" },
            h("span", { class: "game-player-slots", "aria-hidden": "true" }),
            h("span", {}),
          ),
        ),
      ),
      side !== play.you && this.giveButton,
      play.clocks.elements[side],
    );
  }

  /**
   * Shows or hides the absence of a player.
   * @param {Side} side
   * @param {string} text "" hides it
   * @param {boolean} canReopen whether a click reopens the postponed claim
   */
  setAbsence(side, text, canReopen) {
    const bar = this.elements[side];
    const note = bar.querySelector(".game-player-absence");
    bar.classList.toggle("is-gone", text !== "");
    note.hidden = text === "";
    note.disabled = !canReopen;
    if (note.textContent !== text) note.textContent = text;
  }

  /** Updates the visibility of the button that gives time and of the thinking indicator. */
  update() {
    const { abortable, end, turn } = this.play.game;
    this.giveButton?.classList.toggle("is-hidden", Boolean(abortable || end));
    for (const side of SIDES)
      this.elements[side]
        .querySelector(".game-player-thinking")
        ?.classList.toggle("is-hidden", Boolean(end) || turn !== side);
  }

  /** Bar of the player on the far side of the board. */
  get topBar() {
    return this.elements[other(this.bottomSide)];
  }

  get bottomBar() {
    return this.elements[this.bottomSide];
  }

  flip() {
    this.bottomSide = other(this.bottomSide);
  }

  /** Sets the classes by which a small screen positions the bars above and below the board. */
  updatePositions() {
    for (const side of SIDES) {
      this.elements[side].classList.toggle("is-bottom", side === this.bottomSide);
      this.elements[side].classList.toggle("is-top", side !== this.bottomSide);
    }
  }

  /**
   * Draws the counts of both sides. Returns the side that has already won while the game continues
   * for points (Hogga), null otherwise.
   * @param {Parameters<PieceSet["count"]>[0]} position
   */
  drawCounts(position) {
    const { game, pieceSet } = this.play;
    const { phrase, values, of, slots = 0, others = false, more } = pieceSet.count(position);
    SIDES.forEach((side, at) => {
      const [slotRow, text] = this.elements[side].querySelector(".game-player-count").children;
      const extra = more?.at === at ? ` · ${t(more.phrase, { n: more.n })}` : "";
      text.textContent = t(phrase, { n: values[at], of }) + extra;
      text.classList.toggle("visually-hidden", slots > 0);
      slotRow.replaceChildren(
        ...Array.from({ length: slots }, (_, slot) =>
          h("i", { class: slot < values[at] ? "is-full" : undefined }),
        ),
      );
      slotRow.dataset.side = game.sides[others ? 1 - at : at];
    });
    return more ? SIDES[more.at] : null;
  }
}
