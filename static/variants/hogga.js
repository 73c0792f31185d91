// Appearance of Hogga: pawns and Hoggas on a board with dotted cells. Draws the zones around the
// dots and counts the pieces at home. Used by variants/index.js only.
import { s, symbol } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { cellCoordinates, parseCells } from "../model/notation.js";

const STONES = 12;

/** @param {string} token */
const letterOf = (token) => token.toLowerCase();
/** @param {string | undefined} mark  mark of a cell */
const isDotted = (mark) => mark === "b" || mark === "w";

/**
 * Returns the mark of a cell in the home zone of a side, which is the far one; "" outside.
 * @param {string} cell
 * @param {BoardShape} board
 * @param {string} letter  letter of the side
 */
export const homeMark = (cell, { marks, rows }, letter) => {
  const [col, row] = cellCoordinates(cell);
  const mark = /** @type {string[]} */ (marks)[rows - 1 - row][col];
  return isDotted(mark) && (letter === "b" ? row < 4 : row > 8) ? mark : "";
};

/**
 * Counts the pieces of a side on dots of its color in its home zone.
 * @param {string} cells
 * @param {BoardShape} board
 * @param {string} letter  letter of the side
 */
const countHome = (cells, board, letter) =>
  [...parseCells(cells)].filter(
    ([cell, token]) => letterOf(token) === letter && homeMark(cell, board, letter) === letter,
  ).length;

/**
 * Draws hairlines around the zones: between each dotted cell and its neighbors without a dot.
 * @type {NonNullable<PieceSet["backdrop"]>}
 */
const zones = ({ marks }, { at }) => {
  const dotted = (/** @type {number} */ col, /** @type {number} */ row) =>
    isDotted(/** @type {string[]} */ (marks)[row]?.[col]);
  const edge = (/** @type {number[]} */ from, /** @type {number[]} */ to) => {
    const [x, y] = [0, 1].map((axis) => (from[axis] + to[axis]) / 2);
    return from[0] === to[0] ? `M${x - 50} ${y}h100` : `M${x} ${y - 50}v100`;
  };
  const edges = /** @type {string[]} */ (marks).flatMap((line, row) =>
    [...line].flatMap((_, col) => {
      if (!dotted(col, row)) return [];
      const near = [
        [col, row - 1],
        [col, row + 1],
        [col - 1, row],
        [col + 1, row],
      ];
      return near.filter(([c, r]) => !dotted(c, r)).map(([c, r]) => edge(at(col, row), at(c, r)));
    }),
  );
  return [s("path", { class: "board-zone", d: edges.join("") })];
};

/**
 * Walnut board with dished cells. A pawn has a round head; a Hogga is broad and has a cap.
 * @type {PieceSet}
 */
export const hogga = {
  ground: ({ mark, col, row }) => [
    symbol(`hogga-cell-${(col + row) % 2 ? "light" : "dark"}`),
    ...(isDotted(mark) ? [symbol(`hogga-dot-${mark}`)] : []),
  ],
  backdrop: zones,
  piece: (token) => (token === "." ? null : s("g", {}, symbol(`hogga-${token}`))),
  owner: (token) =>
    /** @type {Record<string, Side>} */ ({ b: "first", w: "second" })[letterOf(token)] ?? null,
  keepsReadable: () => false,
  arcs: true,
  sound: "peg",
  count: ({ cells, extras, board }) => {
    const values = [countHome(cells, board, "b"), countHome(cells, board, "w")];
    const alone = /^([12])\+(\d+)$/.exec(extras);
    if (!alone) return { phrase: "count.home", values, of: STONES };
    // The side that is home first scores a point for each further move of the other.
    const first = Number(alone[1]) - 1;
    return {
      phrase: "count.home",
      values,
      of: STONES,
      more: { at: first, phrase: "count.points", n: Number(alone[2]) },
    };
  },
  describe: (token, mark) => {
    const dot = isDotted(mark) ? [t(`cell.dot-${mark}`)] : [];
    const description =
      token === "."
        ? t("cell.empty")
        : t(`cell.${token === letterOf(token) ? "pawn" : "hogga"}`, {
            side: t(`cell.${letterOf(token)}`),
          });
    return [description, ...dot].join(", ");
  },
  sampleCells: [
    ".,w,.,.,.,.,.,.,b,.,.,.",
    "W,.,w,b,W,b,.,.,.,.,.,.",
    ".,.,.,.,.,.,.,.,.,.,.,.",
    ".,.,.,.,W,B,.,.,.,.,.,.",
    ".,.,.,w,b,.,.,.,.,.,.,.",
    ".,.,.,.,w,.,.,.,.,.,.,.",
    ".,.,.,.,b,.,.,.,.,.,.,.",
    ".,.,.,.,.,.,.,.,.,.,.,.",
    ".,.,.,.,.,w,.,w,.,.,.,.",
    ".,.,.,.,w,.,.,.,.,.,.,.",
    ".,.,.,.,.,w,.,.,b,.,.,w",
    ".,.,.,.,.,B,.,.,.,b,.,B",
    ".,.,.,.,b,.,.,.,.,.,b,.",
  ].join("/"),
  icon: (which) => ({
    view: "-50 -58 100 104",
    nodes: [symbol(`hogga-${{ first: "b", second: "w" }[/** @type {Side} */ (which)] ?? "W"}`)],
  }),
};
