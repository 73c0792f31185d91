// Visual effects of a move: traveling pieces, removed pieces, trails and capture lines.
//
// Effects are drawn with temporary elements ("strays"), visible only while their animation runs;
// the final elements stay hidden until the piece has landed. `animation.js` runs the parts.
import { CELL } from "./render.js";
import { s } from "../lib/dom.js";
import { REMOVAL_MS, removalFrames, LIFT_MS, POP_MS, SWEEP_MS, THREAD_MS } from "./timeline.js";

const TRAVEL = "cubic-bezier(.2,.7,.2,1)";
const UP = "cubic-bezier(.2,.6,.5,1)";
const DOWN = "cubic-bezier(.5,0,.8,.4)";

/** Heights in board units: apex of a hop, and clearance of lifted stones. */
const ARC = 30;
const LIFT = 14;

/** Distance outside the board at which pieces appear and disappear, in board units. */
const OUTSIDE_DISTANCE = 60;

const SHOWN = [{ opacity: 1 }, { opacity: 1 }];
const HIDDEN = [{ opacity: 0 }, { opacity: 0 }];

/**
 * Element with its keyframes and timing.
 * @typedef {{ node: Element, frames: Keyframe[], timing: EffectTiming }} Part
 */

/** Effects of one move. */
export class MoveEffects {
  /** @type {import("./static-board.js").StaticBoard} */ board;
  /** @type {PieceSet} */ glyph;
  /** @type {Tokens} */ before;
  /** @type {Tokens} */ now;
  /** @type {Trace} */ trace;
  /** @type {import("./timeline.js").Timeline} */ times;
  /** @type {Side | undefined} */ by;
  /** @type {Part[]} */ parts;
  /** @type {SVGElement[]} */ strays;

  /**
   * @param {import("./static-board.js").StaticBoard} board
   * @param {object} move
   * @param {Tokens} move.before
   * @param {Tokens} move.now
   * @param {Trace} move.trace
   * @param {import("./timeline.js").Timeline} move.times
   * @param {Side} [move.by] side that made the move, if known
   */
  constructor(board, { before, now, trace, times, by }) {
    Object.assign(this, {
      board,
      glyph: board.glyph,
      before,
      now,
      trace,
      times,
      by,
      parts: [],
      strays: [],
    });
  }

