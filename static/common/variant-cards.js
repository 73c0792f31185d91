// Cards of the variants: picture, tagline, link to the rules, and a button to play. Pictures are
// drawn when the browser is idle, in elements of fixed size. Used by the lobby; `emptyBoard` also
// illustrates empty lists.
import { BoardSvg } from "../board/render.js";
import { h, setText } from "../lib/dom.js";
import { pieceSetOf, icon } from "../variants/index.js";
import { rulesPath } from "./header.js";
import { finishedLessons } from "../lib/settings.js";
import { t, variantName } from "../lib/i18n.js";

/** Width of the frame of a picture, which has no coordinates. */
const FRAME = 16;

/** Safari lacks `requestIdleCallback`. */
const whenIdle = globalThis.requestIdleCallback ?? ((draw) => setTimeout(draw, 1));

/**
 * Draws a board as a picture, with a narrow frame and without coordinates.
 * @param {{ key: string, board: { cols: number, rows: number } }} variant
 * @param {string} cells
 * @returns {SVGElement}
 */
export const boardPicture = ({ key, board }, cells) => {
  const svgBoard = new BoardSvg(key, { board, label: "", live: false });
  svgBoard.coords.remove();
  svgBoard.drawTokens({ cells });
  const [width, height] = svgBoard.size();
  const cut = svgBoard.frame - FRAME;
  svgBoard.svg.setAttribute("viewBox", [cut, cut, width - 2 * cut, height - 2 * cut].join(" "));
  svgBoard.svg.setAttribute("aria-hidden", "true");
  return svgBoard.svg;
};

/**
 * Draws the empty board of a variant.
 * @param {{ key: string, board: { cols: number, rows: number, marks?: string[] } }} variant
 * @returns {SVGElement}
 */
export const emptyBoard = (variant) => {
  const { cols, rows, marks } = variant.board;
  const row = (/** @type {unknown} */ _, /** @type {number} */ at) =>
    Array.from({ length: cols }, (__, col) => (marks?.[at]?.[col] === "#" ? "#" : ".")).join(",");
  return boardPicture(variant, Array.from({ length: rows }, row).join("/"));
};

/** List of the variant cards. */
export class VariantCards {
  /** @type {Map<string, HTMLElement>} */ counts;

  /**
   * `play(variant)` is called by the button of a card.
   * @param {Catalog} catalog
   * @param {(variant: Variant) => unknown} play
   */
  constructor(catalog, play) {
    this.counts = new Map();
    this.element = h(
      "ul",
      { class: "variant-list", "aria-label": t("variants.title") },
      ...[...catalog.values()].map((variant) => this.item(variant, play)),
      // Sixth item of a grid with three columns.
      h(
        "li",
        { class: "variant-list-rules" },
        h("p", {}, t("rules.lead")),
        h("a", { class: "btn", href: "/rules" }, t("rules.title")),
      ),
    );
  }

  /**
   * @param {Variant} variant
   * @param {(variant: Variant) => unknown} play
   */
  item(variant, play) {
    const name = variantName(variant);
    const place = h("span", { class: "variant-card-board" });
    const { sampleCells: moment } = pieceSetOf(variant.key);
    whenIdle(() => place.append(moment ? boardPicture(variant, moment) : icon(variant.key)));
    const count = h("span", { class: "small weak num" });
    this.counts.set(variant.key, count);
    const isLearned = finishedLessons.get().includes(variant.key);
    return h(
      "li",
      { "data-key": variant.key },
      h(
        "a",
        {
          class: "variant-card-link",
          href: rulesPath(variant.key),
          title: `${name}: ${t("rules.title")}`,
        },
        place,
        h(
          "span",
          { class: "variant-card-name" },
          h("b", {}, name),
          h("span", { class: "small soft" }, t(`tagline.${variant.key}`)),
        ),
      ),
      h(
        "span",
        { class: "variant-card-foot" },
        h(
          "button",
          {
            class: "btn",
            type: "button",
            "aria-label": t("variants.play", { name }),
            onclick: () => play(variant),
          },
          t("computer.play"),
        ),
        h(
          "a",
          {
            class: "btn btn-quiet",
            href: `/learn/${variant.key}`,
            "aria-label": t(isLearned ? "variants.learned" : "variants.lesson", { name }),
          },
          t("variants.learn"),
          isLearned && " ✓",
        ),
        count,
      ),
    );
  }

  /**
   * Shows the number of games in play of each variant.
   * @param {readonly { variant: { key: string } }[]} games
   */
  showCounts(games) {
    for (const [key, element] of this.counts) {
      const n = games.filter(({ variant }) => variant.key === key).length;
      const text = n ? t("variants.on", { n }) : "";
      setText(element, text);
    }
  }
}
