// A game in play as a small board: both players, their clocks, the last move, and how it ended.
import { Seen } from "../board/static-board.js";
import { h } from "../lib/dom.js";
import { botOf, ratingText } from "./user-link.js";
import { timeText } from "./challenge-text.js";
import { clockText, LOW_MS } from "../lib/format-time.js";
import { say, variantName } from "../lib/i18n.js";

/**
 * A player with the rating, as a line shows it.
 * @param {Player} player
 * @returns {string}
 */
export const seatText = ({ name, title, guest, ...player }) =>
  `${title ? `${title} ` : ""}${name} ${guest ? say("card.guest") : ratingText(player)}`;

/**
 * The same in parts: the name gives way where there is no room.
 * @param {Player} player
 * @param {...Child} more
 */
export const seatLine = ({ name, guest, ...player }, ...more) =>
  // The level of the computer says more than its rating.
  h(
    "span",
    { class: "seat" },
    h("b", {}, botOf(player), name),
    !player.level &&
      h("span", { class: "small soft num" }, guest ? say("card.guest") : ratingText(player)),
    ...more,
  );

export class LiveBoard {
  /** @type {string} */ id;
  /** @type {Variant} */ variant;
  /** @type {LiveGame} */ game;
  /** @type {{ at: number } | null} */ gone;
  /** @type {string} */ says;

  /**
   * @param {LiveGame} game
   * @param {Variant} variant
   */
  constructor(game, variant) {
    Object.assign(this, { id: game.id, variant, game: null, gone: null });
    this.board = new Seen(variant.key, { board: variant.board, label: "" });
    this.board.svg.setAttribute("aria-hidden", "true");
    this.times = {
      first: h("span", { class: "time num" }),
      second: h("span", { class: "time num" }),
    };
    this.verdict = h("span", { class: "verdict", hidden: true });
    this.line = h("span", { class: "about small soft num" });
    const seat = (side) => seatLine(game[side], this.times[side]);
    const parts = [
      seat("second"),
      h("span", { class: "table" }, this.board.svg, this.verdict),
      seat("first"),
      this.line,
    ];
    // All of it is told by the name of the link that lies over it, in the order of a sentence.
    for (const part of parts) part.setAttribute("aria-hidden", "true");
    this.link = h("a", { class: "stretched", href: `/${game.id}` });
    this.element = h(
      "li",
      { class: "card", "data-id": game.id },
      h("div", { class: "live-tile" }, ...parts, this.link),
    );
    this.show(game);
  }

  /** Takes up how the game stands; a single new move is seen to travel. */
  show(game) {
    const was = this.game;
    this.game = game;
    if (game.ply !== was?.ply || game.cells !== was?.cells) this.draw(game, was);
    const kind = say(game.rated ? "card.rated" : "card.casual");
    const move = say("live.move", { n: Math.floor(game.ply / 2) + 1 });
    const watching = game.watchers ? say("live.watching", { n: game.watchers }) : null;
    const name = variantName(this.variant);
    this.line.replaceChildren(
      ...[name, move, [timeText(game.timeControl), kind].join(" · "), watching].map((text) =>
        h("span", {}, text),
      ),
    );
    this.says = say("live.says", {
      game: name,
      time: timeText(game.timeControl),
      kind,
      first: seatText(game.first),
      second: seatText(game.second),
      state: [move, watching].filter(Boolean).join(", "),
    });
    this.link.setAttribute("aria-label", this.says);
  }

  draw(game, was) {
    const follows = was && game.ply === was.ply + 1;
    if (follows && game.last)
      this.board.follow({ cells: game.cells, before: was.cells, trace: game.last });
    else this.board.show({ cells: game.cells, before: game.cells, trace: game.last });
  }

  /** The clocks at a moment of the server's time. */
  tick(now) {
    const { clocks } = this.game;
    for (const [side, element] of Object.entries(this.times)) {
      element.hidden = !clocks;
      if (!clocks) continue;
      const running = clocks.running === side && !this.gone;
      const left = clocks[side] - (running ? Math.max(0, now - clocks.at) : 0);
      const text = clockText(left);
      if (element.textContent !== text) element.textContent = text;
      element.classList.toggle("run", running && left >= LOW_MS);
      element.classList.toggle("low", running && left < LOW_MS);
    }
  }

  /** What came of it, in words that are loaded with the first game that is seen to end. */
  async outcome(gone) {
    return gone.status
      ? (await import("./result.js")).resultText({ sides: this.variant.sides }, gone, null)
      : null;
  }

  /** The game is over; what came of it is shown, if that is known. */
  async end(gone, now) {
    if (this.gone) return;
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
    this.gone = { at: Date.now() };
    this.element.classList.add("ended");
    const [title, why] = (await this.outcome(gone).catch(() => null)) ?? [say("live.over"), ""];
    this.verdict.replaceChildren(h("b", {}, title), why && h("span", { class: "small" }, why));
    this.verdict.hidden = false;
    this.link.setAttribute("aria-label", `${this.says} ${[title, why].filter(Boolean).join(". ")}`);
  }
}
