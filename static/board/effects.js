// What is drawn for a moment while a move is seen: pieces on their way, and those that leave. What
// really stands is hidden as long as it has not come.
import { CELL } from "./render.js";
import { s } from "../lib/dom.js";
import { GONE_MS, leaving, LIFT_MS, POP_MS, SWEEP_MS, THREAD_MS } from "./timeline.js";

const TRAVEL = "cubic-bezier(.2,.7,.2,1)";
const UP = "cubic-bezier(.2,.6,.5,1)";
const DOWN = "cubic-bezier(.5,0,.8,.4)";

/** The way of a piece in the air is that much higher in its middle; lifted stones go so high over the others. */
const ARC = 30;
const LIFT = 14;

/** How far beyond the edge something comes from or goes to. */
const BEYOND = 60;

const SHOWN = [{ opacity: 1 }, { opacity: 1 }];
const HIDDEN = [{ opacity: 0 }, { opacity: 0 }];

export class Scene {
  /** @type {import("./static-board.js").Seen} */ board;
  /** @type {Glyph} */ glyph;
  /** @type {Tokens} */ before;
  /** @type {Tokens} */ now;
  /** @type {Trace} */ trace;
  /** @type {import("./timeline.js").Timeline} */ times;
  /** @type {Side | undefined} */ by;
  /** @type {{ node: Element, frames: Keyframe[], timing: EffectTiming }[]} */ parts;
  /** @type {SVGElement[]} */ strays;

  /**
   * A move from `before` to `now`, made by a side if that is known.
   * @param {import("./static-board.js").Seen} board
   * @param {{ before: Tokens, now: Tokens, trace: Trace, times: import("./timeline.js").Timeline, by?: Side }} move
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

  /** The pieces that go somewhere, and those that leave. */
  pieces() {
    this.times.ways.forEach((way) => this.way(way));
    this.times.gone.forEach((gone) => this.gone(gone));
    return this;
  }

  act(node, frames, delay, duration, easing = "ease-out") {
    if (node && duration > 0)
      this.parts.push({ node, frames, timing: { delay, duration, easing, fill: "backwards" } });
  }

  /** A picture that is seen only while an animation says so. */
  stray(into, attributes, ...nodes) {
    const stray = s("g", { class: "stray", opacity: 0, ...attributes }, ...nodes);
    into.append(stray);
    this.strays.push(stray);
    return stray;
  }

  /** What goes of what stands on a cell: of a pile the top, which lies so much higher. */
  top(token, cell) {
    return this.glyph.piece(this.glyph.travels?.(token) ?? token, this.board.markOf(cell));
  }

  rise(token) {
    return this.glyph.rise?.(token) ?? 0;
  }

  /** How far it is to beyond the edge at which a side sits. */
  toEdge(side, y) {
    const isBelow = (side === "first") !== this.board.flipped;
    return isBelow ? this.board.size()[1] + BEYOND - y : -y - BEYOND;
  }

  way({ path, at, ends, land, lifted }) {
    const end = path.at(-1);
    this.sink(end, land);
    if (land === at) return;
    const { air } = this.board.layers;
    this.act(this.board.pieces.get(end), HIDDEN, 0, land);
    this.hold(end, land);
    if (path.length === 1) {
      this.act(
        this.stray(air, {}, this.top(this.now.get(end), end)),
        this.placing(end, at / land),
        0,
        land,
      );
      return;
    }
    const [was, is] = [this.before.get(path[0]), this.now.get(end)];
    const turns = this.glyph.turns?.(was, is);
    const traveller = this.stray(
      air,
      {},
      ...(turns ? this.faces(was, is, end, (at + ends[0]) / 2) : [this.top(was, path[0])]),
    );
    this.act(traveller, this.frames({ path, at, ends, land, lifted, turns }), 0, land, "linear");
  }

  /** Both faces of a piece that is turned over: one until then, and the other from then on. */
  faces(was, is, end, middle) {
    const mark = this.board.markOf(end);
    const old = s("g", { opacity: 0 }, this.glyph.piece(was, mark));
    const now = s("g", {}, this.glyph.piece(is, mark));
    this.act(old, SHOWN, 0, middle);
    this.act(now, HIDDEN, 0, middle);
    return [old, now];
  }

