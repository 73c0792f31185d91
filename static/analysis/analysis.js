// Entry point of the analysis board: of a variant (/analysis/{variant}), of a finished game
// (/{id}/analysis), or of an own game in progress with days per move, without the engine, for
// conditional moves. The user plays both sides of any position. `Analysis` owns the move tree and
// connects the board, move list, engine, review and setup panels. The address always reflects the
// tree, so that a link or the browser history restores it. Requests can be overtaken: each
// method drops an answer that belongs to an earlier state.
import { analysisKeys, renderPage, StepButtons } from "./layout.js";
import { Engine } from "./engine.js";
import { writeAddress, shareCard, loadTree, parseAddress } from "./url-state.js";
import { TreeList } from "./line-list.js";
import { Review } from "./review.js";
import { Setup } from "./setup.js";
import { BetterMove } from "./better-move.js";
import { ConditionalMoves } from "./conditional.js";
import { BoardPanel } from "./board-panel.js";
import { get, post, variants } from "../lib/http.js";
import { addBusyTest } from "../common/navigation.js";
import { h, toast } from "../lib/dom.js";
import { splitMoves } from "../model/notation.js";
import { subscribe } from "../common/notifications.js";
import { loadFailed } from "../common/error-page.js";
import "../lib/i18n-more.js";
import { initHeader } from "../common/header.js";
import { t } from "../lib/i18n.js";

/** Controller of the analysis page. */
export class Analysis {
  /** @type {Catalog} */ catalog;
  /** @type {string} */ key;
  /** @type {Game | null} */ game;
  /** @type {Map<import("./tree.js").Step, "?" | "??">} */ annotations;
  /** @type {import("./tree.js").Tree} */ tree;
  /** @type {string | null} */ own;
  /** @type {BoardPanel} */ boardPanel;
  /** @type {Setup | null} */ setup;
  /** @type {Review | null} */ review;
  /** @type {BetterMove | null} */ exercise;
  /** @type {boolean} */ touched;
  /** @type {number} */ lastRequest;

  /**
   * @param {Catalog} catalog
   * @param {string} key  variant of the path, or ""
   * @param {Game | null} game  analyzed game
   * @param {string[] | null} lines  conditional moves, if the game is in progress
   */
  constructor(catalog, key, game, lines) {
    Object.assign(this, {
      catalog,
      key,
      game,
      annotations: new Map(),
      exercise: null,
      touched: false,
      lastRequest: 0,
    });
    this.played = game ? splitMoves(game.state.moves) : undefined;
    this.list = new TreeList((step) => this.go(step));
    this.conditional = lines && new ConditionalMoves(this, lines);
    this.engine = lines
      ? null
      : new Engine(
          (u) => this.play(u),
          (u) => this.suggest(u),
        );
    this.keys = analysisKeys(this);
    this.steps = new StepButtons({
      keys: this.keys.button,
      go: (direction) => this.step(direction),
      drop: () => this.drop(),
      flip: () => this.boardPanel.flip(),
    });
    this.share = shareCard(() => this.tree, lines ? null : (game?.id ?? null));
    // A link to another analysis, or the Back button.
    addEventListener("hashchange", () => this.open().catch((refused) => toast(refused.message)));
  }

  /** Loads the analysis of the address, or the game. */
  async open() {
    const query = parseAddress();
    const variant =
      this.catalog.get(this.game?.variant.key ?? query.variant ?? this.key) ??
      [...this.catalog.values()][0];
    const options =
      this.game?.options ??
      Object.fromEntries(
        variant.options.map(({ key: name, values, default: fallback }) => [
          name,
          values.find((value) => String(value) === query.options[name]) ?? fallback,
        ]),
      );
    const start = this.game?.initialFen ?? query.start;
    try {
      await this.load(variant, options, start, query.moves ?? [], query.at);
    } catch (refused) {
      // On page load an invalid start falls back to the initial position, with an error message.
      if (this.tree || !start) throw refused;
      await this.load(variant, options, null);
      this.setup?.showError(start, refused);
    }
  }

