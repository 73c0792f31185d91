// The hands on a board: tap after tap, or a piece that is dragged to where it goes. A drag makes the
// same two clicks. The mouse chooses where it is pressed, a finger where it is lifted.
import { Lifted, Loupe } from "./drag.js";

/** A press that has gone farther than so many pixels is a drag. */
const DRAG_PX = 6;

/** A finger that rests so long wants to see what it covers. */
const REST_MS = 280;

/**
 * A press that has not ended.
 * @typedef {{ id: number, cell: string, own: boolean, waits: boolean, isTouch: boolean, x: number, y: number, isFar: boolean, lifted: Lifted | null }} Press
 */

export class Hands {
  /** @type {import("./board.js").Board} */ board;
  /** @type {Press | null} */ press;
  /** @type {{ lifted: Lifted, from: string, to: string } | null} */ waiting;
  /** @type {{ from: string, to: string } | null} */ way;
  /** @type {Loupe} */ loupe;
  /** @type {number | undefined} */ resting;
  /** @type {AbortController} */ away;

  /**
   * `board` can be played on.
   * @param {import("./board.js").Board} board
   */
  constructor(board) {
    Object.assign(this, {
      board,
      press: null,
      waiting: null,
      way: null,
      loupe: new Loupe(board),
      away: new AbortController(),
    });
    const on = (name, deed) => board.svg.addEventListener(name, (event) => deed.call(this, event));
    on("pointerdown", this.down);
    on("pointermove", this.move);
    on("pointerup", this.up);
    on("pointerleave", () => !this.press?.lifted && board.hoverOver(null));
    on("pointercancel", () => {
      this.letGo();
      board.hoverOver(null);
    });
    on("keydown", (event) => board.key(event));
    on("keyup", ({ key }) => key === "Tab" && board.svg.classList.add("keys"));
    on("focus", () =>
      board.focusOn(
        board.focused ?? [...board.tokens.keys()].filter((cell) => board.spots.has(cell))[0],
      ),
    );
    // The click that began a drag is taken back by whoever takes clicks back.
    document.addEventListener("keydown", ({ key }) => key === "Escape" && this.letGo(), {
      capture: true,
      signal: this.away.signal,
    });
  }

  /** The board goes out of the page. */
  close() {
    this.away.abort();
    this.letGo();
  }

  /** Whether a cell holds a piece of whoever plays here. */
  holds(cell) {
    const { glyph, tokens, shown } = this.board;
    const owner = glyph.owner(tokens.get(cell));
    return owner !== null && owner === shown.side;
  }

  down(event) {
    const { board } = this;
    // A second finger is no second hand.
    if (event.button !== 0 || (this.press?.isTouch && this.press.id !== event.pointerId)) return;
    this.letGo();
    const cell = board.cellUnder(event);
    if (!cell) return;
    event.preventDefault();
    board.svg.classList.remove("keys");
    board.settle();
    board.focusOn(cell);
    board.svg.focus({ preventScroll: true });
    const isTouch = event.pointerType === "touch";
    const own = this.holds(cell);
    // What is chosen already may be meant to be dragged: a second click on it waits for the end of the press.
    const waits = isTouch || (own && Boolean(board.shown.chosen?.includes(cell)));
    this.hold(event);
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
    // A finger first sees what it would do, and chooses where it is lifted.
    if (isTouch) {
      board.hoverOver(cell);
      this.resting = setTimeout(() => this.press && this.loupe.look(event), REST_MS);
    }
    if (!waits) board.click(cell);
  }

  /** Moves and the end of a press belong to the board wherever they are; a pointer made by a program cannot be held. */
  hold(event) {
    if (event.isTrusted) this.board.svg.setPointerCapture(event.pointerId);
  }

  move(event) {
    const { board, press } = this;
    if (press && press.id === event.pointerId) this.drag(event);
    if (event.pointerType !== "touch" || this.press) board.hoverOver(board.cellUnder(event));
    if (this.press?.isTouch && (this.press.isFar || this.loupe.isOpen))
      this.loupe.look(event, board.hovered);
  }

  drag(event) {
    const { board, press } = this;
    if (!press) return undefined;
    // The button was let go where nobody could see it.
    if (event.buttons === 0 && !press.isTouch) return void this.letGo();
    if (!press.isFar && Math.hypot(event.clientX - press.x, event.clientY - press.y) <= DRAG_PX)
      return undefined;
    const isChosen = () => board.shown.chosen?.at(-1) === press.cell;
    if (press.own && press.waits && !press.isFar && !isChosen()) {
      press.waits = false;
      board.click(press.cell);
    }
    press.isFar = true;
    // What is chosen ahead is known only a moment after its click.
    const { unsent, ahead, offered } = board.shown;
    if (press.own && !press.lifted && isChosen() && offered?.size && (!unsent || ahead))
      this.lift();
    press.lifted?.follow(board.place(event));
    return undefined;
  }

  lift() {
    const { board, press } = this;
    if (!press) return;
    board.settle();
    press.lifted = new Lifted(board, press.cell);
    board.svg.classList.add("dragging");
  }

  up(event) {
    const { board, press } = this;
    if (!press || press.id !== event.pointerId) return;
    const cell = board.cellUnder(event);
    this.press = null;
    this.rest();
    if (press.lifted) this.drop(press, cell);
    else if (press.waits && cell && (press.isTouch || cell === press.cell)) board.click(cell);
  }

  /** Puts a dragged piece down: on an offered cell that is a click, elsewhere it goes back and stays chosen. */
  drop({ cell: from, lifted }, cell) {
    const { board } = this;
    // Whoever brings it back, or over the edge, knows why it is there again.
    if (!cell || cell === from) return lifted.back();
    if (!board.shown.offered?.has(cell)) {
      lifted.back();
      return board.astray();
    }
    lifted.put(cell);
    this.waiting = { lifted, from, to: cell };
    board.click(cell);
    // A move that is under way is waited for where the piece was put.
    if (this.waiting && (!board.shown.unsent || board.shown.ahead)) this.giveBack();
    return undefined;
  }

  /** The board is about to be turned: nothing is in the air then. */
  turn() {
    this.letGo();
    this.giveBack();
    this.board.settle();
  }

  giveBack() {
    this.waiting?.lifted.back();
    this.waiting = null;
  }

  /**
   * The board is about to show something: what lies where it was dropped has come, or was refused.
   * @param {Shown} shown
   */
  see({ cells, unsent }) {
    if (cells === this.board.shown?.cells) {
      if (!unsent) this.giveBack();
      return;
    }
    this.way = this.waiting;
    this.waiting?.lifted.remove();
    this.waiting = null;
    this.letGo();
  }

  /** The way `{ from, to }` that the last move has gone by hand, asked for once. */
  taken() {
    const { way } = this;
    this.way = null;
    return way;
  }

  rest() {
    clearTimeout(this.resting);
    this.loupe.close();
    this.board.svg.classList.remove("dragging");
  }

  /** Ends a press without a click; a lifted piece goes back. */
  letGo() {
    const { press } = this;
    this.press = null;
    this.rest();
    press?.lifted?.back();
  }
}
