// A board in SVG, drawn from the cells text that the server sends: a hundred units a cell.
import { s } from "./dom.js";
import { glyphOf } from "./glyphs/index.js";
import { Marks } from "./marks.js";
import { cellName, cellPlace, tokensOf } from "./notation.js";
import { say } from "./words.js";

const CELL = 100;
const FRAME = 34;
/** A tap belongs to the nearest offered cell within so many pixels. */
const TAP_PX = 44;

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** How long a piece that leaves the board fades. */
const FADE_MS = 260;

/** The way of a piece in the air is that much higher in its middle. */
const ARC = 30;

/** Width by height of a variant's board, frame included. */
export const ratioOf = ({ cols, rows }) => (cols * CELL + 2 * FRAME) / (rows * CELL + 2 * FRAME);

export class Board {
  /** A board of a variant; with `click` it can be played on, without it it is a picture. */
  constructor(variant, { board, label, click, hover }) {
    Object.assign(this, { glyph: glyphOf(variant), cols: board.cols, rows: board.rows, board, click, hover, flipped: false, focused: null, hovered: null });
    const [width, height] = [this.cols * CELL + 2 * FRAME, this.rows * CELL + 2 * FRAME];
    this.layers = Object.fromEntries(["ground", "backdrop", "last", "path", "way", "pieces", "marks", "ahead", "focus"].map((name) => [name, s("g", { class: name })]));
    this.marks = new Marks(this);
    this.coords = s("g", { class: "coords", "aria-hidden": "true" });
    this.grid = s("g", {});
    const role = click ? { role: "grid", tabindex: 0, "aria-label": label } : { role: "img", "aria-label": label };
    this.svg = s("svg", { class: `bd ${this.glyph.className}${click ? " live" : ""}`, viewBox: `0 0 ${width} ${height}`, ...role },
      s("rect", { class: "frame", width, height }), this.coords, ...Object.values(this.layers), this.grid);
    this.drawCoords();
    if (click) this.listen();
  }

  /** The middle of a cell. */
  at(cell) {
    const [col, row] = cellPlace(cell);
    return this.middle(col, this.rows - 1 - row);
  }

  /** The middle of a place, counted from the top left of an unflipped board. */
  middle(col, row) {
    const [c, r] = this.flipped ? [this.cols - 1 - col, this.rows - 1 - row] : [col, row];
    return [FRAME + CELL * (c + 0.5), FRAME + CELL * (r + 0.5)];
  }

  /** What the board's description says of a cell: a letter, `.` if nothing. */
  markOf(cell) {
    const [col, row] = cellPlace(cell);
    return this.board.marks?.[this.rows - 1 - row]?.[col] ?? ".";
  }

  flip() {
    this.flipped = !this.flipped;
    this.drawCoords();
    this.show(this.shown);
    if (this.focused) this.focusOn(this.focused);
  }

  drawCoords() {
    const text = (x, y, what) => s("text", { x, y }, what);
    const columns = Array.from({ length: this.cols }, (_, col) => text(this.at(cellName(col, 0))[0], this.rows * CELL + 2 * FRAME - 10, cellName(col, 0)[0]));
    const rows = Array.from({ length: this.rows }, (_, row) => text(FRAME / 2, this.at(cellName(0, row))[1] + 8, row + 1));
    this.coords.replaceChildren(...columns, ...rows);
    const at = (col, row) => this.middle(col, row);
    const backdrop = this.glyph.backdrop?.(this.board, { at, frame: FRAME }) ?? [];
    this.layers.backdrop.replaceChildren(...backdrop);
  }

  /** Draws `{ cells, before, trace, chosen, offered, unsent, movable, advised, preview }`. */
  show(shown) {
    this.shown = shown;
    this.tokens = tokensOf(shown.cells);
    const before = shown.before ? tokensOf(shown.before) : null;
    this.drawCells(before);
    this.marks.draw(shown, before);
    if (this.click) this.drawGrid();
  }

  /** Shows other marks over what stands; pieces that are under way go on. */
  remark(marks) {
    Object.assign(this.shown, marks);
    this.marks.draw(this.shown, this.shown.before ? tokensOf(this.shown.before) : null);
    if (this.click) this.drawGrid();
  }

