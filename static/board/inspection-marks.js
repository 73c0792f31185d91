// Marks of the inspector: a frame, a stack spread out beside its cell, hatched cells.
import { s } from "../lib/dom.js";

/** Diagonal lines across a cell. */
const HATCH = "M-44-14L-14-44M-44 16L16-44M-44 44L44-44M-14 44L44-14M16 44L44 16";

/** Panel of a stack, in board units: width, height of a row at most, padding, distance. */
const WIDTH = 232;
const ROW_MAX = 84;
const PADDING = 12;
const DISTANCE = 62;

/** Height of a piece with its shadow, for which a row of `ROW_MAX` has space. */
const PIECE_SCALE = 0.94;

/**
 * Returns the frame around the inspected cell.
 * @param {import("./board.js").Board} board
 * @param {string} cell
 */
const frame = (board, cell) => {
  const box = { x: -47, y: -47, width: 94, height: 94, rx: 14 };
  return board.marks.groupAt(
    cell,
    s("rect", { class: "board-selection-edge", ...box }),
    s("rect", { class: "board-selection", ...box }),
  );
};

/**
 * Returns the panel of a stack, its top first, beside the cell and within the board.
 * @param {import("./board.js").Board} board
 * @param {string} cell
 * @param {{ token: string, name: string }[]} stack from the top
 */
const stackPanel = (board, cell, stack) => {
  const [width, height] = board.size();
  const [x, y] = board.at(cell);
  const row = Math.min(ROW_MAX, (height - 4 * PADDING) / stack.length);
  const panelHeight = row * stack.length + 2 * PADDING;
  const left = x < width / 2 ? x + DISTANCE : x - DISTANCE - WIDTH;
  const top = Math.min(Math.max(y - panelHeight / 2, PADDING), height - PADDING - panelHeight);
  const rows = stack.map(({ token, name }, at) =>
    s(
      "g",
      { class: "board-inspection-row", transform: `translate(0 ${PADDING + row * (at + 0.5)})` },
      s(
        "g",
        {
          transform: `translate(58 ${-3 * (row / ROW_MAX)}) scale(${PIECE_SCALE * (row / ROW_MAX)})`,
        },
        board.pieceSet.piece(token, "."),
      ),
      s("text", { class: "board-inspection-text", x: 108, y: 9 }, name),
    ),
  );
  return s(
    "g",
    { class: "board-inspection-panel", transform: `translate(${left} ${top})` },
    s("rect", { width: WIDTH, height: panelHeight, rx: 14 }),
    ...rows,
  );
};

/**
 * Returns the marks of an inspected cell.
 * @param {import("./board.js").Board} board
 * @param {string} cell
 * @param {Inspection} inspection
 * @returns {SVGElement[]}
 */
export const inspectionMarks = (board, cell, { stack, attacked = [] }) => [
  frame(board, cell),
  ...attacked.map((name) =>
    board.marks.groupAt(name, s("path", { class: "board-hatch", d: HATCH })),
  ),
  ...(stack ? [stackPanel(board, cell, stack)] : []),
];
