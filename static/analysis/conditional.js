// Conditional moves on the analysis page of a game in progress: the lines that the server plays for
// the user. Created by analysis.js, on whose board the user makes the lines.
import { h } from "../lib/dom.js";
import { asyncButton } from "../lib/form.js";
import { post } from "../lib/http.js";
import { splitMoves } from "../model/notation.js";
import "../lib/i18n-more.js";
import { overrideReason, t } from "../lib/i18n.js";

/** Card with the lines of the user. */
export class ConditionalMoves {
  /** @type {import("./analysis.js").Analysis} */ analysis;
  /** @type {string[]} */ lines;

  /**
   * @param {import("./analysis.js").Analysis} analysis
   * @param {string[]} lines  stored lines, from the current position of the game
   */
  constructor(analysis, lines) {
    Object.assign(this, { analysis, lines });
    const { you, turn, first, second } = /** @type {Game} */ (analysis.game);
    this.opponent = (you === "first" ? second : first).name;
    this.list = h("ol", { class: "conditional-lines", role: "list" });
    this.message = h("p", { class: "conditional-message", role: "status", tabindex: -1 });
    this.element = h(
      "section",
      { class: "card conditional" },
      h("h2", {}, t("conditional.title")),
      h("p", { class: "small soft" }, t("conditional.why", { name: this.opponent })),
      this.list,
      turn === you
        ? h("p", {}, t("conditional.yourturn"))
        : asyncButton(t("conditional.add"), () => this.add(), "btn btn-primary"),
      this.message,
      h("p", { class: "small soft" }, t("conditional.engine")),
    );
    this.draw();
  }

  /**
   * Returns the stored lines as movetext from the start of the game.
   * @returns {string[][]}
   */
  get movetexts() {
    const played = this.analysis.played ?? [];
    return this.lines.map((line) => [...played, ...splitMoves(line)]);
  }

  /** Adds the line up to the current step. */
  async add() {
    const { tree, played = [] } = this.analysis;
    const { moves } = tree.at;
    const isOfGame = played.every((u, at) => u === moves[at]);
    const line = moves.slice(played.length).join(" ");
    if (!isOfGame) this.message.textContent = t("conditional.away");
    else if (moves.length < played.length + 2)
      this.message.textContent = t("conditional.start", { name: this.opponent });
    else if (await this.store([...this.lines, line]))
      this.message.textContent = t("conditional.added");
  }

  /**
   * Replaces the stored lines, or shows why not. Resolves to whether they are stored.
   * @param {string[]} lines
   */
  async store(lines) {
    const { game, played = [] } = this.analysis;
    const path = `/api/game/${encodeURIComponent(/** @type {Game} */ (game).id)}/conditional`;
    const stored = await post(path, { ply: played.length, lines })
      .catch(overrideReason("stale", "conditional.stale"))
      .catch(overrideReason("badField", "conditional.toomany"))
      .catch((refused) => {
        this.message.textContent = "status" in refused ? refused.message : t("error.network");
      });
    if (!stored) return false;
    this.lines = stored.lines;
    this.draw();
    return true;
  }

  /**
   * Removes a line, and keeps the focus in the card.
   * @param {string} line
   */
  async remove(line) {
    const others = this.lines.filter((other) => other !== line);
    if (await this.store(others)) this.message.textContent = t("conditional.removed");
    this.message.focus({ preventScroll: true });
  }

  /** Redraws the list. */
  draw() {
    const item = (/** @type {string} */ line) => {
      const remove = () => this.remove(line);
      const button = asyncButton(t("conditional.remove"), remove, "btn btn-quiet");
      button.setAttribute("aria-label", t("conditional.removeline", { moves: line }));
      const show = () => this.go(line);
      const open = { type: "button", class: "conditional-line", onclick: show };
      return h("li", {}, h("button", open, line), button);
    };
    this.list.replaceChildren(...this.lines.map(item));
    this.list.hidden = this.lines.length === 0;
  }

  /**
   * Shows the end of a line on the board.
   * @param {string} line
   */
  async go(line) {
    const { tree, played = [] } = this.analysis;
    const moves = [...played, ...splitMoves(line)];
    // The user may have deleted it from the tree.
    await tree.addMoves(moves);
    /** @type {import("./tree.js").Step | undefined} */
    let step = tree.root;
    for (const u of moves) step = step?.children.find((child) => child.u === u);
    await this.analysis.go(step, true);
  }
}
