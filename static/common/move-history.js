// Moves of a game, the positions after them and the displayed ply. The client knows no rules:
// missing positions come from `/api/position` in one replay request. `positions[ply]` and
// `traces[ply]` hold the position after `ply` moves and the trace that led to it; entries may be
// missing, except for the first and the latest position. Created by the pages of games: on the
// server (updated by `game/render.js`), and on one device.
import { post } from "../lib/http.js";
import { parseCells, parsePosition, splitMoves } from "../model/notation.js";

/** @typedef {import("./moves.js").MoveText} MoveText */

/** Move history of a game with the displayed ply. */
export class MoveHistory {
  /** @type {() => Setup} */ setup;
  /** @type {((u: string, ply: number) => MoveText) | undefined} */ formatMove;
  /** @type {import("./moves.js").MoveList} */ list;
  /** @type {() => unknown} */ show;
  /** @type {(text: string) => unknown} */ onError;
  /** @type {string[]} */ moves;
  /** @type {string[]} */ positions;
  /** @type {(Trace | null | undefined)[]} */ traces;
  /** @type {number} */ ply;
  /** @type {number} */ requestedPly;
  /** @type {{ key: string, answer: Promise<void> } | null} */ pending;
  /** @type {{ trace: Trace, cells: string } | null} */ removedMove;
  /** @type {{ position: string, tokens: Tokens } | undefined} */ parsed;

  /**
   * `setup()` returns the common fields of requests to `/api/position`; `formatMove(u, ply)`
   * formats a move for the list (default: its notation), whose positions are loaded; `show()` is
   * called after a change of the displayed ply, `onError(text)` after a failure to load its
   * position.
   * @param {{
   *   setup: () => Setup,
   *   formatMove?: (u: string, ply: number) => MoveText,
   *   list: import("./moves.js").MoveList,
   *   show: () => unknown,
   *   onError: (text: string) => unknown,
   * }} options
   */
  constructor({ setup, formatMove, list, show, onError }) {
    Object.assign(this, {
      setup,
      formatMove,
      list,
      show,
      onError,
      moves: [],
      positions: [],
      traces: [],
      ply: 0,
      pending: null,
      removedMove: null,
    });
  }

  /** Ply of the latest position: the number of moves. */
  get latestPly() {
    return this.moves.length;
  }

  /** Whether the displayed position is the latest one. */
  isLatest() {
    return this.ply === this.latestPly;
  }

  /** Whether the displayed or requested ply is the latest one. */
  isFollowing() {
    return (this.requestedPly ?? this.ply) === this.latestPly;
  }

  /**
   * Returns the number of moves of a side until the displayed position, assuming that the sides
   * take turns.
   * @param {Side} side
   */
  ownMoves(side) {
    return Math.floor((this.ply + (side === "first" ? 1 : 0)) / 2);
  }

  /** Returns the position after `ply` moves, undefined if it is not loaded. */
  positionAt(ply = this.ply) {
    return this.positions[ply];
  }

  /** Tokens of the displayed position, which the board may not show yet. */
  get tokens() {
    const position = this.positionAt();
    if (this.parsed?.position !== position)
      this.parsed = { position, tokens: parseCells(parsePosition(position).cells) };
    return this.parsed.tokens;
  }

  /** Returns the cells one ply before the displayed position, null if they are not loaded. */
  previousCells() {
    return this.ply > 0 && this.positions[this.ply - 1]
      ? parsePosition(this.positions[this.ply - 1]).cells
      : null;
  }

  /** Returns the trace of the move that led to the displayed position. */
  trace() {
    return this.traces[this.ply];
  }

  /**
   * Replaces the game. The displayed ply remains if it still exists. Positions of unchanged moves
   * remain loaded, as the server sends the whole game after each reconnect.
   * @param {Pick<Game, "initialFen" | "position" | "last" | "state">} game
   */
  set({ initialFen, position, last, state }) {
    const pastPly = this.isFollowing() ? null : this.requestedPly;
    const moves = splitMoves(state.moves);
    const firstDifference = moves.findIndex((u, at) => u !== this.moves[at]);
    const loadedCount =
      initialFen === this.positions[0]
        ? 1 + Math.min(this.latestPly, firstDifference < 0 ? moves.length : firstDifference)
        : 0;
    this.positions.length = Math.min(this.positions.length, loadedCount);
    this.traces.length = Math.min(this.traces.length, loadedCount);
    this.moves = moves;
    this.positions[0] = initialFen;
    this.positions[this.latestPly] = position;
    this.traces[this.latestPly] = last;
    this.list.set(this.moves.map((text) => ({ text })));
    this.go(pastPly === null ? this.latestPly : Math.min(pastPly, this.latestPly));
    if (this.formatMove && this.moves.length) this.reformatList().catch(() => {});
  }

