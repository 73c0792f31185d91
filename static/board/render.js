// A board in SVG, drawn from the cells text that the server sends: a hundred units a cell. What has
// not changed since it was drawn last is left as it stands.
import { s } from "../lib/dom.js";
import { glyphOf } from "../variants/index.js";
import { cellName, cellPlace, tokensOf } from "../model/notation.js";

/** The side of a cell, in units of the drawing. */
export const CELL = 100;

/** How wide the frame around the cells is, in the same units. */
const FRAME = 34;

const LAYERS = [
  "ground",
  "backdrop",
  "last",
  "path",
  "way",
  "pieces",
  "marks",
  "air",
  "ahead",
  "focus",
];

/**
 * Width by height of a variant's board, frame included.
 * @param {BoardShape} board
 * @returns {number}
 */
export const ratioOf = ({ cols, rows }) => (cols * CELL + 2 * FRAME) / (rows * CELL + 2 * FRAME);

/**
 * Where a cell is drawn: its ground and what stands on it, and what was drawn there last.
 * @typedef {{ ground: SVGElement, piece: SVGElement, under?: string, token?: string }} Spot
 */

export class Drawing {
  /** @type {Glyph} */ glyph;
  /** @type {number} */ cols;
  /** @type {number} */ rows;
  /** @type {BoardShape} */ board;
  /** @type {boolean} */ flipped;
  /** @type {boolean | undefined} */ laid;
  /** @type {Tokens} */ tokens;
  /** @type {Map<string, Spot>} */ spots;
  /** @type {Map<string, SVGElement>} */ pieces;

  /**
   * The picture of a variant's board; it is `live` if it can be played on.
   * @param {string} variant
   * @param {{ board: BoardShape, label: string, live: boolean }} how
   */
  constructor(variant, { board, label, live }) {
    Object.assign(this, {
      glyph: glyphOf(variant),
      cols: board.cols,
      rows: board.rows,
      board,
      flipped: false,
      spots: new Map(),
      pieces: new Map(),
    });
    const [width, height] = this.size();
    this.layers = Object.fromEntries(LAYERS.map((name) => [name, s("g", { class: name })]));
    this.coords = s("g", { class: "coords", "aria-hidden": "true" });
    this.grid = s("g", {});
    const role = live
      ? { role: "grid", tabindex: 0, "aria-label": label }
      : { role: "img", "aria-label": label };
    this.svg = s(
      "svg",
      {
        class: `bd ${this.glyph.className}${live ? " live" : ""}`,
        viewBox: `0 0 ${width} ${height}`,
        ...role,
      },
      s("rect", { class: "frame", width, height }),
      this.coords,
      ...Object.values(this.layers),
      this.grid,
    );
    this.drawCoords();
  }

  /** Width and height in units, frame included. */
  size() {
    return [this.cols * CELL + 2 * FRAME, this.rows * CELL + 2 * FRAME];
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

  /** How many pixels a unit has on the screen now, and where the drawing begins. */
  scale() {
    const { left, top, width } = this.svg.getBoundingClientRect();
    return { left, top, unit: width / this.size()[0] };
  }

  /** What the board's description says of a cell: a letter, `.` if nothing. */
  markOf(cell) {
    const [col, row] = cellPlace(cell);
    return this.board.marks?.[this.rows - 1 - row]?.[col] ?? ".";
  }

  drawCoords() {
    const text = (x, y, what) => s("text", { x, y }, what);
    const columns = Array.from({ length: this.cols }, (_, col) =>
      text(this.at(cellName(col, 0))[0], this.rows * CELL + 2 * FRAME - 10, cellName(col, 0)[0]),
    );
    const rows = Array.from({ length: this.rows }, (_, row) =>
      text(FRAME / 2, this.at(cellName(0, row))[1] + 8, row + 1),
    );
    this.coords.replaceChildren(...columns, ...rows);
    const at = (col, row) => this.middle(col, row);
    const backdrop = this.glyph.backdrop?.(this.board, { at, frame: FRAME }) ?? [];
    this.layers.backdrop.replaceChildren(...backdrop);
  }

  /** Gives every cell a spot for its ground and one for what stands on it. */
  laySpots() {
    const cells = [...this.tokens.keys()].filter((cell) => this.tokens.get(cell) !== "#");
    // Back rows first, so that what stands in front covers what leans behind it.
    const order = cells.sort((one, two) => this.at(one)[1] - this.at(two)[1]);
    const spot = (/** @type {string} */ cell) =>
      s("g", { transform: `translate(${this.at(cell).join(" ")})` });
    this.spots = new Map(order.map((cell) => [cell, { ground: spot(cell), piece: spot(cell) }]));
    this.pieces.clear();
    this.layers.ground.replaceChildren(...[...this.spots.values()].map(({ ground }) => ground));
    this.layers.pieces.replaceChildren(...[...this.spots.values()].map(({ piece }) => piece));
    this.laid = this.flipped;
  }

  drawCells(before) {
    if (this.spots.size === 0 || this.laid !== this.flipped) this.laySpots();
    for (const [cell, spot] of this.spots) {
      const [token, was] = [this.tokens.get(cell), before?.get(cell)];
      const landed = this.glyph.owner(token) !== null || (was !== undefined && was === token);
      const under = `${token} ${was} ${landed}`;
      if (spot.under !== under)
        spot.ground.replaceChildren(...this.groundOf(cell, { token, before: was, landed }));
      if (spot.token !== token) this.drawPiece(cell, token, spot.piece);
      Object.assign(spot, { under, token });
    }
  }

  /**
   * Where a cell of the board is drawn.
   * @param {string} cell
   * @returns {Spot}
   */
  spotOf(cell) {
    return /** @type {Spot} */ (this.spots.get(cell));
  }

  /**
   * What lies under a cell.
   * @param {string} cell
   * @param {{ token: string, before?: string, landed: boolean }} stands
   * @returns {Node[]}
   */
  groundOf(cell, { token, before, landed }) {
    const [col, row] = cellPlace(cell);
    return /** @type {Node[]} */ (
      this.glyph.ground({ token, before, landed, mark: this.markOf(cell), col, row })
    );
  }

  drawPiece(cell, token, spot) {
    const piece = this.glyph.piece(token, this.markOf(cell));
    if (piece) this.pieces.set(cell, piece);
    else this.pieces.delete(cell);
    spot.replaceChildren(...(piece ? [piece] : []));
  }

  /**
   * Takes what stands, and draws it.
   * @param {{ cells: string, before?: string | null }} shown
   */
  drawTokens({ cells, before }) {
    this.tokens = tokensOf(cells);
    this.drawCells(before ? tokensOf(before) : null);
  }
}
