// What the keyboard does on the analysis board, besides the keys of the board.
import { Hint } from "./hint.js";
import { isTaken } from "./key-owner.js";
import { Shortcuts } from "./shortcuts.js";
import { moveText } from "./spoken.js";
import { Typed } from "./typed.js";
import { say } from "./words.js";

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
const lastOf = ({ tree, table }) => (tree.at.u ? moveText(tree.at.u, tree.at.trace, table.glyph) : say("told.none"));

/**
 * The field for typed moves, and the button of the help; all keys work from now on.
 * @param {any} analysis the page
 * @returns {{ typed: Typed, button: HTMLElement }}
 */
export const analysisKeys = (analysis) => {
  const legal = () => analysis.tree?.at.answer?.legal ?? [];
  const typed = new Typed({
    legal, wait: () => (legal().length ? "" : say("analysis.over")), make: (u) => analysis.play(u),
    leave: () => analysis.table.board.svg.focus({ preventScroll: true }),
  });
  /** @type {import("./shortcuts.js").Letter[]} */
  const letters = [[["m", "/"], "keys.type", () => typed.focus()], [["o"], "keys.move", () => Hint.announce(lastOf(analysis))], [["f"], "keys.flip", () => analysis.table.flip()]];
  listen(analysis);
  return { typed, button: new Shortcuts(letters).button };
};
