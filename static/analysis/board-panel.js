// Board of the analysis page. Clicks of either side become moves; a status line tells the side to
// move and the effect of the selected cells; arrows and rings mark the engine's best move. Created
// by analysis.js, once per variant, which passes each step to `showStep`.
import { Board } from "../board/board.js";
import { s } from "../lib/dom.js";
import { previewText, MovePreview, nextText } from "../board/move-preview.js";
import { pieceSetOf } from "../variants/index.js";
import { StatusLine } from "../common/status-line.js";
import { ClickPath } from "../model/click-path.js";
import { otherSide, parsePosition, parseCells } from "../model/notation.js";
import { t, sideName, variantName } from "../lib/i18n.js";

/** Time for which a message stays in the status line. */
const MESSAGE_MS = 2500;

/** Length of the sides of an arrow head, in board units. */
const ARROW_HEAD = 26;

/** Board with its status line. */
export class BoardPanel {
  /** @type {Variant} */ variant;
  /** @type {(u: string) => unknown} */ play;
  /** @type {PieceSet} */ pieceSet;
  /** @type {import("../model/click-path.js").ClickPath} */ clicks;
  /** @type {import("./tree.js").Tree} */ tree;
  /** @type {import("./tree.js").Step} */ at;
  /** @type {Side} */ turn;
  /** @type {Tokens} */ tokens;
  /** @type {string} */ transientMessage;
  /** @type {number} */ messageTimer;
  /** @type {Trace | null} */ suggested;

  /**
   * @param {Variant} variant
   * @param {(u: string) => unknown} play  called with each completed move
   */
  constructor(variant, play) {
    Object.assign(this, {
      variant,
      play,
      pieceSet: pieceSetOf(variant.key),
      clicks: new ClickPath([]),
    });
    this.board = new Board(variant.key, {
      board: variant.board,
      label: t("game.board", { name: variantName(variant) }),
      click: (cell) => this.click(cell),
      hover: (cell) => this.movePreview.setHovered(cell),
      onInvalidDrop: () => this.showMessage(t("hint.illegal")),
    });
    this.best = s("g", { class: "best-move" });
    this.board.svg.insertBefore(this.best, this.board.grid);
    this.statusLine = new StatusLine(() => this.board.svg.focus({ preventScroll: true }));
    this.movePreview = new MovePreview((preview) => {
      this.board.showPreview(preview);
      this.drawStatus();
    });
  }

