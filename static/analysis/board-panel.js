// Board of the analysis page: a board on which the user plays both sides, with arrows and rings for
// the engine's best move, and the search for a better one. Created by analysis.js, once per
// variant, which passes each step to `showStep`.
import { s } from "../lib/dom.js";
import { LocalBoard } from "../common/local-board.js";
import { t } from "../lib/i18n.js";

/** Length of the sides of an arrow head, in board units. */
const ARROW_HEAD = 26;

/** Board with its status line. */
export class BoardPanel extends LocalBoard {
  /** @type {import("./tree.js").Step} */ at;
  /** @type {Trace | null} */ suggested;
  /** @type {StatusContent | null} */ task;

  /**
   * @param {Variant} variant
   * @param {(u: string) => unknown} play  called with each completed move
   * @param {boolean} flipped  whether the second side is at the bottom
   */
  constructor(variant, play, flipped) {
    super(variant, play, { flipped });
    this.task = null;
    this.best = s("g", { class: "best-move" });
    this.board.svg.insertBefore(this.best, this.board.grid);
  }

  /**
   * Shows the current step of a tree.
   * @param {import("./tree.js").Tree} tree
   * @param {boolean} forward  whether to animate the move
   * @param {StatusContent | null} task  replaces the content of the status line; null for none
   */
  showStep(tree, forward, task) {
    const { at } = tree;
    Object.assign(this, { at, task });
    this.showPosition({
      setup: tree.setup,
      position: at.position,
      legal: at.answer?.legal,
      before: at.parent?.position,
      trace: at.trace,
    });
    if (forward) this.animate();
  }

  /**
   * Shows a task in place of the content of the status line.
   * @param {StatusContent | null} task  null removes it
   */
  showTask(task) {
    this.task = task;
    this.drawStatus();
  }

  /** Applies the legal moves of the step, when they have been loaded. */
  applyLegalMoves() {
    this.setLegalMoves(this.at.answer?.legal);
  }

  draw() {
    super.draw();
    this.best.classList.toggle("is-hidden", this.clicks.chosen.length > 0);
  }

  /**
   * @returns {StatusContent}
   */
  statusContent() {
    // A task replaces the content, but for a move that has begun.
    if (this.task && !this.transientMessage && !this.clicks.chosen.length) return this.task;
    return super.statusContent();
  }

  /**
   * @returns {StatusContent | null}
   */
  outcomeStatus() {
    const { outcome, reason } = this.at.answer ?? {};
    if (!outcome) return null;
    return [
      outcome === "draw" ? t("end.draw") : t("end.side", { side: this.side(outcome) }),
      t(`end.${reason}`),
    ];
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
