// Engine panel of the analysis board: evaluation bar, best lines and search depth for the current
// step. Created by analysis.js. The search runs on the server and starts after a delay; leaving the
// step aborts it. Results are cached in the steps. The on/off switch is a setting.
import { post } from "../lib/http.js";
import { chanceText, scoreText } from "./winning-chances.js";
import { h, toggle } from "../lib/dom.js";
import { parsePosition } from "../model/notation.js";
import { isReachable, onReachabilityChange } from "../lib/connectivity.js";
import { engineSetting } from "../lib/settings.js";
import { t, sideName } from "../lib/i18n.js";

/** Debounce delay: stepping through moves sends no requests. */
const DEBOUNCE_MS = 250;
/** Retry delay after a transient error, and the error codes that are transient. */
const RETRY_DELAY_MS = 3000;
/** @type {(string | undefined)[]} */
const TRANSIENT = ["busy", "tooFast", "replaced"];

/** Number of lines and search limit per request. */
const LINE_COUNT = 3;
const NODES_MAX = 200000;

/** Engine panel. */
export class Engine {
  /** @type {(u: string) => unknown} */ play;
  /** @type {(u: string | null) => unknown} */ found;
  /** @type {boolean} */ on;
  /** @type {boolean} */ isPaused;
  /** @type {AbortController | null} */ controller;
  /** @type {import("./tree.js").Tree} */ tree;
  /** @type {number} */ timer;

  /**
   * @param {(u: string) => unknown} play
   * @param {(u: string | null) => unknown} found  called with the best move, or null to remove its
   *   mark
   */
  constructor(play, found) {
    Object.assign(this, {
      play,
      found,
      on: engineSetting.get(),
      isPaused: false,
      controller: null,
    });
    this.bar = h(
      "div",
      { class: "engine-chances", role: "img", "aria-label": t("analysis.thinking") },
      h("b", { class: "num" }),
      h("span", { class: "engine-bar", "aria-hidden": "true" }, h("i", {}), h("i", {})),
      h("b", { class: "num" }),
    );
    this.lines = h("ol", { class: "engine-lines", "aria-label": t("analysis.lines") });
    this.status = h("p", { class: "small weak num", role: "status", "aria-live": "off" });
    this.body = h("div", { class: "engine-output" }, this.bar, this.lines, this.status);
    this.element = h(
      "section",
      { class: "engine" },
      toggle(t("analysis.engine"), this.on, (on) => this.setEnabled(on), t("analysis.enginewhy")),
      this.body,
    );
    this.body.hidden = !this.on;
    onReachabilityChange(() => this.tree && this.analyze(this.tree));
  }

  /** @param {boolean} on */
  setEnabled(on) {
    this.on = on;
    engineSetting.set(on);
    this.body.hidden = !on;
    this.analyze(this.tree);
  }

  /**
   * Hides the panel while the user looks for a move.
   * @param {boolean} isPaused
   */
  setPaused(isPaused) {
    this.isPaused = isPaused;
    this.element.classList.toggle("is-hidden", isPaused);
    this.analyze(this.tree);
  }

  /**
   * Switches to the current step of a tree; shows the cached result or starts a search.
   * @param {import("./tree.js").Tree} tree
   */
  analyze(tree) {
    this.tree = tree;
    this.stop();
    const { at } = tree;
    this.found(null);
    if (!this.on || this.isPaused) return;
    this.body.classList.toggle("is-offline", !at.analysis && !isReachable());
    if (at.analysis) this.show(at);
    else if (!isReachable()) this.status.textContent = t("analysis.away");
    else {
      this.markOutdated();
      this.timer = setTimeout(() => this.request(at), DEBOUNCE_MS);
    }
  }

  stop() {
    clearTimeout(this.timer);
    this.controller?.abort();
    this.controller = null;
  }

  /** Dims the previous result, which stays visible to avoid a layout shift. */
  markOutdated() {
    this.body.classList.add("is-outdated");
    this.status.textContent = t("analysis.thinking");
  }

  /**
   * Requests an analysis of a step.
   * @param {import("./tree.js").Step} step
   */
  async request(step) {
    this.controller = new AbortController();
    const question = { ...this.tree.requestFor(step), lines: LINE_COUNT, nodes: NODES_MAX };
    try {
      step.setAnalysis(await post("/api/analysis", question, this.controller.signal));
    } catch (refused) {
      if (this.tree.at === step && this.on && this.controller) this.onError(refused, step);
      return;
    }
    if (this.tree.at === step && this.on && !this.isPaused) this.show(step);
  }

  /**
   * Shows an error; retries after a transient one.
   * @param {import("../lib/http.js").ApiError} error
   * @param {import("./tree.js").Step} step
   */
  onError(error, step) {
    this.status.textContent = error.reason === "busy" ? t("analysis.busy") : error.message;
    if (TRANSIENT.includes(error.reason))
      this.timer = setTimeout(() => this.request(step), RETRY_DELAY_MS);
  }

  /** @param {import("./tree.js").Step} step */
  show(step) {
    const { lines, depth, nodes } = step.analysis;
    const { variant } = this.tree;
    const turn = parsePosition(step.position).turn;
    this.body.classList.remove("is-outdated");
    this.bar.hidden = lines.length === 0;
    this.lines.replaceChildren(...lines.map((line) => this.line(line, turn)));
    this.status.textContent = lines.length
      ? t("analysis.looked", { side: sideName(variant, turn), depth, n: nodes })
      : t("analysis.over");
    if (!lines.length) return this.found(null);
    const first = lines[0].chance;
    const [one, bar, two] = this.bar.children;
    one.textContent = `${sideName(variant, "first")} ${chanceText(first)}`;
    two.textContent = `${chanceText(1 - first)} ${sideName(variant, "second")}`;
    // The sides keep their colors in every theme.
    [...bar.children].forEach((share, at) =>
      share.setAttribute("class", `engine-bar-${variant.sides[at]}`),
    );
    /** @type {HTMLElement} */ (bar.firstChild).style.width = `${100 * first}%`;
    this.bar.setAttribute("aria-label", `${one.textContent}, ${two.textContent}`);
    return this.found(lines[0].moves[0]);
  }

  /**
   * Returns a list item with a button that plays the first move of a line. The chance is shown from
   * the point of view of the side to move.
   * @param {Analysis["lines"][number]} line
   * @param {Side} turn
   */
  line({ moves, score, chance }, turn) {
    const [u, ...rest] = moves;
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", onclick: () => this.play(u), title: moves.join(" ") },
        h("b", { class: "num" }, chanceText(turn === "first" ? chance : 1 - chance)),
        h("span", { class: "engine-line-score num" }, scoreText(score)),
        h(
          "span",
          { class: "engine-line-moves" },
          h("b", {}, u),
          rest.length > 0 && ` ${rest.join(" ")}`,
        ),
      ),
    );
  }
}
