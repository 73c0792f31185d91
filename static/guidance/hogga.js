// Guidance of Hogga: steps and chains of jumps to the own dots on the other side.
import { furtherHops } from "./hogga-hops.js";
import { homeMark } from "../variants/hogga.js";
import { pieceSetOf } from "../variants/index.js";
import { cellName, otherSide } from "../model/notation.js";
import { sideName, t } from "../lib/i18n.js";

/** Own moves during which the corner to reach is framed. */
const FRAMED_MOVES = 4;

/** Letters of the dots and pieces of each side. */
const LETTERS = { first: "b", second: "w" };

/**
 * Returns whether a cell has a dot of a side's color in its home zone.
 * @param {string} cell
 * @param {BoardShape} board
 * @param {Side} side
 */
const isHome = (cell, board, side) => homeMark(cell, board, LETTERS[side]) === LETTERS[side];

/**
 * Returns by how many the number of pieces at home changes with a path: 1, 0 or −1.
 * @param {string[]} path
 * @param {BoardShape} board
 * @param {Side} side
 */
const homeChange = (path, board, side) =>
  Number(isHome(/** @type {string} */ (path.at(-1)), board, side)) -
  Number(isHome(path[0], board, side));

/**
 * Returns the number of pieces of a side at home.
 * @param {Pick<MoveChange, "cells" | "extras" | "options" | "board">} position
 * @param {Side} side
 */
const homeCount = (position, side) =>
  pieceSetOf("hogga").count(position).values[side === "first" ? 0 : 1];

/** @type {Guidance} */
export const hogga = {
  countsHops: true,
  goal: (side, board, ownMoves) =>
    ownMoves < FRAMED_MOVES
      ? Array.from({ length: board.rows }, (_, row) =>
          Array.from({ length: board.cols }, (__, col) => cellName(col, row)),
        )
          .flat()
          .filter((cell) => homeMark(cell, board, LETTERS[side]))
      : [],
  goalText: () => t("board.home"),
  forbidden: ({ chosen, side, tokens, markOf }) =>
    chosen.length === 1
      ? [...tokens.keys()].filter(
          (cell) => markOf(cell) === LETTERS[otherSide(side)] && tokens.get(cell) === ".",
        )
      : [],
  further: furtherHops,
  prompt: ({ clicks, side, sides, extras, ownMoves }) => {
    const [cell] = clicks.chosen;
    if (cell) {
      const dot = t(`cell.dot-${side === "first" ? "w" : "b"}`);
      return [t("prompt.from", { cell }), t("prompt.hogga.piece", { dot })];
    }
    const home = /^([12])\+/.exec(extras);
    if (home)
      return [
        "",
        t("prompt.hogga.alone", {
          side: sideName({ sides }, home[1] === "1" ? "first" : "second"),
        }),
      ];
    return ["", t(ownMoves < FRAMED_MOVES ? "prompt.hogga.first" : "prompt.hogga.later")];
  },
  preview: ({ side, board }, { paths = [] }) => {
    const [path] = paths;
    if (!path) return "";
    const change = homeChange(path, board, side);
    return [
      path.length > 2 && t("hint.hops", { n: path.length - 1, cell: path.at(-1) }),
      change > 0 && t("preview.hogga.home"),
      change < 0 && t("preview.hogga.leaves"),
    ]
      .filter(Boolean)
      .join(" ");
  },
  report: (change) => {
    const [path] = change.trace.paths;
    if (!path) return "";
    const side = sideName(change, change.by);
    if (homeChange(path, change.board, change.by) > 0)
      return t("event.hogga.home", { side, n: homeCount(change, change.by) });
    return path.length > 2
      ? t("event.hogga.hops", { side, n: path.length - 1, cell: path.at(-1) })
      : "";
  },
};