  /**
   * Loads an analysis and shows it, unless another one was requested in the meantime.
   * @param {Variant} variant
   * @param {Options} options
   * @param {string | null} start  position text; null for the initial position of the variant
   * @param {string[]} [movetext]  movetext tokens, see tree.js
   * @param {number | null} [at]  index of the step to show, in depth-first order
   */
  async load(variant, options, start, movetext = [], at = null) {
    const request = ++this.lastRequest;
    const answer = await loadTree(
      variant,
      options,
      start,
      [this.played ?? [], movetext, ...(this.conditional?.movetexts ?? [])],
      Boolean(this.game),
    ).catch((refused) => {
      if (request === this.lastRequest) throw refused;
    });
    if (!answer || request !== this.lastRequest) return;
    const { tree, own, error } = answer;
    Object.assign(this, { tree, own });
    if (this.game || this.boardPanel?.variant !== variant) this.build(variant);
    const steps = [...tree.root.walk()];
    const last = this.conditional ? (this.played ?? []).length : 0;
    await this.go(steps[at ?? (this.game ? last : steps.length - 1)] ?? tree.root, true);
    if (error) this.reportIllegalMove(error);
  }

  /**
   * Loads a position on request of the user.
   * @param {Variant} variant
   * @param {Options} options
   * @param {string | null} start
   */
  async setUp(variant, options, start) {
    await this.load(variant, options, start);
    this.touched = true;
  }

  /**
   * Reports the first illegal move of a link.
   * @param {import("./tree.js").ReadError} error
   */
  reportIllegalMove({ move, message }) {
    const text = move
      ? t("analysis.badmove", { ply: Math.ceil(move.ply / 2), u: move.u })
      : t("analysis.badmoves", { why: message });
    toast(text);
    this.setup?.showMessage(text);
  }

  /** Deletes the current move and its continuations; moves of the game stay. */
  drop() {
    const { at } = this.tree;
    if (!this.tree.canDelete(at, this.played)) return undefined;
    this.tree.deleteStep(at);
    this.touched = true;
    return this.go(at.parent, true);
  }

  /**
   * Builds the page for a variant.
   * @param {Variant} variant
   */
  build(variant) {
    this.boardPanel?.close();
    const isFlipped = this.game?.you === "second";
    this.boardPanel = new BoardPanel(variant, (u) => this.play(u), isFlipped);
    this.setup = this.game
      ? null
      : new Setup(this.catalog, variant, (...args) => this.setUp(...args));
    this.review =
      this.game?.end && this.played?.length
        ? new Review(this.game.id, this.tree, {
            go: (step) => this.go(step),
            onTry: (step) => this.tryBetter(step),
            onAnnotate: () => this.list.draw(this.tree, this.annotations),
          })
        : null;
    this.annotations = this.review?.annotations ?? new Map();
    renderPage(this);
  }

  /**
   * Moves along the current line.
   * @param {"first" | "back" | "forward" | "last"} direction
   */
  step(direction) {
    const line = this.tree.line();
    const at = line.indexOf(this.tree.at);
    return this.go(
      { first: line[0], back: line[at - 1], forward: line[at + 1], last: line.at(-1) }[direction],
    );
  }

  /**
   * Plays a move after the current step; reports an illegal one.
   * @param {string} u
   */
  async play(u) {
    const { tree } = this;
    const { at } = tree;
    try {
      const step = await tree.play(u);
      this.touched = true;
      if (this.tree !== tree || tree.at !== at) return;
      if (this.exercise?.start === at) await this.judge(step);
      else await this.go(step, true);
    } catch (refused) {
      this.boardPanel.showMessage(refused.message);
    }
  }

  /**
   * Lets the user look for a better move than a mistake.
   * @param {import("./tree.js").Step} mistake
   */
  async tryBetter(mistake) {
    const line = /** @type {Review} */ (this.review).plies[mistake.ply - 1];
    this.exercise = new BetterMove(this, mistake, line);
    this.engine?.setPaused(true);
    await this.exercise.open();
    const { svg } = this.boardPanel.board;
    svg.focus({ preventScroll: true });
    // The list of mistakes is below the board.
    svg.scrollIntoView({ block: "nearest" });
  }

