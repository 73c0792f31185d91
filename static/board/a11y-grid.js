// Keyboard navigation and screen reader support of a board: an ARIA grid of cells.
//
// `board.js` derives the interactive board from `AriaGrid`. The focused cell is exposed through
// `aria-activedescendant`; the DOM focus stays on the SVG element.
import { CellLabels, cellStates } from "./cell-labels.js";
import { StaticBoard } from "./static-board.js";
import { s } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/**
 * Cell and its center, in board units.
 * @typedef {{ cell: string, x: number, y: number }} CellPoint
 */

/**
 * Returns all cells of a board in reading order, with their centers.
 * @param {import("./board.js").Board} board
 * @returns {CellPoint[]}
 */
const cellPoints = (board) =>
  [...board.tokens]
    .filter(([, token]) => token !== "#")
    .map(([cell]) => {
      const [x, y] = board.at(cell);
      return { cell, x, y };
    })
    .sort((one, two) => one.y - two.y || one.x - two.x);

/**
 * Returns the next selectable cell in reading order, or the previous one with `back`. The search
 * wraps around.
 * @param {import("./board.js").Board} board
 * @param {CellPoint[]} points
 * @param {CellPoint} at
 * @param {boolean} back
 * @returns {CellPoint | undefined}
 */
const nextChoice = (board, points, at, back) => {
  const { targets, movable, additional, chosen } = board.state;
  const sets = chosen?.length ? [targets, additional] : [targets, movable, additional];
  const choices = points.filter(({ cell }) => sets.some((set) => set?.has(cell)));
  /** @param {CellPoint} point */
  const follows = ({ x, y }) =>
    back ? y < at.y || (y === at.y && x < at.x) : y > at.y || (y === at.y && x > at.x);
  return back
    ? (choices.findLast(follows) ?? choices.at(-1))
    : (choices.find(follows) ?? choices[0]);
};

/**
 * Returns the cell to which a key moves the focus, or null if the board does not handle the key.
 * At an edge the focus stays on its cell.
 * @param {import("./board.js").Board} board
 * @param {KeyboardEvent} event
 * @returns {string | null}
 */
const focusTarget = (board, { key, ctrlKey }) => {
  const points = cellPoints(board);
  const at = points.find(({ cell }) => cell === board.focused) ?? points[0];
  const row = points.filter(({ y }) => y === at.y);
  const column = points.filter(({ x }) => x === at.x);
  /** @type {Record<string, () => CellPoint | undefined>} */
  const destinations = ctrlKey
    ? { Home: () => points[0], End: () => points.at(-1) }
    : {
        ArrowLeft: () => row.findLast(({ x }) => x < at.x),
        ArrowRight: () => row.find(({ x }) => x > at.x),
        ArrowUp: () => column.findLast(({ y }) => y < at.y),
        ArrowDown: () => column.find(({ y }) => y > at.y),
        Home: () => row[0],
        End: () => row.at(-1),
        PageUp: () => column[0],
        PageDown: () => column.at(-1),
        n: () => nextChoice(board, points, at, false),
        N: () => nextChoice(board, points, at, true),
      };
  return Object.hasOwn(destinations, key) ? (destinations[key]() ?? at).cell : null;
};

/** Static board with keyboard navigation and ARIA attributes. */
export class AriaGrid extends StaticBoard {
  /** @type {(cell: string) => unknown} */ click;
  /** @type {((cell: string | null) => unknown) | undefined} */ hover;
  /** @type {(cell: string) => unknown} */ onInvalidDrop;
  /** @type {(() => unknown) | undefined} */ beforeInput;
  /** @type {string} */ focused;
  /** @type {string | null} */ hovered;
  /** @type {CellLabels | undefined} */ cellLabels;

  /**
   * Reports the target cell under the pointer or the focus to `hover`, once per change.
   * @param {string | null | undefined} cell
   */
  hoverOver(cell) {
    const targets = cell && this.state.targets?.has(cell) ? cell : null;
    if (targets === this.hovered) return;
    this.hovered = targets;
    this.hover?.(targets);
  }

  /**
   * Handles a key of the board: Enter and Space select the focused cell, others move the focus.
   * @param {KeyboardEvent} event
   */
  handleKey(event) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      // Auto-repeat must not select a cell repeatedly.
      if (event.repeat) return undefined;
      this.beforeInput?.();
      return this.click(this.focused);
    }
    // After a pointer interaction the arrow keys step through the moves instead.
    if (!this.svg.classList.contains("is-keyboard-mode") || event.altKey || event.metaKey)
      return undefined;
    const cell = focusTarget(
      /** @type {import("./board.js").Board} */ (/** @type {unknown} */ (this)),
      event,
    );
    if (!cell) return undefined;
    event.preventDefault();
    event.stopPropagation();
    this.hoverOver(cell);
    return this.focusOn(cell);
  }

  /**
   * Moves the focus ring and `aria-activedescendant` to a cell.
   * @param {string} cell
   */
  focusOn(cell) {
    this.focused = cell;
    this.svg.setAttribute("aria-activedescendant", `cell-${cell}`);
    const [x, y] = this.at(cell);
    /** @param {string} name */
    const ring = (name) =>
      s("rect", { class: name, x: -47, y: -47, width: 94, height: 94, rx: 12 });
    this.layers.focus.replaceChildren(
      s(
        "g",
        { transform: `translate(${x} ${y})` },
        ring("board-focus-outer"),
        ring("board-focus-inner"),
      ),
    );
  }

  /**
   * Sets the tooltip of the target under the mouse, or removes it.
   * @param {string | null} cell
   */
  setTooltip(cell) {
    const rect = cell && this.grid.querySelector(`[data-cell="${cell}"]`);
    const before = this.grid.querySelector("title");
    const text = rect && rect.getAttribute("aria-label");
    if (before?.parentElement === rect && before.textContent === text) return;
    before?.remove();
    rect?.append(s("title", {}, text));
  }

  /** Updates the rows and cells of the grid; creates them on the first call. */
  drawGrid() {
    this.cellLabels ??= new CellLabels(
      /** @type {import("./board.js").Board} */ (/** @type {unknown} */ (this)),
    );
    this.cellLabels.draw();
  }

  /**
   * Returns the attributes of the element of a cell: position, label and selection state.
   * @param {string} cell
   */
  gridCell(cell) {
    const [x, y] = this.at(cell);
    const { targets, movable, additional, chosen } = this.state;
    const own = targets?.has(cell) || movable?.has(cell) || additional?.has(cell);
    const selected = chosen?.includes(cell) ? true : own ? false : null;
    const parts = [
      this.pieceSet.describe(this.tokens.get(cell), this.markOf(cell)),
      ...cellStates(cell, this.state).map((key) => t(key)),
    ];
    return {
      x: x - 50,
      y: y - 50,
      class: own ? "board-cell is-selectable" : "board-cell",
      "aria-label": `${cell}: ${parts.join("; ")}`,
      "aria-selected": selected,
    };
  }
}
