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
 * @property {boolean} isOwn the cell holds a piece of the player
 * @property {boolean} selectsOnRelease the cell is selected on release, not on press
 * @property {boolean} isTouch
 * @property {number} x client coordinates at the start
 * @property {number} y
 * @property {boolean} isDrag the press has become a drag
 * @property {DraggedPiece | null} dragged
 */

/** Pointer input of one board. */
export class PointerInput {
  /** @type {import("./board.js").Board} */ board;
  /** @type {Press | null} */ press;
  /** @type {{ dragged: DraggedPiece, from: string, to: string } | null} */ pendingDrop;
  /** @type {{ from: string, to: string } | null} */ finishedDrop;
  /** @type {Magnifier} */ magnifier;
  /** @type {number | undefined} */ restTimer;
  /** @type {AbortController} */ abortController;

  /** @param {import("./board.js").Board} board */
  constructor(board) {
    Object.assign(this, {
      board,
      press: null,
      pendingDrop: null,
      finishedDrop: null,
      magnifier: new Magnifier(board),
      abortController: new AbortController(),
    });
    /**
     * @template {keyof SVGElementEventMap} K
     * @param {K} name
     * @param {(this: PointerInput, event: SVGElementEventMap[K]) => unknown} handler
     */
    const on = (name, handler) =>
      board.svg.addEventListener(name, (event) => handler.call(this, event));
    on("pointerdown", this.handleDown);
    on("pointermove", this.handleMove);
    on("pointerup", this.handleUp);
    on("pointerleave", () => {
      board.inspector.followMouse(undefined);
      board.setTooltip(null);
      if (!this.press?.dragged) board.hoverOver(board.tap.cell);
    });
    on("pointercancel", () => {
      this.cancel();
      board.hoverOver(board.tap.cell);
    });
    on("keydown", (event) => board.handleKey(event));
    on("keyup", ({ key }) => key === "Tab" && board.svg.classList.add("is-keyboard-mode"));
    on("focus", () =>
      board.focusOn(
        board.focused ?? [...board.tokens.keys()].filter((cell) => board.cellElements.has(cell))[0],
      ),
    );
    // Escape also undoes the click that started the drag; the owner of the board handles that.
    document.addEventListener("keydown", ({ key }) => key === "Escape" && this.cancel(), {
      capture: true,
      signal: this.abortController.signal,
    });
  }

  /** Removes the listener on the document and cancels the press. */
  close() {
    this.abortController.abort();
    this.cancel();
  }

  /**
   * Returns whether a cell holds a piece of the player.
   * @param {string} cell
   */
  isOwnPiece(cell) {
    const { pieceSet, tokens, state } = this.board;
    const owner = pieceSet.owner(tokens.get(cell));
    return owner !== null && owner === state.side;
  }

  /** @param {PointerEvent} event */
  handleDown(event) {
    const { board } = this;
    // Only one finger at a time controls the board.
    if (event.button !== 0 || (this.press?.isTouch && this.press.id !== event.pointerId)) return;
    this.cancel();
    board.beforeInput?.();
    const cell = board.cellUnder(event);
    if (!cell) return;
    event.preventDefault();
    board.svg.classList.remove("is-keyboard-mode");
    board.settle();
    board.focusOn(cell);
    board.svg.focus({ preventScroll: true });
    const isTouch = event.pointerType === "touch";
    const isOwn = this.isOwnPiece(cell);
    // A press on a selected piece may start a drag, so its second click waits for the release.
    const selectsOnRelease = isTouch || (isOwn && Boolean(board.state.chosen?.includes(cell)));
    this.capturePointer(event);
    this.press = {
      id: event.pointerId,
      cell,
      isOwn,
      selectsOnRelease,
      isTouch,
      x: event.clientX,
      y: event.clientY,
      isDrag: false,
      dragged: null,
    };
    const isInspected = this.holdInspector(event);
    // A finger sees the preview first, and selects on release.
    if (isTouch) {
      board.hoverOver(cell);
      if (!isInspected)
        this.restTimer = setTimeout(() => this.press && this.magnifier.show(event), REST_MS);
    }
    if (!selectsOnRelease) board.click(cell);
  }

