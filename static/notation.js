// Cells, and the clicks that make a move: the cells its notation names, in order.

/** The cells named in a notation. A word without digits names none: it is a button. */
export const cellsOf = (u) => u.match(/[a-z]\d+/g) ?? [];

export const cellName = (col, row) => String.fromCharCode(97 + col) + (row + 1);
export const cellPlace = (cell) => [cell.charCodeAt(0) - 97, Number(cell.slice(1)) - 1];

/** The tokens of a cells text: a map from the name of a cell. */
export const tokensOf = (cells) => {
  const rows = cells.split("/");
  const tokens = new Map();
  rows.forEach((line, at) => {
    const row = rows.length - 1 - at;
    line.split(",").forEach((token, col) => tokens.set(cellName(col, row), token));
  });
  return tokens;
};

/** The parts of a position text. */
export const partsOf = (position) => {
  const [cells, turn, ...extras] = position.split(" ");
  return { cells, turn: turn === "2" ? "second" : "first", extras: extras.join(" ") };
};

/** The clicks made so far towards one of the legal moves. */
export class Clicks {
  constructor(legal) {
    this.moves = legal.map((u) => ({ u, cells: cellsOf(u) }));
    this.chosen = [];
  }

  /** The moves that begin with what is chosen. */
  open() {
    return this.moves.filter(({ cells }) => this.chosen.every((cell, at) => cells[at] === cell));
  }

  /** The cells that go on from what is chosen. */
  next() {
    return new Set(this.open().map(({ cells }) => cells[this.chosen.length]).filter(Boolean));
  }

  /** The cells with which a move can begin. */
  first() {
    return new Set(this.moves.map(({ cells }) => cells[0]).filter(Boolean));
  }

  /** The move that is already complete, if one is. */
  complete() {
    return this.open().find(({ cells }) => cells.length > 0 && cells.length === this.chosen.length)?.u ?? null;
  }

  /** The moves that are made with a button: words without cells. */
  buttons() {
    return this.moves.filter(({ cells }) => cells.length === 0).map(({ u }) => u);
  }

  /** Takes a click on a cell, which may hold an own piece; says "move", "chosen", "began", "undone" or "illegal". */
  click(cell, own) {
    if (this.next().has(cell)) return this.take([...this.chosen, cell]);
    if (this.chosen.at(-1) === cell && this.complete()) return "move";
    if (this.chosen.includes(cell)) {
      this.chosen = this.chosen.filter((one) => one !== cell);
      if (this.open().length === 0) this.chosen = [];
      return "undone";
    }
    // Another piece in place of the one chosen last: what was taken before it stays taken.
    const instead = [...this.chosen.slice(0, -1), cell];
    if (own && this.chosen.length > 1 && this.begins(instead)) return this.take(instead);
    // What a notation names first may be clicked later: only the order on paper is fixed.
    const before = own ? undefined : this.including(cell);
    if (before) return this.take(before);
    if (this.first().has(cell)) {
      this.chosen = [cell];
      return this.complete() && this.next().size === 0 ? "move" : "began";
    }
    return "illegal";
  }

  begins(chosen) {
    return this.moves.some(({ cells }) => chosen.every((cell, at) => cells[at] === cell));
  }

  take(cells) {
    this.chosen = cells;
    return this.complete() && this.next().size === 0 ? "move" : "chosen";
  }

  /** The beginning of a move that names just what is chosen and that cell, if there is one. */
  including(cell) {
    const wanted = [...this.chosen, cell].sort().join();
    const begins = this.moves.map(({ cells }) => cells.slice(0, this.chosen.length + 1));
    return this.chosen.length ? begins.find((cells) => [...cells].sort().join() === wanted) : undefined;
  }

  undo() {
    this.chosen.pop();
  }
}
