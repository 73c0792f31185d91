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

  /** Takes a click; says "move", "chosen", "began", "undone" or "illegal". */
  click(cell) {
    if (this.next().has(cell)) {
      this.chosen.push(cell);
      return this.complete() && this.next().size === 0 ? "move" : "chosen";
    }
    if (this.chosen.at(-1) === cell) {
      if (this.complete()) return "move";
      this.undo();
      return "undone";
    }
    if (this.first().has(cell)) {
      this.chosen = [cell];
      return this.complete() && this.next().size === 0 ? "move" : "began";
    }
    return "illegal";
  }

  undo() {
    this.chosen.pop();
  }
}
