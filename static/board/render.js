// SVG rendering of a board from the cells text of the server.
//
// Board units: a cell is 100 wide and high. Elements of unchanged cells are reused.
// `static-board.js` derives all other boards from this class.
import { s } from "../lib/dom.js";
import { pieceSetOf } from "../variants/index.js";
import { cellName, cellCoordinates, parseCells } from "../model/notation.js";

/** Side length of a cell, in board units. */
export const CELL = 100;

/** Minimum width of the frame around the cells, in board units. */
const FRAME_MIN = 34;

/**
 * Width of the frame per column. The more columns, the smaller the cells on a phone, and the larger
 * the coordinates beside them.
 */
const FRAME_PER_COLUMN = 4;

/** Size of coordinates that can be read, in pixels. */
const READABLE_PX = 11.1;

/** Limits of the size of coordinates, in board units: that of a large board, and the frame. */
const COORDINATES_MIN = 22;
const COORDINATES_MAX_FRAMES = 1.15;

/** Width of two digits, in font sizes. */
const TWO_DIGITS_EM = 1.25;

/** @param {{ cols: number }} board */
const frameOf = ({ cols }) => Math.max(FRAME_MIN, FRAME_PER_COLUMN * cols);

const LAYERS = [
  "ground",
  "backdrop",
  "lastMove",
  "path",
  "preview",
  "pieces",
  "marks",
  "animation",
  "captures",
  "focus",
];

/**
 * Returns the ratio of width to height of a board, frame included.
 * @param {BoardShape} board
 * @returns {number}
 */
export const ratioOf = ({ cols, rows }) => {
  const frame = frameOf({ cols });
  return (cols * CELL + 2 * frame) / (rows * CELL + 2 * frame);
};

/**
 * Elements of a cell, ground and piece, with the state for which they were drawn last.
 * @typedef {{ ground: SVGElement, piece: SVGElement, groundKey?: string, token?: string }}
 *   CellElements
 */

/** SVG drawing of a board: cells, pieces, frame and coordinates. */
export class BoardSvg {
  /** @type {PieceSet} */ pieceSet;
  /** @type {number} */ cols;
  /** @type {number} */ rows;
  /** @type {BoardShape} */ board;
  /** @type {number} */ frame;
  /** @type {number} */ coordinatesSize;
  /** @type {boolean} */ flipped;
  /** @type {boolean | undefined} */ drawnFlipped;
  /** @type {Tokens} */ tokens;
  /** @type {Map<string, CellElements>} */ cellElements;
  /** @type {Map<string, SVGElement>} */ pieces;

  /**
   * Creates the SVG element, without pieces. `live` boards are interactive.
   * @param {string} variant
   * @param {{ board: BoardShape, label: string, live: boolean, flipped?: boolean }} options
   */
  constructor(variant, { board, label, live, flipped = false }) {
    Object.assign(this, {
      pieceSet: pieceSetOf(variant),
      cols: board.cols,
      rows: board.rows,
      board,
      frame: frameOf(board),
      coordinatesSize: COORDINATES_MIN,
      flipped,
      cellElements: new Map(),
      pieces: new Map(),
    });
    const [width, height] = this.size();
    this.layers = Object.fromEntries(
      LAYERS.map((name) => [name, s("g", { class: `board-layer-${name}` })]),
    );
    this.coords = s("g", { class: "board-coordinates", "aria-hidden": "true" });
    this.grid = s("g", {});
    const role = live
      ? { role: "grid", tabindex: 0, "aria-label": label }
      : { role: "img", "aria-label": label };
    this.svg = s(
      "svg",
      {
        class: `board-svg variant-${variant}${live ? " is-interactive" : ""}`,
        viewBox: `0 0 ${width} ${height}`,
        ...role,
      },
      s("rect", { class: "board-frame", width, height }),
      this.coords,
      ...Object.values(this.layers),
      this.grid,
    );
    this.drawCoords();
  }

  /**
   * Returns width and height in board units, frame included.
   * @returns {[width: number, height: number]}
   */
  size() {
    return [this.cols * CELL + 2 * this.frame, this.rows * CELL + 2 * this.frame];
  }

  /**
   * Returns the center of a cell, in board units.
   * @param {string} cell
   */
  at(cell) {
    const [col, row] = cellCoordinates(cell);
    return this.centerOf(col, this.rows - 1 - row);
  }

  /**
   * Returns the center of a column and row, counted from the top left of an unflipped board.
   * @param {number} col
   * @param {number} row
   * @returns {[x: number, y: number]}
   */
  centerOf(col, row) {
    const [c, r] = this.flipped ? [this.cols - 1 - col, this.rows - 1 - row] : [col, row];
    return [this.frame + CELL * (c + 0.5), this.frame + CELL * (r + 0.5)];
  }

  /** Returns the pixels per board unit, and the client position of the top left corner. */
  scale() {
    const { left, top, width } = this.svg.getBoundingClientRect();
    return { left, top, unit: width / this.size()[0] };
  }

  /** Returns the width of a cell in pixels. */
  cellWidth() {
    return CELL * this.scale().unit;
  }

