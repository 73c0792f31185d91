// Exercise at a turning point of a review: the user looks for a better move than the one played.
// Created by analysis.js, which passes it every move of the user while it is open. The engine's
// panel is hidden meanwhile. A tried move stays in the move tree only if it solves the exercise.
import { post } from "../lib/http.js";
import { parsePosition } from "../model/notation.js";
import { t, sideName } from "../lib/i18n.js";
import { MISTAKE_MIN_LOSS } from "./review.js";
import { chanceText } from "./winning-chances.js";

/** Search limit for a tried move, as for a ply of a review. */
const NODES_MAX = 20000;

/** Exercise: the position before a mistake, and what has been tried in it. */
export class BetterMove {
  /** @type {import("./analysis.js").Analysis} */ analysis;
  /** @type {import("./tree.js").Step} */ mistake;
  /** @type {import("./tree.js").Step} */ start;
  /** @type {ReviewLine} */ review;
  /** @type {import("./tree.js").Step | null} */ tried;
  /** @type {StatusContent} */ status;

  /**
   * @param {import("./analysis.js").Analysis} analysis
   * @param {import("./tree.js").Step} mistake
   * @param {ReviewLine} review  review of the position before the mistake
   */
  constructor(analysis, mistake, review) {
    const start = /** @type {import("./tree.js").Step} */ (mistake.parent);
    Object.assign(this, { analysis, mistake, start, review, tried: null });
    this.side = parsePosition(start.position).turn;
    this.ask();
  }

  /** Shows the position before the mistake. */
  async open() {
    await this.analysis.go(this.start, true);
  }

  /**
   * Returns whether the exercise goes on while a step is shown.
   * @param {import("./tree.js").Step} step
   */
  includes(step) {
    return step === this.start || step === this.tried;
  }

  /** Returns the values of the phrases: the side, the move played and the best one. */
  get values() {
    return {
      side: sideName(this.analysis.tree.variant, this.side),
      u: this.mistake.u,
      best: this.review.best,
    };
  }

  /** @returns {StatusButton} */
  get showButton() {
    return [t("better.show"), () => this.show()];
  }

  /** @returns {StatusButton} */
  get endButton() {
    return [t("better.end"), () => this.analysis.endExercise()];
  }

  ask() {
    this.status = [
      t("better.find", this.values),
      t("better.played", this.values),
      [this.showButton, this.endButton],
    ];
  }

  /** Shows the position again; a move that did not solve the exercise is deleted. */
  async retry() {
    const { tried, analysis } = this;
    this.tried = null;
    this.ask();
    if (tried && analysis.tree.canDelete(tried, analysis.played)) analysis.tree.deleteStep(tried);
    await analysis.go(this.start, true);
  }

  /** Plays the engine's move. */
  async show() {
    if (this.tried) await this.retry();
    await this.analysis.play(/** @type {string} */ (this.review.best));
  }

  /**
   * Sets the move that is tried, before it is shown.
   * @param {import("./tree.js").Step} step
   */
  setTried(step) {
    this.tried = step;
  }

  /**
   * Judges a move that has been played from the start of the exercise.
   * @param {import("./tree.js").Step} step
   */
  async judge(step) {
    this.tried = step;
    this.status = [t("better.judging")];
    const { review } = this;
    if (step.u === review.best) return this.solve(t("better.best", this.values));
    /** @type {StatusButton[]} */
    const buttons = [[t("better.again"), () => this.retry(), "btn-primary"], this.showButton];
    if (step === this.mistake) {
      this.status = [t("better.same", this.values), "", buttons];
      return undefined;
    }
    const chance = await this.chanceAfter(step).catch((refused) => {
      this.status = [t("better.unknown"), refused.message, buttons];
      return null;
    });
    if (chance === null || this.tried !== step) return undefined;
    const percent = { chance: chanceText(chance) };
    if (this.sideChance(review.chance) - chance < MISTAKE_MIN_LOSS)
      return this.solve(t("better.good", percent), t("better.preferred", this.values));
    this.status = [t("better.worse", percent), "", buttons];
    return undefined;
  }

  /**
   * Returns the chance of the side that looks for the move, from that of the first side.
   * @param {number} chance
   */
  sideChance(chance) {
    return this.side === "first" ? chance : 1 - chance;
  }

  /**
   * Returns the chance of the side after a move, 0 to 1.
   * @param {import("./tree.js").Step} step
   * @returns {Promise<number>}
   */
  async chanceAfter(step) {
    const { tree } = this.analysis;
    const { outcome } = /** @type {Answer} */ (await tree.loadAnswer(step));
    if (outcome) return outcome === "draw" ? 0.5 : Number(outcome === this.side);
    const { lines } = await post("/api/analysis", {
      ...tree.requestFor(step),
      lines: 1,
      nodes: NODES_MAX,
    });
    return this.sideChance(lines[0].chance);
  }

  /**
   * Ends the search for a move, and offers the next turning point.
   * @param {string} title
   * @param {string} [more]
   */
  solve(title, more = "") {
    const { analysis, mistake } = this;
    analysis.review?.reveal(mistake);
    const next = analysis.review?.nextMistake(mistake);
    this.status = [
      title,
      more,
      next
        ? [[t("better.next"), () => analysis.tryBetter(next), "btn-primary"], this.endButton]
        : [this.endButton],
    ];
  }
}