  /**
   * Appends a move. The board displays it unless a past position is displayed.
   * @param {string} u notation of the move
   * @param {string} position
   * @param {Trace | null} trace
   */
  add(u, position, trace) {
    const following = this.isFollowing();
    this.moves.push(u);
    this.positions[this.latestPly] = position;
    this.traces[this.latestPly] = trace;
    this.list.add(this.formatMove?.(u, this.latestPly) ?? { text: u });
    if (following) this.go(this.latestPly);
  }

  /**
   * Truncates the game to `ply` moves. A displayed past position remains if it still exists.
   * `removedMove` becomes the first removed move, null if the board does not display it or its
   * position is not loaded.
   * @param {number} ply
   * @param {string} position
   * @param {Trace | null | undefined} trace
   */
  truncate(ply, position, trace) {
    const following = this.isFollowing();
    this.removedMove = this.findRemovedMove(ply);
    this.moves.length = Math.min(ply, this.latestPly);
    this.positions.length = this.moves.length;
    this.traces.length = this.moves.length;
    this.positions[this.latestPly] = position;
    this.traces[this.latestPly] = trace;
    this.list.cut(this.latestPly);
    this.go(following ? this.latestPly : Math.min(this.requestedPly, this.latestPly));
  }

  /**
   * Returns the trace and the cells of a move before its takeback.
   * @param {number} ply number of moves before it
   */
  findRemovedMove(ply) {
    const [trace, text] = [this.traces[ply + 1], this.positionAt(ply + 1)];
    return this.isLatest() && trace && text ? { trace, cells: parsePosition(text).cells } : null;
  }

  /**
   * Displays the position after `ply` moves, and loads missing positions. A later call wins.
   * @param {number} ply
   */
  async go(ply) {
    this.requestedPly = ply;
    if (this.positions[ply] !== undefined) this.display(ply);
    if (this.positions[ply] !== undefined && (ply === 0 || this.positions[ply - 1] !== undefined))
      return undefined;
    // The previous position is required to draw the last move.
    try {
      await this.fetch();
    } catch (refused) {
      if (this.positions[ply] !== undefined) return undefined;
      if (this.requestedPly === ply) this.requestedPly = this.ply;
      return this.onError(refused.message);
    }
    return this.requestedPly === ply && ply <= this.latestPly && this.display(ply);
  }

  /** @param {number} ply */
  display(ply) {
    this.ply = ply;
    this.list.mark(ply);
    this.show();
  }

  /** Loads all positions. Calls for the same moves share one request. */
  fetch() {
    const key = this.moves.join(" ");
    if (this.pending?.key !== key) {
      const pending = {
        key,
        answer: this.replay([...this.moves]).finally(() => {
          if (this.pending === pending) this.pending = null;
        }),
      };
      this.pending = pending;
    }
    return this.pending.answer;
  }

  /**
   * Loads the positions after each of the moves.
   * @param {string[]} moves
   */
  async replay(moves) {
    const { replay = [] } = await post("/api/position", {
      ...this.setup(),
      start: this.positions[0],
      moves,
      replay: true,
    });
    // A takeback and other moves may have happened during the request.
    const validEntries = replay.filter(
      (_, at) => moves.slice(0, at + 1).join() === this.moves.slice(0, at + 1).join(),
    );
    validEntries.forEach(({ position, trace }, at) => {
      this.positions[at + 1] ??= position;
      this.traces[at + 1] ??= trace;
    });
  }

  /** Reformats the move list. The format of a move depends on the position before it. */
  async reformatList() {
    const isKnown = () =>
      this.moves.every(
        (_, at) => this.positions[at + 1] !== undefined && this.traces[at + 1] !== undefined,
      );
    if (!isKnown()) await this.fetch();
    const { formatMove } = this;
    if (!formatMove || !isKnown()) return;
    this.list.set(this.moves.map((u, at) => formatMove(u, at + 1)));
    this.list.mark(this.ply);
  }
}
