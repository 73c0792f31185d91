// Example of a rules page: a board with the note of the current ply. Taps on the board, or the step
// buttons, play the moves of the example. `POST /api/position` has their effects.
import { post } from "../lib/http.js";
import { CELL, ratioOf } from "../board/render.js";
import { Highlights } from "../board/highlights.js";
import { loadAnimation, StaticBoard } from "../board/static-board.js";
import { guidanceOf } from "../guidance/index.js";
import { h } from "../lib/dom.js";
import { ClickPath } from "../model/click-path.js";
import { parsePosition } from "../model/notation.js";
import { stepButton } from "../lib/keyboard.js";
import { t, variantName } from "../lib/i18n.js";

/** @typedef {{ start: string | null, options: Options, moves: string[] }} ExampleData */

/** Figure with a board, the note of the current ply, and step buttons. */
export class Example {
  /** @type {Variant} */ variant;
  /** @type {ExampleData} */ example;
  /** @type {string[]} */ notes;
  /** @type {number} */ ply;
  /** @type {{ position: string, trace?: Trace }[]} */ steps;
  /** @type {ClickPath} */ clicks;

  /**
   * @param {Variant} variant
   * @param {ExampleData} example
   * @param {string} title
   * @param {string[]} notes  texts by ply
   */
  constructor(variant, example, title, notes) {
    Object.assign(this, { variant, example, notes, ply: 0, steps: [], clicks: new ClickPath([]) });
    this.board = new StaticBoard(variant.key, {
      board: variant.board,
      label: `${variantName(variant)}: ${title}`,
      createMarks: (board) =>
        new Highlights(
          /** @type {import("../board/board.js").Board} */ (/** @type {unknown} */ (board)),
          guidanceOf(variant.key),
        ),
    });
    this.board.fitCoordinates();
    this.board.svg.addEventListener("click", (event) => this.click(event));
    this.note = h("p", { class: "rules-example-note", role: "status" });
    this.count = h("span", { class: "num soft small" });
    this.back = stepButton("back", () => this.go(this.ply - 1));
    this.next = stepButton("forward", () => this.go(this.ply + 1));
    const frame = h("div", { class: "rules-example-board" }, this.board.svg);
    frame.style.setProperty("--ratio", ratioOf(variant.board));
    this.element = h(
      "figure",
      { class: "rules-example" },
      frame,
      h(
        "figcaption",
        {},
        this.note,
        notes.length > 1 &&
          h("div", { class: "rules-example-steps" }, this.back, this.count, this.next),
      ),
    );
    this.note.textContent = notes[0];
    this.load().catch((refused) => {
      this.note.textContent = refused.message;
    });
  }

  /** Loads the positions; the start is the initial position if the example has none. */
  async load() {
    const { start, options, moves } = this.example;
    const question = { variant: this.variant.key, options, ...(start && { start }) };
    const [begin, { replay = [] }] = await Promise.all([
      start ?? post("/api/position", question).then(({ position }) => position),
      post("/api/position", { ...question, moves, replay: true }),
      loadAnimation(),
    ]);
    this.steps = [{ position: begin }, ...replay];
    this.go(0);
  }

  /**
   * Shows a ply; ignored if out of range.
   * @param {number} ply
   */
  go(ply) {
    const step = this.steps[ply];
    if (!step) return;
    const forward = ply > this.ply;
    this.ply = ply;
    const { cells } = parsePosition(step.position);
    const before = ply ? parsePosition(this.steps[ply - 1].position).cells : null;
    this.clicks = new ClickPath(this.example.moves.slice(ply, ply + 1));
    const state = { cells, before, trace: step.trace, targets: this.clicks.nextCells() };
    // Steps forward are animated.
    if (forward && step.trace) this.board.showMove({ ...state, trace: step.trace });
    else this.board.show(state);
    this.note.textContent = this.notes[ply];
    const u = ply ? `${this.example.moves[ply - 1]} · ` : "";
    this.count.textContent = `${u}${ply} / ${this.steps.length - 1}`;
    this.back.disabled = ply === 0;
    this.next.disabled = ply === this.steps.length - 1;
  }

  /** Marks the chosen cells of the next move, and the cell to be chosen next. */
  drawClicks() {
    const { chosen, moves } = this.clicks;
    const lengths = new Set(moves.map(({ cells }) => cells.length));
    this.board.marks.draw({
      ...this.board.next,
      chosen,
      lengths,
      targets: this.clicks.nextCells(),
    });
  }

  /**
   * A tap on the board: enters the next move of the example, or tells what the cell holds.
   * @param {MouseEvent} event
   */
  click(event) {
    const cell = this.cellAt(event);
    if (!cell) return undefined;
    if (this.clicks.nextCells().has(cell)) {
      const isComplete = this.clicks.click(cell) === "move";
      return isComplete ? this.go(this.ply + 1) : this.drawClicks();
    }
    const { board } = this;
    const label = board.pieceSet.describe(board.tokens.get(cell), board.markOf(cell));
    const hint = this.clicks.nextCells().size ? ` ${t("learn.tapBoard")}` : "";
    this.note.textContent = `${cell}: ${label}.${hint}`;
    return undefined;
  }

  /**
   * Returns the cell under a pointer.
   * @param {MouseEvent} event
   */
  cellAt({ clientX, clientY }) {
    const { left, top, unit } = this.board.scale();
    const [x, y] = [(clientX - left) / unit, (clientY - top) / unit];
    return [...this.board.cellElements.keys()].find((cell) =>
      this.board.at(cell).every((center, axis) => Math.abs(center - [x, y][axis]) <= CELL / 2),
    );
  }
}
