// What stands around the analysis board, and what the keyboard does there besides the keys of the board.
import { ratioOf } from "../board/board.js";
import { h } from "../lib/dom.js";
import { Hint } from "../common/status-line.js";
import { iconButton, isTaken, Shortcuts, stepButtons } from "../lib/keyboard.js";
import { Typed } from "../board/keyboard-move.js";
import { moveText } from "../board/move-description.js";
import { say, variantName } from "../lib/i18n.js";

const STEPS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

/** The keys of the moves, and those that take something back. */
const listen = (analysis) => {
  document.addEventListener("keydown", (event) => {
    // What the board has answered does not come here.
    if (isTaken(event)) return;
    if (event.key === "Escape" && !event.repeat) analysis.table?.undo();
    if (event.key === "Delete" && !event.repeat && analysis.tree) analysis.drop();
    if (!(event.key in STEPS) || !analysis.tree) return;
    event.preventDefault();
    analysis.step(STEPS[event.key]);
  });
};

/** The move that led to what is looked at, in words. */
const lastOf = ({ tree, table }) =>
  tree.at.u ? moveText(tree.at.u, tree.at.trace, table.glyph) : say("told.none");

/**
 * The field for typed moves, and the button of the help; all keys work from now on.
 * @param {any} analysis the page
 * @returns {{ typed: Typed, button: HTMLElement }}
 */
export const analysisKeys = (analysis) => {
  const legal = () => analysis.tree?.at.answer?.legal ?? [];
  const typed = new Typed({
    legal,
    wait: () => (legal().length ? "" : say("analysis.over")),
    make: (u) => analysis.play(u),
    leave: () => analysis.table.board.svg.focus({ preventScroll: true }),
  });
  /** @type {import("../lib/keyboard.js").Letter[]} */
  const letters = [
    [["m", "/"], "keys.type", () => typed.focus()],
    [["o"], "keys.move", () => Hint.announce(lastOf(analysis))],
    [["f"], "keys.flip", () => analysis.table.flip()],
  ];
  listen(analysis);
  return { typed, button: new Shortcuts(letters).button };
};

/** The row of keys under the moves: along the line, away with a move, round with the board. */
export class Steps {
  /**
   * `go(where)` is told first, back, forward or last; `drop()` takes a move away, `flip()` turns the board; `keys` is the button of the help.
   * @param {{ go: (where: string) => unknown, drop: () => unknown, flip: () => unknown, keys: HTMLElement }} how
   */
  constructor({ go, drop, flip, keys }) {
    this.drop = iconButton(
      "analysis.drop",
      "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5",
      drop,
    );
    this.element = h(
      "div",
      { class: "step" },
      ...stepButtons(go),
      this.drop,
      iconButton("game.flip", "M8 4v16M8 4L4 8M8 4l4 4M16 20V4M16 20l4-4M16 20l-4-4", flip),
      keys,
    );
  }

  /** Whether the move that is looked at may be taken away. */
  may(drop) {
    this.drop.setAttribute("aria-disabled", String(!drop));
  }
}

/**
 * Who played the game, and the way back to it.
 * @param {Game} game
 * @param {Variant} variant
 */
const players = (game, variant) =>
  h(
    "p",
    { class: "players soft" },
    `${variantName(variant)}: ${game.first.name} – ${game.second.name}. `,
    h("a", { href: `/${game.id}` }, say("analysis.togame")),
  );

/**
 * Puts everything in its place on the page.
 * @param {import("./analysis.js").Analysis} analysis
 */
export const layOut = ({ table, setup, review, game, keys, engine, list, steps, share }) => {
  const { variant, board, hint } = table;
  const title = `${say("analysis.title")}: ${variantName(variant)}`;
  document.title = `${title} · Sprong`;
  const main = document.querySelector("main");
  main.className = "analysis";
  main.style.setProperty("--ratio", ratioOf(variant.board));
  const panel = h(
    "section",
    { class: "card panel" },
    keys.typed.element,
    engine.element,
    list.element,
    steps.element,
    hint.element,
  );
  main.replaceChildren(
    h("h1", { class: "unseen" }, title),
    setup?.chooser ?? "",
    h("div", { class: "mid" }, h("div", { class: "board" }, board.svg)),
    panel,
    setup?.element ?? review?.element ?? h("div"),
    h("div", { class: "beside" }, game ? players(game, variant) : "", share),
  );
};