  drawCells(before) {
    const ground = [];
    const pieces = [];
    // Back rows first, so that what stands in front covers what leans behind it.
    const cells = [...this.tokens].filter(([, token]) => token !== "#").sort(([a], [b]) => this.at(a)[1] - this.at(b)[1]);
    this.pieces = new Map();
    for (const [cell, token] of cells) {
      const [x, y] = this.at(cell);
      const [col, row] = cellPlace(cell);
      const transform = `translate(${x} ${y})`;
      const was = before?.get(cell);
      const landed = this.glyph.owner(token) !== null || (was && was === token);
      ground.push(s("g", { transform }, ...this.glyph.ground({ token, before: was, landed, mark: this.markOf(cell), col, row })));
      const piece = this.glyph.piece(token, this.markOf(cell));
      if (piece) {
        this.pieces.set(cell, piece);
        pieces.push(s("g", { transform }, piece));
      }
    }
    this.layers.ground.replaceChildren(...ground);
    this.layers.pieces.replaceChildren(...pieces);
  }

  /** Lets the pieces of the last move travel to where they stand now. */
  animate({ paths, removed = [], strikes = [] }) {
    if (still() || document.hidden) return;
    const before = tokensOf(this.shown.before);
    removed.forEach((cell) => this.fade(cell, before.get(cell)));
    const rows = [...this.layers.pieces.children];
    const travels = [];
    for (const [at, path] of paths.entries()) {
      const piece = this.pieces.get(path.at(-1));
      if (!piece) continue;
      const [endX, endY] = this.at(path.at(-1));
      const turns = this.glyph.turns?.(before.get(path[0]), this.tokens.get(path.at(-1)));
      const frames = path.length > 1 ? this.framesOf(path, endX, endY, turns) : [{ opacity: 0, transform: `translate(0, ${-ARC}px)` }, { opacity: 1, transform: "none" }];
      // A strike comes before the move.
      const wait = 40 * at + (strikes.length ? 260 : 0);
      piece.parentNode.parentNode.append(piece.parentNode);
      travels.push(piece.animate(frames, { duration: Math.min(900, 130 + 90 * (path.length - 1)), delay: wait, fill: "backwards", easing: "cubic-bezier(.2,.7,.2,1)" }).finished);
    }
    // Above the others only while they travel: a back row must not cover what leans before it.
    Promise.allSettled(travels).then(() => {
      if (rows[0]?.parentNode === this.layers.pieces) this.layers.pieces.append(...rows);
    });
  }

  /** Where a piece is on its way, seen from where it ends. */
  framesOf(path, endX, endY, turns) {
    const points = path.map((cell) => this.at(cell));
    // A piece that is turned over shows its edge at the top of its arc.
    const to = ([x, y], lift = 0) => ({ transform: `translate(${x - endX}px, ${y - endY - lift}px) scaleX(${turns && lift ? 0.04 : 1})` });
    if (!this.glyph.arcs) return points.map((point) => to(point));
    const middle = (at) => points[at].map((value, axis) => (value + points[at + 1][axis]) / 2);
    return points.flatMap((point, at) => (at + 1 < points.length ? [to(point), to(middle(at), ARC)] : [to(point)]));
  }

  /** Lets what stood on a cell fade away. */
  fade(cell, token) {
    const piece = this.glyph.piece(token, this.markOf(cell));
    if (!piece || this.glyph.owner(this.tokens.get(cell))) return;
    const [x, y] = this.at(cell);
    const shadow = s("g", { transform: `translate(${x} ${y})` }, piece);
    this.layers.ahead.append(shadow);
    const gone = () => shadow.remove();
    piece.animate([{ opacity: 1 }, { opacity: 0, transform: "scale(.8)" }], { duration: FADE_MS, delay: 160, fill: "both", easing: "ease-out" }).finished.then(gone, gone);
  }

  /** Draws what a move would do, over what stands. */
  foresee(preview) {
    this.shown.preview = preview;
    this.marks.ahead(preview);
  }

  /** A click ends a running animation at its last frame. */
  settle() {
    for (const piece of this.pieces.values()) piece.getAnimations().forEach((animation) => animation.finish());
  }

  /** An illegal tap: the piece shakes its head, and what could move glows. */
  shake(cell) {
    const piece = this.pieces.get(cell);
    if (piece && !still()) piece.animate([0, -4, 4, -4, 4, 0].map((x) => ({ transform: `translateX(${x}px)` })), { duration: 160 });
    this.marks.glow();
  }

