// Guidance of the variants: prompts, previews and reports of moves in words. Each module of this
// folder exports a `Guidance` (tests/types/page.d.ts) of one variant. It contains no rules: the
// stage of a move follows from the click path and the position text, effects from the trace of the
// server. All pages with boards to play on use it; the first page does not. Members:
//   prompt(stage)       what to choose next: a bold and a plain sentence
//   preview(stage, trace)  certain effects of the clicks, "" without any
//   report(change)      effects of a move that are easily missed, "" without any
//   finish(stage)       sentence for a move that is complete but could continue
//   listText(u, change) text of a move in the move list, by default its notation
//   isPlacing(position) whether a side places pieces and has none to select
//   goal(side, board)   cells to frame in the first moves of a side
//   goalText()          name of those cells
//   labels(state)       names of the chosen cells, instead of their numbers
//   forbidden(state)    cells on which the chosen piece may not stop
//   further(path, tokens)  continuations of a previewed path, as pairs of cells
//   inspect(cell)       what a closer look at a cell shows, null if nothing
//   gain(trace, before) points of a move, at the cell where they are scored
//   lead(values)        texts beside the counts of both sides
//   countsHops          whether the description of a move counts its hops
//   removedText(cells, before)  removals in the description of a move
import { caterpillarWar } from "./caterpillar_war.js";
import { hogga } from "./hogga.js";
import { knightFight } from "./knight_fight.js";
import { kopfOderKnopf } from "./kopf_oder_knopf.js";
import { wieNietWegIs } from "./wie_niet_weg_is.js";

/** @type {Record<string, Guidance>} */
const GUIDANCE = { caterpillarWar, hogga, knightFight, kopfOderKnopf, wieNietWegIs };

/**
 * Returns the guidance of a variant.
 * @param {string} key
 * @returns {Guidance}
 */
export const guidanceOf = (key) => GUIDANCE[key];
