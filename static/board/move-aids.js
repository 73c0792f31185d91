// Aids beside the marks of a move: names of the chosen cells, the corner to reach, dots on which a
// piece may not stop, further hops of a jump, and the cell at which a first game points. What a
// variant shows is decided by its `guidance`. `highlights.js` creates one instance per board.
import { s } from "../lib/dom.js";

/** Height of a name, and its width without letters and per letter, in board units. */
const LABEL_HEIGHT = 34;
const LABEL_PADDING = 22;
const LABEL_LETTER = 14;

/** Word beside the corner to reach: distance from its edge, and height. */
const GOAL_WORD_GAP = 10;
const GOAL_WORD_HEIGHT = 56;

/** Cross on a forbidden dot, of which it leaves the middle visible. */
const CROSS = "M-20-20L-7-7M20-20L7-7M-20 20L-7 7M20 20L7 7";

/**
 * Returns the name of a chosen cell, at its lower edge.
 * @param {string} text
 */
export const cellLabel = (text) => {
  const width = LABEL_PADDING + LABEL_LETTER * text.length;
  return s(
    "g",
    { class: "board-label" },
    s("rect", {
      class: "board-badge",
      x: -width / 2,
      y: 20,
      width,
      height: LABEL_HEIGHT,
      rx: LABEL_HEIGHT / 2,
    }),
    s("text", { class: "board-label-text", y: 46 }, text),
  );
};

/** Aids of one board. */
export class MoveAids {
  /** @type {import("./highlights.js").Highlights} */ marks;
  /** @type {Guidance} */ guidance;
  /** @type {string} */ pointedAt;
  /** @type {SVGElement} */ goal;
  /** @type {SVGElement} */ under;
  /** @type {SVGElement} */ hops;
  /** @type {SVGElement} */ pointer;

  /**
   * @param {import("./highlights.js").Highlights} marks
   * @param {Guidance} guidance
   */
  constructor(marks, guidance) {
    const { svg, layers } = marks.board;
    const layer = (/** @type {string} */ name, /** @type {Element} */ above) => {
      const group = s("g", { class: name, "aria-hidden": "true" });
      svg.insertBefore(group, above);
      return group;
    };
    Object.assign(this, {
      marks,
      guidance,
      pointedAt: "",
      // Under the pieces, so that they stay readable.
      goal: layer("board-layer-goal", layers.preview),
      under: layer("board-layer-aids", layers.preview),
      hops: layer("board-layer-hops", layers.preview),
      pointer: layer("board-layer-pointer", layers.focus),
    });
  }

  /**
   * Draws the aids of a position.
   * @param {BoardState} state
   */
  draw(state) {
    this.under.replaceChildren(...this.crosses(state));
    this.drawPointer(state.held ? null : (state.pointer ?? null));
  }

  /**
   * Shows the corner to reach.
   * @param {readonly string[]} cells
   */
  showGoal(cells) {
    this.goal.replaceChildren(...this.goalArea(cells));
  }

  /**
   * Draws the tint of the corner to reach, and its name beside it, towards the middle of the board.
   * @param {readonly string[]} cells
   */
  goalArea(cells) {
    if (!cells.length) return [];
    const { board } = this.marks;
    const points = cells.map((cell) => board.at(cell));
    const [left, top] = [0, 1].map((axis) => Math.min(...points.map((point) => point[axis])) - 50);
    const [right, bottom] = [0, 1].map(
      (axis) => Math.max(...points.map((point) => point[axis])) + 50,
    );
    const isAbove = top + bottom < board.size()[1];
    const y = isAbove ? bottom + GOAL_WORD_GAP : top - GOAL_WORD_GAP - GOAL_WORD_HEIGHT;
    const word = this.guidance.goalText?.();
    return [
      s("rect", {
        class: "board-goal-area",
        x: left,
        y: top,
        width: right - left,
        height: bottom - top,
      }),
      ...(word
        ? [
            s(
              "g",
              { class: "board-goal-word", transform: `translate(${(left + right) / 2} ${y})` },
              s("text", { y: 42 }, word),
            ),
          ]
        : []),
    ];
  }

  /**
   * Draws a small cross on each dot on which the chosen piece may not stop.
   * @param {BoardState} state
   */
  crosses({ chosen = [], side, isPending, isPremove, targets }) {
    const { board } = this.marks;
    if (!chosen.length || !targets?.size || !side || (isPending && !isPremove)) return [];
    const { tokens } = board;
    const markOf = (/** @type {string} */ cell) => board.markOf(cell);
    const cells = this.guidance.forbidden?.({ chosen, side, tokens, markOf }) ?? [];
    return cells.map((cell) =>
      this.marks.groupAt(
        cell,
        s("path", { class: `board-forbidden is-on-${markOf(cell)}`, d: CROSS }),
      ),
    );
  }

  /**
   * Draws how the move of a preview could continue.
   * @param {Trace | null | undefined} preview
   */
  drawFurther(preview) {
    const [path] = preview?.paths ?? [];
    const hops = (path && this.guidance.further?.(path, this.marks.board.tokens)) || [];
    this.hops.replaceChildren(
      ...hops.flatMap((hop) => [
        this.marks.line("board-further-edge", hop),
        this.marks.line("board-further", hop),
      ]),
      ...hops.map(([, cell]) =>
        this.marks.groupAt(cell, s("circle", { class: "board-further-dot", r: 8 })),
      ),
    );
  }

  /**
   * Draws the pointing dot. An unchanged one is not replaced: its animation would restart.
   * @param {string | null} cell
   */
  drawPointer(cell) {
    const pointedAt = cell ? `${cell} ${this.marks.board.flipped}` : "";
    if (pointedAt === this.pointedAt) return;
    this.pointedAt = pointedAt;
    const { pieceSet, tokens } = this.marks.board;
    const keepsReadable = cell && pieceSet.keepsReadable(tokens.get(cell));
    const ring = (/** @type {string} */ name) => s("circle", { class: name, r: 41 });
    this.pointer.replaceChildren(
      ...(cell
        ? [
            this.marks.groupAt(
              cell,
              s(
                "g",
                { class: "board-pointer" },
                ring("board-pointer-edge"),
                ring("board-pointer-ring"),
              ),
              // A number must stay readable.
              !keepsReadable && s("circle", { class: "board-target", r: 15 }),
            ),
          ]
        : []),
    );
  }
}