  listen() {
    this.svg.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      const cell = this.cellUnder(event);
      if (!cell) return;
      event.preventDefault();
      this.svg.classList.remove("keys");
      this.settle();
      this.focusOn(cell);
      this.svg.focus({ preventScroll: true });
      // A finger first sees what it would do, and chooses where it is lifted.
      if (event.pointerType === "touch") {
        this.pressed = true;
        this.hoverOver(cell);
      } else this.click(cell);
    });
    this.svg.addEventListener("pointermove", (event) => (event.pointerType !== "touch" || this.pressed) && this.hoverOver(this.cellUnder(event)));
    this.svg.addEventListener("pointerleave", () => this.hoverOver(null));
    this.svg.addEventListener("pointerup", (event) => {
      if (!this.pressed) return;
      this.pressed = false;
      const cell = this.cellUnder(event);
      if (cell) this.click(cell);
    });
    this.svg.addEventListener("pointercancel", () => {
      this.pressed = false;
      this.hoverOver(null);
    });
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.svg.addEventListener("keyup", ({ key }) => key === "Tab" && this.svg.classList.add("keys"));
    this.svg.addEventListener("focus", () => this.focusOn(this.focused ?? [...this.tokens].find(([, token]) => token !== "#")[0]));
  }

  /** Tells which offered cell is pointed at. */
  hoverOver(cell) {
    const offered = cell && this.shown.offered?.has(cell) ? cell : null;
    if (offered === this.hovered) return;
    this.hovered = offered;
    this.hover?.(offered);
  }

  cellUnder({ clientX, clientY }) {
    const box = this.svg.getBoundingClientRect();
    const unit = box.width / (this.cols * CELL + 2 * FRAME);
    const [x, y] = [(clientX - box.left) / unit, (clientY - box.top) / unit];
    const far = (cell) => Math.hypot(this.at(cell)[0] - x, this.at(cell)[1] - y);
    const inside = [...this.tokens.keys()].find((cell) => this.tokens.get(cell) !== "#" && Math.abs(this.at(cell)[0] - x) <= 50 && Math.abs(this.at(cell)[1] - y) <= 50);
    const offered = this.shown.offered ?? new Set();
    const own = inside && (offered.has(inside) || this.shown.movable?.has(inside) || this.shown.also?.has(inside) || this.shown.chosen?.includes(inside));
    if (own) return inside;
    const near = [...offered].sort((a, b) => far(a) - far(b))[0];
    return near && far(near) * unit <= TAP_PX / 2 + 6 ? near : inside;
  }

  key(event) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      return this.click(this.focused);
    }
    const step = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    // Who has clicked with a mouse steps through the moves with the arrows.
    if (!step || !this.svg.classList.contains("keys") || event.altKey || event.ctrlKey || event.metaKey) return undefined;
    event.preventDefault();
    event.stopPropagation();
    const turn = this.flipped ? -1 : 1;
    let [col, row] = cellPlace(this.focused);
    do {
      col += turn * step[0];
      row += turn * step[1];
    } while (this.tokens.get(cellName(col, row)) === "#");
    if (col < 0 || row < 0 || col >= this.cols || row >= this.rows) return undefined;
    this.hoverOver(cellName(col, row));
    return this.focusOn(cellName(col, row));
  }

  focusOn(cell) {
    this.focused = cell;
    this.svg.setAttribute("aria-activedescendant", `cell-${cell}`);
    const [x, y] = this.at(cell);
    const ring = (name) => s("rect", { class: name, x: -47, y: -47, width: 94, height: 94, rx: 12 });
    this.layers.focus.replaceChildren(s("g", { transform: `translate(${x} ${y})` }, ring("focus-out"), ring("focus-in")));
  }

  /** What a screen reader finds: rows of cells, each with what stands there. */
  drawGrid() {
    const rows = Array.from({ length: this.rows }, (_, at) => {
      const row = this.rows - 1 - at;
      return s("g", { role: "row" }, ...Array.from({ length: this.cols }, (_, col) => this.gridCell(cellName(col, row))));
    });
    this.grid.replaceChildren(...rows);
  }

  gridCell(cell) {
    const [x, y] = this.at(cell);
    if (this.tokens.get(cell) === "#") return null;
    const { offered, movable, also, chosen, advised } = this.shown;
    const own = offered?.has(cell) || movable?.has(cell) || also?.has(cell);
    const taken = chosen?.includes(cell);
    const state = [taken && "cell.chosen", !taken && (offered?.has(cell) || also?.has(cell)) && "cell.target", !taken && !offered?.has(cell) && movable?.has(cell) && "cell.canmove", advised?.includes(cell) && "cell.advised"];
    const words = [this.glyph.says(this.tokens.get(cell), this.markOf(cell)), ...state.filter(Boolean).map((key) => say(key))];
    const box = { x: x - 50, y: y - 50, width: 100, height: 100 };
    return s("rect", { ...box, id: `cell-${cell}`, class: own ? "hit own" : "hit", role: "gridcell", "data-cell": cell, "aria-label": `${cell}: ${words.join("; ")}` });
  }
}
