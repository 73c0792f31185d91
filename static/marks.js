// The marks on a board: last move, what is chosen, what may follow. The same on every board.
import { s } from "./dom.js";
import { cellsOf } from "./notation.js";

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
    layers.last.replaceChildren(...(shown.u && before ? this.last(shown.u, shown.before, before) : []));
    layers.path.replaceChildren(...this.path(shown.chosen ?? []));
    const chosen = (shown.chosen ?? []).map((cell, at, all) => this.chosen(cell, at, all.length, shown.unsent));
    const offered = [...(shown.offered ?? [])].map((cell) => this.offered(cell));
    layers.marks.replaceChildren(...chosen, ...offered);
  }

  last(u, beforeCells, before) {
    const { glyph, tokens } = this.board;
    const travels = glyph.travel(u, beforeCells, this.board.shown.cells);
    const cells = travels.length ? travels.flatMap(({ path }) => [path[0], path.at(-1)]) : cellsOf(u).slice(0, 1);
    const goals = new Set(travels.length ? travels.map(({ path }) => path.at(-1)) : cells);
    const marked = [...new Set(cells)].map((cell) =>
      this.on(cell, goals.has(cell) && s("rect", { class: "last-fill", x: -49, y: -49, width: 98, height: 98, rx: 4 }), s("path", { class: "last-tick", d: TICKS })));
    const trails = travels.length ? [s("g", { class: "trails" }, ...travels.map(({ path }) => this.line("trail", path)))] : [];
    const gone = [...before].filter(([cell, token]) => glyph.owner(token) && !glyph.owner(tokens.get(cell)) && !cells.includes(cell) && !this.passed(travels, cell));
    const ghosts = gone.map(([cell]) => this.on(cell, s("circle", { class: "ghost", r: 32 }), s("path", { class: "ghost-x", d: "M-10-10L10 10M10-10L-10 10" })));
    return [...marked, ...trails, ...ghosts];
  }

  passed(travels, cell) {
    return travels.some(({ path }) => path.includes(cell));
  }

  line(name, cells) {
    return s("path", { class: name, d: cells.map((cell, at) => `${at ? "L" : "M"}${this.board.at(cell).join(" ")}`).join("") });
  }

  path(chosen) {
    return chosen.length > 1 ? [this.line("path-edge", chosen), this.line("path", chosen)] : [];
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
