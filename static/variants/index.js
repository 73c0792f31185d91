// Appearance of the variants. Each module of this folder exports a `PieceSet`
// (tests/types/page.d.ts), which draws the tokens of one variant and contains no rules. Cells and
// pieces are symbols of the sheets in `static/pieces`, which every page contains. Used by the
// boards and by every module that shows a variant's icon. Members: ground(cell)        nodes under
// a cell, around 0 0. The cell is { token, before, landed, mark, col, row }: `before` is its token
// one ply earlier, `landed` is true if it has a piece or an unchanged token, `mark` is its letter
// in the board's description backdrop(board, { at, frame })  nodes over the ground of all cells;
// `at(col, row)` is the center of a cell, counted from the top left piece(token, mark)  group of
// the piece on a cell, or null owner(token)        "first", "second" or null keepsReadable(token)
// whether the token must stay readable under the mark of a legal target keepsGround         whether
// the ground of an empty cell must stay visible under that mark count({ cells, extras, options,
// board })  counters of both sides for their bars: phrase key, values [first, second], `of` the
// maximum; `slots` draws them one by one, `others` in the opponent's color; `more` is a second
// counter for one side arcs                whether moving pieces follow an arc crawls
// whether several pieces of a move are lifted together and follow each other movingPart(token)
// part of a stack that moves, as a token remainder(token)    part of a stack that remains, or null
// topHeight(token)    height of a stack's top above that of a single piece captureTiming       time
// at which captured pieces disappear: "first" before the move, "passed" when they are jumped over,
// at the end by default sweep()             nodes of the stroke over a wiped number sound
// material of board and pieces, a name in board/sound.js isTurnedOver(before, now) whether a piece
// was turned over describe(token, mark) description of a cell for screen readers sampleCells
// cells of a position from a legal game, for pictures; by default the icon icon(side)
// picture of a side's piece, or of the variant: { view, nodes }
import { s } from "../lib/dom.js";
import { caterpillarWar } from "./caterpillar_war.js";
import { hogga } from "./hogga.js";
import { knightFight } from "./knight_fight.js";
import { kopfOderKnopf } from "./kopf_oder_knopf.js";
import { wieNietWegIs } from "./wie_niet_weg_is.js";

/** @type {Record<string, PieceSet>} */
const PIECE_SETS = {
  caterpillarWar: caterpillarWar,
  knightFight: knightFight,
  hogga,
  kopfOderKnopf: kopfOderKnopf,
  wieNietWegIs: wieNietWegIs,
};

/**
 * Returns the appearance of a variant.
 * @param {string} key
 * @returns {PieceSet}
 */
export const pieceSetOf = (key) => PIECE_SETS[key];

/**
 * Draws a small picture of a side's piece, or of the variant.
 * @param {string} key
 * @param {string} [side]
 */
export const icon = (key, side) => {
  const { view, nodes } = PIECE_SETS[key].icon(side);
  const attributes = { class: `variant-${key}`, viewBox: view, "aria-hidden": "true" };
  return s("svg", attributes, ...nodes);
};