  /** Releases timers and listeners before the panel is replaced. */
  close() {
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

  /**
   * Shows the current step of a tree.
   * @param {import("./tree.js").Tree} tree
   * @param {boolean} forward  whether to animate the move
   */
  showStep(tree, forward) {
    const { at } = tree;
    const { cells, turn } = parsePosition(at.position);
    Object.assign(this, { tree, at, turn, tokens: parseCells(cells), transientMessage: "" });
    const before = at.parent ? parsePosition(at.parent.position).cells : null;
    this.board.show({ cells, before, trace: at.trace, side: turn });
    this.applyLegalMoves();
    if (forward && at.trace) this.board.animate(at.trace, otherSide(turn));
  }

  /** Applies the legal moves of the step; called again when they have been loaded. */
  applyLegalMoves() {
    this.clicks = new ClickPath(this.at.answer?.legal ?? [], (cell) => this.owns(cell));
    this.draw();
  }

  /** Highlights the selected and the selectable cells. */
  draw() {
    const { at, tree } = this;
    const highlights = this.clicks.selectionState((/** @type {string} */ cell) => this.owns(cell));
    this.board.setHighlights(highlights);
    this.best.classList.toggle("is-hidden", this.clicks.chosen.length > 0);
    this.movePreview.setPosition(
      at.answer?.legal?.length ? { ...tree.setup, start: at.position } : null,
      this.clicks.chosen,
      highlights.targets,
    );
  }

  /** @param {string} cell */
  click(cell) {
    if (!this.at.answer?.legal?.length) return undefined;
    const result = this.clicks.click(cell);
    if (result === "illegal") {
      this.showMessage(t(this.clicks.chosen.length ? "hint.illegal" : "hint.nomove"));
      return this.board.shake(cell);
    }
    this.transientMessage = "";
    if (result === "move") return this.play(/** @type {string} */ (this.clicks.completeMove()));
    return this.draw();
  }

  /** Undoes one click. */
  undo() {
    if (!this.clicks.chosen.length) return;
    this.clicks.undo();
    this.draw();
  }

  /** Undoes all clicks; returns whether there were any. */
  clear() {
    if (!this.clicks.chosen.length) return false;
    this.clicks.chosen = [];
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
    }, MESSAGE_MS);
  }

  drawStatus() {
    if (this.at) this.statusLine.show(...this.statusContent());
  }

  /** @param {Side} which */
  side(which) {
    return sideName(this.variant, which);
  }

  /**
   * Returns the content of the status line: primary text, secondary text, buttons.
   * @returns {StatusContent}
   */
  statusContent() {
    const { at, clicks } = this;
    if (this.transientMessage) return [this.transientMessage];
    const { outcome, reason, legal } = at.answer ?? {};
    if (outcome)
      return [
        outcome === "draw" ? t("end.draw") : t("end.side", { side: this.side(outcome) }),
        t(`end.${reason}`),
      ];
    const moves = t("game.tomove", { side: this.side(this.turn) });
    if (!legal) return [moves];
    const effect = previewText(this.movePreview.preview, this.pieceSet);
    if (!clicks.chosen.length) {
      const question = this.pieceSet.instruction?.({
        ...parsePosition(at.position),
        side: this.turn,
      });
      const only =
        clicks.firstCells().size === 0 ? t(`hint.only.${clicks.buttonMoves()[0]}`) : null;
      const prompt =
        question ?? only ?? t(this.board.state.targets?.size ? "hint.where" : "hint.choose");
      return [
        moves,
        effect || prompt,
        clicks.buttonMoves().map((u) => [t(`button.${u}`), () => this.play(u), "btn-primary"]),
      ];
    }
    /** @type {StatusButton} */
    const clear = [t("hint.clear"), () => this.clear()];
    const complete = clicks.completeMove();
    if (complete)
      return [
        t(this.pieceSet.finishKey ?? "hint.leavewhy"),
        effect,
        [[t("hint.leave", { u: complete }), () => this.play(complete), "btn-primary"], clear],
      ];
    return [nextText(clicks, this.pieceSet), effect || clicks.chosen.join(" → "), [clear]];
  }

  flip() {
    this.board.flip();
    this.suggest(this.suggested);
  }

  /**
   * Marks the engine's best move: arrows along the paths, rings around removed pieces.
   * @param {Trace | null} trace  null removes the mark
   */
  suggest(trace) {
    this.suggested = trace;
    const { paths = [], removed = [] } = trace ?? {};
    const ring = (/** @type {string} */ cell, /** @type {string} */ name) => {
      const [x, y] = this.board.at(cell);
      return s("circle", { class: name, cx: x, cy: y, r: 38 });
    };
    const arrows = paths.flatMap((path) =>
      path.length > 1
        ? this.arrow(path)
        : [ring(path[0], "best-move-outline"), ring(path[0], "best-move-line")],
    );
    this.best.replaceChildren(
      ...removed.flatMap((cell) => [
        ring(cell, "best-move-outline"),
        ring(cell, "best-move-removed"),
      ]),
      ...arrows,
    );
  }

  /**
   * Returns the outline and the line of an arrow through cells.
   * @param {string[]} path
   */
  arrow(path) {
    const points = path.map((cell) => this.board.at(cell));
    const [[fromX, fromY], [x, y]] = points.slice(-2);
    const angle = Math.atan2(y - fromY, x - fromX);
    const wing = (/** @type {number} */ turn) =>
      `${x - ARROW_HEAD * Math.cos(angle + turn)} ${y - ARROW_HEAD * Math.sin(angle + turn)}`;
    const d = `${points.map((point, at) => `${at ? "L" : "M"}${point.join(" ")}`).join("")}M${wing(0.5)}L${x} ${y}L${wing(-0.5)}`;
    return [
      s("path", { class: "best-move-outline", d }),
      s("path", { class: "best-move-line", d }),
    ];
  }
}
