// Visual effects of a move: traveling pieces, removed pieces, trails and capture lines.
//
// Effects are drawn with temporary elements ("overlays"), visible only while their animation runs;
// the final elements stay hidden until the piece has landed. `animation.js` runs the parts.
import { CELL } from "./render.js";
import { s } from "../lib/dom.js";
import { addSlotFlight, slotOf } from "./slot-flight.js";
import {
  REMOVAL_MS,
  distanceToEdge,
  removalFrames,
  LIFT_MS,
  POP_MS,
  SWEEP_MS,
  CAPTURE_LINE_MS,
} from "./timeline.js";

const TRAVEL = "cubic-bezier(.2,.7,.2,1)";
const UP = "cubic-bezier(.2,.6,.5,1)";
const DOWN = "cubic-bezier(.5,0,.8,.4)";

/** Heights in board units: apex of a hop, and clearance of lifted stones. */
const ARC = 30;
const LIFT = 14;

const SHOWN = [{ opacity: 1 }, { opacity: 1 }];
const HIDDEN = [{ opacity: 0 }, { opacity: 0 }];

/**
 * Element with its keyframes and timing.
 * @typedef {{ node: Element, frames: Keyframe[], timing: EffectTiming }} Part
 */

/** Effects of one move. */
export class MoveEffects {
  /** @type {import("./static-board.js").StaticBoard} */ board;
  /** @type {PieceSet} */ pieceSet;
  /** @type {Tokens} */ before;
  /** @type {Tokens} */ now;
  /** @type {Trace} */ trace;
  /** @type {import("./timeline.js").Timeline} */ times;
  /** @type {Side | undefined} */ by;
  /** @type {boolean} */ isRewind;
  /** @type {Part[]} */ parts;
  /** @type {SVGElement[]} */ overlays;

  /**
   * @param {import("./static-board.js").StaticBoard} board
   * @param {object} move
   * @param {Tokens} move.before
   * @param {Tokens} move.now
   * @param {Trace} move.trace
   * @param {import("./timeline.js").Timeline} move.times
   * @param {Side} [move.by] side that made the move, if known
   * @param {boolean} [move.isRewind] whether the move is played backwards
   */
  constructor(board, { before, now, trace, times, by, isRewind = false }) {
    Object.assign(this, {
      board,
      pieceSet: board.pieceSet,
      before,
      now,
      trace,
      times,
      by,
      isRewind,
      parts: [],
      overlays: [],
    });
  }

  /** Adds the effects of moved and removed pieces. */
  addPieces() {
    this.times.timedPaths.forEach((timedPath) => this.addPath(timedPath));
    this.times.removals.forEach((removal) => this.addRemoval(removal));
    return this;
  }

  /**
   * Adds an animation; does nothing without an element or a duration.
   * @param {Element | null | undefined} node
   * @param {Keyframe[]} frames
   * @param {number} delay in milliseconds
   * @param {number} duration in milliseconds
   * @param {string} easing
   */
  addPart(node, frames, delay, duration, easing = "ease-out") {
    if (node && duration > 0)
      this.parts.push({ node, frames, timing: { delay, duration, easing, fill: "backwards" } });
  }

  /**
   * Adds a temporary element, which is invisible except during an animation.
   * @param {Element} into
   * @param {Record<string, string>} attributes
   * @param {...Child} nodes
   */
  addOverlay(into, attributes, ...nodes) {
    const overlay = s("g", { class: "board-effect", opacity: 0, ...attributes }, ...nodes);
    into.append(overlay);
    this.overlays.push(overlay);
    return overlay;
  }

  /**
   * Draws the movable part of a token: a piece, or the top of a stack.
   * @param {string} token
   * @param {string} cell
   */
  drawTop(token, cell) {
    return this.pieceSet.piece(this.pieceSet.movingPart?.(token) ?? token, this.board.markOf(cell));
  }

  /**
   * Returns the elevation of the top of a stack, in board units.
   * @param {string} token
   */
  elevation(token) {
    return this.pieceSet.topHeight?.(token) ?? 0;
  }

