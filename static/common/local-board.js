// Board on which both sides are played in this browser. Clicks of the side to move become moves,
// refused ones are explained, and a status line tells the next click and the effect of the selected
// cells. It knows no rules: its owner passes each position with its legal moves. Base of the boards
// of the analysis and of games on one device.
import { Board } from "../board/board.js";
import { MovePreview } from "../board/move-preview.js";
import { movePrompt, previewText, stageOf } from "../board/move-prompt.js";
import { REFUSAL_MS, RefusalQuery } from "../board/refusal-query.js";
import { guidanceOf } from "../guidance/index.js";
import { pieceSetOf } from "../variants/index.js";
import { StatusLine } from "./status-line.js";
import { ClickPath } from "../model/click-path.js";
import { otherSide, parsePosition, parseCells } from "../model/notation.js";
import { t, sideName, variantName } from "../lib/i18n.js";

/**
 * Position to be shown: the common fields of requests to the rules endpoint, its text, the legal
 * moves once they are known, and the position and the trace of the move that led to it.
 * @typedef {object} ShownPosition
 * @property {Setup} setup
 * @property {string} position
 * @property {string[] | undefined} legal
 * @property {string | null | undefined} before
 * @property {Trace | null | undefined} trace
 */

/** Board with its status line. */
export class LocalBoard {
  /** @type {Variant} */ variant;
  /** @type {(u: string) => unknown} */ play;
  /** @type {PieceSet} */ pieceSet;
  /** @type {Guidance} */ guidance;
  /** @type {RefusalQuery} */ refusals;
  /** @type {ClickPath} */ clicks;
  /** @type {ShownPosition} */ shown;
  /** @type {Side} */ turn;
  /** @type {Tokens} */ tokens;
  /** @type {string} */ transientMessage;
  /** @type {number} */ messageTimer;

  /**
   * @param {Variant} variant
   * @param {(u: string) => unknown} play  called with each completed move
   * @param {Pick<import("../board/board.js").BoardOptions, "flipped" | "slotOf">} [options]
   */
  constructor(variant, play, options) {
    Object.assign(this, {
      variant,
      play,
      pieceSet: pieceSetOf(variant.key),
      guidance: guidanceOf(variant.key),
      refusals: new RefusalQuery(),
      clicks: new ClickPath([]),
      transientMessage: "",
    });
    this.board = new Board(variant.key, {
      ...options,
      board: variant.board,
      label: t("game.board", { name: variantName(variant) }),
      click: (cell) => this.click(cell),
      hover: (cell) => this.movePreview.setHovered(cell),
      onInvalidDrop: (cell) => this.refuse(cell),
      completesMove: (cell) => this.clicks.completesWith(cell),
      onHold: () => {
        this.transientMessage = "";
        this.drawStatus();
      },
      inspection: {
        sides: variant.sides,
        tell: (text) => this.showInspection(text),
      },
    });
    this.statusLine = new StatusLine(() => this.board.svg.focus({ preventScroll: true }));
    this.movePreview = new MovePreview((preview) => {
      this.board.showPreview(preview);
      this.drawStatus();
    });
  }

  /** Releases timers and listeners before the board is replaced. */
  close() {
    this.refusals.cancel();
    clearTimeout(this.messageTimer);
    this.board.close();
  }

  /**
   * Returns whether a cell holds a piece of the side to move.
   * @param {string} cell
   */
  owns(cell) {
    return this.pieceSet.owner(this.tokens.get(cell)) === this.turn;
  }

  /** @param {ShownPosition} shown */
  showPosition(shown) {
    const { position, before, trace, legal } = shown;
    const { cells, turn } = parsePosition(position);
    Object.assign(this, { shown, turn, tokens: parseCells(cells), transientMessage: "" });
    this.board.show({
      cells,
      before: before ? parsePosition(before).cells : null,
      trace,
      side: turn,
      goal: this.guidance.goal?.(turn, this.variant.board, this.ownMoves()) ?? [],
    });
    this.setLegalMoves(legal);
  }

  /**
   * Animates the move that led to the position. Returns its timeline, undefined without a move.
   * @returns {import("../board/timeline.js").Timeline | undefined}
   */
  animate() {
    const { trace, before } = this.shown;
    if (!trace) return undefined;
    return this.board.animate(trace, before ? parsePosition(before).turn : otherSide(this.turn));
  }

  /**
   * Sets the legal moves of the position; undefined if they are not known yet.
   * @param {string[] | undefined} legal
   */
  setLegalMoves(legal) {
    this.shown = { ...this.shown, legal };
    this.refusals.cancel();
    this.clicks = new ClickPath(legal ?? [], (cell) => this.owns(cell));
    this.draw();
  }

