// Expected boards of the page of games in progress after each message of `/ws/live` and each list.
// Independent of `static/watch/state.js`: it keeps one mutable array.

/** Positions of a page. */
const POSITIONS = 16;

/** Record of the boards that follows the messages. */
export class WatchOracle {
  boards = [];

  find(id) {
    return this.boards.find((board) => board.game.id === id);
  }

  /**
   * Follows a list: finished games are replaced if `replaces`, else all boards stay. Returns
   * whether the games to follow have changed.
   */
  followList({ games }, replaces) {
    const before = this.boards.map(({ game }) => game.id).join();
    const added = games.filter(({ id }) => !this.find(id)).map((game) => ({ game, end: null }));
    const positions = [];
    for (const board of this.boards) {
      const next = replaces && board.end ? added.shift() : board;
      if (next) positions.push(next);
    }
    while (positions.length < POSITIONS && added.length) positions.push(added.shift());
    this.boards = positions;
    return this.boards.map(({ game }) => game.id).join() !== before;
  }

  /** Follows a message. */
  follow({ t: type, d }) {
    const board = this.find(d.id);
    if (!board || board.end) return;
    if (type === "live") board.game = d;
    if (type === "liveGone") board.end = d;
  }
}
