// Layout of the analysis page, its step buttons, and its keyboard shortcuts other than those of the
// board. Used by analysis.js.
import { ratioOf } from "../board/board.js";
import { h } from "../lib/dom.js";
import { FLIP } from "../lib/icons.js";
import { StatusLine } from "../common/status-line.js";
import { iconButton, isReservedKey, Shortcuts, stepButtons } from "../lib/keyboard.js";
import { KeyboardMove } from "../board/keyboard-move.js";
import { moveText } from "../board/move-description.js";
import { parseCells, parsePosition } from "../model/notation.js";
import { t, variantName } from "../lib/i18n.js";

/**
 * Navigation keys with their steps.
 * @type {Record<string, "first" | "back" | "forward" | "last">}
 */
const STEPS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

/**
 * Installs the shortcuts for navigation and undo.
 * @param {import("./analysis.js").Analysis} analysis
 */
const installShortcuts = (analysis) => {
  document.addEventListener("keydown", (event) => {
    // The board prevents the default of the keys that it handles.
    if (isReservedKey(event)) return;
    if (event.key === "Escape" && !event.repeat) analysis.boardPanel?.undo();
    if (event.key === "Delete" && !event.repeat && analysis.tree) analysis.drop();
    if (!(event.key in STEPS) || !analysis.tree) return;
    event.preventDefault();
    analysis.step(STEPS[event.key]);
  });
};

/**
 * Describes the move that led to the current step.
 * @param {import("./analysis.js").Analysis} analysis
 */
const lastMoveText = ({ tree: { at }, boardPanel }) =>
  at.u
    ? moveText(
        at.u,
        at.trace,
        boardPanel.guidance,
        at.parent && parseCells(parsePosition(at.parent.position).cells),
      )
    : t("description.none");

/**
 * Installs all shortcuts; returns the input for typed moves and the button of the shortcut help.
 * @param {import("./analysis.js").Analysis} analysis
 * @returns {{ typed: KeyboardMove, button: HTMLElement }}
 */
export const analysisKeys = (analysis) => {
  const legal = () => analysis.tree?.at.answer?.legal ?? [];
  const typed = new KeyboardMove({
    legal,
    blockReason: () => (legal().length ? "" : t("analysis.over")),
    make: (u) => analysis.play(u),
    leave: () => analysis.boardPanel.board.svg.focus({ preventScroll: true }),
  });
  /** @type {import("../lib/keyboard.js").Letter[]} */
  const letters = [
    [["m", "/"], "keys.type", () => typed.focus()],
    [["o"], "keys.move", () => StatusLine.announce(lastMoveText(analysis))],
    [["f"], "keys.flip", () => analysis.boardPanel.flip()],
  ];
  installShortcuts(analysis);
  return { typed, button: new Shortcuts(letters).button };
};

/** Button row below the move list: navigation, delete move, flip board, shortcut help. */
export class StepButtons {
  /**
   * `go(where)` moves along the line, `drop()` deletes the current move, `flip()` flips the board;
   * `keys` is the button of the shortcut help.
   * @param {{
   *   go: (where: "first" | "back" | "forward" | "last") => unknown,
   *   drop: () => unknown,
   *   flip: () => unknown,
   *   keys: HTMLElement,
   * }} options
   */
  constructor({ go, drop, flip, keys }) {
    this.drop = iconButton(
      "analysis.drop",
      "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5",
      drop,
    );
    this.element = h(
      "div",
      { class: "step-buttons" },
      ...stepButtons(go),
      this.drop,
      iconButton("game.flip", FLIP, flip),
      keys,
    );
  }

  /**
   * Enables or disables the delete button.
   * @param {boolean} drop
   */
  setCanDelete(drop) {
    this.drop.setAttribute("aria-disabled", String(!drop));
  }
}

/**
 * Returns the names of the players and the link to the game.
 * @param {Game} game
 * @param {Variant} variant
 */
const players = (game, variant) =>
  h(
    "p",
    { class: "analysis-players soft" },
    `${variantName(variant)}: ${game.first.name} – ${game.second.name}. `,
    h("a", { href: `/${game.id}` }, t("analysis.togame")),
  );

/**
 * Replaces the content of the page.
 * @param {import("./analysis.js").Analysis} analysis
 */
export const renderPage = ({
  boardPanel: table,
  setup,
  review,
  conditional,
  game,
  keys,
  engine,
  list,
  steps,
  share,
}) => {
  const { variant, board, statusLine: hint } = table;
  const name = t(conditional ? "conditional.title" : "analysis.title");
  const title = `${name}: ${variantName(variant)}`;
  document.title = `${title} · Sprong`;
  const main = document.querySelector("main");
  main.className = "analysis";
  main.style.setProperty("--ratio", ratioOf(variant.board));
  const panel = h(
    "section",
    { class: "card game-panel" },
    keys.typed.element,
    engine?.element ?? "",
    list.element,
    steps.element,
    hint.element,
  );
  main.replaceChildren(
    h("h1", { class: "visually-hidden" }, title),
    setup?.chooser ?? "",
    h("div", { class: "game-layout-center" }, h("div", { class: "game-board" }, board.svg)),
    panel,
    setup?.element ?? review?.element ?? conditional?.element ?? h("div"),
    h("div", { class: "analysis-side" }, game ? players(game, variant) : "", share),
  );
};
