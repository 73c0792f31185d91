// Texts about moves that were made: reports of effects that are easily missed, and the texts of the
// move list. Used by the pages of games: on the server, and on one device.
import { moveText } from "../board/move-description.js";
import { parseCells, parsePosition } from "../model/notation.js";

/**
 * Game with its moves. `you` is null for a spectator and for two players on one device.
 * @typedef {object} ReportedGame
 * @property {{ sides: string[], options: Options }} game
 * @property {Variant} variant
 * @property {Side | null} you
 * @property {Guidance} guidance
 * @property {import("./move-history.js").MoveHistory} moveHistory
 */

/**
 * Returns a move with the positions around it, null if one of them is not loaded.
 * @param {ReportedGame} reported
 * @param {number} ply number of moves up to and including this one
 * @returns {MoveChange | null}
 */
const changeAt = ({ game, variant, you, moveHistory }, ply) => {
  const [from, to] = [ply - 1, ply].map((at) => moveHistory.positionAt(at));
  const trace = moveHistory.traces[ply];
  if (!from || !to || !trace) return null;
  const before = parsePosition(from);
  const { cells, extras } = parsePosition(to);
  return {
    trace,
    by: before.turn,
    you,
    sides: game.sides,
    options: game.options,
    board: variant.board,
    before: parseCells(before.cells),
    now: parseCells(cells),
    cells,
    extras,
  };
};

/**
 * Reports the effects of the latest move; returns "" if it has none that need a text.
 * @param {ReportedGame} reported
 * @returns {string}
 */
export const reportLatest = (reported) => {
  const change = changeAt(reported, reported.moveHistory.latestPly);
  return change ? reported.guidance.report(change) : "";
};

/**
 * Returns the text of a move for the move list, with its effects in words.
 * @param {ReportedGame} reported
 * @param {string} u
 * @param {number} ply number of moves up to and including this one
 * @returns {import("./moves.js").MoveText}
 */
export const listMove = (reported, u, ply) => {
  const { guidance } = reported;
  const change = changeAt(reported, ply);
  if (!change) return { text: u };
  const { trace, before } = change;
  const text = guidance.listText?.(u, change) ?? u;
  return text === u ? { text } : { text, spoken: moveText(u, trace, guidance, before) };
};