  /** Adds the effects of moved and removed pieces. */
  addPieces() {
    this.times.ways.forEach((way) => this.addPath(way));
    this.times.gone.forEach((gone) => this.addRemoval(gone));
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
  addStray(into, attributes, ...nodes) {
    const stray = s("g", { class: "board-effect", opacity: 0, ...attributes }, ...nodes);
    into.append(stray);
    this.strays.push(stray);
    return stray;
  }

  /**
   * Draws the movable part of a token: a piece, or the top of a stack.
   * @param {string} token
   * @param {string} cell
   */
  drawTop(token, cell) {
    return this.glyph.piece(this.glyph.movingPart?.(token) ?? token, this.board.markOf(cell));
  }

  /**
   * Returns the elevation of the top of a stack, in board units.
   * @param {string} token
   */
  elevation(token) {
    return this.glyph.rise?.(token) ?? 0;
  }

  /**
   * Returns the vertical distance from `y` to a point outside the edge of a side.
   * @param {Side | null} side
   * @param {number} y
   */
  toEdge(side, y) {
    const isBelow = (side === "first") !== this.board.flipped;
    return isBelow ? this.board.size()[1] + OUTSIDE_DISTANCE - y : -y - OUTSIDE_DISTANCE;
  }

  /**
   * Adds the effects of a path: a placement, or the movement of a piece.
   * @param {import("./timeline.js").TimedPath} way
   */
  addPath({ path, at, ends, land, lifted }) {
    const end = /** @type {string} */ (path.at(-1));
    this.fadeGround(end, land);
    if (land === at) return;
    const { animation } = this.board.layers;
    this.addPart(this.board.pieces.get(end), HIDDEN, 0, land);
    this.keepPrevious(end, land);
    if (path.length === 1) {
      this.addPart(
        this.addStray(animation, {}, this.drawTop(this.now.get(end), end)),
        this.placementFrames(end, at / land),
        0,
        land,
      );
      return;
    }
    const [was, is] = [this.before.get(path[0]), this.now.get(end)];
    const turns = this.glyph.isTurnedOver?.(was, is);
    const traveller = this.addStray(
      animation,
      {},
      ...(turns ? this.addFaces(was, is, end, (at + ends[0]) / 2) : [this.drawTop(was, path[0])]),
    );
    this.addPart(
      traveller,
      this.pathFrames({ path, at, ends, land, lifted, turns }),
      0,
      land,
      "linear",
    );
  }

  /**
   * Draws both faces of a piece that is turned over; the face changes at `middle`.
   * @param {string} was
   * @param {string} is
   * @param {string} end
   * @param {number} middle in milliseconds
   */
  addFaces(was, is, end, middle) {
    const mark = this.board.markOf(end);
    const old = s("g", { opacity: 0 }, this.glyph.piece(was, mark));
    const now = s("g", {}, this.glyph.piece(is, mark));
    this.addPart(old, SHOWN, 0, middle);
    this.addPart(now, HIDDEN, 0, middle);
    return [old, now];
  }

  /**
   * Returns the keyframes of a moving piece. A piece that is turned over is seen edge-on at the
   * apex of its first hop.
   * @param {import("./timeline.js").TimedPath & { turns: boolean | undefined }} way
   */
  pathFrames({ path, at, ends, land, lifted, turns }) {
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
      offset: ms / land,
      easing,
    });
    const frames = [frame(points[0], 0, "ease-out")];
    if (lifted) frames.push(frame(points[0], LIFT_MS, "linear", LIFT));
    if (at > 0) frames.push(frame(points[0], at, "linear", lifted ? LIFT : 0));
    points.slice(1).forEach((point, hop) => {
      const begins = hop ? ends[hop - 1] : at;
      frames[frames.length - 1].easing = this.glyph.arcs ? UP : TRAVEL;
      const middle = points[hop].map((value, axis) => (value + point[axis]) / 2);
      if (this.glyph.arcs)
        frames.push(frame(middle, (begins + ends[hop]) / 2, DOWN, ARC, turns && !hop ? 0.04 : 1));
      frames.push(frame(point, ends[hop], "linear"));
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
    const begins = this.by ? at(y + this.toEdge(this.by, y), 1) : at(y - ARC, 0);
    return [{ ...begins, offset: 0 }, { ...begins, offset, easing: TRAVEL }, at(y, 1)];
  }

  /**
   * Keeps the previous token of a destination visible until the piece lands on it.
   * @param {string} cell
   * @param {number} until in milliseconds
   */
  keepPrevious(cell, until) {
    /** @type {string | null} */
    let token = this.before.get(cell);
    const goes = this.times.ways.some(({ path }) => path.length > 1 && path[0] === cell);
    for (const leaves of [goes, this.times.gone.some((gone) => gone.cell === cell)])
      if (leaves && token) token = this.glyph.remainder?.(token) ?? null;
    if (!token || !this.glyph.owner(token)) return;
    this.addPart(
      this.addStray(
        this.board.spotOf(cell).piece,
        {},
        this.glyph.piece(token, this.board.markOf(cell)),
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
    if (!this.glyph.sweep || this.glyph.owner(token)) return;
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
    return this.addStray(
      this.board.spotOf(cell).ground,
      {},
      ...this.board.groundOf(cell, { token, landed: true }),
    );
  }

  /**
   * Adds the effect of a removed piece, or of a wiped number.
   * @param {import("./timeline.js").TimedRemoval} removal
   */
  addRemoval({ cell, how, at, ms }) {
    const token = this.before.get(cell);
    if (!this.glyph.owner(token)) return this.addSweep(cell, token, at, ms);
    const piece = this.addStray(
      this.board.spotOf(cell).piece,
      { transform: `translate(0 ${-this.elevation(token)})` },
      s("g", {}, this.drawTop(token, cell)),
    );
    // The outer group holds the elevation in the stack, so that the animation can use `transform`.
    this.addPart(piece, SHOWN, 0, at + ms);
    return this.addPart(
      /** @type {Element} */ (piece.firstChild),
      removalFrames(this, { how, cell, token }),
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
    if (!this.glyph.sweep) return;
    const offset = SWEEP_MS / (SWEEP_MS + REMOVAL_MS);
    this.addPart(
      this.addGround(cell, token),
      [{ opacity: 1 }, { opacity: 1, offset }, { opacity: 0 }],
      at,
      ms,
    );
    const sweep = this.addStray(this.board.spotOf(cell).ground, {}, ...this.glyph.sweep());
    sweep.style.transformOrigin = `${-CELL / 2}px 0`;
    /** @param {string} transform */
    const seen = (transform) => ({ opacity: 1, transform });
    this.addPart(sweep, [seen("scaleX(0)"), { ...seen("none"), offset }, seen("none")], at, ms);
  }

  /** Draws the trails hop by hop, and extends capture lines towards the captured pieces. */
  addLines() {
    const { layers } = this.board;
    /** @type {(node: SVGElement, cell: string, at: number, ms: number) => void} */
    const grows = (node, cell, at, ms) => {
      node.style.transformOrigin = this.board
        .at(cell)
        .map((value) => `${value}px`)
        .join(" ");
      this.addPart(node, [{ transform: "scale(0)" }, { transform: "none" }], at, ms, "linear");
    };
    const trails = [...layers.lastMove.querySelectorAll(".board-trail")];
    /** @type {[string, number, number][]} */
    const hops = this.times.ways
      .filter(({ path }) => path.length > 1)
      .flatMap(({ path, at, ends }) =>
        ends.map((end, hop) => [path[hop], hop ? ends[hop - 1] : at, end]),
      );
    hops.forEach(
      ([cell, from, to], number) => trails[number] && grows(trails[number], cell, from, to - from),
    );
    const threads = [
      ...layers.lastMove.querySelectorAll(".board-capture-line, .board-capture-line-edge"),
    ];
    const { strikes = [] } = this.trace;
    threads.forEach((thread, number) =>
      grows(
        thread,
        strikes[Math.floor(number / 2)][0],
        /** @type {number} */ (this.times.threads),
        THREAD_MS,
      ),
    );
  }
}
