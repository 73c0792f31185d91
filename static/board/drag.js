// A piece in the hand: its picture follows the pointer, its place is seen to be waiting for it, and what a finger covers on a small
// board is enlarged above it.
import { CELL } from "./render.js";
import { h, s } from "../lib/dom.js";

const BACK_MS = 140;

export class Lifted {
  /** Takes the piece of a cell up; of a pile the top. */
  constructor(board, cell) {
    const { glyph, tokens } = board;
    const token = tokens.get(cell);
    const mark = board.markOf(cell);
    const left = glyph.leaves?.(token);
    this.board = board;
    this.home = board.at(cell);
    this.spot = board.spotOf(cell).piece;
    this.node = s("g", { class: "lifted" }, glyph.piece(glyph.travels?.(token) ?? token, mark));
    // Beneath the top of a pile lies what stays; a lone piece leaves its shadow.
    this.rest = left ? glyph.piece(left, mark) : null;
    this.spot.classList.add(left ? "opened" : "picked");
    if (this.rest) this.spot.append(this.rest);
    board.layers.air.append(this.node);
    this.follow({ x: this.home[0], y: this.home[1] });
  }

  /** Goes where the pointer is. */
  follow({ x, y }) {
    this.where = [x, y];
    this.node.style.transform = `translate(${x}px, ${y}px)`;
  }

  /** Lies on a cell and waits there. */
  put(cell) {
    const [x, y] = this.board.at(cell);
    this.follow({ x, y });
  }

  /** Goes back to where it was taken up. */
  back() {
    const { node, board, where, home } = this;
    this.leave();
    this.remove();
    // It is at home already; what glides there is a picture.
    board.layers.air.append(node);
    node.style.transform = "";
    node.setAttribute("class", "stray");
    node.setAttribute("opacity", "0");
    board.motion.glide(node, where, home, BACK_MS);
  }

  remove() {
    this.leave();
    this.node.remove();
  }

  leave() {
    this.spot.classList.remove("opened", "picked");
    this.rest?.remove();
  }
}

/** Cells that are smaller than this are hard to see under a finger. */
const SMALL_PX = 44;

/** The loupe's width, how much of the board it shows, and how far above the finger it stands. */
const SIZE_PX = 132;
const SHOWN_CELLS = 2.4;
const ABOVE_PX = 36;
const EDGE_PX = 4;

export class Loupe {
  /** @type {import("./board.js").Board} */ board;
  /** @type {HTMLElement | null} */ element;
  /** @type {any} */ picture;
  /** @type {Element} */ aim;

  /**
   * A loupe over a board.
   * @param {import("./board.js").Board} board
   */
  constructor(board) {
    Object.assign(this, { board, element: null });
  }

  get isOpen() {
    return this.element !== null;
  }

  /**
   * Shows what is under a pointer, and which cell would take it; on a large board nothing.
   * @param {PointerEvent} event
   * @param {string | null} cell
   */
  look(event, cell = null) {
    const { board } = this;
    const { x, y, unit } = board.place(event);
    if (unit * CELL >= SMALL_PX) return;
    if (!this.isOpen) this.open();
    const wide = SHOWN_CELLS * CELL;
    this.picture.setAttribute("viewBox", `${x - wide / 2} ${y - wide / 2} ${wide} ${wide}`);
    this.stand(event);
    // What is in the hand goes with it.
    const held = board.layers.air.querySelector(".lifted");
    const image = this.picture.querySelector(".lifted");
    if (held && image) image.style.transform = held.style.transform;
    const [cx, cy] = cell ? board.at(cell) : [x, y];
    this.aim.setAttribute("transform", `translate(${cx} ${cy})`);
    this.aim.setAttribute("class", cell ? "aim" : "aim off");
  }

  /** Above the finger, beside it where there is no room above, and never outside of the window. */
  stand({ clientX, clientY }) {
    const within = (value, size) => Math.min(Math.max(value, EDGE_PX), size - SIZE_PX - EDGE_PX);
    const top = clientY - ABOVE_PX - SIZE_PX;
    const aside = clientX < innerWidth / 2 ? clientX + ABOVE_PX : clientX - ABOVE_PX - SIZE_PX;
    const left = top < EDGE_PX ? aside : clientX - SIZE_PX / 2;
    if (this.element)
      this.element.style.transform = `translate(${within(left, innerWidth)}px, ${within(top, innerHeight)}px)`;
  }

  /** Takes a picture of the board as it stands. */
  open() {
    this.picture = this.board.svg.cloneNode(true);
    for (const name of ["role", "tabindex", "aria-label", "aria-activedescendant"])
      this.picture.removeAttribute(name);
    // The grid is for hands and ears; its names must not be there twice.
    this.picture.lastChild.remove();
    // What the cell beneath would do is another thing as soon as the finger slides on.
    this.picture.querySelector(".way").replaceChildren();
    this.aim = s(
      "g",
      { class: "aim" },
      s("rect", { class: "sel-edge", x: -47, y: -47, width: 94, height: 94, rx: 14 }),
      s("rect", { class: "sel", x: -47, y: -47, width: 94, height: 94, rx: 14 }),
    );
    this.picture.append(this.aim);
    const element = h("div", { class: "loupe", "aria-hidden": "true" }, this.picture);
    document.body.append(element);
    this.element = element;
  }

  close() {
    this.element?.remove();
    this.element = null;
  }
}
