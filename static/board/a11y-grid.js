// What a keyboard and a screen reader find on a board: a grid of cells that are walked and spoken.
import { Cells, statesOf } from "./cell-labels.js";
import { Seen } from "./static-board.js";
import { s } from "../lib/dom.js";
import { say } from "../lib/i18n.js";

/**
 * Every cell that a board has, in the order in which it is read, with its middle.
 * @param {import("./board.js").Board} board
 */
const placesOf = (board) =>
  [...board.tokens]
    .filter(([, token]) => token !== "#")
    .map(([cell]) => {
      const [x, y] = board.at(cell);
      return { cell, x, y };
    })
    .sort((one, two) => one.y - two.y || one.x - two.x);

/** The next cell that may be chosen, read on or back, round the end. */
const nextChoice = (board, places, at, back) => {
  const { offered, movable, also, chosen } = board.shown;
  const sets = chosen?.length ? [offered, also] : [offered, movable, also];
  const choices = places.filter(({ cell }) => sets.some((set) => set?.has(cell)));
  const follows = ({ x, y }) =>
    back ? y < at.y || (y === at.y && x < at.x) : y > at.y || (y === at.y && x > at.x);
  return back
    ? (choices.findLast(follows) ?? choices.at(-1))
    : (choices.find(follows) ?? choices[0]);
};

/**
 * Where a key leads on a board from the cell that is focused: a cell; null if it is not one of the board's keys.
 * @param {import("./board.js").Board} board
 * @param {KeyboardEvent} event
 * @returns {string | null}
 */
const goalOf = (board, { key, ctrlKey }) => {
  const places = placesOf(board);
  const at = places.find(({ cell }) => cell === board.focused) ?? places[0];
  const row = places.filter(({ y }) => y === at.y);
  const column = places.filter(({ x }) => x === at.x);
  const goals = ctrlKey
    ? { Home: () => places[0], End: () => places.at(-1) }
    : {
        ArrowLeft: () => row.findLast(({ x }) => x < at.x),
        ArrowRight: () => row.find(({ x }) => x > at.x),
        ArrowUp: () => column.findLast(({ y }) => y < at.y),
        ArrowDown: () => column.find(({ y }) => y > at.y),
        Home: () => row[0],
        End: () => row.at(-1),
        PageUp: () => column[0],
        PageDown: () => column.at(-1),
        n: () => nextChoice(board, places, at, false),
        N: () => nextChoice(board, places, at, true),
      };
  // At an edge it stays where it is.
  return Object.hasOwn(goals, key) ? (goals[key]() ?? at).cell : null;
};

export class Grid extends Seen {
  /** @type {(cell: string) => unknown} */ click;
  /** @type {((cell: string | null) => unknown) | undefined} */ hover;
  /** @type {() => unknown} */ astray;
  /** @type {string} */ focused;
  /** @type {string | null} */ hovered;
  /** @type {Cells | undefined} */ spoken;

  /** Tells which offered cell is pointed at. */
  hoverOver(cell) {
    const offered = cell && this.shown.offered?.has(cell) ? cell : null;
    if (offered === this.hovered) return;
    this.hovered = offered;
    this.hover?.(offered);
  }

  key(event) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      // A key that is held is pressed once.
      return event.repeat ? undefined : this.click(this.focused);
    }
    // Who has clicked with a mouse steps through the moves with the arrows.
    if (!this.svg.classList.contains("keys") || event.altKey || event.metaKey) return undefined;
    const cell = goalOf(
      /** @type {import("./board.js").Board} */ (/** @type {unknown} */ (this)),
      event,
    );
    if (!cell) return undefined;
    event.preventDefault();
    event.stopPropagation();
    this.hoverOver(cell);
    return this.focusOn(cell);
  }

  focusOn(cell) {
    this.focused = cell;
    this.svg.setAttribute("aria-activedescendant", `cell-${cell}`);
    const [x, y] = this.at(cell);
    const ring = (name) =>
      s("rect", { class: name, x: -47, y: -47, width: 94, height: 94, rx: 12 });
    this.layers.focus.replaceChildren(
      s("g", { transform: `translate(${x} ${y})` }, ring("focus-out"), ring("focus-in")),
    );
  }

  /** What a screen reader finds: rows of cells, each with what stands there. */
  drawGrid() {
    this.spoken ??= new Cells(
      /** @type {import("./board.js").Board} */ (/** @type {unknown} */ (this)),
    );
    this.spoken.draw();
  }

  /** What is told of a cell, as the attributes of its element. */
  gridCell(cell) {
    const [x, y] = this.at(cell);
    const { offered, movable, also, chosen } = this.shown;
    const own = offered?.has(cell) || movable?.has(cell) || also?.has(cell);
    const selected = chosen?.includes(cell) ? true : own ? false : null;
    const words = [
      this.glyph.says(this.tokens.get(cell), this.markOf(cell)),
      ...statesOf(cell, this.shown).map((key) => say(key)),
    ];
    return {
      x: x - 50,
      y: y - 50,
      class: own ? "hit own" : "hit",
      "aria-label": `${cell}: ${words.join("; ")}`,
      "aria-selected": selected,
    };
  }
}