  /**
   * Opens the inspector if the press is held; its release then selects nothing. Returns whether the
   * cell has something to show.
   * @param {PointerEvent} event
   */
  holdInspector(event) {
    const { board } = this;
    return board.inspector.startHold(board.cellAt(board.toBoardUnits(event)), () => {
      if (this.press) this.press.selectsOnRelease = false;
    });
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
    if (event.pointerType !== "touch" && !this.press) {
      board.inspector.followMouse(board.cellAt(board.toBoardUnits(event)));
      board.setTooltip(board.hovered);
    }
    if (this.press?.isTouch && (this.press.isDrag || this.magnifier.isOpen))
      this.magnifier.show(event, board.hovered);
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
    if (!press.isDrag && Math.hypot(event.clientX - press.x, event.clientY - press.y) <= DRAG_PX)
      return undefined;
    const isChosen = () => board.state.chosen?.at(-1) === press.cell;
    if (press.isOwn && press.selectsOnRelease && !press.isDrag && !isChosen()) {
      press.selectsOnRelease = false;
      board.click(press.cell);
    }
    if (!press.isDrag) board.inspector.close();
    press.isDrag = true;
    // The targets of a premove arrive shortly after its click.
    const { isPending, isPremove, targets } = board.state;
    if (press.isOwn && !press.dragged && isChosen() && targets?.size && (!isPending || isPremove))
      this.startDrag();
    press.dragged?.moveTo(board.toBoardUnits(event));
    return undefined;
  }

  startDrag() {
    const { board, press } = this;
    if (!press) return;
    board.settle();
    press.dragged = new DraggedPiece(board, press.cell);
    board.svg.classList.add("is-dragging");
  }

  /** @param {PointerEvent} event */
  handleUp(event) {
    const { board, press } = this;
    if (!press || press.id !== event.pointerId) return;
    const cell = board.cellUnder(event);
    this.press = null;
    this.endDrag();
    if (press.dragged) this.drop(/** @type {Press & { dragged: DraggedPiece }} */ (press), cell);
    else if (press.selectsOnRelease && cell && (press.isTouch || cell === press.cell)) {
      if (!press.isTouch || !board.tap.hold(cell)) board.click(cell);
    }
  }

  /**
   * Drops a dragged piece: clicks a target cell; elsewhere the piece returns and stays selected.
   * @param {{ cell: string, dragged: DraggedPiece }} press
   * @param {string | undefined} cell
   */
  drop({ cell: from, dragged }, cell) {
    const { board } = this;
    // A drop on the origin or off the board is a deliberate cancel, so it needs no message.
    if (!cell || cell === from) return dragged.returnToCell();
    if (!board.state.targets?.has(cell)) {
      dragged.returnToCell();
      return board.onInvalidDrop(cell);
    }
    dragged.placeOn(cell);
    this.pendingDrop = { dragged, from, to: cell };
    board.click(cell);
    // The piece stays at its destination while a sent move or a premove is pending.
    if (this.pendingDrop && (!board.state.isPending || board.state.isPremove)) this.returnDropped();
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
    this.pendingDrop?.dragged.returnToCell();
    this.pendingDrop = null;
  }

  /**
   * Prepares for a new position: a dropped piece has moved, or returns if its move was rejected.
   * @param {BoardState} state
   */
  prepare({ cells, isPending }) {
    if (cells === this.board.state?.cells) {
      if (!isPending) this.returnDropped();
      return;
    }
    this.finishedDrop = this.pendingDrop;
    this.pendingDrop?.dragged.remove();
    this.pendingDrop = null;
    this.cancel();
  }

  /** Returns and clears the path of the last dropped piece, which needs no animation. */
  takeDropped() {
    const { finishedDrop } = this;
    this.finishedDrop = null;
    return finishedDrop;
  }

  /** Closes the magnifier and ends the drag state. */
  endDrag() {
    clearTimeout(this.restTimer);
    this.magnifier.close();
    this.board.inspector.close();
    this.board.svg.classList.remove("is-dragging");
  }

  /** Cancels a press without a click; a lifted piece returns. */
  cancel() {
    const { press } = this;
    this.press = null;
    this.endDrag();
    press?.dragged?.returnToCell();
  }
}
