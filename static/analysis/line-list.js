// Move list of the analysis board: the main line in two columns, variations as rows in between,
// nested variations in parentheses. Created by analysis.js, which calls `draw` after each change of
// the tree.
import { h } from "../lib/dom.js";
import { guidanceOf } from "../guidance/index.js";
import { parseCells, parsePosition } from "../model/notation.js";
import { t } from "../lib/i18n.js";

/**
 * Returns the move number of a ply.
 * @param {number} ply
 */
const numberOf = (ply) => Math.ceil(ply / 2);

/** Annotation glyphs of the review, with the phrase keys of their names. */
const ANNOTATION_KEYS = { "?": "analysis.mistake", "??": "analysis.blunder" };

/** View of the move tree. */
export class TreeList {
  /** @type {Map<number, import("./tree.js").Step>} */ steps;
  /** @type {Guidance} */ guidance;
  /** @type {Map<import("./tree.js").Step, keyof typeof ANNOTATION_KEYS>} */ annotations;

  /**
   * @param {(step: import("./tree.js").Step | undefined) => unknown} go  shows a step
   */
  constructor(go) {
    this.element = h("ol", {
      class: "move-tree",
      "aria-label": t("game.moves"),
      "data-empty": t("analysis.nomoves"),
    });
    this.element.addEventListener("click", (event) => {
      const id = /** @type {Element} */ (event.target).closest("button")?.dataset.step;
      if (id) go(this.steps.get(Number(id)));
    });
  }

  /**
   * Redraws the tree.
   * @param {import("./tree.js").Tree} tree
   * @param {Map<import("./tree.js").Step, keyof typeof ANNOTATION_KEYS>} annotations  annotation
   *   glyphs
   */
  draw(tree, annotations) {
    Object.assign(this, { guidance: guidanceOf(tree.variant.key), annotations, steps: new Map() });
    /** @type {HTMLElement[]} */
    const rows = [];
    for (let step = tree.root; step.children.length; [step] = step.children) {
      const [main, ...others] = step.children;
      const open = rows.at(-1);
      if (main.ply % 2 === 0 && open?.dataset.open === "true") open.append(this.button(main));
      else rows.push(this.row(main));
      /** @type {HTMLElement} */ (rows.at(-1)).dataset.open = String(
        others.length === 0 && main.ply % 2 === 1,
      );
      rows.push(
        ...others.map((other) =>
          h(
            "li",
            { class: "move-tree-variation", "aria-label": t("analysis.branch") },
            ...this.inline(other),
          ),
        ),
      );
    }
    this.element.replaceChildren(...rows);
    this.mark(tree.at);
  }

  /**
   * Returns a row of the main line. After variations the second side's move starts its own row,
   * with dots in the first column.
   * @param {import("./tree.js").Step} main
   */
  row(main) {
    const dots =
      main.ply % 2 === 0 && h("span", { class: "move-tree-dots", "aria-hidden": "true" }, "…");
    return h(
      "li",
      {},
      h("i", { "aria-hidden": "true" }, numberOf(main.ply)),
      dots,
      this.button(main),
    );
  }

  /**
   * Returns the moves of a variation, with nested variations in parentheses.
   * @param {import("./tree.js").Step} first
   * @returns {HTMLElement[]}
   */
  inline(first) {
    /** @type {HTMLElement[]} */
    const parts = [];
    let numbered = true;
    const put = (/** @type {import("./tree.js").Step} */ step) => {
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
        parts.push(h("span", { class: "move-tree-nested" }, "(", ...this.inline(other), ")"));
      numbered = others.length > 0;
    }
    return parts;
  }

  /** @param {import("./tree.js").Step} step */
  button(step) {
    this.steps.set(step.id, step);
    const { cells } = parsePosition(/** @type {import("./tree.js").Step} */ (step.parent).position);
    const change = { trace: step.trace, before: parseCells(cells) };
    const text = this.guidance.listText?.(step.u, change) ?? step.u;
    const annotation = this.annotations.get(step);
    return h(
      "button",
      { type: "button", "data-step": step.id, "data-ply": step.ply },
      text,
      annotation &&
        h(
          "b",
          { class: "move-annotation", title: t(ANNOTATION_KEYS[annotation]) },
          annotation,
          h("span", { class: "visually-hidden" }, ` ${t(ANNOTATION_KEYS[annotation])}`),
        ),
    );
  }

  /**
   * Highlights the current step and scrolls the list, but never the page, to it.
   * @param {import("./tree.js").Step} step
   */
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
