// Entry of a move by clicks. A click path consists of the cells in the notation of a move, in
// order. Works on a list of legal moves and contains no rules. Used by the game page and the
// analysis.
import { cellsOf } from "./notation.js";

/** Click path in progress towards one of the legal moves. */
export class ClickPath {
  /**
   * @param {string[]} legal
   * @param {(cell: string) => boolean} [own] tests for a piece of the side to move
   */
  constructor(legal, own = () => false) {
    this.own = own;
    this.moves = legal.map((u) => ({ u, cells: cellsOf(u) }));
    /** @type {string[]} */
    this.chosen = [];
  }

  /** Returns the moves that start with the selected cells. */
  candidates() {
    return this.moves.filter(({ cells }) => this.chosen.every((cell, at) => cells[at] === cell));
  }

  /** Returns the cells that continue the path. */
  nextCells() {
    return new Set(
      this.candidates()
        .map(({ cells }) => cells[this.chosen.length])
        .filter(Boolean),
    );
  }

  /** Returns the cells with which a move can start. */
  firstCells() {
    return new Set(this.moves.map(({ cells }) => cells[0]).filter(Boolean));
  }

  /**
   * Returns whether the next click selects a piece to move. Once a piece is selected, own pieces on
   * the path are destinations.
   */
  needsPiece() {
    const own = (/** @type {string} */ cell) => this.own(cell);
    return !this.chosen.some(own) && [...this.nextCells()].some(own);
  }

  /** Returns the complete move, or null. */
  completeMove() {
    return (
      this.candidates().find(({ cells }) => cells.length > 0 && cells.length === this.chosen.length)
        ?.u ?? null
    );
  }

  /**
   * Returns whether a click on a cell would complete a move, as its last cell.
   * @param {string} cell
   */
  completesWith(cell) {
    const { chosen } = this;
    if (chosen.includes(cell)) return false;
    const result = this.click(cell);
    this.chosen = chosen;
    return result === "move";
  }

  /** Returns the moves without cells, which are made with a button. */
  buttonMoves() {
    return this.moves.filter(({ cells }) => cells.length === 0).map(({ u }) => u);
  }

  /**
   * Processes a click on a cell.
   * @param {string} cell
   * @returns {"move" | "chosen" | "began" | "undone" | "illegal"}
   */
  click(cell) {
    if (this.nextCells().has(cell)) return this.setPath([...this.chosen, cell]);
    if (this.chosen.at(-1) === cell && this.completeMove()) return "move";
    if (this.chosen.includes(cell)) {
      this.chosen = this.reorder(this.chosen.filter((one) => one !== cell)) ?? [];
      return "undone";
    }
    const other = this.chosen.length ? this.withCell(cell) : undefined;
    if (other) return this.setPath(other);
    if (this.firstCells().has(cell)) {
      this.chosen = [];
      return this.setPath([cell]) === "move" ? "move" : "began";
    }
    return "illegal";
  }

  /**
   * Returns the path with a cell added in any order, or in place of another cell.
   * @param {string} cell
   * @returns {string[] | undefined}
   */
  withCell(cell) {
    // An own piece replaces only the cell selected last.
    if (this.own(cell)) {
      const instead = [...this.chosen.slice(0, -1), cell];
      return this.chosen.length > 1 && this.isPrefix(instead) ? instead : undefined;
    }
    const besides = this.reorder([...this.chosen, cell]);
    if (besides || this.chosen.length < 2) return besides;
    const instead = this.chosen.map((_, at) => this.chosen.with(at, cell));
    return instead.map((cells) => this.reorder(cells)).findLast(Boolean);
  }

  /**
   * Returns whether a move starts with these cells, in this order.
   * @param {string[]} chosen
   */
  isPrefix(chosen) {
    return this.moves.some(({ cells }) => chosen.every((cell, at) => cells[at] === cell));
  }

  /**
   * Returns the cells in the order in which a move starts with them, if there is such a move.
   * @param {string[]} chosen
   * @returns {string[] | undefined}
   */
  reorder(chosen) {
    if (this.isPrefix(chosen)) return chosen;
    const key = [...chosen].sort().join();
    return this.moves
      .map(({ cells }) => cells.slice(0, chosen.length))
      .find((cells) => [...cells].sort().join() === key);
  }

  /** Returns the cells that can be added although a notation names them earlier. */
  additionalCells() {
    const { chosen } = this;
    const prefixes = this.moves.map(({ cells }) => cells.slice(0, chosen.length + 1));
    const more = prefixes.filter(
      (cells) => cells.length > chosen.length && chosen.every((cell) => cells.includes(cell)),
    );
    return new Set(more.flat().filter((cell) => !chosen.includes(cell) && !this.own(cell)));
  }

  /**
   * Sets the path. A complete move is final only if no further cell can be added.
   * @param {string[]} cells
   * @returns {"move" | "chosen"}
   */
  setPath(cells) {
    this.chosen = cells;
    return this.completeMove() && this.additionalCells().size === 0 ? "move" : "chosen";
  }

  /** Removes the last cell. */
  undo() {
    this.chosen.pop();
  }

  /** Removes all cells. */
  clear() {
    this.chosen = [];
  }

  /**
   * Returns the selection state for the board: selected cells, targets, movable pieces, cells that
   * can be added, and the numbers of cells of the moves that begin with the selected ones.
   * @param {(cell: string) => boolean} own
   */
  selectionState(own) {
    const first = this.firstCells();
    const movable = new Set([...first].filter(own));
    const { chosen } = this;
    if (chosen.length)
      return {
        chosen,
        targets: this.nextCells(),
        movable,
        additional: this.additionalCells(),
        lengths: new Set(this.candidates().map(({ cells }) => cells.length)),
      };
    // A first cell without an own piece is a destination: a placement.
    return {
      chosen,
      targets: new Set([...first].filter((cell) => !own(cell))),
      movable,
      additional: new Set(),
    };
  }
}
