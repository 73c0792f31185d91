// Animations and sounds of moves, takebacks and the end of a game. Called by `effect-runner.js`.
import { soundOfMove } from "../common/move-sound.js";
import { sound } from "../board/sound.js";
import { timeline } from "../board/timeline.js";

/**
 * Animates the latest move, if the board displays it, and plays its sounds.
 * @param {import("./page.js").GamePage} page
 * @param {{ trace: Trace, by: Side }} move
 */
export const animateMove = (page, { trace, by }) => {
  const { board, drawQueue, moveHistory, pieceSet, you, game } = page;
  const isShown = moveHistory.isLatest();
  const times = isShown ? board.animate(trace, by) : timeline(trace, pieceSet);
  if (isShown) drawQueue.notify(times.end);
  soundOfMove(moveHistory, pieceSet, times);
  if (you && by !== you && game.turn === you) sound("yours", times.end + 120);
};

/**
 * Animates a takeback, if the board displayed the removed move.
 * @param {import("./page.js").GamePage} page
 */
export const animateTakeback = ({ board, moveHistory: { removedMove } }) => {
  if (removedMove) board.rewind(removedMove.trace, removedMove.cells);
};

/**
 * Animates the end of the game and plays its sound.
 * @param {import("./page.js").GamePage} page
 * @param {Pick<End, "winner">} end
 */
export const animateEnd = ({ board, drawQueue, moveHistory }, { winner }) =>
  drawQueue.run(() => {
    if (winner && moveHistory.isLatest()) board.wave(winner);
    sound("end", 400);
  });
