// Sounds of the latest move. Used by the pages of games: on the server, and on one device.
import { soundMove } from "../board/sound.js";
import { parseCells, parsePosition } from "../model/notation.js";

/**
 * Plays the sounds of the latest move, whose positions are loaded.
 * @param {import("./move-history.js").MoveHistory} moveHistory
 * @param {PieceSet} pieceSet
 * @param {import("../board/timeline.js").Timeline} times
 */
export const soundOfMove = (moveHistory, pieceSet, times) => {
  const { latestPly } = moveHistory;
  const [before, now] = [latestPly - 1, latestPly].map((ply) =>
    parseCells(parsePosition(moveHistory.positionAt(ply)).cells),
  );
  const paths = moveHistory.traces[latestPly]?.paths ?? [];
  const isTurned = paths.some(
    (path) =>
      path.length > 1 &&
      pieceSet.isTurnedOver?.(before.get(path[0]), now.get(/** @type {string} */ (path.at(-1)))),
  );
  soundMove(pieceSet, times, isTurned);
};
