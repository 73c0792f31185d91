// Highlights of an interactive board: last move, selection, targets, hint and move preview.
//
// The shapes are the same for all variants. `board.js` creates one instance per board.
import { LastMoveMarks } from "./static-board.js";
import { s } from "../lib/dom.js";
import { cellCoordinates } from "../model/notation.js";

/** Outline of a hint; no other highlight has this shape. */
const LOZENGE = "M0-50L50 0L0 50L-50 0Z";

/** Highlights of one board. */
export class Highlights extends LastMoveMarks {
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
    // A move that is not sent yet is dashed, up to its destination.
    layers.path.replaceChildren(
      ...(state.isPending
        ? this.drawPath(
            [...new Set([...chosenPieces, ...(state.chosen ?? []).slice(-1)])],
            " is-unsent",
          )
        : this.drawPath(chosenPieces)),
    );
    const chosen = (state.chosen ?? []).map((cell, at, all) =>
      this.drawSelected(cell, at, all.length, state.isPending),
    );
    const targets = [...(state.targets ?? [])].map((cell) => this.drawTarget(cell));
    const hint = (state.hint ?? []).map((cell, at, all) => this.drawHint(cell, at, all.length));
    layers.marks.replaceChildren(...hint, ...chosen, ...targets);
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
      .flatMap((path) => [
        this.line("board-path-edge", path),
        this.line("board-path", path),
        ...path
          .slice(1)
          .map((cell) => this.groupAt(cell, s("circle", { class: "board-hop", r: 9 }))),
      ]);
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
    layers.preview.replaceChildren(...this.drawGroups(groups), ...pathMarks, ...placed);
    layers.captures.replaceChildren(...this.captureLines(strikes), ...crosses);
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
   * Draws a selected cell, numbered in click order if there are several.
   * @param {string} cell
   * @param {number} at
   * @param {number} count
   * @param {boolean | undefined} isPending
   */
  drawSelected(cell, at, count, isPending) {
    const box = { x: -47, y: -47, width: 94, height: 94, rx: 14 };
    const dash = isPending ? " is-unsent" : "";
    const pip = count > 1 && [
      s("circle", { class: "board-badge", cx: -36, cy: -36, r: 14 }),
      s("text", { class: "board-badge-text", x: -36, y: -29.5 }, String(at + 1)),
    ];
    return this.groupAt(
      cell,
      s("rect", { class: "board-selection-edge", ...box }),
      s("rect", { class: `board-selection${dash}`, ...box }),
      pip,
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
