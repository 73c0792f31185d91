// Games in progress as live mini-boards, games between humans first. Created by lobby.js, which
// passes each state. The lobby socket reports the list of games; a second socket
// (/ws/live) follows the moves of the visible boards and is opened when the section first comes
// into view. Boards keep their position while they are shown.
import { showError } from "../lib/form.js";
import { emptyBoard } from "../common/variant-cards.js";
import { h } from "../lib/dom.js";
import { followedIds, selectGames, showBoards } from "./board-transitions.js";
import { Socket } from "../lib/socket.js";
import { t } from "../lib/i18n.js";

/** Redraw interval of clocks. */
const TICK_MS = 250;

/**
 * Time without a game in progress until a finished one is loaded, which must not delay the page.
 */
const CLASSIC_AFTER_MS = 3000;

/** @typedef {import("./state.js").LobbyState} LobbyState */
/** @typedef {import("./board-transitions.js").LiveBoard} LiveBoard */
/** @typedef {typeof import("../common/mini-board.js").MiniBoard} MiniBoardClass */

/**
 * Builds the content of the section while no game is in progress: a board beside texts and buttons.
 * @param {SVGElement} board
 * @param {...HTMLElement} texts
 */
export const quietGames = (board, ...texts) =>
  h(
    "div",
    { class: "quiet-games" },
    h("div", { class: "quiet-games-board" }, board),
    h("div", { class: "quiet-games-text" }, ...texts),
  );

/** Section of games in progress. */
export class LiveGames {
  /** @type {import("./lobby.js").Lobby} */ page;
  /** @type {Map<string, InstanceType<MiniBoardClass>>} */ cards;
  /** @type {Socket<"/ws/live"> | undefined} */ socket;
  /** @type {boolean | undefined} */ isVisible;
  /** @type {boolean | undefined} */ isFailureReported;
  /** @type {MiniBoardClass | undefined} */ Live;

  /** @param {import("./lobby.js").Lobby} page */
  constructor(page) {
    Object.assign(this, { page, cards: new Map() });
    this.list = h("ul", { tabindex: 0, "aria-label": t("lobby.tables") });
    this.more = h("a", { class: "btn btn-quiet", href: "/live" }, t("live.more"));
    this.quiet = h(
      "div",
      { class: "live-games-quiet" },
      quietGames(
        emptyBoard([...page.catalog.values()][0]),
        h("p", {}, t("lobby.quiet")),
        h("a", { class: "btn", href: "/find" }, t("quick.person")),
      ),
    );
    this.element = h(
      "section",
      { class: "live-games" },
      h("div", { class: "live-games-head" }, h("h2", {}, t("lobby.tables")), this.more),
      this.quiet,
      this.list,
    );
    this.draw(page.state);
    new IntersectionObserver(
      (entries) => this.onVisibility(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: "100px" },
    ).observe(this.element);
    setInterval(() => document.hidden || this.tick(), TICK_MS);
  }

  /**
   * Shows a state. `previous` is the state shown before.
   * @param {LobbyState} state
   * @param {LobbyState} previous
   */
  show(state, previous) {
    if (state.boards !== previous.boards) this.showBoards(state, previous);
    if (state.boards !== previous.boards || state.games !== previous.games) this.draw(state);
  }

  /**
   * @param {LobbyState} state
   * @param {LobbyState} previous
   */
  showBoards({ boards }, previous) {
    for (const [id, { element }] of this.cards) {
      if (boards.some(({ game }) => game.id === id)) continue;
      element.remove();
      this.cards.delete(id);
    }
    for (const board of boards) if (!previous.boards.includes(board)) this.showBoard(board);
  }

  /** @param {LiveBoard} board */
  showBoard({ game, end, isFollowed }) {
    const card = this.cards.get(game.id) ?? this.add(game);
    if (card.game !== game && !card.ended) card.show(game);
    if (end) card.end(end, this.socket?.now() ?? Date.now());
    if (isFollowed && this.socket) card.tick(this.socket.now());
  }

  /** @param {LiveGame} game */
  add(game) {
    const { Live } = this;
    const card = new /** @type {MiniBoardClass} */ (Live)(
      game,
      this.page.catalog.get(game.variant.key),
    );
    this.cards.set(game.id, card);
    this.list.append(card.element);
    return card;
  }

  /** @param {LobbyState} state */
  draw(state) {
    const hasBoards = state.boards.length > 0 || selectGames(state).length > 0;
    this.more.hidden = !hasBoards;
    this.quiet.hidden = hasBoards;
    this.list.hidden = !hasBoards;
    if (!hasBoards) this.awaitClassic();
    // All games in progress are the viewer's own, which another section shows.
    this.element.hidden = !hasBoards && state.games.length > 0;
  }

  /**
   * Handles a change of the section's visibility.
   * @param {boolean} visible
   */
  onVisibility(visible) {
    this.isVisible = visible;
    if (!visible) return;
    this.load();
    this.awaitClassic();
    this.follow(followedIds(this.page.state));
  }

  /**
   * Loads the board module once the section is visible and has a game to show. Reports the first
   * failure only; the next game triggers another attempt.
   */
  async load() {
    if (this.Live || !this.isVisible || !selectGames(this.page.state).length) return;
    try {
      this.Live = (await import("../common/mini-board.js")).MiniBoard;
    } catch (failed) {
      if (!this.isFailureReported) showError(failed);
      this.isFailureReported = true;
      return;
    }
    this.page.change(showBoards(this.page.state));
  }

  /** Replays a finished game if there is still none in progress after a while. */
  awaitClassic() {
    clearTimeout(this.classicTimer);
    this.classicTimer = setTimeout(() => {
      if (!this.isVisible || document.hidden || this.quiet.hidden) return;
      // The replay replaces the button, which the user may be about to press.
      if (this.quiet.matches(":hover, :focus-within")) this.awaitClassic();
      else
        import("./classic.js").then(
          (m) => m.showClassic(this.quiet, this.page.catalog),
          () => {},
        );
    }, CLASSIC_AFTER_MS);
  }

  /**
   * Subscribes to games; opens the socket on first use.
   * @param {string[]} ids
   */
  follow(ids) {
    if (!this.socket && (!this.isVisible || ids.length === 0)) return;
    this.socket ??= new Socket("/ws/live", {
      onMessage: (message) => this.page.receive(message),
      onState: (state) => state === "open" && this.follow(followedIds(this.page.state)),
    });
    this.socket.command("watch", { ids });
  }

  tick() {
    const now = this.socket?.now();
    if (!now) return;
    for (const { game, isFollowed } of this.page.state.boards)
      if (isFollowed) this.cards.get(game.id)?.tick(now);
  }
}