  /** Keeps the coordinates readable when the size of the board changes. */
  fitCoordinates() {
    new ResizeObserver(() => {
      const { unit } = this.scale();
      if (!unit) return;
      this.coordinatesSize = Math.min(
        COORDINATES_MAX_FRAMES * this.frame,
        Math.max(COORDINATES_MIN, READABLE_PX / unit),
      );
      this.svg.style.setProperty("--coordinates-size", `${this.coordinatesSize.toFixed(1)}px`);
      this.fitRowNumbers();
    }).observe(this.svg);
  }

  /** Sets the width of row numbers with two digits, which must fit in the frame. */
  fitRowNumbers() {
    const width = Math.min(this.frame - 4, TWO_DIGITS_EM * this.coordinatesSize);
    for (const label of this.coords.querySelectorAll("[lengthAdjust]"))
      label.setAttribute("textLength", width.toFixed(1));
  }

  /**
   * Returns the mark of a cell in the board shape: a letter, or `.` if there is none.
   * @param {string} cell
   */
  markOf(cell) {
    const [col, row] = cellCoordinates(cell);
    return this.board.marks?.[this.rows - 1 - row]?.[col] ?? ".";
  }

  /** Draws the coordinates and the backdrop, which depend on the orientation. */
  drawCoords() {
    const { frame } = this;
    const [, height] = this.size();
    // Centered in the frame at any font size, letters with their descenders.
    /** @type {(x: number, y: number, dy: string, content: string | number) => SVGElement} */
    const text = (x, y, dy, content) => s("text", { x, y, dy }, content);
    const columns = Array.from({ length: this.cols }, (_, col) =>
      text(this.at(cellName(col, 0))[0], height - frame / 2, "0.27em", cellName(col, 0)[0]),
    );
    const rows = Array.from({ length: this.rows }, (_, row) => {
      const label = text(frame / 2, this.at(cellName(0, row))[1], "0.36em", row + 1);
      if (row >= 9) label.setAttribute("lengthAdjust", "spacingAndGlyphs");
      return label;
    });
    this.coords.replaceChildren(...columns, ...rows);
    this.fitRowNumbers();
    /** @type {(col: number, row: number) => number[]} */
    const at = (col, row) => this.centerOf(col, row);
    const backdrop = this.pieceSet.backdrop?.(this.board, { at, frame }) ?? [];
    this.layers.backdrop.replaceChildren(...backdrop);
  }

  /** Creates the elements of all cells. */
  createCellElements() {
    const cells = [...this.tokens.keys()].filter((cell) => this.tokens.get(cell) !== "#");
    // Back rows first, so that pieces in front cover the ones behind.
    const order = cells.sort((one, two) => this.at(one)[1] - this.at(two)[1]);
    const elements = (/** @type {string} */ cell) =>
      s("g", { transform: `translate(${this.at(cell).join(" ")})` });
    this.cellElements = new Map(
      order.map((cell) => [cell, { ground: elements(cell), piece: elements(cell) }]),
    );
    this.pieces.clear();
    this.layers.ground.replaceChildren(
      ...[...this.cellElements.values()].map(({ ground }) => ground),
    );
    this.layers.pieces.replaceChildren(
      ...[...this.cellElements.values()].map(({ piece }) => piece),
    );
    this.drawnFlipped = this.flipped;
  }

  /**
   * Redraws the cells that have changed.
   * @param {Tokens | null | undefined} before tokens of the previous position
   * @param {Tokens} [tokens] those of the board by default; others show a position for a while
   */
  drawCells(before, tokens = this.tokens) {
    if (this.cellElements.size === 0 || this.drawnFlipped !== this.flipped)
      this.createCellElements();
    for (const [cell, elements] of this.cellElements) {
      const [token, previous] = [tokens.get(cell), before?.get(cell)];
      const landed =
        this.pieceSet.owner(token) !== null || (previous !== undefined && previous === token);
      const groundKey = `${token} ${previous} ${landed}`;
      if (elements.groundKey !== groundKey)
        elements.ground.replaceChildren(
          ...this.groundOf(cell, { token, before: previous, landed }),
        );
      if (elements.token !== token) this.drawPiece(cell, token, elements.piece);
      elements.groundKey = groundKey;
      elements.token = token;
    }
  }

  /**
   * Returns the elements of an existing cell.
   * @param {string} cell
   * @returns {CellElements}
   */
  elementsOf(cell) {
    return /** @type {CellElements} */ (this.cellElements.get(cell));
  }

  /**
   * Draws the ground of a cell.
   * @param {string} cell
   * @param {{ token: string, before?: string, landed: boolean }} stands
   * @returns {Node[]}
   */
  groundOf(cell, { token, before, landed }) {
    const [col, row] = cellCoordinates(cell);
    return /** @type {Node[]} */ (
      this.pieceSet.ground({ token, before, landed, mark: this.markOf(cell), col, row })
    );
  }

  /**
   * @param {string} cell
   * @param {string} token
   * @param {SVGElement} elements
   */
  drawPiece(cell, token, elements) {
    const piece = this.pieceSet.piece(token, this.markOf(cell));
    if (piece) this.pieces.set(cell, piece);
    else this.pieces.delete(cell);
    elements.replaceChildren(...(piece ? [piece] : []));
  }

  /**
   * Draws a position.
   * @param {{ cells: string, before?: string | null }} state
   */
  drawTokens({ cells, before }) {
    this.tokens = parseCells(cells);
    this.drawCells(before ? parseCells(before) : null);
  }
}
