// The engine beside the board: switched on, it says what it would play from where one looks.
import { post } from "../lib/http.js";
import { chanceText, scoreText } from "./winning-chances.js";
import { h, toggle } from "../lib/dom.js";
import { partsOf } from "../model/notation.js";
import { isThere, onReach } from "../lib/connectivity.js";
import { say, sideName } from "../lib/i18n.js";

/** Who steps through the moves asks nothing on the way. */
const WAIT_MS = 250;
/** After a refusal that passes, it is asked again. */
const AGAIN_MS = 3000;
const PASSING = ["busy", "tooFast", "replaced"];

const LINES = 3;
const NODES = 200000;
const KEY = "engine";

const stored = () => {
  try {
    return localStorage.getItem(KEY) === "on";
  } catch {
    return false;
  }
};

const store = (on) => {
  try {
    localStorage.setItem(KEY, on ? "on" : "off");
  } catch {
    // It then lasts as long as the page.
  }
};

export class Engine {
  /** @type {(u: string) => unknown} */ play;
  /** @type {(u: string | null) => unknown} */ found;
  /** @type {boolean} */ on;
  /** @type {AbortController | null} */ asking;
  /** @type {import("./tree.js").Tree} */ tree;
  /** @type {number} */ timer;

  /**
   * `play(u)` plays a move; `found(u)` is told what to mark as the best move, or null.
   * @param {(u: string) => unknown} play
   * @param {(u: string | null) => unknown} found
   */
  constructor(play, found) {
    Object.assign(this, { play, found, on: stored(), asking: null });
    this.bar = h(
      "div",
      { class: "chance", role: "img", "aria-label": say("analysis.thinking") },
      h("b", { class: "num" }),
      h("span", { class: "beam", "aria-hidden": "true" }, h("i", {}), h("i", {})),
      h("b", { class: "num" }),
    );
    this.lines = h("ol", { class: "lines", "aria-label": say("analysis.lines") });
    this.status = h("p", { class: "small weak num", role: "status", "aria-live": "off" });
    this.body = h("div", { class: "thought" }, this.bar, this.lines, this.status);
    this.element = h(
      "section",
      { class: "engine" },
      toggle(say("analysis.engine"), this.on, (on) => this.turn(on), say("analysis.enginewhy")),
      this.body,
    );
    this.body.hidden = !this.on;
    onReach(() => this.tree && this.look(this.tree));
  }

  turn(on) {
    this.on = on;
    store(on);
    this.body.hidden = !on;
    this.look(this.tree);
  }

  /** From now on it is about the step that is looked at. */
  look(tree) {
    this.tree = tree;
    this.stop();
    const { at } = tree;
    this.found(null);
    if (!this.on) return;
    this.body.classList.toggle("away", !at.thought && !isThere());
    if (at.thought) this.show(at);
    else if (!isThere()) this.status.textContent = say("analysis.away");
    else {
      this.wait();
      this.timer = setTimeout(() => this.ask(at), WAIT_MS);
    }
  }

  stop() {
    clearTimeout(this.timer);
    this.asking?.abort();
    this.asking = null;
  }

  /** What stood there stays, so that nothing jumps, but says that it is not of now. */
  wait() {
    this.body.classList.add("old");
    this.status.textContent = say("analysis.thinking");
  }

  async ask(step) {
    this.asking = new AbortController();
    const question = { ...this.tree.question(step), lines: LINES, nodes: NODES };
    try {
      step.thought = await post("/api/analysis", question, this.asking.signal);
    } catch (refused) {
      if (this.tree.at === step && this.on && this.asking) this.refused(refused, step);
      return;
    }
    if (this.tree.at === step && this.on) this.show(step);
  }

  refused(refused, step) {
    this.status.textContent = refused.reason === "busy" ? say("analysis.busy") : refused.message;
    if (PASSING.includes(refused.reason)) this.timer = setTimeout(() => this.ask(step), AGAIN_MS);
  }

  show(step) {
    const { lines, depth, nodes } = step.thought;
    const { variant } = this.tree;
    const turn = partsOf(step.position).turn;
    this.body.classList.remove("old");
    this.bar.hidden = lines.length === 0;
    this.lines.replaceChildren(...lines.map((line) => this.line(line, turn)));
    this.status.textContent = lines.length
      ? say("analysis.looked", { side: sideName(variant, turn), depth, n: nodes })
      : say("analysis.over");
    if (!lines.length) return this.found(null);
    const first = lines[0].chance;
    const [one, beam, two] = this.bar.children;
    one.textContent = `${sideName(variant, "first")} ${chanceText(first)}`;
    two.textContent = `${chanceText(1 - first)} ${sideName(variant, "second")}`;
    // Each side has its colour, whatever the theme.
    [...beam.children].forEach((share, at) => share.setAttribute("class", variant.sides[at]));
    /** @type {HTMLElement} */ (beam.firstChild).style.width = `${100 * first}%`;
    this.bar.setAttribute("aria-label", `${one.textContent}, ${two.textContent}`);
    return this.found(lines[0].moves[0]);
  }

  /** A line as a button that plays its first move; its worth is told for whoever is to move. */
  line({ moves, score, chance }, turn) {
    const [u, ...rest] = moves;
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", onclick: () => this.play(u), title: moves.join(" ") },
        h("b", { class: "num" }, chanceText(turn === "first" ? chance : 1 - chance)),
        h("span", { class: "score num" }, scoreText(score)),
        h("span", { class: "way" }, h("b", {}, u), rest.length > 0 && ` ${rest.join(" ")}`),
      ),
    );
  }
}
