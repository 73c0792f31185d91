// Move on a board that is played in this browser: its position, legal moves and trace come from the
// rules core. Used by the analysis and by games on one device.
import { post } from "../lib/http.js";

/**
 * Returns the answer of the rules core to a move, and the trace of the move. Rejects if it is
 * illegal.
 * @param {Setup} setup
 * @param {{ start: string, moves: string[], position: string }} line  all moves before it, as
 *   repetition matters, and the position after them
 * @param {string} u
 * @returns {Promise<{ answer: Answer, trace: Trace }>}
 */
export const queryMove = async (setup, { start, moves, position }, u) => {
  const [answer, { replay }] = await Promise.all([
    post("/api/position", { ...setup, start, moves: [...moves, u] }),
    // The trace of a move does not depend on the moves before it.
    post("/api/position", { ...setup, start: position, moves: [u], replay: true }),
  ]);
  return { answer, trace: /** @type {PlyInfo[]} */ (replay)[0].trace };
};
