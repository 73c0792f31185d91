// Games in progress as live mini-boards, games between humans first. Created by lobby.js. The lobby
// socket reports the list of games; a second socket (/ws/live) follows the moves of the visible
// boards and is opened when the section first comes into view. Boards keep their position while
// they are shown.
import { sayWhy } from "../lib/dialog.js";
import { h } from "../lib/dom.js";
import { peopleIn } from "../common/user-link.js";
import { Socket } from "../lib/socket.js";
import { say } from "../lib/i18n.js";

/** Maximum number of boards, time for which a finished one stays, and redraw interval of clocks. */
const SHOWN_MAX = 8;
const OVER_MS = 4000;
const TICK_MS = 250;

/**
 * Selects the games to show: games between humans, then at most one game against a bot per human,
 * so that no single player fills the section. Excludes the viewer's own games, which my-games.js
 * shows.
 * @param {LiveGame[]} games
 * @param {string} me
 * @returns {LiveGame[]}
 */
const chosenOf = (games, me) => {
  const rank = (/** @type {LiveGame} */ game) => 2 - peopleIn(game).length;
  const seen = new Set();
  const alone = (/** @type {LiveGame} */ game) => {
    const people = peopleIn(game);
    if (people.length === 2) return true;
    const name = people[0] ?? "";
    const first = !seen.has(name);
    seen.add(name);
    return first;
  };
  return games
    .filter((game) => !peopleIn(game).includes(me))
    .filter(alone)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, SHOWN_MAX);
};

/**
 * Mini-board with the state that this section adds.
 * @typedef {import("../common/mini-board.js").LiveBoard & { follows: boolean, until: number }} Card
 */

/** Section of games in progress. */
export class Tables {
  /** @type {Catalogue} */ variants;
  /** @type {string} */ me;
  /** @type {(games: LiveGame[]) => unknown} */ counted;
  /** @type {Map<string, LiveGame>} */ games;
  /** @type {Map<string, Card>} */ cards;
  /** @type {number} */ due;
  /** @type {Socket | undefined} */ socket;
  /** @type {boolean | undefined} */ inSight;
  /** @type {boolean | undefined} */ isMissed;
  /** @type {typeof import("../common/mini-board.js").LiveBoard | undefined} */ Live;

  /**
   * @param {Catalogue} variants
   * @param {string} me  id of the viewer
   * @param {(games: LiveGame[]) => unknown} counted  called with all games in progress on each
   *   change
   */
  constructor(variants, me, counted) {
    Object.assign(this, { variants, me, counted, games: new Map(), cards: new Map(), due: 0 });
    this.list = h("ul", { tabindex: 0, "aria-label": say("lobby.tables") });
    this.quiet = h("p", { class: "no-tables" }, say("lobby.quiet"));
    this.element = h(
      "section",
      { class: "tables" },
      h(
        "div",
        { class: "tables-head" },
        h("h2", {}, say("lobby.tables")),
        h("a", { class: "btn quiet", href: "/live" }, say("live.more")),
      ),
      this.quiet,
      this.list,
    );
    this.draw();
    new IntersectionObserver(
      (seen) => this.seen(seen.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: "100px" },
    ).observe(this.element);
    setInterval(() => document.hidden || this.tick(), TICK_MS);
  }

  /**
   * Returns the level of the computer in a game, if one plays.
   * @param {string} id
   * @returns {number | undefined}
   */
  levelIn(id) {
    const { first, second } = this.games.get(id) ?? {};
    return first?.level ?? second?.level;
  }

  /** @param {LiveGame[]} games */
  set(games) {
    this.games = new Map(games.map((game) => [game.id, game]));
    this.arrange();
  }

  /**
   * Adds or updates a game.
   * @param {LiveGame} game
   */
  show(game) {
    const known = this.games.has(game.id);
    this.games = known ? this.games.set(game.id, game) : new Map([[game.id, game], ...this.games]);
    const card = this.cards.get(game.id);
    // The live socket sends each move of a followed game earlier and with its trace.
    if (card && !card.follows && !card.gone) card.show(game);
    if (!known) this.arrange();
  }

  /**
   * Removes a game; its board stays visible for `OVER_MS`.
   * @param {string} id
   */
  remove(id) {
    this.games.delete(id);
    const card = this.cards.get(id);
    if (!card) return this.counted([...this.games.values()]);
    if (!card.follows) card.end({}, this.socket?.now() ?? Date.now());
    card.until ??= Date.now() + OVER_MS;
    setTimeout(() => this.arrange(), OVER_MS + 1);
    return undefined;
  }

  /** Updates the set of boards: shown boards keep their position, new ones are appended. */
  arrange() {
    const chosen = chosenOf([...this.games.values()], this.me);
    const before = [...this.cards.keys()].join();
    this.due = chosen.length;
    for (const [id, { element, until }] of this.cards) {
      if (chosen.some((game) => game.id === id) || until > Date.now()) continue;
      element.remove();
      this.cards.delete(id);
    }
    for (const game of chosen) if (!this.cards.has(game.id)) this.add(game);
    if ([...this.cards.keys()].join() !== before) this.watch();
    this.counted([...this.games.values()]);
    this.draw();
    this.load();
  }

  /** @param {LiveGame} game */
  add(game) {
    if (!this.Live) return;
    const card = /** @type {Card} */ (new this.Live(game, this.variants.get(game.variant.key)));
    this.cards.set(game.id, card);
    this.list.append(card.element);
  }

  draw() {
    const any = this.cards.size > 0 || this.due > 0;
    this.quiet.hidden = any;
    this.list.hidden = !any;
    // All games in progress are the viewer's own, which another section shows.
    this.element.hidden = !any && this.games.size > 0;
  }

  /**
   * Handles a change of the section's visibility.
   * @param {boolean} inSight
   */
  seen(inSight) {
    this.inSight = inSight;
    if (!inSight) return;
    this.arrange();
    this.watch();
  }

  /**
   * Loads the board module once the section is visible and has a game to show. Reports the first
   * failure only; the next game triggers another attempt.
   */
  async load() {
    if (this.Live || !this.inSight || !this.due) return;
    try {
      this.Live = (await import("../common/mini-board.js")).LiveBoard;
    } catch (failed) {
      if (!this.isMissed) sayWhy(failed);
      this.isMissed = true;
      return;
    }
    this.arrange();
    this.watch();
  }

  /** Subscribes to the shown games; opens the socket on first use. */
  watch() {
    const ids = [...this.cards.values()].filter(({ gone }) => !gone).map(({ id }) => id);
    if (!this.socket && (!this.inSight || ids.length === 0)) return;
    this.socket ??= new Socket("/ws/live", {
      hear: (message) => this.hear(message),
      state: (word) => word === "open" && this.watch(),
    });
    this.socket.command("watch", { ids });
  }

  /**
   * Handles a frame of the live socket.
   * @param {Frame} frame
   */
  hear({ t, d }) {
    const card = this.cards.get(d?.id);
    if (!card || card.gone || !this.socket) return;
    if (t === "live") {
      card.follows = true;
      card.show(d);
    }
    if (t === "liveGone") {
      card.end(d, this.socket.now());
      this.remove(d.id);
    }
    card.tick(this.socket.now());
  }

  tick() {
    const now = this.socket?.now();
    if (now) for (const card of this.cards.values()) if (card.follows) card.tick(now);
  }
}
