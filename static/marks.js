// The marks on a board: last move, what is chosen, what may follow. The same on every board.
import { s } from "./dom.js";
import { cellPlace } from "./notation.js";

/** A lozenge: no other mark has this form. */
const LOZENGE = "M0-50L50 0L0 50L-50 0Z";

const TICKS = "M-46-30V-46H-30M30-46H46V-30M46 30V46H30M-30 46H-46V30";

export class Marks {
  constructor(board) {
    this.board = board;
  }

  on(cell, ...nodes) {
    const [x, y] = this.board.at(cell);
    return s("g", { transform: `translate(${x} ${y})` }, ...nodes);
  }

  draw(shown, before) {
    const { layers } = this.board;
    layers.last.replaceChildren(...(shown.trace && before ? this.last(shown.trace, before) : []));
    this.ahead(shown.preview);
    const way = (shown.chosen ?? []).filter((cell) => this.board.glyph.owner(this.board.tokens.get(cell)) === shown.side);
    // What waits is dashed, to where it ends.
    layers.path.replaceChildren(...(shown.unsent ? this.path([...new Set([...way, ...(shown.chosen ?? []).slice(-1)])], " unsent") : this.path(way)));
    const chosen = (shown.chosen ?? []).map((cell, at, all) => this.chosen(cell, at, all.length, shown.unsent));
    const offered = [...(shown.offered ?? [])].map((cell) => this.offered(cell));
    const advised = (shown.advised ?? []).map((cell, at, all) => this.advised(cell, at, all.length));
    layers.marks.replaceChildren(...advised, ...chosen, ...offered);
  }

  /** A cell of the move that a hint names; numbers tell in which order they are clicked. */
  advised(cell, at, count) {
    const pip = count > 1 && [s("circle", { class: "pip", cx: 34, cy: 34, r: 15 }), s("text", { class: "pip-text", x: 34, y: 40.5 }, String(at + 1))];
    return this.on(cell, s("path", { class: "hint-edge", d: LOZENGE }), s("path", { class: "hint-mark", d: LOZENGE }), pip);
  }

  last({ paths, removed = [], strikes = [] }, before) {
    const { glyph, tokens } = this.board;
    const cells = paths.flatMap((path) => [path[0], path.at(-1)]);
    const goals = new Set(paths.map((path) => path.at(-1)));
    const marked = [...new Set(cells)].map((cell) =>
      this.on(cell, goals.has(cell) && s("rect", { class: "last-fill", x: -49, y: -49, width: 98, height: 98, rx: 4 }), s("path", { class: "last-tick", d: TICKS })));
    const trails = s("g", { class: "trails" }, ...paths.filter((path) => path.length > 1).map((path) => this.line("trail", path)));
    const gone = removed.filter((cell) => glyph.owner(before.get(cell)) && !glyph.owner(tokens.get(cell)));
    const ghosts = gone.map((cell) => this.on(cell, s("circle", { class: "ghost", r: 32 }), s("path", { class: "ghost-x", d: "M-10-10L10 10M10-10L-10 10" })));
    // Where somebody has come to stand at once, a small cross in the corner tells it.
    const covered = removed.filter((cell) => glyph.owner(before.get(cell)) && glyph.owner(tokens.get(cell)));
    const crosses = covered.map((cell) => this.on(cell, s("path", { class: "ghost-x ghost", d: "M30-44L44-30M44-44L30-30" })));
    return [...marked, trails, ...this.threads(strikes), ...ghosts, ...crosses];
  }

  /** The threads along which pieces are struck. */
  threads(strikes) {
    return strikes.flatMap((cells) => [this.line("thread-edge", cells), this.line("thread", cells)]);
  }

  /** What a move that is not made yet would do. */
  ahead(preview) {
    const { layers } = this.board;
    const { paths = [], removed = [], strikes = [], groups = [] } = preview ?? {};
    const ways = paths.filter((path) => path.length > 1).flatMap((path) => [this.line("path-edge", path), this.line("path", path), ...path.slice(1).map((cell) => this.on(cell, s("circle", { class: "hop", r: 9 })))]);
    const placed = paths.filter((path) => path.length === 1).map(([cell]) => this.on(cell, s("circle", { class: "gone-edge", r: 34 }), s("circle", { class: "gone", r: 34 })));
    const struck = new Set(strikes.map((cells) => cells.at(-1)));
    const crosses = removed.map((cell) => (struck.has(cell)
      ? this.on(cell, s("path", { class: "snip-edge", d: "M-20-20L20 20M20-20L-20 20" }), s("path", { class: "snip", d: "M-20-20L20 20M20-20L-20 20" }))
      : this.on(cell, s("circle", { class: "gone-edge", r: 38 }), s("circle", { class: "gone", r: 38 }), s("circle", { class: "pip", cx: 32, cy: -32, r: 15 }), s("path", { class: "pip-x", d: "M26-38l12 12M38-38l-12 12" }))));
    layers.way.replaceChildren(...this.crowds(groups), ...ways, ...placed);
    layers.ahead.replaceChildren(...this.threads(strikes), ...crosses);
  }

  /** Bars that join the pieces of a group of which one may be taken. */
  crowds(groups) {
    const near = (one, two) => Math.max(...cellPlace(one).map((value, axis) => Math.abs(value - cellPlace(two)[axis]))) === 1;
    return groups.flatMap((group) => [
      ...group.flatMap((one, at) => group.slice(at + 1).filter((two) => near(one, two)).map((two) => this.line("crowd-bar", [one, two]))),
      ...group.map((cell) => this.on(cell, s("circle", { class: "crowd", r: 44 }))),
    ]);
  }

  line(name, cells) {
    return s("path", { class: name, d: cells.map((cell, at) => `${at ? "L" : "M"}${this.board.at(cell).join(" ")}`).join("") });
  }

  path(chosen, how = "") {
    return chosen.length > 1 ? [this.line(`path-edge${how}`, chosen), this.line(`path${how}`, chosen)] : [];
  }

  chosen(cell, at, count, unsent) {
    const box = { x: -47, y: -47, width: 94, height: 94, rx: 14 };
    const dash = unsent ? " unsent" : "";
    const pip = count > 1 && [s("circle", { class: "pip", cx: -36, cy: -36, r: 14 }), s("text", { class: "pip-text", x: -36, y: -29.5 }, String(at + 1))];
    return this.on(cell, s("rect", { class: "sel-edge", ...box }), s("rect", { class: `sel${dash}`, ...box }), pip);
  }

  offered(cell) {
    const token = this.board.tokens.get(cell);
    if (this.board.glyph.keeps(token)) {
      return this.on(cell, s("rect", { class: "go-box", x: -46, y: -46, width: 92, height: 92, rx: 8 }), s("circle", { class: "go", cx: 34, cy: -34, r: 10 }));
    }
    if (this.board.glyph.owner(token)) {
      return this.on(cell, s("circle", { class: "go-halo", r: 44 }), s("circle", { class: "go-ring", r: 44 }));
    }
    if (this.board.glyph.shows) return this.on(cell, s("circle", { class: "go-halo", r: 27 }), s("circle", { class: "go-ring", r: 27 }));
    return this.on(cell, s("circle", { class: "go", r: 15 }));
  }

  /** Shows for a moment what could move. */
  glow() {
    const cells = [...(this.board.shown.movable ?? [])];
    const rings = cells.map((cell) => this.on(cell, s("rect", { class: "glow", x: -46, y: -46, width: 92, height: 92, rx: 12 })));
    const layer = s("g", {}, ...rings);
    this.board.layers.marks.append(layer);
    setTimeout(() => layer.remove(), 900);
  }
}
