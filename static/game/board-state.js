// State of the board on the page of a game: the displayed position with the marks of the input.
// Called by `page.js` for each drawing.
import { pointedCell } from "./first-game.js";
import { cellsOf, parsePosition } from "../model/notation.js";

/** @typedef {import("./page.js").GamePage} GamePage */
/** @typedef {import("./page.js").InputMarks} InputMarks */

/**
 * Returns the marks of the move, of the sent move or of the premove.
 * @param {GamePage} page
 * @param {string} cells
 * @returns {InputMarks}
 */
const inputMarks = ({ moveHistory, moveInput, premove }, cells) => {
  if (moveInput.canMove()) return moveInput.marks(cells);
  const noMarks = { chosen: [], targets: new Set(), movable: new Set(), additional: new Set() };
  if (moveInput.sent && moveHistory.isLatest())
    return {
      ...noMarks,
      chosen: moveInput.sent.chosen,
      lengths: new Set([cellsOf(moveInput.sent.u).length]),
    };
  return premove.isAllowed() ? premove.marks(cells) : noMarks;
};

/**
 * Returns the cells that the player is to reach, in the first moves.
 * @param {GamePage} page
 */
const goalCells = ({ you, game, guidance, variant, moveHistory }) =>
  you && !game.end ? guidance.goal?.(you, variant.board, moveHistory.ownMoves(you)) : [];

/**
 * Returns the state of the board.
 * @param {GamePage} page
 * @returns {BoardState & InputMarks}
 */
export const boardState = (page) => {
  const { moveHistory, moveInput, engineHint, you } = page;
  const { cells } = parsePosition(moveHistory.positionAt());
  const marks = inputMarks(page, cells);
  return {
    cells,
    before: moveHistory.previousCells(),
    side: you,
    trace: moveHistory.trace(),
    isPending: Boolean(moveInput.sent || marks.isPremove),
    hint: moveHistory.isLatest() ? engineHint.cells() : [],
    goal: goalCells(page),
    pointer: pointedCell(page),
    ...marks,
  };
};
