// A board that can be played on: what is marked for whoever plays, how the last move came about, and the hands on it.
import { CELL, ratioOf } from "./render.js";
import { Grid } from "./a11y-grid.js";
import { Hands } from "./pointer.js";
import { Marks } from "./highlights.js";
import { Motion } from "./animation.js";
import "../lib/settings.js";

export { ratioOf };

/** A tap belongs to the nearest offered cell within so many pixels. */
const TAP_PX = 44;

export class Board extends Grid {
  /** @type {Marks} */ marks;
  /** @type {Motion} */ motion;
  /** @type {Hands} */ hands;

  /**
   * A board of a variant; `click(cell)` is told what is chosen, `hover(cell)` which offered cell is pointed at,
   * `astray()` that a piece was dragged to where it cannot go.
   * @param {string} variant
   * @param {{ board: BoardShape, label: string, click: (cell: string) => unknown, hover?: (cell: string | null) => unknown, astray: () => unknown }} how
   */
  constructor(variant, { board, label, click, hover, astray }) {
    super(variant, { board, label, live: true });
    Object.assign(this, { click, hover, astray, focused: null, hovered: null });
    this.marks = new Marks(this);
    this.motion = new Motion(this);
    this.hands = new Hands(this);
  }

  /** Goes out of the page: nothing that is pressed there concerns it any more. */
  close() {
    this.hands.close();
  }

  flip() {
    this.hands.turn();
    Object.assign(this, { flipped: !this.flipped });
    this.drawCoords();
    this.show(this.shown);
    if (this.focused) this.focusOn(this.focused);
  }

  /**
   * Draws what stands, and all that is marked on it.
   * @param {Shown} shown
   */
  show(shown) {
    super.show(shown);
    this.drawGrid();
  }

  prepare(shown) {
    super.prepare(shown);
    this.hands.see(shown);
  }

  /** Shows other marks over what stands; pieces that are under way go on. */
  remark(marks) {
    Object.assign(this.shown, marks);
    this.marks.draw(this.shown);
    this.drawGrid();
  }

  /** Lets the last move be seen to happen, made by that side if that is known; answers when what of it happens. */
  animate(trace, by) {
    return this.motion.play(trace, { by, dropped: this.hands.taken() });
  }

  /** Lets a move that was taken back be seen to go, from the position to which it had led. */
  rewind(trace, cells) {
    this.motion.rewind(trace, cells);
  }

  /** The pieces of a side rise once, one after another. */
  wave(side) {
    this.motion.wave(side);
  }

  /** Draws what a move would do, over what stands. */
  foresee(preview) {
    this.shown.preview = preview;
    this.marks.ahead(preview);
  }

  /** An illegal tap: the piece shakes its head, and what could move glows. */
  shake(cell) {
    this.motion.shake(cell);
    this.marks.glow();
  }

  /** Where a pointer is, in units, and how many pixels one has. */
  place({ clientX, clientY }) {
    const { left, top, unit } = this.scale();
    return { x: (clientX - left) / unit, y: (clientY - top) / unit, unit };
  }

  cellUnder(event) {
    const { x, y, unit } = this.place(event);
    const far = (cell) => Math.hypot(this.at(cell)[0] - x, this.at(cell)[1] - y);
    const inside = [...this.spots.keys()].find(
      (cell) =>
        Math.abs(this.at(cell)[0] - x) <= CELL / 2 && Math.abs(this.at(cell)[1] - y) <= CELL / 2,
    );
    const offered = this.shown.offered ?? new Set();
    const own =
      inside &&
      (offered.has(inside) ||
        this.shown.movable?.has(inside) ||
        this.shown.also?.has(inside) ||
        this.shown.chosen?.includes(inside));
    if (own) return inside;
    const near = [...offered].sort((a, b) => far(a) - far(b))[0];
    return near && far(near) * unit <= TAP_PX / 2 + 6 ? near : inside;
  }
}
