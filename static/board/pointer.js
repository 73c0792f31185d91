// Pointer input of an interactive board: clicks, taps and drags.
//
// A drag produces the same two clicks as tapping. A mouse selects on press, a finger on release.
// `board.js` creates one instance per board.
import { DraggedPiece, Magnifier } from "./drag.js";

/** Distance beyond which a press becomes a drag. */
const DRAG_PX = 6;

/** Time after which a resting finger opens the magnifier. */
const REST_MS = 280;

/**
 * Press in progress.
 * @typedef {object} Press
 * @property {number} id pointer id
 * @property {string} cell
 * @property {boolean} own the cell holds a piece of the player
 * @property {boolean} waits the cell is selected on release, not on press
 * @property {boolean} isTouch
 * @property {number} x client coordinates at the start
 * @property {number} y
 * @property {boolean} isFar the press has become a drag
 * @property {DraggedPiece | null} lifted
 */

/** Pointer input of one board. */
export class PointerInput {
  /** @type {import("./board.js").Board} */ board;
  /** @type {Press | null} */ press;
  /** @type {{ lifted: DraggedPiece, from: string, to: string } | null} */ waiting;
  /** @type {{ from: string, to: string } | null} */ way;
  /** @type {Magnifier} */ loupe;
  /** @type {number | undefined} */ restTimer;
  /** @type {AbortController} */ away;

  /** @param {import("./board.js").Board} board */
  constructor(board) {
    Object.assign(this, {
      board,
      press: null,
      waiting: null,
      way: null,
      loupe: new Magnifier(board),
      away: new AbortController(),
    });
    /**
     * @template {keyof SVGElementEventMap} K
     * @param {K} name
     * @param {(this: PointerInput, event: SVGElementEventMap[K]) => unknown} deed
     */
    const on = (name, deed) => board.svg.addEventListener(name, (event) => deed.call(this, event));
    on("pointerdown", this.handleDown);
    on("pointermove", this.handleMove);
    on("pointerup", this.handleUp);
    on("pointerleave", () => !this.press?.lifted && board.hoverOver(null));
    on("pointercancel", () => {
      this.cancel();
      board.hoverOver(null);
    });
    on("keydown", (event) => board.handleKey(event));
    on("keyup", ({ key }) => key === "Tab" && board.svg.classList.add("is-keyboard-mode"));
    on("focus", () =>
      board.focusOn(
        board.focused ?? [...board.tokens.keys()].filter((cell) => board.spots.has(cell))[0],
      ),
    );
    // Escape also undoes the click that started the drag; the owner of the board handles that.
    document.addEventListener("keydown", ({ key }) => key === "Escape" && this.cancel(), {
      capture: true,
      signal: this.away.signal,
    });
  }

  /** Removes the listener on the document and cancels the press. */
  close() {
    this.away.abort();
    this.cancel();
  }

  /**
   * Returns whether a cell holds a piece of the player.
   * @param {string} cell
   */
  isOwnPiece(cell) {
    const { glyph, tokens, shown } = this.board;
    const owner = glyph.owner(tokens.get(cell));
    return owner !== null && owner === shown.side;
  }

  /** @param {PointerEvent} event */
  handleDown(event) {
    const { board } = this;
    // Only one finger at a time controls the board.
    if (event.button !== 0 || (this.press?.isTouch && this.press.id !== event.pointerId)) return;
    this.cancel();
    const cell = board.cellUnder(event);
    if (!cell) return;
    event.preventDefault();
    board.svg.classList.remove("is-keyboard-mode");
    board.settle();
    board.focusOn(cell);
    board.svg.focus({ preventScroll: true });
    const isTouch = event.pointerType === "touch";
    const own = this.isOwnPiece(cell);
    // A press on a selected piece may start a drag, so its second click waits for the release.
    const waits = isTouch || (own && Boolean(board.shown.chosen?.includes(cell)));
    this.capturePointer(event);
    this.press = {
      id: event.pointerId,
      cell,
      own,
      waits,
      isTouch,
      x: event.clientX,
      y: event.clientY,
      isFar: false,
      lifted: null,
    };
    // A finger sees the preview first, and selects on release.
    if (isTouch) {
      board.hoverOver(cell);
      this.restTimer = setTimeout(() => this.press && this.loupe.show(event), REST_MS);
    }
    if (!waits) board.click(cell);
  }

