// Board without input, and the marks of the last move: paths, removed pieces, capture lines.
//
// The animation module is loaded with the first animated move, so that pages with static boards do
// not need it. Used by lists and live previews; base class of the interactive board.
import { BoardSvg } from "./render.js";
import { s } from "../lib/dom.js";
import { parseCells } from "../model/notation.js";

const TICKS = "M-46-30V-46H-30M30-46H46V-30M46 30V46H30M-30 46H-46V30";

/** Marks of the last move. */
export class LastMoveMarks {
  /** @param {StaticBoard} board */
  constructor(board) {
    this.board = board;
  }

  /**
   * Creates a group at the center of a cell.
   * @param {string} cell
   * @param {...Child} nodes
   */
  groupAt(cell, ...nodes) {
    const [x, y] = this.board.at(cell);
    return s("g", { transform: `translate(${x} ${y})` }, ...nodes);
  }

  /**
   * Draws the marks. Unchanged marks are not replaced, since they may be animated.
   * @param {BoardState} state
   */
  draw({ cells, before, trace }) {
    const now = [trace, before, cells, this.board.flipped];
    if (this.drawnInputs?.every((value, at) => value === now[at])) return;
    this.drawnInputs = now;
    this.board.layers.lastMove.replaceChildren(
      ...(trace && before ? this.moveMarks(trace, parseCells(before)) : []),
    );
  }

  /**
   * Returns the marks of a move.
   * @param {Trace} trace
   * @param {Tokens} before
   */
  moveMarks({ paths, removed = [], strikes = [] }, before) {
    const { pieceSet, tokens } = this.board;
    const cells = /** @type {string[]} */ (paths.flatMap((path) => [path[0], path.at(-1)]));
    const destinations = new Set(paths.map((path) => path.at(-1)));
    const marked = [...new Set(cells)].map((cell) =>
      this.groupAt(
        cell,
        destinations.has(cell) &&
          s("rect", {
            class: "board-last-move-fill",
            x: -49,
            y: -49,
            width: 98,
            height: 98,
            rx: 4,
          }),
        s("path", { class: "board-last-move", d: TICKS }),
      ),
    );
    const trails = s(
      "g",
      { class: "board-trails" },
      ...paths.flatMap((path) =>
        path.slice(1).map((cell, hop) => this.line("board-trail", [path[hop], cell])),
      ),
    );
    const emptied = removed.filter(
      (cell) => pieceSet.owner(before.get(cell)) && !pieceSet.owner(tokens.get(cell)),
    );
    const ghosts = emptied.map((cell) =>
      this.groupAt(
        cell,
        s("circle", { class: "board-removed", r: 32 }),
        s("path", { class: "board-removed-cross", d: "M-10-10L10 10M10-10L-10 10" }),
      ),
    );
    // Captured pieces whose cell is occupied again get a small cross in the corner.
    const covered = removed.filter(
      (cell) => pieceSet.owner(before.get(cell)) && pieceSet.owner(tokens.get(cell)),
    );
    const crosses = covered.map((cell) =>
      this.groupAt(
        cell,
        s("path", { class: "board-removed-cross board-removed", d: "M30-44L44-30M44-44L30-30" }),
      ),
    );
    return [...marked, trails, ...this.captureLines(strikes), ...ghosts, ...crosses];
  }

  /**
   * Returns the capture lines.
   * @param {string[][]} strikes
   */
  captureLines(strikes) {
    return strikes.flatMap((cells) => [
      this.line("board-capture-line-edge", cells),
      this.line("board-capture-line", cells),
    ]);
  }

  /**
   * Returns a polyline through the centers of cells.
   * @param {string} name class
   * @param {string[]} cells
   */
  line(name, cells) {
    return s("path", {
      class: name,
      d: cells.map((cell, at) => `${at ? "L" : "M"}${this.board.at(cell).join(" ")}`).join(""),
    });
  }
}

/**
 * Animation class, loaded on demand for all boards of the page.
 * @type {typeof import("./animation.js").BoardAnimation | undefined}
 */
let AnimationClass;

/** Loads the animations. If that fails, moves are shown without animation. */
export const loadAnimation = async () => {
  AnimationClass ??= (await import("./animation.js").catch(() => null))?.BoardAnimation;
};

/** Board without input. */
export class StaticBoard extends BoardSvg {
  /** @type {BoardState} */ state;
  /** @type {LastMoveMarks} */ marks;
  /** @type {import("./animation.js").BoardAnimation | undefined} */ motion;
  /** @type {BoardState} */ next;
  /** @type {import("./board.js").BoardOptions["slotOf"]} */ slotOf;

  /**
   * `createMarks` returns the marks of the board, by default those of the last move.
   * @param {string} variant
   * @param {{
   *   board: BoardShape,
   *   label: string,
   *   live?: boolean,
   *   flipped?: boolean,
   *   createMarks?: (board: StaticBoard) => LastMoveMarks,
   * }} options
   */
  constructor(variant, { board, label, live = false, flipped, createMarks }) {
    super(variant, { board, label, live, flipped });
    this.marks = createMarks?.(this) ?? new LastMoveMarks(this);
  }

  /**
   * Draws a position with the marks of its last move.
   * @param {BoardState} state
   */
  show(state) {
    this.prepare(state);
    Object.assign(this, { state, next: state });
    this.drawTokens(state);
    this.marks.draw(state);
  }

  /**
   * Finishes running animations before a change of the position.
   * @param {BoardState} state
   */
  prepare(state) {
    if (state.cells !== this.state?.cells || this.motion?.isRewinding) this.settle();
  }

  /**
   * Shows the position after a move, with an animation. The first call waits for the animation
   * module; a position shown in the meantime supersedes it.
   * @param {BoardState & { trace: Trace }} state
   */
  async showMove(state) {
    this.next = state;
    if (!AnimationClass) await loadAnimation();
    if (this.next !== state) return;
    this.show(state);
    if (AnimationClass) this.motion ??= new AnimationClass(this);
    this.motion?.play(state.trace);
  }

  /** Finishes running animations at their last frame. */
  settle() {
    this.motion?.settle();
  }
}
