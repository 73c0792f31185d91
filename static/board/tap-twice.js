// Setting "Tap twice to move", and the tap that waits for the second one.
//
// The first tap on a cell that would complete a move shows its preview; a second tap on the same
// cell plays it. Only fingers tap twice: a mouse has its preview on hover, and keyboard and screen
// reader tell what they choose. `pointer.js` asks for each tap.
import { storedText } from "../lib/settings.js";

/** Values of the setting. Automatic turns it on where cells are small. */
const TAP_TWICE_MODES = ["auto", "on", "off"];

/** Width from which a cell is large enough for a finger, in pixels. */
const LARGE_CELL_PX = 44;

const stored = storedText("tapTwice");

export const tapTwiceSetting = {
  get: () => TAP_TWICE_MODES.find((mode) => mode === stored.get()) ?? "auto",
  set: stored.set,
};

/**
 * Returns whether a finger taps twice on a board.
 * @param {{ cellWidth: () => number }} board
 */
export const tapsTwice = (board) => {
  const mode = tapTwiceSetting.get();
  return mode === "auto"
    ? matchMedia("(pointer: coarse)").matches && board.cellWidth() < LARGE_CELL_PX
    : mode === "on";
};

/** First tap of a board. `cell` is null while none waits. */
export class HeldTap {
  /** @type {import("./board.js").Board} */ board;
  /** @type {string | null} */ cell;
  /** @type {string} */ context;

  /** @param {import("./board.js").Board} board */
  constructor(board) {
    Object.assign(this, { board, cell: null, context: "" });
  }

  /**
   * Handles a tap: returns whether it waits for a second one. A tap elsewhere replaces the first.
   * @param {string} cell
   */
  hold(cell) {
    const { board } = this;
    // The move without the first tap would be another one than the preview shows.
    if (this.cell && this.cell !== cell && board.state.chosen?.at(-1) === cell) return this.drop();
    const isHeld = cell !== this.cell && tapsTwice(board) && Boolean(board.completesMove?.(cell));
    this.set(isHeld ? cell : null);
    if (isHeld) {
      board.hoverOver(cell);
      board.onHold?.();
    }
    return isHeld;
  }

  /**
   * @param {string | null} cell
   */
  set(cell) {
    if (cell === this.cell) return;
    const { state } = this.board;
    Object.assign(this, { cell, context: HeldTap.contextOf(state) });
    this.board.setHighlights({ held: cell });
  }

  /** Drops the first tap. Returns whether there was one. */
  drop() {
    if (!this.cell) return false;
    this.set(null);
    this.board.hoverOver(null);
    this.board.onHold?.();
    return true;
  }

  /**
   * Forgets the first tap if the position or the chosen cells have changed. Returns the state with
   * the first tap.
   * @param {BoardState} state
   * @returns {BoardState}
   */
  apply(state) {
    if (this.cell && HeldTap.contextOf(state) !== this.context) this.cell = null;
    return { ...state, held: this.cell };
  }

  /**
   * Returns a text that differs if the meaning of a tap does.
   * @param {BoardState} state
   */
  static contextOf({ cells, chosen }) {
    return [cells, ...(chosen ?? [])].join(" ");
  }
}
