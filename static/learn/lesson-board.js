// Board of a lesson: clicks become moves, or refusals that the rules core explains. Shows each
// state of the lesson; knows neither goals nor rules. Created by learn.js.
import { Board } from "../board/board.js";
import { MovePreview } from "../board/move-preview.js";
import { pieceSetOf } from "../variants/index.js";
import { ClickPath } from "../model/click-path.js";
import { otherSide, parseCells, parsePosition } from "../model/notation.js";
import { t, variantName } from "../lib/i18n.js";
import { clicksOf, sideOf, stepOf } from "./state.js";

/**
 * Callbacks: accepted clicks, a complete move, refused clicks, any change of the preview, and the
 * words about an inspected cell, "" when the inspection ends.
 * @typedef {object} BoardEvents
 * @property {() => unknown} choose
 * @property {(u: string) => unknown} move
 * @property {(clicks: string[]) => unknown} refuse
 * @property {() => unknown} change
 * @property {(text: string) => unknown} inspect
 */

/** Board of a lesson. */
export class LessonBoard {
  /** @type {Variant} */ variant;
  /** @type {BoardEvents} */ events;
  /** @type {PieceSet} */ pieceSet;
  /** @type {ClickPath} */ clicks;
  /** @type {Tokens} */ tokens;
  /** @type {Side} */ turn;
  /** @type {string[]} */ asked;
  /** @type {number} */ demonstratedLength;
  /** @type {{ start: string | null, moves: string[], position: string } | null} */ shown;

  /**
   * @param {Variant} variant
   * @param {BoardEvents} events
   */
  constructor(variant, events) {
    Object.assign(this, {
      variant,
      events,
      pieceSet: pieceSetOf(variant.key),
      clicks: new ClickPath([]),
      tokens: new Map(),
      turn: "first",
      asked: [],
      demonstratedLength: 0,
      shown: null,
    });
    this.board = new Board(variant.key, {
      board: variant.board,
      label: t("game.board", { name: variantName(variant) }),
      click: (cell) => this.click(cell),
      hover: (cell) => this.movePreview.setHovered(cell),
      onInvalidDrop: (/** @type {string[]} */ ...cells) => this.refuse(cells[0]),
      completesMove: (cell) => this.clicks.completesWith(cell),
      onHold: () => {
        this.events.choose();
        this.events.change();
      },
      inspection: {
        sides: variant.sides,
        tell: (text) => this.events.inspect(text),
      },
    });
    this.movePreview = new MovePreview((preview) => {
      this.board.showPreview(preview);
      this.events.change();
    });
  }

  /**
   * Returns whether a cell holds a piece of the side to move.
   * @param {string} cell
   */
  owns(cell) {
    return this.pieceSet.owner(this.tokens.get(cell)) === this.turn;
  }

  /**
   * Shows a state of the lesson. A new answer redraws the position, and animates its last move if
   * it continues the position shown.
   * @param {import("./state.js").State} state
   * @param {import("./state.js").State} before
   */
  show(state, before) {
    const { answer } = state;
    // Running animations belong to the task before.
    if (state.phase === "loading") this.board.settle();
    if (!answer) return;
    if (answer !== before.answer) this.showPosition(state, answer);
    const step = stepOf(state);
    const isOpen = state.phase === "idle";
    this.asked = isOpen && step.guided ? clicksOf(step) : [];
    this.clicks = new ClickPath(isOpen ? (answer.legal ?? []) : [], (cell) => this.owns(cell));
    const isShowing = state.phase === "showing" || (state.phase === "shown" && !step.solution);
    const isBegun = state.moves.length === state.begun.length;
    this.demonstratedLength = clicksOf(step).length;
    const demonstrated = isShowing && isBegun ? clicksOf(step).slice(0, state.clicks) : [];
    this.draw(isOpen ? answer.position : null, demonstrated);
  }

  /**
   * @param {import("./state.js").State} state
   * @param {Answer} answer
   */
  showPosition(state, { position, replay = [] }) {
    const { shown } = this;
    const { cells, turn } = parsePosition(position);
    Object.assign(this, { turn, tokens: parseCells(cells) });
    const isNext =
      shown !== null &&
      shown.start === state.start &&
      shown.moves.join() === state.moves.slice(0, -1).join() &&
      state.moves.length === shown.moves.length + 1;
    const trace = isNext ? replay.at(-1)?.trace : undefined;
    const before = isNext && shown ? parsePosition(shown.position).cells : null;
    this.board.show({ cells, before, trace, side: sideOf(state) });
    if (trace) this.board.animate(trace, otherSide(turn));
    this.shown = { start: state.start, moves: state.moves, position };
  }

  /** Highlights the clicks, and the cells that a guided step asks for. */
  drawClicks() {
    this.draw(this.shown?.position ?? null, []);
  }

  /**
   * @param {string | null} start  position for previews; null for none
   * @param {string[]} demonstrated  clicks of a demonstration
   */
  draw(start, demonstrated) {
    const highlights = this.clicks.selectionState((/** @type {string} */ cell) => this.owns(cell));
    const chosen = demonstrated.length ? demonstrated : highlights.chosen;
    const lengths = demonstrated.length ? new Set([this.demonstratedLength]) : highlights.lengths;
    this.board.setHighlights({ ...highlights, chosen, lengths, hint: this.nextAsked() });
    const question =
      start && this.clicks.moves.length ? { variant: this.variant.key, start } : null;
    this.movePreview.setPosition(question, highlights.chosen, highlights.targets);
  }

  /** Returns the cells that a guided step asks for next. */
  nextAsked() {
    const { chosen } = this.clicks;
    return chosen.every((cell, at) => this.asked[at] === cell)
      ? this.asked.slice(chosen.length)
      : [];
  }

  /** @param {string} cell */
  click(cell) {
    if (!this.clicks.moves.length) return undefined;
    const { chosen } = this.clicks;
    const result = this.clicks.click(cell);
    if (result === "illegal") return this.refuse(cell, chosen);
    this.events.choose();
    if (result === "move")
      return this.events.move(/** @type {string} */ (this.clicks.completeMove()));
    return this.drawClicks();
  }

  /**
   * Reports refused clicks and shakes the piece of the last one.
   * @param {string | undefined} cell
   * @param {string[]} [chosen]
   */
  refuse(cell, chosen = this.clicks.chosen) {
    if (cell) this.board.shake(cell);
    this.events.refuse(cell ? [...chosen, cell] : chosen);
  }

  /** Undoes one click. */
  undo() {
    if (this.board.tap.drop() || !this.clicks.chosen.length) return;
    this.clicks.undo();
    this.drawClicks();
  }

  /** Undoes all clicks. */
  clear() {
    this.board.tap.drop();
    this.clicks.clear();
    this.drawClicks();
  }
}
