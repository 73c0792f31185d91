// A board that is only looked at: what stands on it, what the last move did, and how it came about.
import { Drawing } from "./board-drawing.js";
import { LastMove } from "./marks-last.js";

/**
 * What moves pieces, for all boards of the page.
 * @type {typeof import("./motion.js").Motion | undefined}
 */
let Moving;

/** Loads it; without it moves are shown at their end. */
export const readyToMove = async () => {
  Moving ??= (await import("./motion.js").catch(() => null))?.Motion;
};

export class Seen extends Drawing {
  /** @type {Shown} */ shown;
  /** @type {LastMove} */ marks;
  /** @type {import("./motion.js").Motion | undefined} */ motion;
  /** @type {Shown} */ next;

  /**
   * The picture of a variant's board; it is `live` if it can be played on.
   * @param {string} variant
   * @param {{ board: BoardShape, label: string, live?: boolean }} how
   */
  constructor(variant, { board, label, live = false }) {
    super(variant, { board, label, live });
    this.marks = new LastMove(this);
  }

  /**
   * Draws what stands, and what the last move did.
   * @param {Shown} shown
   */
  show(shown) {
    this.prepare(shown);
    Object.assign(this, { shown, next: shown });
    this.drawTokens(shown);
    this.marks.draw(shown);
  }

  /** Something is about to be shown: while the same stands, pieces that are under way go on. */
  prepare(shown) {
    if (shown.cells !== this.shown?.cells || this.motion?.isBack) this.settle();
  }

  /**
   * Shows what a move has led to, and lets it be seen to happen. The first one waits for what moves pieces, and gives
   * way to what is shown meanwhile.
   * @param {Shown & { trace: Trace }} shown
   */
  async follow(shown) {
    this.next = shown;
    if (!Moving) await readyToMove();
    if (this.next !== shown) return;
    this.show(shown);
    if (Moving) this.motion ??= new Moving(this);
    this.motion?.play(shown.trace);
  }

  /** What moves is at its last frame at once. */
  settle() {
    this.motion?.settle();
  }
}
