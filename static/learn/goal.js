// Goals of the tasks. A goal is data, compared with the answer of the rules core to a move; this
// module contains no rules. `tests/it/lessons.rs` compares the same goals with the rules core.

/**
 * Goal of a step. All given conditions must hold: one of these `moves` was played; a path of the
 * move ends on each cell of `reaches`; the move `removes` so many pieces or numbers; it `clears`
 * these cells; the mover wins the game. A step with `refused` has no such move: its goal is to tap
 * these cells, of which the last is refused.
 * @typedef {object} Goal
 * @property {string[]} [moves]
 * @property {string[]} [reaches]
 * @property {number} [removes]
 * @property {string[]} [clears]
 * @property {boolean} [wins]
 * @property {string[]} [refused]
 */

/**
 * Returns whether a move reaches a goal.
 * @param {Goal} goal
 * @param {{ u: string, trace: Trace, outcome: string | null, side: Side }} move
 * `outcome` is that of the position after the move, `side` made it
 */
export const isReached = (goal, { u, trace: { paths, removed = [] }, outcome, side }) =>
  !goal.refused &&
  (goal.moves?.includes(u) ?? true) &&
  (goal.reaches?.every((cell) => paths.some((path) => path.at(-1) === cell)) ?? true) &&
  removed.length >= (goal.removes ?? 0) &&
  (goal.clears?.every((cell) => removed.includes(cell)) ?? true) &&
  (!goal.wins || outcome === side);

/**
 * Returns whether refused clicks satisfy a goal.
 * @param {Goal} goal
 * @param {string[]} clicks
 */
export const isRefusalAsked = (goal, clicks) => goal.refused?.join() === clicks.join();
