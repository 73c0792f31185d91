// Text of scores and winning chances, and the plot of the chances in a game. The area from the
// bottom of the plot is the first side's chance. Used by the engine and review panels of the
// analysis board.
import { s } from "../lib/dom.js";
import { language, t } from "../lib/i18n.js";

const percent = new Intl.NumberFormat(language, { style: "percent" });

/**
 * Formats a chance, 0 to 1, as a percentage.
 * @param {number} chance
 * @returns {string}
 */
export const chanceText = (chance) => percent.format(chance);

/**
 * Formats a score from the point of view of the side to move: signed points, or the number of moves
 * to a win or loss.
 * @param {Score} score
 * @returns {string}
 */
export const scoreText = ({ points = 0, win, loss }) => {
  if (win !== undefined) return t("analysis.win", { n: Math.ceil(win / 2) });
  if (loss !== undefined) return t("analysis.loss", { n: Math.ceil(loss / 2) });
  return `${points < 0 ? "−" : "+"}${Math.abs(points)}`;
};

const HEIGHT = 190;
const LEFT = 54;
const RIGHT = 14;
const TOP = 16;
const BOTTOM = 26;
const LABELS_MAX = 8;

/**
 * Returns the move numbers of the axis labels, at round steps.
 * @param {number} moves
 */
const moveLabels = (moves) => {
  const step = [1, 2, 5, 10, 20, 50].find((size) => moves / size <= LABELS_MAX) ?? 100;
  return Array.from({ length: Math.floor(moves / step) + 1 }, (_, at) => at * step);
};

/** SVG plot of winning chances by ply, with a cursor for the current ply. */
export class ChancePlot {
  /** @type {number} */ width;
  /** @type {number} */ plies;

  /**
   * @param {(ply: number) => unknown} go  shows a ply
   */
  constructor(go) {
    this.go = go;
    this.cursor = s("line", { class: "chance-plot-cursor", y1: TOP, y2: HEIGHT - BOTTOM });
    this.element = s("svg", { class: "chance-plot", role: "img" });
    this.element.addEventListener("click", (event) => this.point(event));
  }

  /** @param {number} ply */
  x(ply) {
    return LEFT + ((this.width - LEFT - RIGHT) * ply) / (this.plies || 1);
  }

  /** @param {number} chance */
  y(chance) {
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance);
  }

  /**
   * Draws the plot, `width` pixels wide. `annotations` marks plies with annotation glyphs, `label`
   * is the accessible description, and `names` are the names of the sides.
   * @param {number[]} chances  chance of the first side by ply; may be incomplete
   * @param {{
   *   width: number,
   *   plies: number,
   *   annotations: [ply: number, sign: string][],
   *   label: string,
   *   names: string[],
   * }} options
   */
  draw(chances, { width, plies, annotations, label, names }) {
    Object.assign(this, { width, plies });
    const points = chances.map((chance, ply) => [this.x(ply), this.y(chance)]);
    const path = points
      .map(([x, y], at) => `${at ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`)
      .join("");
    const floor = this.y(0);
    const across = [0, 0.5, 1].map((chance) =>
      s(
        "g",
        {},
        s("line", {
          class: chance === 0.5 ? "chance-plot-even" : "chance-plot-gridline",
          x1: LEFT,
          x2: width - RIGHT,
          y1: this.y(chance),
          y2: this.y(chance),
        }),
        s("text", { x: LEFT - 6, y: this.y(chance) + 4, "text-anchor": "end" }, chanceText(chance)),
      ),
    );
    const below = moveLabels(plies / 2).map((move) =>
      s("text", { x: this.x(2 * move), y: HEIGHT - 8, "text-anchor": "middle" }, String(move)),
    );
    const marks = annotations.map(([ply, annotation]) =>
      s(
        "g",
        {
          class: "chance-plot-mistake",
          transform: `translate(${this.x(ply)} ${this.y(chances[ply])})`,
        },
        s("circle", { r: 9 }),
        s("text", { y: 4, "text-anchor": "middle" }, annotation),
      ),
    );
    this.element.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    this.element.setAttribute("height", HEIGHT);
    this.element.setAttribute("aria-label", label);
    this.element.replaceChildren(
      ...across,
      ...below,
      s("path", {
        class: "chance-plot-area",
        d: points.length
          ? `${path}L${/** @type {number[]} */ (points.at(-1))[0].toFixed(1)} ${floor}L${LEFT} ${floor}Z`
          : "",
      }),
      s("path", { class: "chance-plot-line", d: path }),
      s(
        "text",
        { class: "chance-plot-side", x: LEFT - 6, y: TOP + 18, "text-anchor": "end" },
        names[0],
      ),
      s(
        "text",
        { class: "chance-plot-side", x: LEFT - 6, y: floor - 10, "text-anchor": "end" },
        names[1],
      ),
      this.cursor,
      ...marks,
    );
  }

  /**
   * Moves the cursor to a ply; null hides it.
   * @param {number | null} ply
   */
  mark(ply) {
    this.cursor.classList.toggle("is-hidden", ply === null);
    if (ply === null || !this.width) return;
    this.cursor.setAttribute("x1", this.x(ply));
    this.cursor.setAttribute("x2", this.x(ply));
  }

  /**
   * Shows the ply at the pointer.
   * @param {MouseEvent} event
   */
  point(event) {
    const box = this.element.getBoundingClientRect();
    const x = ((event.clientX - box.left) * this.width) / box.width;
    const ply = Math.round(((x - LEFT) * this.plies) / (this.width - LEFT - RIGHT));
    this.go(Math.min(this.plies, Math.max(0, ply)));
  }
}
