// How each variant looks. A glyph module knows what its tokens look like and nothing of what is
// legal. It says:
//   className        the class of its boards
//   ground(cell)     what lies under a cell: { token, before, landed, col, row } → nodes around 0 0;
//                    `before` stood there a ply ago, `landed` is true if something stands there
//   piece(token)     what stands on it → a group, or null
//   owner(token)     "first", "second" or null
//   keeps(token)     whether the cell must stay readable while it is offered
//   count(position)  what each side has, for its bar: [first, second], and the phrase for it
//   travel(u, before, after)  which pieces go where: [{ path: [cell, …] }, …]
//   told(u, before)  what the move list shows of a move, if not the notation alone
//   says(token)      the token in words
//   icon(side)       a picture of a side's piece, without a side of the variant: { view, nodes }
import { s } from "../dom.js";
import caterpillar from "./caterpillar.js";
import knight from "./knight.js";

const glyphs = { caterpillarWar: caterpillar, knightFight: knight };

/** The looks of a variant. */
export const glyphOf = (key) => glyphs[key];

/** A small picture of a side's piece, or of the variant. */
export const icon = (key, side) => {
  const { view, nodes } = glyphs[key].icon(side);
  return s("svg", { viewBox: view, "aria-hidden": "true" }, ...nodes);
};