  /** Highlights the selected and the selectable cells. */
  draw() {
    const { setup, position, legal } = this.shown;
    const highlights = this.clicks.selectionState((/** @type {string} */ cell) => this.owns(cell));
    this.board.setHighlights(highlights);
    this.movePreview.setPosition(
      legal?.length ? { ...setup, start: position } : null,
      this.clicks.chosen,
      highlights.targets,
    );
  }

  /** @param {string} cell */
  click(cell) {
    if (!this.shown?.legal) return undefined;
    const result = this.clicks.click(cell);
    if (result === "illegal") return this.refuse(cell);
    this.refusals.cancel();
    this.transientMessage = "";
    if (result === "move") return this.play(/** @type {string} */ (this.clicks.completeMove()));
    return this.draw();
  }

  /**
   * Refuses a click, and shows the rule once it is known, unless the input has changed by then.
   * @param {string} cell
   */
  async refuse(cell) {
    const { setup, position } = this.shown;
    this.board.shake(cell);
    const text = await this.refusals.explain({ ...setup, start: position }, [
      ...this.clicks.chosen,
      cell,
    ]);
    if (text) this.showMessage(text);
  }

  /** Undoes one click, or a first tap. */
  undo() {
    if (this.board.tap.drop() || !this.clicks.chosen.length) return;
    this.refusals.cancel();
    this.clicks.undo();
    this.draw();
  }

  /** Undoes all clicks; returns whether there were any. */
  clear() {
    if (!this.clicks.chosen.length) return this.board.tap.drop();
    this.refusals.cancel();
    this.clicks.clear();
    this.draw();
    return true;
  }

  /**
   * Shows a message in the status line for a few seconds.
   * @param {string} text
   */
  showMessage(text) {
    this.transientMessage = text;
    this.drawStatus();
    clearTimeout(this.messageTimer);
    this.messageTimer = setTimeout(() => {
      this.transientMessage = "";
      this.drawStatus();
    }, REFUSAL_MS);
  }

  /**
   * Shows the words about an inspected cell until the look ends.
   * @param {string} text "" when the look ends
   */
  showInspection(text) {
    clearTimeout(this.messageTimer);
    this.transientMessage = text;
    this.drawStatus();
  }

  drawStatus() {
    if (this.shown) this.statusLine.show(...this.statusContent());
  }

  /** @param {Side} which */
  side(which) {
    return sideName(this.variant, which);
  }

  /**
   * Returns the sentence that names the side to move.
   * @returns {string}
   */
  turnText() {
    return t("game.tomove", { side: this.side(this.turn) });
  }

  /**
   * Returns the content of the status line if the game is over in the position, otherwise null.
   * @returns {StatusContent | null}
   */
  outcomeStatus() {
    return null;
  }

  /**
   * Returns the content of the status line: primary text, secondary text, buttons.
   * @returns {StatusContent}
   */
  statusContent() {
    const { clicks } = this;
    if (this.transientMessage) return [this.transientMessage];
    const outcome = this.outcomeStatus();
    if (outcome) return outcome;
    const moves = this.turnText();
    if (!this.shown.legal) return [moves];
    if (this.board.tap.cell)
      return [
        t("hint.tapAgain"),
        previewText(this.stage(), this.movePreview.preview, this.guidance),
        [[t("hint.clear"), () => this.clear()]],
      ];
    const [bold, plain] = movePrompt(this.stage(), this.movePreview.preview, this.guidance);
    if (!clicks.chosen.length)
      return [
        moves,
        plain,
        clicks.buttonMoves().map((u) => [t(`button.${u}`), () => this.play(u), "btn-primary"]),
      ];
    /** @type {StatusButton} */
    const clear = [t("hint.clear"), () => this.clear()];
    const complete = clicks.completeMove();
    return [
      bold,
      plain,
      complete
        ? [[t("hint.leave", { u: complete }), () => this.play(complete), "btn-primary"], clear]
        : [clear],
    ];
  }

  /** Returns the stage of the move for the words about it. */
  stage() {
    const { shown, variant, clicks, board } = this;
    return stageOf({
      position: shown.position,
      clicks,
      options: shown.setup.options,
      sides: variant.sides,
      ownMoves: this.ownMoves(),
      board,
    });
  }

  /**
   * Returns the number of moves of the side to move. By default the corner to reach is not framed.
   */
  ownMoves() {
    return Infinity;
  }

  flip() {
    this.board.flip();
  }
}
