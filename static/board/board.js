// Interactive board: highlights, animations, and pointer and keyboard input.
//
// The board knows no rules. Its owner passes the position and the selectable cells to `show()` and
// receives the selected cells through `click`. Used by the game page and the analysis board.
import { CELL, ratioOf } from "./render.js";
import { AriaGrid } from "./a11y-grid.js";
import { guidanceOf } from "../guidance/index.js";
import { floatText } from "./floating-text.js";
import { Inspector } from "./inspector.js";
import { PointerInput } from "./pointer.js";
import { HeldTap } from "./tap-twice.js";
import { Highlights } from "./highlights.js";
import { BoardAnimation } from "./animation.js";
import { parseCells } from "../model/notation.js";

export { ratioOf };

/** Diameter within which a tap selects the nearest target cell. */
const TAP_PX = 44;

/**
 * Options of a board. `click` receives each selected cell, `hover` the target cell under the
 * pointer; `onInvalidDrop` receives the cell that is no target on which a piece is dropped;
 * `beforeInput` is called before a press or a key selects a cell. `completesMove` returns whether a
 * click on a cell would play a move at once, so that a finger may have to tap twice; `onHold` is
 * called when the first of these taps waits or is dropped. `slotOf` returns the element beside the
 * board for a removed piece of a side, counted from the last filled one. `inspection` has the names
 * of the sides and receives the text about an inspected cell, "" when the look ends.
 * @typedef {object} BoardOptions
 * @property {BoardShape} board
 * @property {string} label
 * @property {boolean} [flipped]
 * @property {(cell: string) => unknown} click
 * @property {(cell: string | null) => unknown} [hover]
 * @property {(cell: string) => unknown} onInvalidDrop
 * @property {() => unknown} [beforeInput]
 * @property {(cell: string) => boolean} [completesMove]
 * @property {() => unknown} [onHold]
 * @property {(side: Side, at: number) => HTMLElement | null} [slotOf]
 * @property {{ sides: string[], tell: (text: string) => unknown }} [inspection]
 */

/** Board that can be played on. */
export class Board extends AriaGrid {
  /** @type {Highlights} */ marks;
  /** @type {BoardAnimation} */ motion;
  /** @type {PointerInput} */ pointer;
  /** @type {Guidance} */ guidance;
  /** @type {Inspector} */ inspector;
  /** @type {HeldTap} */ tap;
  /** @type {BoardOptions["completesMove"]} */ completesMove;
  /** @type {BoardOptions["onHold"]} */ onHold;
  /** @type {BoardOptions["inspection"]} */ inspection;

  /**
   * @param {string} variant
   * @param {BoardOptions} options
   */
  constructor(variant, { board, label, flipped, ...callbacks }) {
    super(variant, { board, label, flipped, live: true });
    Object.assign(this, { ...callbacks, focused: null, hovered: null });
    this.guidance = guidanceOf(variant);
    this.marks = new Highlights(this, this.guidance);
    this.motion = new BoardAnimation(this);
    this.inspector = new Inspector(this);
    this.tap = new HeldTap(this);
    this.pointer = new PointerInput(this);
    this.fitCoordinates();
  }

  /** Releases the listeners on the document, before the board leaves the page. */
  close() {
    this.pointer.close();
  }

  /** Turns the board by 180 degrees. */
  flip() {
    this.pointer.reset();
    this.inspector.close();
    Object.assign(this, { flipped: !this.flipped });
    this.drawCoords();
    this.show(this.state);
    if (this.focused) this.focusOn(this.focused);
  }

  /**
   * Draws a position with its highlights.
   * @param {BoardState} state
   */
  show(state) {
    const isNew = state.cells !== this.state?.cells;
    super.show(this.tap.apply(state));
    if (isNew) this.inspector.restart();
    this.drawGrid();
  }

  /** @param {BoardState} state */
  prepare(state) {
    super.prepare(state);
    this.pointer.prepare(state);
  }

  /**
   * Changes the highlights only; running animations continue.
   * @param {Partial<BoardState>} marks
   */
  setHighlights(marks) {
    Object.assign(this, { state: this.tap.apply({ ...this.state, ...marks }) });
    this.marks.draw(this.state);
    this.drawGrid();
  }

  /**
   * Animates the last move, with the points it scores, and returns its timeline.
   * @param {Trace} trace
   * @param {Side} [by] side that made the move, if known
   */
  animate(trace, by) {
    const times = this.motion.play(trace, { by, dropped: this.pointer.takeDropped() });
    const { before } = this.state;
    const gain = before && this.guidance.gain?.(trace, parseCells(before));
    if (gain) floatText(this, gain, times.timedPaths[0]?.landingTime ?? 0);
    return times;
  }

  /**
   * Handles a key of the board.
   * @param {KeyboardEvent} event
   */
  handleKey(event) {
    return this.inspector.handleKey(event) ? undefined : super.handleKey(event);
  }

  /**
   * Animates a takeback, from the cells the move led to.
   * @param {Trace} trace
   * @param {string} cells
   */
  rewind(trace, cells) {
    this.motion.rewind(trace, cells);
  }

  /**
   * Raises the pieces of the winner once, one after another.
   * @param {Side} side
   */
  wave(side) {
    this.motion.wave(side);
  }

  /**
   * Draws the effects of a move that is not made yet.
   * @param {Trace | null} preview
   */
  showPreview(preview) {
    Object.assign(this, { state: { ...this.state, preview } });
    this.marks.drawPreview(preview);
  }

  /**
   * Responds to an illegal click: shakes the piece and highlights the movable ones.
   * @param {string} cell
   */
  shake(cell) {
    this.motion.shake(cell);
    this.marks.flashMovable();
  }

  /**
   * Returns the position of a pointer in board units, and the pixels per unit.
   * @param {{ clientX: number, clientY: number }} pointer
   */
  toBoardUnits({ clientX, clientY }) {
    const { left, top, unit } = this.scale();
    return { x: (clientX - left) / unit, y: (clientY - top) / unit, unit };
  }

  /**
   * Returns the cell at a point in board units.
   * @param {{ x: number, y: number }} point
   * @returns {string | undefined}
   */
  cellAt({ x, y }) {
    return [...this.cellElements.keys()].find(
      (cell) =>
        Math.abs(this.at(cell)[0] - x) <= CELL / 2 && Math.abs(this.at(cell)[1] - y) <= CELL / 2,
    );
  }

  /**
   * Returns the cell that a pointer selects: the cell under it if that is selectable, otherwise the
   * nearest target cell within `TAP_PX`, otherwise the cell under it.
   * @param {{ clientX: number, clientY: number }} event
   * @returns {string | undefined}
   */
  cellUnder(event) {
    const { x, y, unit } = this.toBoardUnits(event);
    /** @param {string} cell */
    const distance = (cell) => Math.hypot(this.at(cell)[0] - x, this.at(cell)[1] - y);
    const inside = this.cellAt({ x, y });
    const targets = this.state.targets ?? new Set();
    const isSelectable =
      inside &&
      (targets.has(inside) ||
        this.state.movable?.has(inside) ||
        this.state.additional?.has(inside) ||
        this.state.chosen?.includes(inside));
    if (isSelectable) return inside;
    const nearest = [...targets].sort((a, b) => distance(a) - distance(b))[0];
    return nearest && distance(nearest) * unit <= TAP_PX / 2 + 6 ? nearest : inside;
  }
}
