// Live card of a game: board with the last move, players, clocks, and the result once it has ended.
// The card has no connection of its own: its list passes updates to `show()` and the server's time
// to `tick()`. Used by the lobby, the Watch page and TV. `playerWithRating` and `playerLine` also
// serve other lists.
import { StaticBoard } from "../board/static-board.js";
import { h, setText } from "../lib/dom.js";
import { botBadge, ratingText } from "./user-link.js";
import { timeControlText } from "./challenge-text.js";
import { clockText, LOW_MS } from "../lib/format-time.js";
import { t, variantName } from "../lib/i18n.js";

/**
 * End of a live game; empty if the result is unknown.
 * @typedef {Partial<Pick<Frames["liveGone"], "status" | "winner" | "reason">>} LiveEnd
 */

/**
 * Returns a player's title, name and rating.
 * @param {Player} player
 * @returns {string}
 */
export const playerWithRating = ({ name, title, guest, ...player }) =>
  `${title ? `${title} ` : ""}${name} ${guest ? t("card.guest") : ratingText(player)}`;

/**
 * Returns the same as elements, of which the name is truncated in a narrow card.
 * @param {Player} player
 * @param {...Child} more
 */
export const playerLine = ({ name, guest, ...player }, ...more) =>
  // Engine accounts show their level instead of a rating.
  h(
    "span",
    { class: "board-tile-player" },
    h("b", {}, botBadge(player), name),
    !player.level &&
      h("span", { class: "small soft num" }, guest ? t("card.guest") : ratingText(player)),
    ...more,
  );

/** Card of a game in play. */
export class MiniBoard {
  /** @type {string} */ id;
  /** @type {Variant} */ variant;
  /** @type {LiveGame} */ game;
  /** @type {{ at: number } | null} */ ended;
  /** @type {string} */ label;

  /**
   * @param {LiveGame} game
   * @param {Variant} variant
   */
  constructor(game, variant) {
    Object.assign(this, { id: game.id, variant, game: null, ended: null });
    this.board = new StaticBoard(variant.key, { board: variant.board, label: "" });
    this.board.svg.setAttribute("aria-hidden", "true");
    this.clockElements = {
      first: h("span", { class: "board-tile-clock num" }),
      second: h("span", { class: "board-tile-clock num" }),
    };
    this.result = h("span", { class: "board-tile-result", hidden: true });
    this.line = h("span", { class: "board-tile-details small soft num" });
    const seat = (/** @type {Side} */ side) => playerLine(game[side], this.clockElements[side]);
    const parts = [
      seat("second"),
      h("span", { class: "board-tile-board" }, this.board.svg, this.result),
      seat("first"),
      this.line,
    ];
    // The accessible name of the link that covers the card contains all of these parts.
    for (const part of parts) part.setAttribute("aria-hidden", "true");
    this.link = h("a", { class: "stretched-link", href: `/${game.id}` });
    this.element = h(
      "li",
      { class: "card", "data-id": game.id },
      h("div", { class: "board-tile" }, ...parts, this.link),
    );
    this.show(game);
  }

  /**
   * Shows a state of the game; a single new move is animated.
   * @param {LiveGame} game
   */
  show(game) {
    const previous = this.game;
    this.game = game;
    if (game.ply !== previous?.ply || game.cells !== previous?.cells) this.draw(game, previous);
    const kind = t(game.rated ? "card.rated" : "card.casual");
    const move = t("live.move", { n: Math.floor(game.ply / 2) + 1 });
    const watching = game.watchers ? t("live.watching", { n: game.watchers }) : null;
    const name = variantName(this.variant);
    this.line.replaceChildren(
      ...[name, move, [timeControlText(game.timeControl), kind].join(" · "), watching].map((text) =>
        h("span", {}, text),
      ),
    );
    this.label = t("live.says", {
      game: name,
      time: timeControlText(game.timeControl),
      kind,
      first: playerWithRating(game.first),
      second: playerWithRating(game.second),
      state: [move, watching].filter(Boolean).join(", "),
    });
    this.link.setAttribute("aria-label", this.label);
  }

  /**
   * @param {LiveGame} game
   * @param {LiveGame | null} previous
   */
  draw(game, previous) {
    const isNextPly = previous && game.ply === previous.ply + 1;
    if (isNextPly && game.last)
      this.board.showMove({ cells: game.cells, before: previous.cells, trace: game.last });
    else this.board.show({ cells: game.cells, before: game.cells, trace: game.last });
  }

  /**
   * Draws the clocks.
   * @param {number} now  server time in milliseconds
   */
  tick(now) {
    const { clocks } = this.game;
    for (const [side, element] of /** @type {[Side, HTMLElement][]} */ (
      Object.entries(this.clockElements)
    )) {
      element.hidden = !clocks;
      if (!clocks) continue;
      const running = clocks.running === side && !this.ended;
      const left = clocks[side] - (running ? Math.max(0, now - clocks.at) : 0);
      const text = clockText(left);
      setText(element, text);
      element.classList.toggle("is-running", running && left >= LOW_MS);
      element.classList.toggle("is-low", running && left < LOW_MS);
    }
  }

  /**
   * Describes the result, or returns null if it is unknown. The texts are loaded on first use.
   * @param {LiveEnd} result
   */
  async loadResult(result) {
    return result.status
      ? (await import("./result.js")).resultText({ sides: this.variant.sides }, result, null)
      : null;
  }

  /**
   * Stops the clocks and shows the result.
   * @param {LiveEnd} result
   * @param {number} now
   */
  async end(result, now) {
    if (this.ended) return;
    const { clocks } = this.game;
    if (clocks?.running)
      this.game = {
        ...this.game,
        clocks: {
          ...clocks,
          [clocks.running]: clocks[clocks.running] - Math.max(0, now - clocks.at),
          running: null,
        },
      };
    this.ended = { at: Date.now() };
    this.element.classList.add("is-ended");
    const [title, explanation] = (await this.loadResult(result).catch(() => null)) ?? [
      t("live.over"),
      "",
    ];
    this.result.replaceChildren(
      h("b", {}, title),
      explanation && h("span", { class: "small" }, explanation),
    );
    this.result.hidden = false;
    this.link.setAttribute(
      "aria-label",
      `${this.label} ${[title, explanation].filter(Boolean).join(". ")}`,
    );
  }
}
