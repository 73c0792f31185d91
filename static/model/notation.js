// Sides, cells, texts of positions and moves, click paths and typed moves.
//
// A click path consists of the cells in the notation of a move, in order. The module works on lists
// of legal moves and contains no rules. Used by boards, move input and analysis.

/**
 * Returns the cells in a notation. A notation without digits has none: its move is a button.
 * @param {string} u
 * @returns {string[]}
 */
export const cellsOf = (u) => u.match(/[a-z]\d+/g) ?? [];

/**
 * Returns the name of a cell from its column and row, counted from the bottom left.
 * @param {number} col
 * @param {number} row
 * @returns {string}
 */
export const cellName = (col, row) => String.fromCharCode(97 + col) + (row + 1);
/**
 * Returns column and row of a cell, counted from the bottom left.
 * @param {string} cell
 * @returns {[col: number, row: number]}
 */
export const cellCoordinates = (cell) => [cell.charCodeAt(0) - 97, Number(cell.slice(1)) - 1];

/**
 * Parses a cells text into a map from cell to token.
 * @param {string} cells
 * @returns {Tokens}
 */
export const parseCells = (cells) => {
  const rows = cells.split("/");
  const tokens = /** @type {Tokens} */ (new Map());
  rows.forEach((line, at) => {
    const row = rows.length - 1 - at;
    line.split(",").forEach((token, col) => tokens.set(cellName(col, row), token));
  });
  return tokens;
};

/**
 * Splits a position text into its parts.
 * @param {string} position
 * @returns {{ cells: string, turn: Side, extras: string }}
 */
export const parsePosition = (position) => {
  const [cells, turn, ...extras] = position.split(" ");
  return { cells, turn: turn === "2" ? "second" : "first", extras: extras.join(" ") };
};

/**
 * Returns the opponent of a side.
 * @type {(side: Side) => Side}
 */
export const otherSide = (side) => (side === "first" ? "second" : "first");

/**
 * Splits the notations of a game's moves.
 * @param {string} moves
 * @returns {string[]}
 */
export const splitMoves = (moves) => (moves ? moves.split(" ") : []);

/**
 * Returns the position with the other side to move.
 * @param {string} position
 * @returns {string}
 */
export const flipTurn = (position) => {
  const [cells, turn, ...extras] = position.split(" ");
  return [cells, turn === "1" ? "2" : "1", ...extras].join(" ");
};

/**
 * Returns the legal move with the same notation, or else with the same click path.
 * @param {string} u
 * @param {string[]} legal
 * @returns {string | undefined}
 */
export const sameMove = (u, legal) =>
  legal.find((other) => other === u) ??
  legal.find((other) => cellsOf(other).join() === cellsOf(u).join());

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

  /**
   * Returns the selection state for the board: selected cells, targets, movable pieces, and cells
   * that can be added.
   * @param {(cell: string) => boolean} own
   */
  selectionState(own) {
    const first = this.firstCells();
    const movable = new Set([...first].filter(own));
    const { chosen } = this;
    if (chosen.length)
      return { chosen, targets: this.nextCells(), movable, additional: this.additionalCells() };
    // A first cell without an own piece is a destination: a placement.
    return {
      chosen,
      targets: new Set([...first].filter((cell) => !own(cell))),
      movable,
      additional: new Set(),
    };
  }
}

/**
 * Normalizes a notation: typed moves may omit separators.
 * @param {string} text
 */
const normalize = (text) => text.toLowerCase().replace(/[^a-z0-9]/g, "");

/**
 * Matches a typed text with the legal moves: the move it denotes, if any, and those it starts.
 * @param {string} text
 * @param {string[]} legal
 * @returns {{ move: string | null, candidates: string[] }}
 */
export const parseTypedMove = (text, legal) => {
  const typed = normalize(text);
  const candidates = typed ? legal.filter((u) => normalize(u).startsWith(typed)) : [];
  const exact = candidates.filter((u) => normalize(u) === typed);
  const same = text.trim().toLowerCase();
  return {
    move: exact.find((u) => u.toLowerCase() === same) ?? (exact.length === 1 ? exact[0] : null),
    candidates,
  };
};