  /** Ends the search for a better move, if there is one. */
  endExercise() {
    this.exercise = null;
    this.engine?.setPaused(false);
    this.showTask();
  }

  /**
   * Judges a move in the search for a better one, and shows the result.
   * @param {import("./tree.js").Step} step
   */
  async judge(step) {
    const { exercise } = this;
    if (!exercise) return;
    exercise.setTried(step);
    await this.go(step, true);
    const judged = exercise.judge(step);
    this.showTask();
    await judged;
    this.showTask();
  }

  /** Shows the state of the search for a better move in the status line. */
  showTask() {
    this.boardPanel.showTask(this.exercise?.status ?? null);
  }

  /**
   * Shows a step.
   * @param {import("./tree.js").Step | null | undefined} step  ignored if missing
   * @param {boolean} [isTreeChanged]  whether the tree has changed
   */
  async go(step, isTreeChanged = false) {
    const { tree, boardPanel: table } = this;
    if (!step || !tree) return;
    const forward = tree.at === step.parent;
    tree.goTo(step);
    if (this.exercise && !this.exercise.includes(step)) this.endExercise();
    if (isTreeChanged) this.list.draw(tree, this.annotations);
    else this.list.mark(step);
    table.showStep(tree, forward, this.exercise?.status ?? null);
    this.setup?.show(tree);
    this.steps.setCanDelete(tree.canDelete(step, this.played));
    this.review?.mark(step);
    writeAddress(tree, this.own, this.played);
    this.engine?.analyze(tree);
    if (step.answer) return;
    try {
      await tree.loadAnswer(step);
    } catch (refused) {
      table.showMessage(refused.message);
      return;
    }
    if (this.tree === tree && tree.at === step) table.applyLegalMoves();
  }

  /**
   * Marks the engine's best move on the board.
   * @param {string | null} u  null removes the mark
   */
  async suggest(u) {
    const { at, setup } = this.tree;
    this.boardPanel.suggest(null);
    if (!u) return;
    const answer = await post("/api/position", {
      ...setup,
      start: at.position,
      moves: [u],
      replay: true,
    }).catch(() => null);
    if (answer && this.tree.at === at && this.engine?.on)
      this.boardPanel.suggest(answer.replay?.[0].trace ?? null);
  }
}

const main = document.querySelector("main");
const path = location.pathname.split("/").filter(Boolean).map(decodeURIComponent);
const id = path[1] === "analysis" ? path[0] : null;

/** @type {Analysis | null} */
let analysis = null;

/**
 * Shows a message in place of the board.
 * @param {string} text
 * @param {...Child} more
 */
const message = (text, ...more) =>
  main.replaceChildren(h("div", { class: "page-message" }, h("p", {}, text), ...more));

const show = async () => {
  const [catalog, game] = await Promise.all([
    variants(),
    id === null ? null : get(`/api/game/${encodeURIComponent(id)}`),
  ]);
  const own = game && !game.end && game.you && game.daysPerTurn ? game : null;
  // Other games in progress cannot be analyzed: that would be engine assistance.
  if (game && !game.end && !own)
    return message(
      t("analysis.live"),
      h("a", { class: "btn", href: `/${id}` }, t("analysis.togame")),
    );
  const planned = own && (await get(`/api/game/${own.id}/conditional`));
  // The game has gone on between the two requests.
  if (own && planned?.ply !== splitMoves(own.state.moves).length) return location.reload();
  const lines = planned?.lines ?? null;
  analysis = new Analysis(catalog, path[0] === "analysis" ? path[1] : "", game, lines);
  return analysis.open();
};

initHeader("/analysis");
// After a change by the user, the start of a game does not navigate away from the page.
addBusyTest(() => Boolean(analysis?.touched));
subscribe();
show().catch((refused) => main.replaceChildren(loadFailed(refused)));
