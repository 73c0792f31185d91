// Expected state of the lobby after each message of `/ws/lobby` and `/ws/live`, as
// docs/websocket.md describes them. Independent of `static/lobby/state.js`: it keeps one mutable
// record and knows no effects but their types. All games are between humans, and at most eight.

const isOwn = ({ kind, ineligibleReason }) => ineligibleReason === "own" || kind === "open";

/** Record of the lobby that follows the messages, without time: nothing that is gone disappears. */
export class LobbyOracle {
  /** @param {object} account the viewer */
  constructor(account) {
    Object.assign(this, {
      me: account,
      challenges: [],
      gone: new Map(),
      readyChecks: new Map(),
      failures: new Map(),
      games: [],
      boards: [],
    });
  }

  /** Follows a message or a response, and returns the types of the effects that it must have. */
  follow({ t: type, request, d }) {
    const handler = `on_${type ?? request}`;
    return this[handler] ? this[handler](structuredClone(d)) : ["forward"];
  }

  find(id) {
    return this.challenges.find((challenge) => challenge.id === id);
  }

  board(id) {
    return this.boards.find(({ game }) => game.id === id);
  }

  on_account() {
    return [];
  }

  on_full({ challenges, games, you }) {
    Object.assign(this, { me: { ...this.me, ...you }, challenges, games, gone: new Map() });
    return ["checkStarted", "loadPages", ...this.arrange(), "reloadOwnGames", "loaded"];
  }

  on_challenge(challenge) {
    const at = this.challenges.findIndex(({ id }) => id === challenge.id);
    if (at < 0) this.challenges.unshift(challenge);
    else this.challenges[at] = challenge;
    this.gone.delete(challenge.id);
    return challenge.direction ? ["forward"] : [];
  }

  on_challengeGone({ id, status, direction }) {
    // The list tells creators of declined challenges.
    const isNews = direction && !(direction === "out" && status === "declined");
    const forwarded = isNews ? ["forward"] : [];
    this.readyChecks.delete(id);
    if (!this.find(id)) return forwarded;
    this.gone.set(id, status);
    return ["challengeGone", ...forwarded];
  }

  /** Response to an acceptance. */
  on_accept({ id, ready, readyBy }) {
    if (ready !== false) return [];
    this.readyChecks.set(id, readyBy);
    this.failures.delete(id);
    return ["readyCheckBegun"];
  }

  /** Request of the viewer that cancels the ready check. */
  on_ready({ id }) {
    this.readyChecks.delete(id);
    if (this.find(id)) this.find(id).readyBy = null;
    return [];
  }

  on_ringGone({ id, reason }) {
    if (!this.readyChecks.delete(id) || !this.find(id) || reason === "ready") return ["forward"];
    this.find(id).readyBy = null;
    this.failures.set(id, reason);
    return ["readyCheckFailed", "forward"];
  }

  on_start({ challenge: id }) {
    const challenge = this.find(id);
    const types = challenge?.choices.clocks.map(({ timeControl }) => timeControl.type);
    const isDaily = challenge && isOwn(challenge) && new Set(types).size === 1;
    return isDaily && types[0] === "correspondence"
      ? ["dailyGameStarted", "reloadOwnGames"]
      : ["gameStarted"];
  }

  on_turns() {
    return ["reloadOwnGames", "forward"];
  }

  /** Gives each game of other players a board; those of missing games disappear. */
  arrange() {
    const before = this.boards.length;
    const others = this.games.filter(({ first, second }) =>
      [first, second].every(({ id }) => id !== this.me.id),
    );
    const kept = this.boards.filter(
      ({ game, isGone }) => isGone || others.some(({ id }) => id === game.id),
    );
    const added = others
      .filter(({ id }) => !this.board(id))
      .map((game) => ({ game, isFollowed: false, end: null, isGone: false }));
    this.boards = [...kept, ...added];
    return kept.length < before || added.length > 0 ? ["follow"] : [];
  }

  on_game(game) {
    const known = this.games.find(({ id }) => id === game.id);
    if (!known) {
      this.games.unshift(game);
      return this.arrange();
    }
    Object.assign(known, game);
    const board = this.board(game.id);
    if (board && !board.isFollowed && !board.end) board.game = game;
    return [];
  }

  on_gameGone({ id }) {
    this.games = this.games.filter((game) => game.id !== id);
    const board = this.board(id);
    if (!board) return [];
    const isNew = !board.isGone;
    board.isGone = true;
    if (!board.isFollowed) board.end ??= {};
    return isNew ? ["boardGone"] : [];
  }

  on_live(game) {
    const board = this.board(game.id);
    if (board && !board.end) Object.assign(board, { isFollowed: true, game });
    return [];
  }

  on_liveGone(end) {
    const board = this.board(end.id);
    if (!board || board.end) return [];
    Object.assign(board, { isFollowed: true, end });
    return this.on_gameGone(end);
  }
}
