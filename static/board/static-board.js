// A board that is only looked at: what stands on it, how it came about, and what the last move did: where it went, what is gone, along
// which threads it was struck.
import { Drawing } from "./render.js";
import { s } from "../lib/dom.js";
import { tokensOf } from "../model/notation.js";

const TICKS = "M-46-30V-46H-30M30-46H46V-30M46 30V46H30M-30 46H-46V30";

export class LastMove {
  /** @param {Seen} board */
  constructor(board) {
    this.board = board;
  }

  on(cell, ...nodes) {
    const [x, y] = this.board.at(cell);
    return s("g", { transform: `translate(${x} ${y})` }, ...nodes);
  }

  /**
   * The marks stay as they are while nothing else has happened: they may be growing.
   * @param {Shown} shown
   */
  draw({ cells, before, trace }) {
    const now = [trace, before, cells, this.board.flipped];
    if (this.drawn?.every((value, at) => value === now[at])) return;
    this.drawn = now;
    this.board.layers.last.replaceChildren(
      ...(trace && before ? this.last(trace, tokensOf(before)) : []),
    );
  }

  /**
   * @param {Trace} trace
   * @param {Tokens} before
   */
  last({ paths, removed = [], strikes = [] }, before) {
    const { glyph, tokens } = this.board;
    const cells = paths.flatMap((path) => [path[0], path.at(-1)]);
    const goals = new Set(paths.map((path) => path.at(-1)));
    const marked = [...new Set(cells)].map((cell) =>
      this.on(
        cell,
        goals.has(cell) &&
          s("rect", { class: "last-fill", x: -49, y: -49, width: 98, height: 98, rx: 4 }),
        s("path", { class: "last-tick", d: TICKS }),
      ),
    );
    const trails = s(
      "g",
      { class: "trails" },
      ...paths.flatMap((path) =>
        path.slice(1).map((cell, hop) => this.line("trail", [path[hop], cell])),
      ),
    );
    const gone = removed.filter(
      (cell) => glyph.owner(before.get(cell)) && !glyph.owner(tokens.get(cell)),
    );
    const ghosts = gone.map((cell) =>
      this.on(
        cell,
        s("circle", { class: "ghost", r: 32 }),
        s("path", { class: "ghost-x", d: "M-10-10L10 10M10-10L-10 10" }),
      ),
    );
    // Where somebody has come to stand at once, a small cross in the corner tells it.
    const covered = removed.filter(
      (cell) => glyph.owner(before.get(cell)) && glyph.owner(tokens.get(cell)),
    );
    const crosses = covered.map((cell) =>
      this.on(cell, s("path", { class: "ghost-x ghost", d: "M30-44L44-30M44-44L30-30" })),
    );
    return [...marked, trails, ...this.threads(strikes), ...ghosts, ...crosses];
  }

  /** The threads along which pieces are struck. */
  threads(strikes) {
    return strikes.flatMap((cells) => [
      this.line("thread-edge", cells),
      this.line("thread", cells),
    ]);
  }

  line(name, cells) {
    return s("path", {
      class: name,
      d: cells.map((cell, at) => `${at ? "L" : "M"}${this.board.at(cell).join(" ")}`).join(""),
    });
  }
}

/**
 * What moves pieces, for all boards of the page.
 * @type {typeof import("./animation.js").Motion | undefined}
 */
let Moving;

/** Loads it; without it moves are shown at their end. */
export const readyToMove = async () => {
  Moving ??= (await import("./animation.js").catch(() => null))?.Motion;
};

export class Seen extends Drawing {
  /** @type {Shown} */ shown;
  /** @type {LastMove} */ marks;
  /** @type {import("./animation.js").Motion | undefined} */ motion;
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
