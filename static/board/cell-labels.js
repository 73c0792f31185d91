// What a screen reader finds of a board: rows of cells that stay the same elements while their words change.
import { s } from "../lib/dom.js";
import { cellName } from "../model/notation.js";
import { say } from "../lib/i18n.js";

/** A click so soon after a pointer was lifted is the same deed. */
const SAME_MS = 500;

/** Whether what was used last is a pointer: then the board shows no ring, and the arrows step through the moves. */
let pointed = false;
document.addEventListener(
  "pointerdown",
  () => {
    pointed = true;
  },
  true,
);
document.addEventListener(
  "keydown",
  () => {
    pointed = false;
  },
  true,
);

/**
 * Sets what differs; null takes an attribute away.
 * @param {Element} element
 * @param {Record<string, string | number | boolean | null>} attributes
 */
const write = (element, attributes) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value);
  }
};

export class Cells {
  /** @type {import("./board.js").Board} */ board;
  /** @type {Map<string, { cell: Element, state: string | null }>} */ cells;
  /** @type {number} */ lifted;

  /**
   * The grid of a board that is played on.
   * @param {import("./board.js").Board} board
   */
  constructor(board) {
    Object.assign(this, { board, cells: new Map(), lifted: -SAME_MS });
    const { svg, cols, rows } = board;
    write(svg, { "aria-multiselectable": "true", "aria-rowcount": rows, "aria-colcount": cols });
    svg.prepend(s("desc", {}, say("keys.board")));
    board.grid.replaceChildren(...Array.from({ length: rows }, (_, at) => this.row(at)));
    this.listen();
  }

  row(at) {
    const row = this.board.rows - 1 - at;
    const cells = Array.from({ length: this.board.cols }, (_, col) =>
      this.cell(cellName(col, row), col),
    );
    return s("g", { role: "row", "aria-rowindex": at + 1 }, ...cells);
  }

  /** A cell; null where the board has none. */
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

  /** Says what stands on each cell now; a cell of which nothing has changed is left alone. */
  draw() {
    const { board } = this;
    const lists = Object.values(board.shown)
      .filter((value) => value instanceof Set || Array.isArray(value))
      .map((value) => [...value]);
    const trace = JSON.stringify(board.shown.trace ?? null);
    for (const [name, entry] of this.cells) {
      // What is said of a cell depends on what stands there, and on where in which lists it is.
      const moved = trace.includes(`"${name}"`) && trace;
      const state = [
        board.flipped,
        board.tokens.get(name),
        moved,
        ...lists.map((list) => list.indexOf(name)),
      ].join();
      if (state === entry.state) continue;
      entry.state = state;
      write(entry.cell, board.gridCell(name));
    }
  }

  listen() {
    const { svg } = this.board;
    svg.addEventListener("focus", () => pointed || svg.classList.add("keys"));
    svg.addEventListener("pointerup", ({ timeStamp }) => {
      this.lifted = timeStamp;
    });
    // Where a screen reader stands is not where the keyboard is: it presses the cell itself.
    svg.addEventListener("click", ({ target, detail, timeStamp }) => {
      const name = /** @type {SVGElement} */ (target).dataset.cell;
      if (!name || detail > 0 || timeStamp - this.lifted < SAME_MS) return;
      this.board.focusOn(name);
      this.board.click?.(name);
    });
  }
}

/**
 * What the last move did on a cell, and what may be done there, as keys of phrases.
 * @param {string} cell
 * @param {Shown} shown
 * @returns {string[]}
 */
export const statesOf = (cell, { trace, offered, movable, also, chosen, advised }) => {
  const { paths = [], removed = [] } = trace ?? {};
  const taken = chosen?.includes(cell);
  const goes = offered?.has(cell) || also?.has(cell);
  const came = paths.some((path) => path.at(-1) === cell);
  /** @type {(string | false | undefined)[]} */
  const states = [
    taken && "cell.chosen",
    !taken && goes && "cell.target",
    !taken && !offered?.has(cell) && movable?.has(cell) && "cell.canmove",
    advised?.includes(cell) && "cell.advised",
    came && "cell.last",
    !came && paths.some((path) => path[0] === cell) && "cell.left",
    !came && removed.includes(cell) && "cell.removed",
  ];
  return states.filter((state) => typeof state === "string");
};
