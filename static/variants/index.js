// How each variant looks. A glyph knows what its tokens look like and nothing of what is
// legal. It says:
//   className        the class of its boards
//   ground(cell)     what lies under a cell: { token, before, landed, mark, col, row } → nodes
//                    around 0 0; `before` stood there a ply ago, `landed` is true if something
//                    stands there, `mark` is what the board's description says of the cell
//   backdrop(board, { at, frame })  what lies over the ground of all cells, if anything: `at(col, row)` is the
//                    middle of a cell, both counted from the top left
//   piece(token, mark)  what stands on it → a group, or null
//   owner(token)     "first", "second" or null
//   keeps(token)     whether the cell must stay readable while it is offered
//   shows            whether an empty cell must be seen through its mark
//   count({ cells, extras, options, board })  what each side has, for its bar: the phrase, its
//                    values [first, second], `of` how many; `slots` to draw them one by one, with
//                    `others` in the colour of the opponent
//   asks({ cells, extras, side })  what a side is asked to do, if not to choose a piece; or null
//   arcs             whether its pieces leap in an arc
//   crawls           whether its pieces, if several go at once, are lifted together and follow each other
//   travels(token)   what goes of a pile, as a token; leaves(token) what stays of it, or null;
//                    rise(token) how much higher its top lies than a lone piece
//   takes            when what is taken is seen to go: "first", before all else, or when it is "passed";
//                    if it does not say, at the end
//   sweep()          the nodes of what goes over a number that is wiped
//   sound            what its board and pieces are made of: a name in sound.js
//   turns(before, now)  whether a piece was turned over on its way
//   hops             whether the hops of a way are told by their number
//   leave            the phrase for a move that could go on
//   goesOn           the phrase for one that must go on, if what follows is no place to go to
//   removes          the phrase for what a move takes off the board
//   told(u, before, trace)  what the move list shows of a move, if not the notation alone
//   says(token, mark)  the token in words
//   moment           its cells at a moment that was reached by legal play; without one it is shown by its icon
//   icon(side)       a picture of a side's piece, without a side of the variant: { view, nodes }
import { s } from "../lib/dom.js";
import { caterpillar } from "./caterpillar_war.js";
import { hogga } from "./hogga.js";
import { knight } from "./knight_fight.js";
import { kopf } from "./kopf_oder_knopf.js";
import { weg } from "./wie_niet_weg_is.js";

const glyphs = {
  caterpillarWar: caterpillar,
  knightFight: knight,
  hogga,
  kopfOderKnopf: kopf,
  wieNietWegIs: weg,
};

/**
 * The looks of a variant.
 * @param {string} key
 * @returns {Glyph}
 */
export const glyphOf = (key) => glyphs[key];

/**
 * A small picture of a side's piece, or of the variant.
 * @param {string} key
 * @param {string} [side]
 */
export const icon = (key, side) => {
  const { view, nodes } = glyphs[key].icon(side);
  return s("svg", { viewBox: view, "aria-hidden": "true" }, ...nodes);
};