  /** Where a piece is on its way. One that is turned over shows its edge at the top of its first arc. */
  frames({ path, at, ends, land, lifted, turns }) {
    const height = (cell, number) =>
      number === path.length - 1
        ? this.rise(this.now.get(cell))
        : this.rise(this.before.get(cell)) + (lifted && number ? LIFT : 0);
    const points = path.map((cell, number) =>
      this.board.at(cell).map((value, axis) => value - axis * height(cell, number)),
    );
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

  /** A piece comes from where its player sits, or out of the air if nobody knows who that is. */
  placing(cell, offset) {
    const [x, y] = this.board.at(cell);
    const at = (from, opacity) => ({ opacity, transform: `translate(${x}px, ${from}px)` });
    const begins = this.by ? at(y + this.toEdge(this.by, y), 1) : at(y - ARC, 0);
    return [{ ...begins, offset: 0 }, { ...begins, offset, easing: TRAVEL }, at(y, 1)];
  }

  /** What lay there before something came to lie on it stays to be seen until then. */
  hold(cell, until) {
    /** @type {string | null} */
    let token = this.before.get(cell);
    const goes = this.times.ways.some(({ path }) => path.length > 1 && path[0] === cell);
    for (const leaves of [goes, this.times.gone.some((gone) => gone.cell === cell)])
      if (leaves && token) token = this.glyph.leaves?.(token) ?? null;
    if (!token || !this.glyph.owner(token)) return;
    this.act(
      this.stray(
        this.board.spotOf(cell).piece,
        {},
        this.glyph.piece(token, this.board.markOf(cell)),
      ),
      SHOWN,
      0,
      until,
    );
  }

  /** A number sinks under what lands on it. */
  sink(cell, at) {
    const token = this.before.get(cell);
    if (!this.glyph.sweep || this.glyph.owner(token)) return;
    this.act(
      this.under(cell, token),
      [
        { opacity: 1, transform: "none" },
        { opacity: 0, transform: "scale(.86)" },
      ],
      at,
      POP_MS,
    );
  }

  /** A picture of the ground as it was. */
  under(cell, token) {
    return this.stray(
      this.board.spotOf(cell).ground,
      {},
      ...this.board.groundOf(cell, { token, landed: true }),
    );
  }

  gone({ cell, how, at, ms }) {
    const token = this.before.get(cell);
    if (!this.glyph.owner(token)) return this.wipe(cell, token, at, ms);
    const piece = this.stray(
      this.board.spotOf(cell).piece,
      { transform: `translate(0 ${-this.rise(token)})` },
      s("g", {}, this.top(token, cell)),
    );
    // The shift along the pile stands outside, what happens to the piece inside.
    this.act(piece, SHOWN, 0, at + ms);
    return this.act(piece.firstChild, leaving(this, { how, cell, token }), at, ms);
  }

  /** A sweep goes over what is wiped, and it fades. */
  wipe(cell, token, at, ms) {
    if (!this.glyph.sweep) return;
    const offset = SWEEP_MS / (SWEEP_MS + GONE_MS);
    this.act(
      this.under(cell, token),
      [{ opacity: 1 }, { opacity: 1, offset }, { opacity: 0 }],
      at,
      ms,
    );
    const sweep = this.stray(this.board.spotOf(cell).ground, {}, ...this.glyph.sweep());
    sweep.style.transformOrigin = `${-CELL / 2}px 0`;
    const seen = (transform) => ({ opacity: 1, transform });
    this.act(sweep, [seen("scaleX(0)"), { ...seen("none"), offset }, seen("none")], at, ms);
  }

  /** The trail is drawn behind a piece hop by hop, threads grow towards what they strike. */
  lines() {
    const { layers } = this.board;
    const grows = (node, cell, at, ms) => {
      node.style.transformOrigin = this.board
        .at(cell)
        .map((value) => `${value}px`)
        .join(" ");
      this.act(node, [{ transform: "scale(0)" }, { transform: "none" }], at, ms, "linear");
    };
    const trails = [...layers.last.querySelectorAll(".trail")];
    /** @type {[string, number, number][]} */
    const hops = this.times.ways
      .filter(({ path }) => path.length > 1)
      .flatMap(({ path, at, ends }) =>
        ends.map((end, hop) => [path[hop], hop ? ends[hop - 1] : at, end]),
      );
    hops.forEach(
      ([cell, from, to], number) => trails[number] && grows(trails[number], cell, from, to - from),
    );
    const threads = [...layers.last.querySelectorAll(".thread, .thread-edge")];
    const { strikes = [] } = this.trace;
    threads.forEach((thread, number) =>
      grows(thread, strikes[Math.floor(number / 2)][0], this.times.threads, THREAD_MS),
    );
  }
}
