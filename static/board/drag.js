// Dragged piece and magnifier.
//
// A dragged piece is a copy that follows the pointer; its cell shows the remainder of the stack, or
// a faded piece. On small cells a magnifier above the finger shows the covered part of the board.
// `pointer.js` creates both.
import { CELL } from "./render.js";
import { h, s } from "../lib/dom.js";

/** Duration of the return to the origin. */
const RETURN_MS = 140;

/** Copy of a piece that follows the pointer. */
export class DraggedPiece {
  /**
   * Lifts the piece of a cell, or the top of a stack.
   * @param {import("./board.js").Board} board
   * @param {string} cell
   */
  constructor(board, cell) {
    const { pieceSet, tokens } = board;
    const token = tokens.get(cell);
    const mark = board.markOf(cell);
    const left = pieceSet.remainder?.(token);
    this.board = board;
    this.origin = board.at(cell);
    this.cellElement = board.elementsOf(cell).piece;
    this.node = s(
      "g",
      { class: "piece-dragged" },
      pieceSet.piece(pieceSet.movingPart?.(token) ?? token, mark),
    );
    // A stack shows its remainder; a single piece stays visible as a shadow.
    this.remainder = left ? pieceSet.piece(left, mark) : null;
    this.cellElement.classList.add(left ? "is-split" : "is-dragged");
    if (this.remainder) this.cellElement.append(this.remainder);
    board.layers.animation.append(this.node);
    this.moveTo({ x: this.origin[0], y: this.origin[1] });
  }

  /**
   * Moves the copy to a point in board units.
   * @param {{ x: number, y: number }} point
   */
  moveTo({ x, y }) {
    /** @type {number[]} */
    this.position = [x, y];
    this.node.style.transform = `translate(${x}px, ${y}px)`;
  }

  /**
   * Places the copy on a cell.
   * @param {string} cell
   */
  placeOn(cell) {
    const [x, y] = this.board.at(cell);
    this.moveTo({ x, y });
  }

  /** Returns the piece to its cell with an animation. */
  returnToCell() {
    const { node, board, position, origin } = this;
    this.restoreCell();
    this.remove();
    // The original is visible again already; only the copy moves, as a temporary element.
    board.layers.animation.append(node);
    node.style.transform = "";
    node.setAttribute("class", "board-effect");
    node.setAttribute("opacity", "0");
    board.motion.glide(node, position, origin, RETURN_MS);
  }

  /** Removes the copy without an animation. */
  remove() {
    this.restoreCell();
    this.node.remove();
  }

  /** Restores the cell of origin. */
  restoreCell() {
    this.cellElement.classList.remove("is-split", "is-dragged");
    this.remainder?.remove();
  }
}

/** Cell size below which a finger hides too much of the board. */
const SMALL_CELL_PX = 44;

/** Magnifier: diameter, visible cells, distances from the finger and the edge of the window. */
const SIZE_PX = 132;
const SHOWN_CELLS = 2.4;
const ABOVE_PX = 36;
const EDGE_PX = 4;

/** Enlarged part of a board above the finger. */
export class Magnifier {
  /** @type {import("./board.js").Board} */ board;
  /** @type {HTMLElement | null} */ element;
  /** @type {any} */ svg;
  /** @type {Element} */ target;

  /** @param {import("./board.js").Board} board */
  constructor(board) {
    Object.assign(this, { board, element: null });
  }

  get isOpen() {
    return this.element !== null;
  }

  /**
   * Shows the surroundings of a pointer; does nothing on a board with large cells.
   * @param {PointerEvent} event
   * @param {string | null} cell target cell to mark
   */
  show(event, cell = null) {
    const { board } = this;
    const { x, y, unit } = board.toBoardUnits(event);
    if (unit * CELL >= SMALL_CELL_PX) return;
    if (!this.isOpen) this.open();
    const width = SHOWN_CELLS * CELL;
    this.svg.setAttribute("viewBox", `${x - width / 2} ${y - width / 2} ${width} ${width}`);
    this.updatePosition(event);
    // The picture is a copy, so the dragged piece in it has to be moved as well.
    const dragged = board.layers.animation.querySelector(".piece-dragged");
    const image = this.svg.querySelector(".piece-dragged");
    if (dragged && image) image.style.transform = dragged.style.transform;
    const [cx, cy] = cell ? board.at(cell) : [x, y];
    this.target.setAttribute("transform", `translate(${cx} ${cy})`);
    this.target.setAttribute("class", `board-magnifier-target${cell ? "" : " is-hidden"}`);
  }

  /**
   * Positions the magnifier above the finger, or beside it near the top, within the window.
   * @param {PointerEvent} event
   */
  updatePosition({ clientX, clientY }) {
    /** @type {(value: number, size: number) => number} */
    const within = (value, size) => Math.min(Math.max(value, EDGE_PX), size - SIZE_PX - EDGE_PX);
    const top = clientY - ABOVE_PX - SIZE_PX;
    const beside = clientX < innerWidth / 2 ? clientX + ABOVE_PX : clientX - ABOVE_PX - SIZE_PX;
    const left = top < EDGE_PX ? beside : clientX - SIZE_PX / 2;
    if (this.element)
      this.element.style.transform = `translate(${within(left, innerWidth)}px, ${within(top, innerHeight)}px)`;
  }

  /** Copies the current board into the magnifier. */
  open() {
    this.svg = this.board.svg.cloneNode(true);
    for (const name of ["role", "tabindex", "aria-label", "aria-activedescendant"])
      this.svg.removeAttribute(name);
    // The ARIA grid is not visible, and its ids must stay unique.
    this.svg.lastChild.remove();
    // The preview would be stale as soon as the finger moves to another cell.
    this.svg.querySelector(".board-layer-preview").replaceChildren();
    this.target = s(
      "g",
      { class: "board-magnifier-target" },
      s("rect", { class: "board-selection-edge", x: -47, y: -47, width: 94, height: 94, rx: 14 }),
      s("rect", { class: "board-selection", x: -47, y: -47, width: 94, height: 94, rx: 14 }),
    );
    this.svg.append(this.target);
    const element = h("div", { class: "board-magnifier", "aria-hidden": "true" }, this.svg);
    document.body.append(element);
    this.element = element;
  }

  close() {
    this.element?.remove();
    this.element = null;
  }
}
