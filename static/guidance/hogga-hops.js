// Hops of Hogga for previews: where a jump could go on. The moves themselves come from the rules
// core, with which a test compares these hops.
import { cellCoordinates, cellName } from "../model/notation.js";

const STEPS = [-1, 0, 1];

/** The eight directions. */
const DIRECTIONS = STEPS.flatMap((right) => STEPS.map((up) => [right, up])).filter(
  ([right, up]) => right || up,
);

/** Further hops that are shown one after another; a longer ladder would hide the board. */
const SHOWN_HOPS = 2;

/** Pieces that can be jumped over: pawns, not Hoggas. */
const PAWNS = ["b", "w"];

/**
 * Returns the cells to which a piece can hop: over a single pawn exactly halfway. The cell where
 * the piece began its turn counts as empty.
 * @param {Tokens} tokens
 * @param {string} from
 * @param {string} origin cell where the piece began its turn
 */
export const hopsFrom = (tokens, from, origin) => {
  const [col, row] = cellCoordinates(from);
  const isEmpty = (/** @type {string} */ cell) => cell === origin || tokens.get(cell) === ".";
  return DIRECTIONS.flatMap(([right, up]) => {
    const at = (/** @type {number} */ n) => cellName(col + n * right, row + n * up);
    let half = 1;
    while (isEmpty(at(half))) half += 1;
    const beyond = Array.from({ length: half }, (_, n) => at(half + 1 + n));
    return PAWNS.includes(tokens.get(at(half))) && beyond.every(isEmpty) ? [at(2 * half)] : [];
  });
};

/**
 * Returns whether a path consists of jumps, not of a step.
 * @param {string[]} path
 */
const isJump = ([from, to]) =>
  cellCoordinates(from).some((value, axis) => Math.abs(value - cellCoordinates(to)[axis]) > 1);

/**
 * Returns the further hops after a path, each as its two cells, without cells that were passed.
 * @param {string[]} path
 * @param {Tokens} tokens
 */
export const furtherHops = (path, tokens) => {
  if (path.length < 2 || !isJump(path)) return [];
  const [origin] = path;
  const passed = new Set(path);
  /** @type {string[][]} */
  const hops = [];
  let ends = path.slice(-1);
  for (let count = 0; count < SHOWN_HOPS; count += 1) {
    const next = ends.flatMap((end) =>
      hopsFrom(tokens, end, origin)
        .filter((cell) => !passed.has(cell) && passed.add(cell))
        .map((cell) => [end, cell]),
    );
    hops.push(...next);
    ends = next.map(([, cell]) => cell);
  }
  return hops;
};
