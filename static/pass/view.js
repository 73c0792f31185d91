// Page of a game on one device, in the layout of games: board, bars of both players, moves, status
// line and buttons, and the card with the result. Nothing moves during play, except when the board
// is turned. Created by device-game.js.
import { ratioOf } from "../board/board.js";
import { parsePosition, otherSide } from "../model/notation.js";
import { icon } from "../variants/index.js";
import { actionButton } from "../common/game-actions.js";
import { holdButtons } from "../common/status-line.js";
import {
  closeButton,
  coverPanel,
  createResult,
  quietButton,
  reasonText,
  uncoverPanel,
} from "../common/panel-card.js";
import { drawSideCounts, sideCount } from "../common/side-counts.js";
import { asyncButton } from "../lib/form.js";
import { h } from "../lib/dom.js";
import { FLIP } from "../lib/icons.js";
import { sideName, t, variantName } from "../lib/i18n.js";
import { GameInfo } from "./info.js";
import { reviewPath } from "./review-path.js";

/** @type {Side[]} */
const SIDES = ["first", "second"];

/**
 * @typedef {object} ViewOptions
 * @property {import("../common/moves.js").MoveList} list
 * @property {import("../board/keyboard-move.js").KeyboardMove} typed
 * @property {() => unknown} newGame
 * @property {() => Promise<unknown>} playAgain
 */

/** View of a game on one device. */
export class GameView {
  /** @type {import("./device-game.js").DeviceGame} */ game;
  /** @type {ViewOptions} */ options;
  /** @type {Side} */ bottomSide;
  /** @type {HTMLElement | null} */ card;

  /**
   * @param {import("./device-game.js").DeviceGame} game
   * @param {ViewOptions} options
   */
  constructor(game, options) {
    Object.assign(this, { game, options, bottomSide: "first", card: null });
    this.bars = { first: this.bar("first"), second: this.bar("second") };
    this.back = actionButton("game.takeback", "M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10H9", () =>
      this.game.takeBack(),
    );
    this.panel = h(
      "section",
      { class: "card game-panel" },
      options.typed.element,
      options.list.list,
      options.list.steps,
      game.board.statusLine.element,
      h(
        "div",
        { class: "game-actions" },
        this.back,
        actionButton("pass.flip", FLIP, () => this.flip()),
        actionButton("pass.new", "M12 5v14M5 12h14", options.newGame),
      ),
    );
    this.right = h("div", { class: "game-layout-right" });
    this.info = new GameInfo(game, () => this.left.classList.toggle("is-info-open"));
    this.left = h("div", { class: "game-layout-left" }, this.info.element);
    this.positionBars();
  }

  /**
   * Fills `main` with the page.
   * @param {HTMLElement} main
   */
  open(main) {
    const { board, variant } = this.game;
    document.body.classList.add("game-page");
    document.querySelector(".game-title")?.remove();
    document.querySelector("header.site-header").append(this.info.title);
    main.className = "game-layout pass-game";
    main.style.setProperty("--ratio", ratioOf(variant.board));
    main.replaceChildren(
      h("h1", { class: "visually-hidden" }, `${t("pass.title")}: ${variantName(variant)}`),
      this.left,
      h("div", { class: "game-layout-center" }, h("div", { class: "game-board" }, board.board.svg)),
      this.right,
    );
    board.statusLine.fit();
  }

  /** Closes the information card, which small screens open over the page. */
  closeInfo() {
    this.left.classList.remove("is-info-open");
  }

  /** @param {Side} side */
  bar(side) {
    const { game } = this;
    const name = game.name(side);
    const color = sideName(game.variant, side);
    return h(
      "section",
      { class: "card game-player", "aria-label": name === color ? name : `${name}, ${color}` },
      h("span", { class: "variant-icon" }, icon(game.variant.key, side)),
      h(
        "div",
        {},
        h("div", { class: "game-player-name", title: name }, h("span", {}, name)),
        h(
          "div",
          { class: "game-player-details" },
          name !== color && h("small", {}, color),
          sideCount(),
        ),
      ),
      h("span", { class: "pass-turn", "aria-hidden": "true" }, t("pass.turn")),
    );
  }

  /** Arranges the bars above and below the board. */
  positionBars() {
    const { bars, bottomSide, panel, right } = this;
    right.replaceChildren(bars[otherSide(bottomSide)], panel, bars[bottomSide]);
    for (const side of SIDES) {
      bars[side].classList.toggle("is-bottom", side === bottomSide);
      bars[side].classList.toggle("is-top", side !== bottomSide);
    }
  }

  /** Turns the board. */
  flip() {
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    this.bottomSide = otherSide(this.bottomSide);
    this.game.board.flip();
    this.positionBars();
    // The panel has been moved in the document.
    if (focused && this.panel.contains(focused)) focused.focus({ preventScroll: true });
  }

  /**
   * Shows the counts of a position.
   * @param {string} position
   */
  showCounts(position) {
    const { board, game, variant } = this.game;
    const { cells, extras } = parsePosition(position);
    const { options } = game;
    drawSideCounts(
      this.bars,
      board.pieceSet.count({ cells, extras, options, board: variant.board }),
      variant.sides,
      board.guidance,
    );
  }

  /** Updates what depends on the latest position: the turn, the title and the buttons. */
  update() {
    const { game } = this;
    const isOver = game.isOver();
    for (const side of SIDES)
      this.bars[side].classList.toggle("is-turn", !isOver && side === game.turn);
    this.back.setAttribute("aria-disabled", String(game.moveHistory.latestPly === 0));
    const headline = isOver ? game.resultTexts()[0] : game.board.turnText();
    document.title = `${headline} · ${variantName(game.variant)} · Sprong`;
    game.board.drawStatus();
    if (!isOver) this.uncover();
  }

  /** Covers moves, status line and buttons with the result. */
  showResult() {
    this.uncover();
    const { panel, options, game } = this;
    const [title, reason] = game.resultTexts();
    const again = asyncButton(t("pass.again"), options.playAgain, "btn btn-primary");
    this.card = createResult(
      title,
      [reasonText(reason)],
      [
        h(
          "div",
          { class: "game-rematch" },
          again,
          h("a", { class: "btn", href: reviewPath(game) }, t("end.review")),
        ),
        h(
          "div",
          { class: "game-result-quiet" },
          quietButton(t("pass.new"), options.newGame),
          quietButton(t("game.takeback"), () => game.takeBack()),
          closeButton(() => this.uncover()),
        ),
      ],
    );
    coverPanel(panel, this.card, game.board.board.svg);
    holdButtons(this.card.querySelectorAll("button, a"));
  }

  /** Removes the result; the focus goes to the board. */
  uncover() {
    const { card, panel } = this;
    if (!card) return;
    this.card = null;
    uncoverPanel(panel, card, this.game.board.board.svg);
  }
}
