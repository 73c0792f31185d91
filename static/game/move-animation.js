// Animations and sounds of moves, takebacks and the end of a game. Called by `effect-runner.js`.
import { parsePosition, parseCells } from "../model/notation.js";
import { sound, soundMove } from "../board/sound.js";
import { timeline } from "../board/timeline.js";

/**
 * Animates the latest move, if the board displays it, and plays its sounds.
 * @param {import("./page.js").GamePage} play
 * @param {{ trace: Trace, by: Side }} move
 */
export const animateMove = (play, { trace, by }) => {
  const { board, moveHistory, pieceSet, you, game } = play;
  const times = moveHistory.isLatest() ? board.animate(trace, by) : timeline(trace, pieceSet);
  const [before, now] = [moveHistory.latestPly - 1, moveHistory.latestPly].map((ply) =>
    parseCells(parsePosition(moveHistory.positionAt(ply)).cells),
  );
  const turns = trace.paths.some(
    (path) =>
      path.length > 1 &&
      pieceSet.isTurnedOver?.(before.get(path[0]), now.get(/** @type {string} */ (path.at(-1)))),
  );
  soundMove(pieceSet, times, Boolean(turns));
  if (you && by !== you && game.turn === you) sound("yours", times.end + 120);
};

/**
 * Animates a takeback, if the board displayed the removed move.
 * @param {import("./page.js").GamePage} play
 */
export const animateTakeback = ({ board, moveHistory: { removedMove } }) => {
  if (removedMove) board.rewind(removedMove.trace, removedMove.cells);
};

/**
 * Animates the end of the game and plays its sound.
 * @param {import("./page.js").GamePage} play
 * @param {Pick<End, "winner">} end
 */
export const animateEnd = ({ board, moveHistory }, { winner }) => {
  if (winner && moveHistory.isLatest()) board.wave(winner);
  sound("end", 400);
};
