// The row of keys under the moves of an analysis: along the line, away with a move, round with the board.
import { h } from "./dom.js";
import { iconButton, stepButtons } from "./steps.js";

export class Steps {
  /** `go(where)` is told first, back, forward or last; `drop()` takes a move away, `flip()` turns the board; `keys` is the button of the help. */
  constructor({ go, drop, flip, keys }) {
    this.drop = iconButton("analysis.drop", "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5", drop);
    this.element = h("div", { class: "step" }, ...stepButtons(go), this.drop, iconButton("game.flip", "M8 4v16M8 4L4 8M8 4l4 4M16 20V4M16 20l4-4M16 20l-4-4", flip), keys);
  }

  /** Whether the move that is looked at may be taken away. */
  may(drop) {
    this.drop.setAttribute("aria-disabled", String(!drop));
  }
}
