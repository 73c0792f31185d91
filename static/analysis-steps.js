// The row of keys under the moves of an analysis: along the line, away with a move, round with the board.
import { h, line } from "./dom.js";
import { say } from "./words.js";

const STEPS = [["first", "game.first", "M18 6l-6 6 6 6M8 6v12"], ["back", "game.back", "M14 6l-6 6 6 6"], ["forward", "game.forward", "M10 6l6 6-6 6"], ["last", "game.last", "M6 6l6 6-6 6M16 6v12"]];

const icon = (key, d, deed) => h("button", { class: "icon", type: "button", title: say(key), "aria-label": say(key), onclick: deed }, line(d));

export class Steps {
  /** `go(where)` is told first, back, forward or last; `drop()` takes a move away, `flip()` turns the board; `keys` is the button of the help. */
  constructor({ go, drop, flip, keys }) {
    this.drop = icon("analysis.drop", "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5", drop);
    this.element = h("div", { class: "step" }, ...STEPS.map(([where, key, d]) => icon(key, d, () => go(where))), this.drop,
      icon("game.flip", "M8 4v16M8 4L4 8M8 4l4 4M16 20V4M16 20l4-4M16 20l-4-4", flip), keys);
  }

  /** Whether the move that is looked at may be taken away. */
  may(drop) {
    this.drop.setAttribute("aria-disabled", String(!drop));
  }
}
