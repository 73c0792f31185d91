// What moves on a board, and how it ends: at its last frame, as soon as anything else happens.
import { tokensOf } from "../model/notation.js";
import { Scene } from "./effects.js";
import { timeline } from "./timeline.js";

/** What is taken back goes so many times faster. */
const BACK = 2;

/** How many pixels the winner's pieces rise, how long it takes, and how far they are apart. */
const WAVE_PX = 3;
const WAVE_MS = 320;
const WAVE_APART_MS = 24;

const isStill = () => document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @typedef {{ animations: Animation[], strays: Element[], after: (() => void) | null }} Group what moves and ends together */

export class Motion {
  /** @type {import("./static-board.js").Seen} */ board;
  /** @type {Set<Group>} */ groups;
  /** @type {number} */ until;

  /**
   * `board` is the board whose pieces move.
   * @param {import("./static-board.js").Seen} board
   */
  constructor(board) {
    Object.assign(this, { board, groups: new Set(), until: 0 });
  }

  /** Whether the board shows, for a moment, something else than what stands. */
  get isBack() {
    return [...this.groups].some(({ after }) => after);
  }

  /**
   * Shows how the last move came about; answers its timeline, which ears follow too.
   * @param {Trace} trace
   * @param {{ by?: Side, dropped?: { from: string, to: string } | null }} how
   */
  play(trace, { by, dropped } = {}) {
    const { board } = this;
    const times = timeline(trace, board.glyph, dropped);
    this.settle();
    if (isStill() || !board.shown.before) return times;
    const scene = new Scene(board, {
      before: tokensOf(board.shown.before),
      now: board.tokens,
      trace,
      times,
      by,
    });
    scene.lines();
    this.run(scene.pieces());
    this.until = performance.now() + times.end;
    return times;
  }

  /** Shows a move go back, from the cells to which it had led to what stands now. */
  rewind(trace, cells) {
    const { board } = this;
    this.settle();
    if (isStill()) return;
    const [stands, stood] = [board.tokens, tokensOf(cells)];
    const before = board.shown.before ? tokensOf(board.shown.before) : null;
    const times = timeline(trace, board.glyph);
    Object.assign(board, { tokens: stood });
    board.drawCells(stands);
    const scene = new Scene(board, { before: stands, now: stood, trace, times }).pieces();
    Object.assign(board, { tokens: stands });
    this.run(scene, times.end, () => board.drawCells(before));
  }

  /** The pieces of a side rise once, one after another, when the last move has been seen. */
  wave(side) {
    const { board } = this;
    if (isStill()) return;
    const rise = WAVE_PX / (board.scale().unit || 1);
    const frames = [
      { transform: "none" },
      { transform: `translateY(${-rise}px)` },
      { transform: "none" },
    ];
    const wait = Math.max(0, this.until - performance.now());
    const far = (cell) => board.at(cell)[0] - board.at(cell)[1];
    const cells = [...board.pieces.keys()]
      .filter((cell) => board.glyph.owner(board.tokens.get(cell)) === side)
      .sort((one, two) => far(one) - far(two));
    this.run({
      strays: [],
      parts: cells.map((cell, at) => ({
        node: /** @type {Element} */ (board.pieces.get(cell)),
        frames,
        timing: { delay: wait + at * WAVE_APART_MS, duration: WAVE_MS, easing: "ease-out" },
      })),
    });
  }

  /** The piece of a cell shakes its head. */
  shake(cell) {
    const node = this.board.pieces.get(cell);
    const frames = [0, -4, 4, -4, 4, 0].map((x) => ({ transform: `translateX(${x}px)` }));
    if (node && !isStill())
      this.run({ strays: [], parts: [{ node, frames, timing: { duration: 160 } }] });
  }

  /** Lets a picture of a piece go from where it is to a place, and then be gone. */
  glide(stray, from, to, ms) {
    if (isStill()) return stray.remove();
    const at = ([x, y]) => ({ opacity: 1, transform: `translate(${x}px, ${y}px)` });
    return this.run({
      strays: [stray],
      parts: [
        {
          node: stray,
          frames: [at(from), at(to)],
          timing: { duration: ms, easing: "cubic-bezier(.2,.7,.2,1)" },
        },
      ],
    });
  }

  /**
   * Runs parts; with `length` all of them backwards, from that moment on, and `after` at the end.
   * @param {Pick<Scene, "parts" | "strays">} scene
   * @param {number | null} length
   * @param {(() => void) | null} after
   */
  run({ parts, strays }, length = null, after = null) {
    const animations = parts.map(({ node, frames, timing }) => {
      const endDelay = length === null ? 0 : length - (timing.delay ?? 0) - Number(timing.duration);
      const animation = new Animation(new KeyframeEffect(node, frames, { ...timing, endDelay }));
      animation.playbackRate = length === null ? 1 : -BACK;
      animation.play();
      return animation;
    });
    const group = { animations, strays, after };
    this.groups.add(group);
    Promise.allSettled(animations.map(({ finished }) => finished)).then(() => this.end(group));
  }

  /** Takes away what was there only for the motion. */
  end(group) {
    if (!this.groups.delete(group)) return;
    group.strays.forEach((stray) => stray.remove());
    group.after?.();
  }

  /** Ends all that moves at its last frame. */
  settle() {
    for (const group of this.groups) {
      group.animations.forEach((animation) => animation.finish());
      this.end(group);
    }
    this.until = 0;
  }
}