  /**
   * Captures the pointer, so that the board receives its events everywhere. Synthetic events
   * have no pointer that could be captured.
   * @param {PointerEvent} event
   */
  capturePointer(event) {
    if (event.isTrusted) this.board.svg.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  handleMove(event) {
    const { board, press } = this;
    if (press && press.id === event.pointerId) this.updateDrag(event);
    if (event.pointerType !== "touch" || this.press) board.hoverOver(board.cellUnder(event));
    if (this.press?.isTouch && (this.press.isFar || this.loupe.isOpen))
      this.loupe.show(event, board.hovered);
  }

  /**
   * Updates a press after a movement: selects and lifts the piece when it becomes a drag.
   * @param {PointerEvent} event
   */
  updateDrag(event) {
    const { board, press } = this;
    if (!press) return undefined;
    // The button was released outside the window.
    if (event.buttons === 0 && !press.isTouch) return void this.cancel();
    if (!press.isFar && Math.hypot(event.clientX - press.x, event.clientY - press.y) <= DRAG_PX)
      return undefined;
    const isChosen = () => board.shown.chosen?.at(-1) === press.cell;
    if (press.own && press.waits && !press.isFar && !isChosen()) {
      press.waits = false;
      board.click(press.cell);
    }
    press.isFar = true;
    // The targets of a premove arrive shortly after its click.
    const { unsent, ahead, offered } = board.shown;
    if (press.own && !press.lifted && isChosen() && offered?.size && (!unsent || ahead))
      this.lift();
    press.lifted?.moveTo(board.toBoardUnits(event));
    return undefined;
  }

  lift() {
    const { board, press } = this;
    if (!press) return;
    board.settle();
    press.lifted = new DraggedPiece(board, press.cell);
    board.svg.classList.add("is-dragging");
  }

  /** @param {PointerEvent} event */
  handleUp(event) {
    const { board, press } = this;
    if (!press || press.id !== event.pointerId) return;
    const cell = board.cellUnder(event);
    this.press = null;
    this.endDrag();
    if (press.lifted) this.drop(/** @type {Press & { lifted: DraggedPiece }} */ (press), cell);
    else if (press.waits && cell && (press.isTouch || cell === press.cell)) board.click(cell);
  }

  /**
   * Drops a dragged piece: clicks a target cell; elsewhere the piece returns and stays selected.
   * @param {{ cell: string, lifted: DraggedPiece }} press
   * @param {string | undefined} cell
   */
  drop({ cell: from, lifted }, cell) {
    const { board } = this;
    // A drop on the origin or off the board is a deliberate cancel, so it needs no message.
    if (!cell || cell === from) return lifted.returnToCell();
    if (!board.shown.offered?.has(cell)) {
      lifted.returnToCell();
      return board.astray();
    }
    lifted.placeOn(cell);
    this.waiting = { lifted, from, to: cell };
    board.click(cell);
    // The piece stays at its destination while a sent move or a premove is pending.
    if (this.waiting && (!board.shown.unsent || board.shown.ahead)) this.returnDropped();
    return undefined;
  }

  /** Cancels the press and all animations before the board is flipped. */
  reset() {
    this.cancel();
    this.returnDropped();
    this.board.settle();
  }

  /** Returns a dropped piece whose move is not pending. */
  returnDropped() {
    this.waiting?.lifted.returnToCell();
    this.waiting = null;
  }

  /**
   * Prepares for a new position: a dropped piece has moved, or returns if its move was rejected.
   * @param {BoardState} shown
   */
  prepare({ cells, unsent }) {
    if (cells === this.board.shown?.cells) {
      if (!unsent) this.returnDropped();
      return;
    }
    this.way = this.waiting;
    this.waiting?.lifted.remove();
    this.waiting = null;
    this.cancel();
  }

  /** Returns and clears the path of the last dropped piece, which needs no animation. */
  takeDropped() {
    const { way } = this;
    this.way = null;
    return way;
  }

  /** Closes the magnifier and ends the drag state. */
  endDrag() {
    clearTimeout(this.restTimer);
    this.loupe.close();
    this.board.svg.classList.remove("is-dragging");
  }

  /** Cancels a press without a click; a lifted piece returns. */
  cancel() {
    const { press } = this;
    this.press = null;
    this.endDrag();
    press?.lifted?.returnToCell();
  }
}
