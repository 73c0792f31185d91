// A piece in the hand: its picture follows the pointer, and its place is seen to be waiting for it.
import { s } from "./dom.js";

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