  /**
   * Adds the effects of a path: a placement, or the movement of a piece.
   * @param {import("./timeline.js").TimedPath} timedPath
   */
  addPath({ path, at, hopTimes, landingTime, lifted }) {
    const end = /** @type {string} */ (path.at(-1));
    this.fadeGround(end, landingTime);
    if (landingTime === at) return;
    const { animation } = this.board.layers;
    this.addPart(this.board.pieces.get(end), HIDDEN, 0, landingTime);
    this.keepPrevious(end, landingTime);
    if (path.length === 1) {
      this.addPart(
        this.addOverlay(animation, {}, this.drawTop(this.now.get(end), end)),
        this.placementFrames(end, at / landingTime),
        0,
        landingTime,
      );
      return;
    }
    const [oldToken, newToken] = [this.before.get(path[0]), this.now.get(end)];
    const turns = this.pieceSet.isTurnedOver?.(oldToken, newToken);
    const movingPiece = this.addOverlay(
      animation,
      {},
      ...(turns
        ? this.addFaces(oldToken, newToken, end, (at + hopTimes[0]) / 2)
        : [this.drawTop(oldToken, path[0])]),
    );
    this.addPart(
      movingPiece,
      this.pathFrames({ path, at, hopTimes, landingTime, lifted, turns }),
      0,
      landingTime,
      "linear",
    );
  }

  /**
   * Draws both faces of a piece that is turned over; the face changes at `middle`.
   * @param {string} oldToken
   * @param {string} newToken
   * @param {string} end
   * @param {number} middle in milliseconds
   */
  addFaces(oldToken, newToken, end, middle) {
    const mark = this.board.markOf(end);
    const old = s("g", { opacity: 0 }, this.pieceSet.piece(oldToken, mark));
    const now = s("g", {}, this.pieceSet.piece(newToken, mark));
    this.addPart(old, SHOWN, 0, middle);
    this.addPart(now, HIDDEN, 0, middle);
    return [old, now];
  }

  /**
   * Returns the keyframes of a moving piece. A piece that is turned over is seen edge-on at the
   * apex of its first hop.
   * @param {import("./timeline.js").TimedPath & { turns: boolean | undefined }} timedPath
   */
  pathFrames({ path, at, hopTimes, landingTime, lifted, turns }) {
    /** @type {(cell: string, number: number) => number} */
    const height = (cell, number) =>
      number === path.length - 1
        ? this.elevation(this.now.get(cell))
        : this.elevation(this.before.get(cell)) + (lifted && number ? LIFT : 0);
    const points = path.map((cell, number) =>
      this.board.at(cell).map((value, axis) => value - axis * height(cell, number)),
    );
    /**
     * @param {number[]} point
     * @param {number} ms
     * @param {string} easing
     * @param {number} up
     * @param {number} edge
     */
    const frame = ([x, y], ms, easing, up = 0, edge = 1) => ({
      opacity: 1,
      transform: `translate(${x}px, ${y - up}px) scaleX(${edge})`,
      offset: ms / landingTime,
      easing,
    });
    const frames = [frame(points[0], 0, "ease-out")];
    if (lifted) frames.push(frame(points[0], LIFT_MS, "linear", LIFT));
    if (at > 0) frames.push(frame(points[0], at, "linear", lifted ? LIFT : 0));
    points.slice(1).forEach((point, hop) => {
      const start = hop ? hopTimes[hop - 1] : at;
      frames[frames.length - 1].easing = this.pieceSet.arcs ? UP : TRAVEL;
      const middle = points[hop].map((value, axis) => (value + point[axis]) / 2);
      if (this.pieceSet.arcs)
        frames.push(
          frame(middle, (start + hopTimes[hop]) / 2, DOWN, ARC, turns && !hop ? 0.04 : 1),
        );
      frames.push(frame(point, hopTimes[hop], "linear"));
    });
    return frames;
  }

  /**
   * Returns the keyframes of a placement: from the edge of the player, or from above if the player
   * is unknown.
   * @param {string} cell
   * @param {number} offset start of the movement, 0 to 1
   * @returns {Keyframe[]}
   */
  placementFrames(cell, offset) {
    const [x, y] = this.board.at(cell);
    /** @type {(from: number, opacity: number) => Keyframe} */
    const at = (from, opacity) => ({ opacity, transform: `translate(${x}px, ${from}px)` });
    const start = this.by ? at(y + distanceToEdge(this.board, this.by, y), 1) : at(y - ARC, 0);
    return [{ ...start, offset: 0 }, { ...start, offset, easing: TRAVEL }, at(y, 1)];
  }

  /**
   * Keeps the previous token of a destination visible until the piece lands on it.
   * @param {string} cell
   * @param {number} until in milliseconds
   */
  keepPrevious(cell, until) {
    /** @type {string | null} */
    let token = this.before.get(cell);
    const isMoving = this.times.timedPaths.some(({ path }) => path.length > 1 && path[0] === cell);
    const isRemoved = this.times.removals.some((removal) => removal.cell === cell);
    for (const isLeaving of [isMoving, isRemoved])
      if (isLeaving && token) token = this.pieceSet.remainder?.(token) ?? null;
    if (!token || !this.pieceSet.owner(token)) return;
    this.addPart(
      this.addOverlay(
        this.board.elementsOf(cell).piece,
        {},
        this.pieceSet.piece(token, this.board.markOf(cell)),
      ),
      SHOWN,
      0,
      until,
    );
  }

