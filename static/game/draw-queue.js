// Order in which the board shows the moves of a game. A move that follows while the previous one is
// animated waits for the end of that animation, so that its effects are seen. Only the drawing
// waits: the state of the page, its clocks and its texts are never delayed, and any input on the
// board shows the latest position at once. Created by `page.js`.

/** Pause between the planned end of an animation and the next move. */
const PAUSE_MS = 120;

/** Time by which the end of an animation may be late in a busy browser. */
const LATE_MS = 1500;

/** Time for which a move is seen before the next one, if motion is reduced. */
const REDUCED_MS = 500;

/**
 * Position that waits, with its number of moves and the actions that follow its drawing.
 * @typedef {{ state: BoardState, ply: number, actions: (() => unknown)[], timer?: number }}
 *   HeldPosition
 */

/** Queue of at most one position. */
export class DrawQueue {
  /** @type {import("../board/board.js").Board} */ board;
  /** @type {number | null} */ drawnPly;
  /** @type {number} */ busyUntil;
  /** @type {HeldPosition | null} */ held;

  /** @param {import("../board/board.js").Board} board */
  constructor(board) {
    Object.assign(this, { board, drawnPly: null, busyUntil: 0, held: null });
  }

  /**
   * Shows a position, or holds it if it is the next move and the previous one is still animated. A
   * move that follows a held one shows the latest position, as after a reconnect.
   * @param {BoardState} state
   * @param {number} ply number of moves before the position
   * @param {boolean} isLatest whether it is the latest position of the game
   */
  show(state, ply, isLatest) {
    const { held } = this;
    if (held && isLatest && held.ply === ply) {
      held.state = state;
      return;
    }
    const wait = this.busyUntil - performance.now();
    if (!held && isLatest && ply - 1 === this.drawnPly && wait > 0 && !document.hidden) {
      /** @type {HeldPosition} */
      const next = { state, ply, actions: [] };
      next.timer = setTimeout(() => this.releaseAfterAnimation(next), wait);
      this.held = next;
      return;
    }
    this.drop();
    if (ply !== this.drawnPly) this.busyUntil = 0;
    this.drawnPly = ply;
    this.board.show(state);
  }

  /**
   * Shows the preview of a move on the latest position.
   * @param {Trace | null} preview
   */
  showPreview(preview) {
    if (this.held) this.held.state = { ...this.held.state, preview };
    else this.board.showPreview(preview);
  }

  /**
   * Calls an action once the latest position is drawn, at once if none is held. The actions of a
   * position that is never drawn are dropped.
   * @param {() => unknown} action
   */
  run(action) {
    if (this.held) this.held.actions.push(action);
    else action();
  }

  /**
   * Notes that an animation has started.
   * @param {number} ms its duration
   */
  notify(ms) {
    const isReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.busyUntil = performance.now() + (isReduced ? REDUCED_MS : ms + PAUSE_MS);
  }

  /** Shows a held position at once, and lets the next one follow without a pause. */
  flush() {
    this.busyUntil = 0;
    this.release();
  }

  /**
   * Shows a held position after the animation of the previous one, unless that was shown meanwhile.
   * @param {HeldPosition} next
   */
  async releaseAfterAnimation(next) {
    const late = new Promise((resolve) => (next.timer = setTimeout(resolve, LATE_MS)));
    await Promise.race([this.board.motion.ended(), late]);
    if (this.held === next) this.release();
  }

  /** Shows a held position and calls its actions. */
  release() {
    const { held } = this;
    if (!held) return;
    this.drop();
    this.drawnPly = held.ply;
    this.board.show(held.state);
    held.actions.forEach((action) => action());
  }

  /** Drops a held position. */
  drop() {
    clearTimeout(this.held?.timer);
    this.held = null;
  }
}
