// An example that can be stepped through, drawn by the same board as a game, from real positions:
// the server plays its moves.
import { post } from "./api.js";
import { ratioOf } from "./board-drawing.js";
import { Seen, readyToMove } from "./board-seen.js";
import { h } from "./dom.js";
import { partsOf } from "./notation.js";
import { stepButton } from "./steps.js";
import { variantName } from "./words.js";
import "./coordinates.js";

export class Example {
  /** @type {Variant} */ variant;
  /** @type {{ start: string | null, options: Options, moves: string[] }} */ example;
  /** @type {string[]} */ notes;
  /** @type {number} */ ply;
  /** @type {{ position: string, trace?: Trace }[]} */ steps;

  /**
   * An example of a variant: `{ start, options, moves }`, and what is said at each ply.
   * @param {Variant} variant
   * @param {{ start: string | null, options: Options, moves: string[] }} example
   * @param {string} title
   * @param {string[]} notes
   */
  constructor(variant, example, title, notes) {
    Object.assign(this, { variant, example, notes, ply: 0, steps: [] });
    this.board = new Seen(variant.key, { board: variant.board, label: `${variantName(variant)}: ${title}` });
    this.note = h("p", { class: "note", role: "status" });
    this.count = h("span", { class: "num soft small" });
    this.back = stepButton("back", () => this.go(this.ply - 1));
    this.next = stepButton("forward", () => this.go(this.ply + 1));
    const frame = h("div", { class: "board" }, this.board.svg);
    frame.style.setProperty("--ratio", ratioOf(variant.board));
    this.element = h("figure", { class: "example" }, frame, h("figcaption", {}, this.note, notes.length > 1 && h("div", { class: "steps" }, this.back, this.count, this.next)));
    this.note.textContent = notes[0];
    this.load().catch((refused) => {
      this.note.textContent = refused.message;
    });
  }

  async load() {
    const { start, options, moves } = this.example;
    const question = { variant: this.variant.key, options, ...(start && { start }) };
    const [begin, { replay }] = await Promise.all([start ?? post("/api/position", question).then(({ position }) => position), post("/api/position", { ...question, moves, replay: true }), readyToMove()]);
    this.steps = [{ position: begin }, ...replay];
    this.go(0);
  }

  go(ply) {
    const step = this.steps[ply];
    if (!step) return;
    const forward = ply > this.ply;
    this.ply = ply;
    const { cells } = partsOf(step.position);
    const before = ply ? partsOf(this.steps[ply - 1].position).cells : null;
    // A first look shows what is there; a step shows what it did.
    if (forward && step.trace) this.board.follow({ cells, before, trace: step.trace });
    else this.board.show({ cells, before, trace: step.trace });
    this.note.textContent = this.notes[ply];
    const u = ply ? `${this.example.moves[ply - 1]} · ` : "";
    this.count.textContent = `${u}${ply} / ${this.steps.length - 1}`;
    this.back.disabled = ply === 0;
    this.next.disabled = ply === this.steps.length - 1;
  }
}
