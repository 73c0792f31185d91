// Animations of a board.
//
// Any new animation or position change first finishes the running animations at their last frame.
// A hidden page, or one with reduced motion, shows the final position at once.
// `static-board.js` loads this module on demand; `board.js` imports it.
import { parseCells } from "../model/notation.js";
import { MoveEffects } from "./effects.js";
import { timeline } from "./timeline.js";

/** Playback rate of a takeback. */
const REWIND_RATE = 2;

/** Winner's wave: height, duration per piece, and delay between pieces. */
const WAVE_PX = 3;
const WAVE_MS = 320;
const WAVE_DELAY_MS = 24;

const isAnimationOff = () =>
  document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Animations that end together, and the temporary elements that they use.
 * @typedef {object} Group
 * @property {Animation[]} animations
 * @property {Element[]} overlays
 * @property {(() => void) | null} after
 * @property {Promise<void>} [ended]
 */

/** Running animations of one board. */
export class BoardAnimation {
  /** @type {import("./static-board.js").StaticBoard} */ board;
  /** @type {Set<Group>} */ groups;
  /** @type {number} */ until;

  /**
   * @param {import("./static-board.js").StaticBoard} board
   */
  constructor(board) {
    Object.assign(this, { board, groups: new Set(), until: 0 });
  }

  /** Returns whether the board temporarily shows another position than the current one. */
  get isRewinding() {
    return [...this.groups].some(({ after }) => after);
  }

  /** Waits for the end of the running animations, which a busy browser starts late. */
  async ended() {
    await Promise.all([...this.groups].map((group) => group.ended));
  }

  /**
   * Animates the last move and returns its timeline, which the sounds follow as well.
   * @param {Trace} trace
   * @param {{ by?: Side, dropped?: { from: string, to: string } | null }} options
   */
  play(trace, { by, dropped } = {}) {
    const { board } = this;
    const times = timeline(trace, board.pieceSet, dropped);
    this.settle();
    if (isAnimationOff() || !board.state.before) return times;
    const scene = new MoveEffects(board, {
      before: parseCells(board.state.before),
      now: board.tokens,
      trace,
      times,
      by,
    });
    scene.addLines();
    this.run(scene.addPieces());
    this.until = performance.now() + times.end;
    return times;
  }

  /**
   * Animates a takeback: plays the move backwards, from the cells it led to.
   * @param {Trace} trace
   * @param {string} cells
   */
  rewind(trace, cells) {
    const { board } = this;
    this.settle();
    if (isAnimationOff()) return;
    const [current, later] = [board.tokens, parseCells(cells)];
    const before = board.state.before ? parseCells(board.state.before) : null;
    const times = timeline(trace, board.pieceSet);
    board.drawCells(current, later);
    const scene = new MoveEffects(board, {
      before: current,
      now: later,
      trace,
      times,
      isRewind: true,
    }).addPieces();
    this.run(scene, times.end, () => board.drawCells(before));
  }

  /**
   * Raises the pieces of a side once, one after another, after the animation of the last move.
   * @param {Side} side
   */
  wave(side) {
    const { board } = this;
    if (isAnimationOff()) return;
    const rise = WAVE_PX / (board.scale().unit || 1);
    const frames = [
      { transform: "none" },
      { transform: `translateY(${-rise}px)` },
      { transform: "none" },
    ];
    const wait = Math.max(0, this.until - performance.now());
    /** @param {string} cell */
    const waveOrder = (cell) => board.at(cell)[0] - board.at(cell)[1];
    const cells = [...board.pieces.keys()]
      .filter((cell) => board.pieceSet.owner(board.tokens.get(cell)) === side)
      .sort((one, two) => waveOrder(one) - waveOrder(two));
    this.run({
      overlays: [],
      parts: cells.map((cell, at) => ({
        node: /** @type {Element} */ (board.pieces.get(cell)),
        frames,
        timing: { delay: wait + at * WAVE_DELAY_MS, duration: WAVE_MS, easing: "ease-out" },
      })),
    });
  }

  /**
   * Shakes the piece of a cell, after an illegal click.
   * @param {string} cell
   */
  shake(cell) {
    const node = this.board.pieces.get(cell);
    const frames = [0, -4, 4, -4, 4, 0].map((x) => ({ transform: `translateX(${x}px)` }));
    if (node && !isAnimationOff())
      this.run({ overlays: [], parts: [{ node, frames, timing: { duration: 160 } }] });
  }

  /**
   * Moves a temporary element between two points, then removes it.
   * @param {SVGElement} overlay
   * @param {number[]} from x and y, in board units
   * @param {number[]} to
   * @param {number} ms
   */
  glide(overlay, from, to, ms) {
    if (isAnimationOff()) return overlay.remove();
    /** @param {number[]} point */
    const at = ([x, y]) => ({ opacity: 1, transform: `translate(${x}px, ${y}px)` });
    return this.run({
      overlays: [overlay],
      parts: [
        {
          node: overlay,
          frames: [at(from), at(to)],
          timing: { duration: ms, easing: "cubic-bezier(.2,.7,.2,1)" },
        },
      ],
    });
  }

  /**
   * Starts animations. With `length` they run backwards from that time (in milliseconds); `after`
   * is called when the last one ends.
   * @param {Pick<MoveEffects, "parts" | "overlays">} scene
   * @param {number | null} length
   * @param {(() => void) | null} after
   */
  run({ parts, overlays }, length = null, after = null) {
    const animations = parts.map(({ node, frames, timing }) => {
      const endDelay = length === null ? 0 : length - (timing.delay ?? 0) - Number(timing.duration);
      const animation = new Animation(new KeyframeEffect(node, frames, { ...timing, endDelay }));
      animation.playbackRate = length === null ? 1 : -REWIND_RATE;
      animation.play();
      return animation;
    });
    /** @type {Group} */
    const group = { animations, overlays, after };
    this.groups.add(group);
    const ends = animations.map(({ finished }) => finished);
    group.ended = Promise.allSettled(ends).then(() => this.endGroup(group));
  }

  /**
   * Removes the temporary elements of a group that has ended.
   * @param {Group} group
   */
  endGroup(group) {
    if (!this.groups.delete(group)) return;
    group.overlays.forEach((overlay) => overlay.remove());
    group.after?.();
  }

  /** Finishes all animations at their last frame. */
  settle() {
    for (const group of this.groups) {
      group.animations.forEach((animation) => animation.finish());
      this.endGroup(group);
    }
    this.until = 0;
  }
}
