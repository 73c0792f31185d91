// Pointing dot of the first game on a phone: it shows where to tap in the first two moves, and
// never again in this browser. Called by `board-state.js`.
import { setting } from "../lib/settings.js";
import { cellCoordinates } from "../model/notation.js";

/** Own moves during which the dot is shown. */
const POINTED_MOVES = 2;

const hasLearnedToTap = setting("knowsTaps", false);

/** Phones: no mouse, one column. */
const isPhone = () => matchMedia("(pointer: coarse) and (max-width: 767px)").matches;

/**
 * Returns the cell that continues most moves, the one nearest to the center among equals.
 * @param {import("../model/click-path.js").ClickPath} clicks
 * @param {BoardShape} board
 */
const widestCell = (clicks, { cols, rows }) => {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { cells } of clicks.candidates()) {
    const cell = cells[clicks.chosen.length];
    if (cell) counts.set(cell, (counts.get(cell) ?? 0) + 1);
  }
  const distance = (/** @type {string} */ cell) => {
    const [col, row] = cellCoordinates(cell);
    return Math.hypot(col - (cols - 1) / 2, row - (rows - 1) / 2);
  };
  const [widest] = [...counts].sort(
    ([one, n], [other, m]) => m - n || distance(one) - distance(other),
  );
  return widest?.[0] ?? null;
};

/**
 * Returns the cell to point at, null for none.
 * @param {import("./page.js").GamePage} page
 * @returns {string | null}
 */
export const pointedCell = ({ you, game, moveHistory, moveInput, engineHint, variant, board }) => {
  if (!you || game.end || hasLearnedToTap.get()) return null;
  if (moveHistory.ownMoves(you) >= POINTED_MOVES) {
    hasLearnedToTap.set(true);
    return null;
  }
  const isAsked = moveInput.canMove() && !board.tap.cell && !engineHint.cells().length;
  return isAsked && isPhone() ? widestCell(moveInput.clicks, variant.board) : null;
};
