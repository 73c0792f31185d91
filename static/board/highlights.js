// Highlights of an interactive board: last move, selection, targets, hint and move preview.
//
// The shapes are the same for all variants. `board.js` creates one instance per board.
import { cellLabel, MoveAids } from "./move-aids.js";
import { LastMoveMarks } from "./static-board.js";
import { s } from "../lib/dom.js";
import { cellCoordinates, cellName } from "../model/notation.js";

/** Outline of a hint; no other highlight has this shape. */
const LOZENGE = "M0-50L50 0L0 50L-50 0Z";

/** Distance from the center of a cell to its edge, less the width of a frame. */
const CELL_EDGE = 44;

/** @typedef {[x: number, y: number]} Point */

/**
 * Returns the point at which a line reaches the edge of the cell around its end.
 * @param {Point} from
 * @param {Point} end
 * @returns {Point}
 */
const edgePoint = ([fromX, fromY], [x, y]) => {
  const share = CELL_EDGE / Math.max(Math.abs(fromX - x), Math.abs(fromY - y));
  return [x + (fromX - x) * share, y + (fromY - y) * share];
};

/** Highlights of one board. */
export class Highlights extends LastMoveMarks {
  /**
   * @param {import("./board.js").Board} board
   * @param {Guidance} guidance
   */
  constructor(board, guidance) {
    super(board);
    const { svg, layers } = board;
    this.guidance = guidance;
    this.aids = new MoveAids(this, guidance);
    this.goal = s("g", {});
    this.goalKey = "";
    svg.insertBefore(this.goal, layers.path);
  }

  /**
   * Draws all highlights of a position.
   * @param {BoardState} state
   */
  draw(state) {
    const { layers } = this.board;
    super.draw(state);
    this.drawPreview(state.preview);
    const chosenPieces = (state.chosen ?? []).filter(
      (cell) => this.board.pieceSet.owner(this.board.tokens.get(cell)) === state.side,
    );
    this.showGoal(state.goal ?? []);
    // A move that is not sent yet is dashed, up to its destination.
    layers.path.replaceChildren(
      ...(state.isPending
        ? this.drawPath(
            [...new Set([...chosenPieces, ...(state.chosen ?? []).slice(-1)])],
            " is-unsent",
          )
        : this.drawPath(chosenPieces)),
    );
    const labels = this.guidance.labels?.(state) ?? [];
    const chosen = (state.chosen ?? []).map((cell, at, all) =>
      this.drawSelected(cell, at, all.length, { isPending: state.isPending, label: labels[at] }),
    );
    for (const [cell, { piece }] of this.board.cellElements)
      piece.toggleAttribute("data-chosen", Boolean(state.chosen?.includes(cell)));
    this.aids.draw(state);
    const targets = [...(state.targets ?? [])].map((cell) => this.drawTarget(cell));
    const held = state.held ? [this.drawHeld(state.held)] : [];
    const hint = (state.hint ?? []).map((cell, at, all) => this.drawHint(cell, at, all.length));
    layers.marks.replaceChildren(...hint, ...chosen, ...targets, ...held);
  }

  /**
   * Draws a cell of a hint, numbered in click order if there are several.
   * @param {string} cell
   * @param {number} at
   * @param {number} count
   */
  drawHint(cell, at, count) {
    const pip = count > 1 && [
      s("circle", { class: "board-badge", cx: 34, cy: 34, r: 15 }),
      s("text", { class: "board-badge-text", x: 34, y: 40.5 }, String(at + 1)),
    ];
    return this.groupAt(
      cell,
      s("path", { class: "board-hint-edge", d: LOZENGE }),
      s("path", { class: "board-hint", d: LOZENGE }),
      pip,
    );
  }

  /**
   * Draws the effects of a move that is not made yet.
   * @param {Trace | null | undefined} preview
   */
  drawPreview(preview) {
    const { layers } = this.board;
    const { paths = [], removed = [], strikes = [], groups = [] } = preview ?? {};
    const pathMarks = paths
      .filter((path) => path.length > 1)
      .flatMap((path) => this.previewPath(path));
    const placed = paths
      .filter((path) => path.length === 1)
      .map(([cell]) =>
        this.groupAt(
          cell,
          s("circle", { class: "board-preview-edge", r: 34 }),
          s("circle", { class: "board-preview", r: 34 }),
        ),
      );
    const struck = new Set(strikes.map((cells) => cells.at(-1)));
    const crosses = removed.map((cell) =>
      struck.has(cell)
        ? this.groupAt(
            cell,
            s("path", { class: "board-capture-cross-edge", d: "M-20-20L20 20M20-20L-20 20" }),
            s("path", { class: "board-capture-cross", d: "M-20-20L20 20M20-20L-20 20" }),
          )
        : this.groupAt(
            cell,
            s("circle", { class: "board-preview-edge", r: 38 }),
            s("circle", { class: "board-preview", r: 38 }),
            s("circle", { class: "board-badge", cx: 32, cy: -32, r: 15 }),
            s("path", { class: "board-badge-cross", d: "M26-38l12 12M38-38l-12 12" }),
          ),
    );
    // Capture lines lie under the pieces, whose tokens tell how far they reach.
    layers.preview.replaceChildren(
      ...this.drawGroups(groups),
      ...this.captureLines(strikes),
      ...pathMarks,
      ...placed,
    );
    layers.captures.replaceChildren(...crosses);
    this.aids.drawFurther(preview);
  }

