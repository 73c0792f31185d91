// The moves of a tree: the main line in two columns, what else was tried between its rows.
import { h } from "../lib/dom.js";
import { glyphOf } from "../variants/index.js";
import { partsOf } from "../model/notation.js";
import { say } from "../lib/i18n.js";

const numberOf = (ply) => Math.ceil(ply / 2);

/** The signs of turning points, and what they are called. */
const SIGNS = { "?": "analysis.mistake", "??": "analysis.blunder" };

export class TreeList {
  /** @type {Map<number, any>} */ steps;
  /** @type {Glyph} */ glyph;
  /** @type {Map<import("./tree.js").Step, string>} */ signs;

  /**
   * `go(step)` looks at a step.
   * @param {(step: import("./tree.js").Step) => unknown} go
   */
  constructor(go) {
    this.element = h("ol", {
      class: "tree",
      "aria-label": say("game.moves"),
      "data-empty": say("analysis.nomoves"),
    });
    this.element.addEventListener("click", (event) => {
      const id = /** @type {Element} */ (event.target).closest("button")?.dataset.step;
      if (id) go(this.steps.get(Number(id)));
    });
  }

  /** Draws the whole tree; `signs` tells what is marked. */
  draw(tree, signs) {
    Object.assign(this, { glyph: glyphOf(tree.variant.key), signs, steps: new Map() });
    const rows = [];
    for (let step = tree.root; step.children.length; [step] = step.children) {
      const [main, ...others] = step.children;
      const open = rows.at(-1);
      if (main.ply % 2 === 0 && open?.dataset.open === "true") open.append(this.button(main));
      else rows.push(this.row(main));
      rows.at(-1).dataset.open = String(others.length === 0 && main.ply % 2 === 1);
      rows.push(
        ...others.map((other) =>
          h("li", { class: "branch", "aria-label": say("analysis.branch") }, ...this.inline(other)),
        ),
      );
    }
    this.element.replaceChildren(...rows);
    this.mark(tree.at);
  }

  /** A row of the main line; whoever is second begins it if something stands between. */
  row(main) {
    const dots = main.ply % 2 === 0 && h("span", { class: "dots", "aria-hidden": "true" }, "…");
    return h(
      "li",
      {},
      h("i", { "aria-hidden": "true" }, numberOf(main.ply)),
      dots,
      this.button(main),
    );
  }

  /** A line beside the main one: its moves, with what else was tried in parentheses. */
  inline(first) {
    const parts = [];
    let numbered = true;
    const put = (step) => {
      if (numbered || step.ply % 2)
        parts.push(
          h("i", { "aria-hidden": "true" }, `${numberOf(step.ply)}${step.ply % 2 ? "." : "…"}`),
        );
      parts.push(this.button(step));
      numbered = false;
    };
    put(first);
    for (let step = first; step.children.length; [step] = step.children) {
      const [main, ...others] = step.children;
      put(main);
      for (const other of others)
        parts.push(h("span", { class: "aside" }, "(", ...this.inline(other), ")"));
      numbered = others.length > 0;
    }
    return parts;
  }

  button(step) {
    this.steps.set(step.id, step);
    const { cells } = partsOf(step.parent.position);
    const text = this.glyph.told?.(step.u, cells, step.trace) ?? step.u;
    const sign = this.signs.get(step);
    return h(
      "button",
      { type: "button", "data-step": step.id, "data-ply": step.ply },
      text,
      sign &&
        h(
          "b",
          { class: "sign", title: say(SIGNS[sign]) },
          sign,
          h("span", { class: "unseen" }, ` ${say(SIGNS[sign])}`),
        ),
    );
  }

  /** Marks the step that is looked at, and brings it into sight; the page itself never scrolls. */
  mark(step) {
    const { element } = this;
    element.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const button = element.querySelector(`[data-step="${step.id}"]`);
    if (!button) {
      element.scrollTop = 0;
      return;
    }
    button.setAttribute("aria-current", "true");
    const [box, frame] = [button.getBoundingClientRect(), element.getBoundingClientRect()];
    if (box.top < frame.top || box.bottom > frame.bottom)
      element.scrollTop += box.top - frame.top - frame.height / 2;
  }
}
