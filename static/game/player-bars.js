// Player bars: name, rating, count of points or pieces, absence. Created by `page.js`.
import { h, setText } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { botBadge } from "../common/user-link.js";
import { drawSideCounts, sideCount } from "../common/side-counts.js";
import { otherSide } from "../model/notation.js";
import { t } from "../lib/i18n.js";

/** @type {Side[]} */
const SIDES = ["first", "second"];

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
  /** @type {import("./page.js").GamePage} */ page;
  /** @type {() => unknown} */ again;
  /** @type {Side} */ bottomSide;

  /**
   * `give()` gives the opponent time, `again()` reopens the claim that the player postponed.
   * @param {import("./page.js").GamePage} page
   * @param {{ give: () => unknown, again: () => unknown }} actions
   */
  constructor(page, { give, again }) {
    const { you } = page;
    Object.assign(this, { page, again, bottomSide: you ?? "first" });
    // More time does not change the play of the computer.
    const canGive = you && page.game.clock && !page.isComputer(otherSide(you));
    this.giveButton = canGive
      ? h(
          "button",
          {
            type: "button",
            class: "game-player-more-time num",
            "aria-label": t("game.give", { name: page.name(otherSide(you)), n: GIVEN_S }),
            title: t("game.give", { name: page.name(otherSide(you)), n: GIVEN_S }),
            onclick: give,
          },
          `+${GIVEN_S}\u00a0s`,
        )
      : null;
    this.elements = { first: this.bar("first"), second: this.bar("second") };
  }

  /** @param {Side} side */
  bar(side) {
    const { page } = this;
    const { name, rating, provisional, guest, title, level } = page.game[side];
    // In a casual game, the level of the computer replaces its rating.
    const ratingLabel =
      guest || (level && !page.game.rated)
        ? null
        : h("small", { class: "num" }, `${rating}${provisional ? "?" : ""}`);
    // With a clock, the first row has no space for the thinking indicator.
    const hasClock = Boolean(page.game.clock ?? page.game.daysPerTurn);
    const indicator = level && thinkingIndicator();
    const away = h("button", {
      type: "button",
      class: "game-player-absence num",
      hidden: true,
      onclick: this.again,
    });
    return h(
      "section",
      { class: "card game-player", "aria-label": `${name}, ${page.sideName(side)}` },
      h("span", { class: "variant-icon" }, icon(page.variant.key, side)),
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
          sideCount(),
        ),
      ),
      side !== page.you && this.giveButton,
      page.clocks.elements[side],
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
    setText(note, text);
  }

  /** Updates the visibility of the button that gives time and of the thinking indicator. */
  update() {
    const { abortable, end, turn } = this.page.game;
    this.giveButton?.classList.toggle("is-hidden", Boolean(abortable || end));
    for (const side of SIDES)
      this.elements[side]
        .querySelector(".game-player-thinking")
        ?.classList.toggle("is-hidden", Boolean(end) || turn !== side);
  }

  /** Bar of the player on the far side of the board. */
  get topBar() {
    return this.elements[otherSide(this.bottomSide)];
  }

  get bottomBar() {
    return this.elements[this.bottomSide];
  }

  flip() {
    this.bottomSide = otherSide(this.bottomSide);
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
    const { game, pieceSet, guidance } = this.page;
    return drawSideCounts(this.elements, pieceSet.count(position), game.sides, guidance);
  }
}