  /**
   * Draws the path of a preview with a dot on each cell. It ends at the edge of a cell whose token
   * must stay readable.
   * @param {readonly string[]} path
   */
  previewPath(path) {
    const { board } = this;
    const end = /** @type {string} */ (path.at(-1));
    const keepsToken = board.pieceSet.keepsReadable(board.tokens.get(end));
    const points = path.map((cell) => board.at(cell));
    if (keepsToken)
      points.splice(-1, 1, edgePoint(points[points.length - 2], points[points.length - 1]));
    const d = points.map((point, at) => `${at ? "L" : "M"}${point.join(" ")}`).join("");
    const dots = path.slice(1, keepsToken ? -1 : undefined);
    return [
      s("path", { class: "board-path-edge", d }),
      s("path", { class: "board-path", d }),
      ...dots.map((cell) => this.groupAt(cell, s("circle", { class: "board-hop", r: 9 }))),
    ];
  }

  /**
   * Shows the cells that a side is to reach. They rarely change.
   * @param {readonly string[]} cells
   */
  showGoal(cells) {
    const key = `${this.board.flipped} ${cells}`;
    if (key === this.goalKey) return;
    this.goalKey = key;
    this.goal.replaceChildren(...this.drawGoal(cells));
    this.aids.showGoal(cells);
  }

  /**
   * Draws the outline of the cells that a side is to reach.
   * @param {readonly string[]} cells
   */
  drawGoal(cells) {
    const inside = new Set(cells);
    const edges = cells.flatMap((cell) => {
      const [col, row] = cellCoordinates(cell);
      const [x, y] = this.board.at(cell);
      const turn = this.board.flipped ? -1 : 1;
      return /** @type {[number, number][]} */ ([
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ])
        .filter(([right, up]) => !inside.has(cellName(col + right, row + up)))
        .map(([right, up]) => {
          const [dx, dy] = [50 * right * turn, -50 * up * turn];
          return right ? `M${x + dx} ${y - 50}v100` : `M${x - 50} ${y + dy}h100`;
        });
    });
    const d = edges.join("");
    return cells.length
      ? [s("path", { class: "board-goal-edge", d }), s("path", { class: "board-goal", d })]
      : [];
  }

  /**
   * Draws the groups in which a piece may be captured, with bars between adjacent pieces.
   * @param {string[][]} groups
   */
  drawGroups(groups) {
    /** @type {(one: string, two: string) => boolean} */
    const isAdjacent = (one, two) =>
      Math.max(
        ...cellCoordinates(one).map((value, axis) => Math.abs(value - cellCoordinates(two)[axis])),
      ) === 1;
    return groups.flatMap((group) => [
      ...group.flatMap((one, at) =>
        group
          .slice(at + 1)
          .filter((two) => isAdjacent(one, two))
          .map((two) => this.line("board-group-bar", [one, two])),
      ),
      ...group.map((cell) => this.groupAt(cell, s("circle", { class: "board-group", r: 44 }))),
    ]);
  }

  /**
   * Draws the line through the selected cells.
   * @param {string[]} chosen
   * @param {string} suffix suffix of the classes
   */
  drawPath(chosen, suffix = "") {
    return chosen.length > 1
      ? [this.line(`board-path-edge${suffix}`, chosen), this.line(`board-path${suffix}`, chosen)]
      : [];
  }

  /**
   * Draws a selected cell with its name, or numbered in click order if there are several.
   * @param {string} cell
   * @param {number} at
   * @param {number} count
   * @param {{ isPending: boolean | undefined, label: string | undefined }} look
   */
  drawSelected(cell, at, count, { isPending, label }) {
    const box = { x: -47, y: -47, width: 94, height: 94, rx: 14 };
    const dash = isPending ? " is-unsent" : "";
    const pip = count > 1 && [
      s("circle", { class: "board-badge", cx: -36, cy: -36, r: 14 }),
      s("text", { class: "board-badge-text", x: -36, y: -29.5 }, String(at + 1)),
    ];
    const name = label ? cellLabel(label) : pip;
    return this.groupAt(
      cell,
      s("rect", { class: "board-selection-edge", ...box }),
      s("rect", { class: `board-selection${dash}`, ...box }),
      name,
    );
  }

  /**
   * Draws the target that a second tap plays.
   * @param {string} cell
   */
  drawHeld(cell) {
    const box = { x: -45, y: -45, width: 90, height: 90, rx: 14 };
    return this.groupAt(
      cell,
      s("rect", { class: "board-selection-edge", ...box }),
      s("rect", { class: "board-held", ...box }),
    );
  }

  /**
   * Draws a target cell.
   * @param {string} cell
   */
  drawTarget(cell) {
    const token = this.board.tokens.get(cell);
    if (this.board.pieceSet.keepsReadable(token)) {
      return this.groupAt(
        cell,
        s("rect", { class: "board-target-box", x: -46, y: -46, width: 92, height: 92, rx: 8 }),
        s("circle", { class: "board-target", cx: 34, cy: -34, r: 10 }),
      );
    }
    if (this.board.pieceSet.owner(token)) {
      return this.groupAt(
        cell,
        s("circle", { class: "board-target-halo", r: 44 }),
        s("circle", { class: "board-target-ring", r: 44 }),
      );
    }
    if (this.board.pieceSet.keepsGround)
      return this.groupAt(
        cell,
        s("circle", { class: "board-target-halo", r: 27 }),
        s("circle", { class: "board-target-ring", r: 27 }),
      );
    return this.groupAt(cell, s("circle", { class: "board-target", r: 15 }));
  }

  /** Highlights the movable pieces briefly. */
  flashMovable() {
    const cells = [...(this.board.state.movable ?? [])];
    const rings = cells.map((cell) =>
      this.groupAt(
        cell,
        s("rect", { class: "board-flash", x: -46, y: -46, width: 92, height: 92, rx: 12 }),
      ),
    );
    const layer = s("g", {}, ...rings);
    this.board.layers.marks.append(layer);
    setTimeout(() => layer.remove(), 900);
  }
}
