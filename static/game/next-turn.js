// Next game that waits for the player, offered in the status line after a move in a game without a
// clock. It is never offered while the player has a game with a clock, whose time may run. Created
// by page.js; the effect runner calls `fetchNextGame()` when the number of games that wait for
// the player has changed, and `onMove()` after each move of the player.
import { get } from "../lib/http.js";
import { goToGame } from "../common/navigation.js";
import { StatusLine } from "../common/status-line.js";
import { t } from "../lib/i18n.js";

/** Delay of the second request after a move, longer than the server's delay of the number. */
const REFETCH_DELAY_MS = 3000;

/**
 * Returns the most urgent other game in which a person waits for the player, null if there is none
 * or the player has a game with a clock.
 * @param {OwnGame[]} games in the order of the server, the most urgent first
 * @param {string} id of the game on this page
 */
export const findNextGame = (games, id) => {
  if (games.some(({ timeControl }) => timeControl.type === "clock")) return null;
  return (
    games.find(
      ({ gameId, isMyTurn, opponent }) => isMyTurn && gameId !== id && opponent.ai === undefined,
    ) ?? null
  );
};

/** Offer of the next game. */
export class NextTurn {
  /** @type {import("./page.js").GamePage} */ page;
  /** @type {OwnGame | null} */ next;
  /** @type {number} */ lastRequest;
  /** @type {boolean} */ hasMoved;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ timer;

  /** @param {import("./page.js").GamePage} page */
  constructor(page) {
    Object.assign(this, { page, next: null, lastRequest: 0, hasMoved: false });
  }

  /**
   * Whether the next game may be offered: after a move of the player, in the turn of a person. The
   * computer answers at once.
   */
  isAllowed() {
    const { game, you, them } = this.page;
    return (
      this.hasMoved && !game.clock && !game.end && game.turn !== you && !this.page.isComputer(them)
    );
  }

  /**
   * Handles a move of the player. Another opponent may move at the same time, which the number of
   * games that wait does not show.
   */
  onMove() {
    this.hasMoved = true;
    this.next = null;
    this.fetchNextGame();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.fetchNextGame(), REFETCH_DELAY_MS);
  }

  /** Requests the games of the player, and offers the most urgent one. */
  async fetchNextGame() {
    const { page } = this;
    if (!this.isAllowed()) return;
    const request = ++this.lastRequest;
    const answer = await get("/api/account/playing").catch(() => null);
    if (request !== this.lastRequest || !answer) return;
    const before = this.button()?.[0];
    this.next = findNextGame(answer.nowPlaying, page.id);
    page.statusLine.runRemote(() => page.prompt.update());
    const label = this.button()?.[0];
    // Screen readers read the text of the status line, but not its buttons.
    if (label && label !== before) StatusLine.announcePolitely(label);
  }

  /**
   * Returns the button that opens the next game, null if none is offered.
   * @returns {StatusButton | null}
   */
  button() {
    if (!this.next || !this.isAllowed()) return null;
    const { gameId, opponent } = this.next;
    return [t("hint.nextGame", { name: opponent.username }), () => goToGame(gameId), "next-game"];
  }

  /**
   * Adds the button to the content of the status line for the turn of the opponent. It needs the
   * room of the hint about premoves.
   * @param {StatusContent} content
   * @returns {StatusContent}
   */
  addTo(content) {
    const button = this.button();
    if (!button) return content;
    const [bold, plain, , quiet] = content;
    return [bold, plain === t("hint.mayahead") ? "" : plain, [button], quiet];
  }
}
