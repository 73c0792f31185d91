// Games in progress as live mini-boards, games between humans first. Created by lobby.js. The lobby
// socket reports the list of games; a second socket (/ws/live) follows the moves of the visible
// boards and is opened when the section first comes into view. Boards keep their position while
// they are shown.
import { showError } from "../lib/form.js";
import { h } from "../lib/dom.js";
import { humanIds } from "../common/user-link.js";
import { Socket } from "../lib/socket.js";
import { t } from "../lib/i18n.js";

/** Maximum number of boards, time for which a finished one stays, and redraw interval of clocks. */
const SHOWN_MAX = 8;
const FINISHED_MS = 4000;
const TICK_MS = 250;

/**
 * Selects the games to show: games between humans, then at most one game against a bot per human,
 * so that no single player fills the section. Excludes the viewer's own games, which my-games.js
 * shows.
 * @param {LiveGame[]} games
 * @param {string} me
 * @returns {LiveGame[]}
 */
const selectGames = (games, me) => {
  const rank = (/** @type {LiveGame} */ game) => 2 - humanIds(game).length;
  const represented = new Set();
  const isAdmitted = (/** @type {LiveGame} */ game) => {
    const people = humanIds(game);
    if (people.length === 2) return true;
    const name = people[0] ?? "";
    const first = !represented.has(name);
    represented.add(name);
    return first;
  };
  return games
    .filter((game) => !humanIds(game).includes(me))
    .filter(isAdmitted)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, SHOWN_MAX);
};

/**
 * Mini-board with the state that this section adds.
 * @typedef {import("../common/mini-board.js").MiniBoard & { follows: boolean, until: number }} Card
 */

/** Section of games in progress. */
export class LiveGames {
  /** @type {Catalogue} */ variants;
  /** @type {string} */ me;
  /** @type {(games: LiveGame[]) => unknown} */ onCount;
  /** @type {Map<string, LiveGame>} */ games;
  /** @type {Map<string, Card>} */ cards;
  /** @type {number} */ boardCount;
  /** @type {Socket | undefined} */ socket;
  /** @type {boolean | undefined} */ isVisible;
  /** @type {boolean | undefined} */ isFailureReported;
  /** @type {typeof import("../common/mini-board.js").MiniBoard | undefined} */ Live;

  /**
   * @param {Catalogue} variants
   * @param {string} me  id of the viewer
   * @param {(games: LiveGame[]) => unknown} onCount  called with all games in progress on each
   *   change
   */
  constructor(variants, me, onCount) {
    Object.assign(this, {
      variants,
      me,
      onCount,
      games: new Map(),
      cards: new Map(),
      boardCount: 0,
    });
    this.list = h("ul", { tabindex: 0, "aria-label": t("lobby.tables") });
    this.emptyText = h("p", { class: "live-games-empty" }, t("lobby.quiet"));
    this.element = h(
      "section",
      { class: "live-games" },
      h(
        "div",
        { class: "live-games-head" },
        h("h2", {}, t("lobby.tables")),
        h("a", { class: "btn btn-quiet", href: "/live" }, t("live.more")),
      ),
      this.emptyText,
      this.list,
    );
    this.draw();
    new IntersectionObserver(
      (entries) => this.onVisibility(entries.some(({ isIntersecting }) => isIntersecting)),
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
    const isKnown = this.games.has(game.id);
    this.games = isKnown
      ? this.games.set(game.id, game)
      : new Map([[game.id, game], ...this.games]);
    const card = this.cards.get(game.id);
    // The live socket sends each move of a followed game earlier and with its trace.
    if (card && !card.follows && !card.ended) card.show(game);
    if (!isKnown) this.arrange();
  }

  /**
   * Removes a game; its board stays visible for `FINISHED_MS`.
   * @param {string} id
   */
  remove(id) {
    this.games.delete(id);
    const card = this.cards.get(id);
    if (!card) return this.onCount([...this.games.values()]);
    if (!card.follows) card.end({}, this.socket?.now() ?? Date.now());
    card.until ??= Date.now() + FINISHED_MS;
    setTimeout(() => this.arrange(), FINISHED_MS + 1);
    return undefined;
  }

  /** Updates the set of boards: shown boards keep their position, new ones are appended. */
  arrange() {
    const chosen = selectGames([...this.games.values()], this.me);
    const before = [...this.cards.keys()].join();
    this.boardCount = chosen.length;
    for (const [id, { element, until }] of this.cards) {
      if (chosen.some((game) => game.id === id) || until > Date.now()) continue;
      element.remove();
      this.cards.delete(id);
    }
    for (const game of chosen) if (!this.cards.has(game.id)) this.add(game);
    if ([...this.cards.keys()].join() !== before) this.watch();
    this.onCount([...this.games.values()]);
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
    const hasBoards = this.cards.size > 0 || this.boardCount > 0;
    this.emptyText.hidden = hasBoards;
    this.list.hidden = !hasBoards;
    // All games in progress are the viewer's own, which another section shows.
    this.element.hidden = !hasBoards && this.games.size > 0;
  }

  /**
   * Handles a change of the section's visibility.
   * @param {boolean} visible
   */
  onVisibility(visible) {
    this.isVisible = visible;
    if (!visible) return;
    this.arrange();
    this.watch();
  }

  /**
   * Loads the board module once the section is visible and has a game to show. Reports the first
   * failure only; the next game triggers another attempt.
   */
  async load() {
    if (this.Live || !this.isVisible || !this.boardCount) return;
    try {
      this.Live = (await import("../common/mini-board.js")).MiniBoard;
    } catch (failed) {
      if (!this.isFailureReported) showError(failed);
      this.isFailureReported = true;
      return;
    }
    this.arrange();
    this.watch();
  }

  /** Subscribes to the shown games; opens the socket on first use. */
  watch() {
    const ids = [...this.cards.values()].filter(({ ended: result }) => !result).map(({ id }) => id);
    if (!this.socket && (!this.isVisible || ids.length === 0)) return;
    this.socket ??= new Socket("/ws/live", {
      onMessage: (message) => this.onFrame(message),
      onState: (state) => state === "open" && this.watch(),
    });
    this.socket.command("watch", { ids });
  }

  /**
   * Handles a frame of the live socket.
   * @param {Frame} frame
   */
  onFrame({ t: type, d: data }) {
    const card = this.cards.get(/** @type {{ id: string }} */ (data)?.id);
    if (!card || card.ended || !this.socket) return;
    if (type === "live") {
      card.follows = true;
      card.show(data);
    }
    if (type === "liveGone") {
      card.end(data, this.socket.now());
      this.remove(data.id);
    }
    card.tick(this.socket.now());
  }

  tick() {
    const now = this.socket?.now();
    if (now) for (const card of this.cards.values()) if (card.follows) card.tick(now);
  }
}
