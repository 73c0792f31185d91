// Strikes of Kopf oder Knopf for the display of threats: those that a side would make if it were to
// move. The moves themselves come from the rules core, with which a test compares these.
import { cellCoordinates, cellName } from "../model/notation.js";

const STEPS = [-1, 0, 1];

/**
 * Returns the cells next to a cell, by edges and corners.
 * @param {string} cell
 */
const neighbors = (cell) => {
  const [col, row] = cellCoordinates(cell);
  return STEPS.flatMap((right) => STEPS.map((up) => cellName(col + right, row + up))).filter(
    (name) => name !== cell,
  );
};

/**
 * Returns the pairs of a color: connected groups of exactly two.
 * @param {Tokens} tokens
 * @param {string} color
 */
const pairsOf = (tokens, color) => {
  const near = (/** @type {string} */ cell) =>
    neighbors(cell).filter((name) => tokens.get(name) === color);
  return [...tokens.keys()]
    .filter((cell) => tokens.get(cell) === color && near(cell).length === 1)
    .map((cell) => [cell, ...near(cell)])
    .filter(([cell, other]) => near(other).length === 1 && cell < other);
};

/**
 * Returns the cell that a pair strikes beyond its nearer button, if any.
 * @param {Tokens} tokens
 * @param {string} near
 * @param {string} far
 * @param {number} reach
 */
const struckBy = (tokens, near, far, reach) => {
  const [[col, row], [farCol, farRow]] = [near, far].map(cellCoordinates);
  const line = Array.from({ length: reach }, (_, n) =>
    cellName(col + (n + 1) * (col - farCol), row + (n + 1) * (row - farRow)),
  );
  const first = line.find((cell) => tokens.get(cell) !== ".");
  const token = first && tokens.get(first);
  return token && token !== tokens.get(near) ? first : undefined;
};

/**
 * Returns the strikes of a color, as lines like those of a trace: the pair, from the button farther
 * off, and the struck cell.
 * @param {Tokens} tokens
 * @param {(cell: string) => string} markOf returns the holes under a cell
 * @param {string} color `r` or `b`
 */
export const strikesOf = (tokens, markOf, color) =>
  pairsOf(tokens, color).flatMap(([one, other]) => {
    const reach = Number(markOf(one)) + Number(markOf(other));
    return [
      [one, other],
      [other, one],
    ].flatMap(([near, far]) => {
      const struck = struckBy(tokens, near, far, reach);
      return struck ? [[far, near, struck]] : [];
    });
  });