  /**
   * Fades out the ground of a cell under a piece that lands on it.
   * @param {string} cell
   * @param {number} at in milliseconds
   */
  fadeGround(cell, at) {
    const token = this.before.get(cell);
    if (!this.pieceSet.sweep || this.pieceSet.owner(token)) return;
    this.addPart(
      this.addGround(cell, token),
      [
        { opacity: 1, transform: "none" },
        { opacity: 0, transform: "scale(.86)" },
      ],
      at,
      POP_MS,
    );
  }

  /**
   * Adds a temporary copy of the previous ground of a cell.
   * @param {string} cell
   * @param {string} token
   */
  addGround(cell, token) {
    return this.addOverlay(
      this.board.elementsOf(cell).ground,
      {},
      ...this.board.groundOf(cell, { token, landed: true }),
    );
  }

  /**
   * Adds the effect of a removed piece, or of a wiped number.
   * @param {import("./timeline.js").TimedRemoval} removal
   */
  addRemoval({ cell, kind, at, ms }) {
    const token = this.before.get(cell);
    if (!this.pieceSet.owner(token)) return this.addSweep(cell, token, at, ms);
    const piece = this.addOverlay(
      this.board.elementsOf(cell).piece,
      { transform: `translate(0 ${-this.elevation(token)})` },
      s("g", {}, this.drawTop(token, cell)),
    );
    const slot = kind === "passed" ? slotOf(this, cell) : null;
    // The outer group holds the elevation in the stack, so that the animation can use `transform`.
    this.addPart(piece, SHOWN, 0, slot ? at : at + ms);
    if (slot) return addSlotFlight(this, { cell, at, ms, slot });
    return this.addPart(
      /** @type {Element} */ (piece.firstChild),
      removalFrames(this, { kind, cell, token }),
      at,
      ms,
    );
  }

  /**
   * Sweeps over a wiped number, which fades out.
   * @param {string} cell
   * @param {string} token
   * @param {number} at in milliseconds
   * @param {number} ms
   */
  addSweep(cell, token, at, ms) {
    if (!this.pieceSet.sweep) return;
    const offset = SWEEP_MS / (SWEEP_MS + REMOVAL_MS);
    this.addPart(
      this.addGround(cell, token),
      [{ opacity: 1 }, { opacity: 1, offset }, { opacity: 0 }],
      at,
      ms,
    );
    const sweep = this.addOverlay(this.board.elementsOf(cell).ground, {}, ...this.pieceSet.sweep());
    sweep.style.transformOrigin = `${-CELL / 2}px 0`;
    /** @param {string} transform */
    const visibleFrame = (transform) => ({ opacity: 1, transform });
    this.addPart(
      sweep,
      [visibleFrame("scaleX(0)"), { ...visibleFrame("none"), offset }, visibleFrame("none")],
      at,
      ms,
    );
  }

  /** Draws the trails hop by hop, and extends capture lines towards the captured pieces. */
  addLines() {
    const { layers } = this.board;
    /** @type {(node: SVGElement, cell: string, at: number, ms: number) => void} */
    const grow = (node, cell, at, ms) => {
      node.style.transformOrigin = this.board
        .at(cell)
        .map((value) => `${value}px`)
        .join(" ");
      this.addPart(node, [{ transform: "scale(0)" }, { transform: "none" }], at, ms, "linear");
    };
    const trails = [...layers.lastMove.querySelectorAll(".board-trail")];
    /** @type {[string, number, number][]} */
    const hops = this.times.timedPaths
      .filter(({ path }) => path.length > 1)
      .flatMap(({ path, at, hopTimes }) =>
        hopTimes.map((end, hop) => [path[hop], hop ? hopTimes[hop - 1] : at, end]),
      );
    hops.forEach(
      ([cell, from, to], number) => trails[number] && grow(trails[number], cell, from, to - from),
    );
    const lines = [
      ...layers.lastMove.querySelectorAll(".board-capture-line, .board-capture-line-edge"),
    ];
    const { strikes = [] } = this.trace;
    lines.forEach((line, number) =>
      grow(
        line,
        strikes[Math.floor(number / 2)][0],
        /** @type {number} */ (this.times.captureLinesAt),
        CAPTURE_LINE_MS,
      ),
    );
  }
}
