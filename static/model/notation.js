// Cells, the clicks that make a move (the cells its notation names, in order), and what a typed text means among the moves.

/**
 * The cells named in a notation. A word without digits names none: it is a button.
 * @param {string} u
 * @returns {string[]}
 */
export const cellsOf = (u) => u.match(/[a-z]\d+/g) ?? [];

/**
 * The name of a cell by its column and row, counted from the bottom left.
 * @param {number} col
 * @param {number} row
 * @returns {string}
 */
export const cellName = (col, row) => String.fromCharCode(97 + col) + (row + 1);
/**
 * @param {string} cell
 * @returns {[col: number, row: number]}
 */
export const cellPlace = (cell) => [cell.charCodeAt(0) - 97, Number(cell.slice(1)) - 1];

/**
 * The tokens of a cells text: a map from the name of a cell.
 * @param {string} cells
 * @returns {Tokens}
 */
export const tokensOf = (cells) => {
  const rows = cells.split("/");
  const tokens = /** @type {Tokens} */ (new Map());
  rows.forEach((line, at) => {
    const row = rows.length - 1 - at;
    line.split(",").forEach((token, col) => tokens.set(cellName(col, row), token));
  });
  return tokens;
};

/**
 * The parts of a position text.
 * @param {string} position
 * @returns {{ cells: string, turn: Side, extras: string }}
 */
export const partsOf = (position) => {
  const [cells, turn, ...extras] = position.split(" ");
  return { cells, turn: turn === "2" ? "second" : "first", extras: extras.join(" ") };
};

/**
 * The same position with the other side to move.
 * @param {string} position
 * @returns {string}
 */
export const turnedOf = (position) => {
  const [cells, turn, ...extras] = position.split(" ");
  return [cells, turn === "1" ? "2" : "1", ...extras].join(" ");
};

/**
 * The one of those moves that is made by the same clicks, though it may be written otherwise; undefined if none is.
 * @param {string} u
 * @param {string[]} legal
 * @returns {string | undefined}
 */
export const sameMove = (u, legal) =>
  legal.find((other) => other === u) ??
  legal.find((other) => cellsOf(other).join() === cellsOf(u).join());

/** The clicks made so far towards one of the legal moves. */
export class Clicks {
  /**
   * `own(cell)` says whether a cell holds a piece of the side to move.
   * @param {string[]} legal
   * @param {(cell: string) => boolean} [own]
   */
  constructor(legal, own = () => false) {
    this.own = own;
    this.moves = legal.map((u) => ({ u, cells: cellsOf(u) }));
    this.chosen = [];
  }

  /** The moves that begin with what is chosen. */
  open() {
    return this.moves.filter(({ cells }) => this.chosen.every((cell, at) => cells[at] === cell));
  }

  /** The cells that go on from what is chosen. */
  next() {
    return new Set(
      this.open()
        .map(({ cells }) => cells[this.chosen.length])
        .filter(Boolean),
    );
  }

  /** The cells with which a move can begin. */
  first() {
    return new Set(this.moves.map(({ cells }) => cells[0]).filter(Boolean));
  }

  /** Whether a piece to go with is chosen next. Once there is one, others on the way to a move are where it goes. */
  wantsPiece() {
    const own = (/** @type {string} */ cell) => this.own(cell);
    return !this.chosen.some(own) && [...this.next()].some(own);
  }

  /** The move that is already complete, if one is. */
  complete() {
    return (
      this.open().find(({ cells }) => cells.length > 0 && cells.length === this.chosen.length)?.u ??
      null
    );
  }

  /** The moves that are made with a button: words without cells. */
  buttons() {
    return this.moves.filter(({ cells }) => cells.length === 0).map(({ u }) => u);
  }

  /** Takes a click on a cell; says "move", "chosen", "began", "undone" or "illegal". */
  click(cell) {
    if (this.next().has(cell)) return this.take([...this.chosen, cell]);
    if (this.chosen.at(-1) === cell && this.complete()) return "move";
    if (this.chosen.includes(cell)) {
      this.chosen = this.arranged(this.chosen.filter((one) => one !== cell)) ?? [];
      return "undone";
    }
    const other = this.chosen.length ? this.rearranged(cell) : undefined;
    if (other) return this.take(other);
    if (this.first().has(cell)) {
      this.chosen = [];
      return this.take([cell]) === "move" ? "move" : "began";
    }
    return "illegal";
  }

  /** What is chosen with that cell besides (only the order on paper is fixed), or in place of another. */
  rearranged(cell) {
    // Another own piece takes the place of the one chosen last alone, and stands where that stood.
    if (this.own(cell)) {
      const instead = [...this.chosen.slice(0, -1), cell];
      return this.chosen.length > 1 && this.begins(instead) ? instead : undefined;
    }
    const besides = this.arranged([...this.chosen, cell]);
    if (besides || this.chosen.length < 2) return besides;
    const instead = this.chosen.map((_, at) => this.chosen.with(at, cell));
    return instead.map((cells) => this.arranged(cells)).findLast(Boolean);
  }

  begins(chosen) {
    return this.moves.some(({ cells }) => chosen.every((cell, at) => cells[at] === cell));
  }

  /** Those cells in the order in which a move begins with them, if one does. */
  arranged(chosen) {
    if (this.begins(chosen)) return chosen;
    const wanted = [...chosen].sort().join();
    return this.moves
      .map(({ cells }) => cells.slice(0, chosen.length))
      .find((cells) => [...cells].sort().join() === wanted);
  }

  /** The cells that may be chosen besides, though a notation names them before what is chosen. */
  also() {
    const { chosen } = this;
    const begins = this.moves.map(({ cells }) => cells.slice(0, chosen.length + 1));
    const more = begins.filter(
      (cells) => cells.length > chosen.length && chosen.every((cell) => cells.includes(cell)),
    );
    return new Set(more.flat().filter((cell) => !chosen.includes(cell) && !this.own(cell)));
  }

  /** A move is sent at once only if nothing more could be chosen. */
  take(cells) {
    this.chosen = cells;
    return this.complete() && this.also().size === 0 ? "move" : "chosen";
  }

  undo() {
    this.chosen.pop();
  }

  /** What the board shows of them: cells offered, those with which a move could begin, and those that may be chosen besides. */
  shown(own) {
    const first = this.first();
    const movable = new Set([...first].filter(own));
    const { chosen } = this;
    if (chosen.length) return { chosen, offered: this.next(), movable, also: this.also() };
    // A first cell that holds no own piece is itself where one goes.
    return {
      chosen,
      offered: new Set([...first].filter((cell) => !own(cell))),
      movable,
      also: new Set(),
    };
  }
}

/** A notation without what only divides it: who types may leave that out. */
const bare = (text) => text.toLowerCase().replace(/[^a-z0-9]/g, "");

/**
 * What a text means among the legal moves: the move that it is, if it is one, and those that begin so.
 * @param {string} text
 * @param {string[]} legal
 * @returns {{ move: string | null, begin: string[] }}
 */
export const meaning = (text, legal) => {
  const typed = bare(text);
  const begin = typed ? legal.filter((u) => bare(u).startsWith(typed)) : [];
  const whole = begin.filter((u) => bare(u) === typed);
  const same = text.trim().toLowerCase();
  return {
    move: whole.find((u) => u.toLowerCase() === same) ?? (whole.length === 1 ? whole[0] : null),
    begin,
  };
};
