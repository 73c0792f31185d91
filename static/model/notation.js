// Texts of positions, moves, cells and sides. Used by boards, move input and analysis; contains no
// rules.

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

/** Tokens of the latest texts: each is parsed for several parts of a page. */
const parsed = /** @type {Map<string, Tokens>} */ (new Map());

/**
 * Parses a cells text into a map from cell to token, which callers share.
 * @param {string} cells
 * @returns {Tokens}
 */
export const parseCells = (cells) => {
  const known = parsed.get(cells);
  if (known) return known;
  const rows = cells.split("/");
  const tokens = /** @type {Tokens & Map<string, string>} */ (new Map());
  rows.forEach((line, at) => {
    const row = rows.length - 1 - at;
    line.split(",").forEach((token, col) => tokens.set(cellName(col, row), token));
  });
  if (parsed.size > 3) parsed.clear();
  parsed.set(cells, tokens);
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
