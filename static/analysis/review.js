// Review of a finished game: winning chances at every ply, and the moves that lost much of them.
// Created by analysis.js. The server streams one line per ply (NDJSON); the plot grows as lines
// arrive.
import { ApiError } from "../lib/http.js";
import { ChancePlot, chanceText } from "./winning-chances.js";
import { h } from "../lib/dom.js";
import { parsePosition } from "../model/notation.js";
import { t, sideName } from "../lib/i18n.js";

/** Loss of winning chances, 0 to 1, from which a move counts as a mistake or a blunder. */
export const MISTAKE_MIN_LOSS = 0.15;
const BLUNDER_MIN_LOSS = 0.3;

/**
 * Reads the streamed lines of a review.
 * @param {string} id
 * @param {(line: ReviewLine) => unknown} onLine  called with each line
 */
const readReview = async (id, onLine) => {
  const response = await fetch(`/api/game/${encodeURIComponent(id)}/review`).catch(() => {
    throw new ApiError(0, null);
  });
  if (!response.ok) throw new ApiError(response.status, await response.json().catch(() => null));
  const reader = /** @type {ReadableStream<any>} */ (response.body)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read().catch(() => {
      throw new ApiError(0, null);
    });
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    lines.filter((line) => line.trim()).forEach((line) => onLine(JSON.parse(line)));
  }
};

/** Review panel. */
export class Review {
  /** @type {string} */ id;
  /** @type {import("./tree.js").Tree} */ tree;
  /** @type {(step: import("./tree.js").Step) => unknown} */ go;
  /** @type {() => unknown} */ onAnnotate;
  /** @type {(step: import("./tree.js").Step) => unknown} */ onTry;
  /** @type {Set<import("./tree.js").Step>} */ revealed;
  /** @type {import("./tree.js").Step[]} */ steps;
  /** @type {ReviewLine[]} */ plies;
  /** @type {Map<import("./tree.js").Step, "?" | "??">} */ annotations;
  /** @type {boolean} */ running;

  /**
   * `go(step)` shows a step; `onTry(step)` lets the user look for a better move than a mistake;
   * `onAnnotate()` is called after a change of the annotation glyphs. The tree must hold the main
   * line of the game only.
   * @param {string} id
   * @param {import("./tree.js").Tree} tree
   * @param {{
   *   go: (step: import("./tree.js").Step) => unknown,
   *   onTry: (step: import("./tree.js").Step) => unknown,
   *   onAnnotate: () => unknown,
   * }} callbacks
   */
  constructor(id, tree, { go, onTry, onAnnotate }) {
    Object.assign(this, {
      id,
      tree,
      go,
      onTry,
      onAnnotate,
      revealed: new Set(),
      steps: tree.line(),
      plies: [],
      annotations: new Map(),
    });
    this.plot = new ChancePlot((ply) => go(this.steps[ply]));
    this.button = h(
      "button",
      { type: "button", class: "btn btn-primary", onclick: () => this.start() },
      t("analysis.review"),
    );
    this.status = h("p", { class: "small soft num", role: "status" });
    this.list = h("ol", { class: "review-mistakes" });
    this.stage = h("div", { class: "review-content" }, this.button);
    this.element = h(
      "section",
      { class: "card analysis-review" },
      h("h2", {}, t("analysis.chances")),
      this.stage,
      this.status,
      this.list,
    );
    new ResizeObserver(() => this.plies.length && this.draw()).observe(this.stage);
  }

  async start() {
    if (this.running) return;
    this.running = true;
    this.plies = [];
    this.annotations.clear();
    this.revealed.clear();
    this.onAnnotate();
    // Screen readers announce the result only, not the progress.
    this.status.setAttribute("aria-live", "off");
    this.stage.replaceChildren(this.plot.element);
    try {
      await readReview(this.id, (line) => this.addLine(line));
      this.finish();
    } catch (refused) {
      this.stage.replaceChildren(this.button);
      this.status.removeAttribute("aria-live");
      this.status.textContent = refused.message;
    }
    this.running = false;
  }

