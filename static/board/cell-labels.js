// ARIA rows and cells of a board, and the labels of cell states.
//
// The elements persist while their attributes change: a screen reader would lose its position if
// they were replaced. `a11y-grid.js` creates one instance per interactive board.
import { s } from "../lib/dom.js";
import { cellName, cellsOf } from "../model/notation.js";
import { t } from "../lib/i18n.js";

/** Interval after `pointerup` within which a click belongs to the same gesture. */
const GESTURE_MS = 500;

/**
 * Whether the last input came from a pointer. In this case the board shows no focus ring, and the
 * arrow keys step through the moves.
 */
let isPointerInput = false;
document.addEventListener(
  "pointerdown",
  () => {
    isPointerInput = true;
  },
  true,
);
document.addEventListener(
  "keydown",
  () => {
    isPointerInput = false;
  },
  true,
);

/**
 * Sets the attributes that differ; null removes an attribute.
 * @param {Element} element
 * @param {Record<string, string | number | boolean | null>} attributes
 */
const setAttributes = (element, attributes) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
  }
};

/**
 * Returns a text by cell, for each cell in a list or the trace of a state. Besides the token, the
 * label of a cell depends on its indices in the lists, and on the trace.
 * @param {BoardState} state
 * @returns {Map<string, string>}
 */
const cellMarks = (state) => {
  /** @type {Map<string, string>} */
  const marks = new Map();
  const add = (/** @type {string} */ cell, /** @type {string} */ mark) =>
    marks.set(cell, `${marks.get(cell) ?? ""};${mark}`);
  const trace = JSON.stringify(state.trace ?? null);
  for (const cell of new Set(cellsOf(trace))) add(cell, trace);
  for (const [name, list] of Object.entries(state))
    if (list instanceof Set || Array.isArray(list))
      [...list].forEach((cell, at) => add(cell, `${name}${at}`));
  return marks;
};

/** ARIA grid of a board. */
export class CellLabels {
  /** @type {import("./board.js").Board} */ board;
  /** @type {Map<string, { cell: Element, state: string | null }>} */ cells;
  /** @type {number} */ lastPointerUpAt;

  /** @param {import("./board.js").Board} board */
  constructor(board) {
    Object.assign(this, { board, cells: new Map(), lastPointerUpAt: -GESTURE_MS });
    const { svg, cols, rows } = board;
    setAttributes(svg, {
      "aria-multiselectable": "true",
      "aria-rowcount": rows,
      "aria-colcount": cols,
    });
    svg.prepend(s("desc", {}, t("keys.board")));
    board.grid.replaceChildren(...Array.from({ length: rows }, (_, at) => this.row(at)));
    this.listen();
  }

  /**
   * Creates a row.
   * @param {number} at index from the top
   */
  row(at) {
    const row = this.board.rows - 1 - at;
    const cells = Array.from({ length: this.board.cols }, (_, col) =>
      this.cell(cellName(col, row), col),
    );
    return s("g", { role: "row", "aria-rowindex": at + 1 }, ...cells);
  }

  /**
   * Creates a cell; returns null for a gap in the board.
   * @param {string} name
   * @param {number} col
   */
  cell(name, col) {
    if (this.board.tokens.get(name) === "#") return null;
    const cell = s("rect", {
      id: `cell-${name}`,
      role: "gridcell",
      "aria-colindex": col + 1,
      "data-cell": name,
      width: 100,
      height: 100,
    });
    this.cells.set(name, { cell, state: null });
    return cell;
  }

  /** Updates the attributes of the cells whose state has changed. */
  draw() {
    const { board } = this;
    const marks = cellMarks(board.state);
    for (const [name, entry] of this.cells) {
      const state = `${board.flipped} ${board.tokens.get(name)} ${marks.get(name)}`;
      if (state === entry.state) continue;
      entry.state = state;
      setAttributes(entry.cell, board.gridCell(name));
    }
  }

  listen() {
    const { svg } = this.board;
    svg.addEventListener("focus", () => isPointerInput || svg.classList.add("is-keyboard-mode"));
    svg.addEventListener("pointerup", ({ timeStamp }) => {
      this.lastPointerUpAt = timeStamp;
    });
    // A screen reader clicks the cell under its own cursor, which is not the keyboard focus.
    svg.addEventListener("click", ({ target, detail, timeStamp }) => {
      const name = /** @type {SVGElement} */ (target).dataset.cell;
      if (!name || detail > 0 || timeStamp - this.lastPointerUpAt < GESTURE_MS) return;
      this.board.beforeInput?.();
      this.board.focusOn(name);
      this.board.click?.(name);
    });
  }
}

/**
 * Returns the phrase keys of the states of a cell: selection, legality, effect of the last move.
 * @param {string} cell
 * @param {BoardState} state
 * @returns {string[]}
 */
export const cellStates = (cell, { trace, targets, movable, additional, chosen, hint }) => {
  const { paths = [], removed = [] } = trace ?? {};
  const isChosen = chosen?.includes(cell);
  const isTarget = targets?.has(cell) || additional?.has(cell);
  const isDestination = paths.some((path) => path.at(-1) === cell);
  /** @type {(string | false | undefined)[]} */
  const states = [
    isChosen && "cell.chosen",
    !isChosen && isTarget && "cell.target",
    !isChosen && !targets?.has(cell) && movable?.has(cell) && "cell.canmove",
    hint?.includes(cell) && "cell.advised",
    isDestination && "cell.last",
    !isDestination && paths.some((path) => path[0] === cell) && "cell.left",
    !isDestination && removed.includes(cell) && "cell.removed",
  ];
  return states.filter((state) => typeof state === "string");
};