  /** @param {ReviewLine} line */
  addLine(line) {
    this.plies[line.ply] = line;
    this.status.textContent = t("analysis.reviewing", { n: line.ply, of: this.steps.length - 1 });
    this.annotate(line.ply);
    this.draw();
  }

  /**
   * Annotates the move before a ply if it lost much and was not the engine's choice.
   * @param {number} ply
   */
  annotate(ply) {
    const before = this.plies[ply - 1];
    if (!before || before.played === before.best) return;
    const lost = this.chanceFor(ply - 1, ply - 1) - this.chanceFor(ply, ply - 1);
    if (lost < MISTAKE_MIN_LOSS) return;
    this.annotations.set(this.steps[ply], lost < BLUNDER_MIN_LOSS ? "?" : "??");
    this.onAnnotate();
  }

  /**
   * Returns the chance at a ply, 0 to 1, of the side that was to move at another ply.
   * @param {number} ply
   * @param {number} mover
   */
  chanceFor(ply, mover) {
    const { chance } = this.plies[ply];
    return parsePosition(this.steps[mover].position).turn === "first" ? chance : 1 - chance;
  }

  draw() {
    const { variant } = this.tree;
    const names = /** @type {Side[]} */ (["first", "second"]).map((side) =>
      sideName(variant, side),
    );
    /** @type {[ply: number, sign: string][]} */
    const annotations = [...this.annotations].map(([step, annotation]) => [step.ply, annotation]);
    const chances = this.plies.map(({ chance }) => chance);
    const description = t("analysis.plot", {
      side: names[0],
      n: annotations.length,
      first: chanceText(chances[0]),
      last: chanceText(chances[chances.length - 1]),
    });
    this.plot.draw(chances, {
      width: this.stage.clientWidth || 320,
      plies: this.steps.length - 1,
      annotations,
      label: description,
      names,
    });
    this.mark(this.tree.at);
  }

  finish() {
    this.status.removeAttribute("aria-live");
    this.status.textContent = this.annotations.size
      ? t("analysis.turning")
      : t("analysis.noturning");
    this.drawList();
  }

  drawList() {
    this.list.replaceChildren(
      ...[...this.annotations].map(([step, annotation]) => this.mistakeItem(step, annotation)),
    );
  }

  /**
   * Names the better move in the list of mistakes.
   * @param {import("./tree.js").Step} mistake
   */
  reveal(mistake) {
    this.revealed.add(mistake);
    this.drawList();
  }

  /**
   * Returns the first mistake after another one whose better move is not known yet.
   * @param {import("./tree.js").Step} mistake
   */
  nextMistake(mistake) {
    return [...this.annotations.keys()].find(
      (step) => step.ply > mistake.ply && !this.revealed.has(step),
    );
  }

  /**
   * Returns the list item of a mistake, with a button that shows its step and one that lets the
   * user look for a better move, which is named afterwards.
   * @param {import("./tree.js").Step} step
   * @param {"?" | "??"} annotation
   */
  mistakeItem(step, annotation) {
    const { best } = this.plies[step.ply - 1];
    const [from, to] = [
      this.chanceFor(step.ply - 1, step.ply - 1),
      this.chanceFor(step.ply, step.ply - 1),
    ];
    const side = sideName(
      this.tree.variant,
      parsePosition(/** @type {import("./tree.js").Step} */ (step.parent).position).turn,
    );
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", onclick: () => this.go(step) },
        h(
          "b",
          { class: "num" },
          `${Math.ceil(step.ply / 2)}${step.ply % 2 ? "." : "…"} ${step.u} `,
          h("span", { class: "move-annotation" }, annotation),
        ),
        h(
          "span",
          { class: "small soft num" },
          `${side}: ${chanceText(from)} → ${chanceText(to)}.`,
          this.revealed.has(step) && ` ${t("analysis.better", { u: best })}`,
        ),
      ),
      h("button", { type: "button", onclick: () => this.onTry(step) }, t("better.try")),
    );
  }

  /**
   * Moves the cursor of the plot to a step; a step outside the game hides it.
   * @param {import("./tree.js").Step} step
   */
  mark(step) {
    this.plot.mark(this.steps[step.ply] === step ? step.ply : null);
  }
}
