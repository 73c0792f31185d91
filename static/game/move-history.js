// Moves of a game, the positions after them and the displayed ply. The client knows no rules:
// missing positions come from `/api/position` in one replay request. `texts[ply]` and `traces[ply]`
// hold the position after `ply` moves and the trace that led to it; entries may be missing, except
// for the first and the latest position. Also animations and sounds of moves, takebacks and the end
// of a game. Created by `page.js`, updated by `message-handler.js`.
import { post } from "../lib/http.js";
import { partsOf, tokensOf } from "../model/notation.js";
import { sound, soundMove } from "../board/sound.js";
import { timeline } from "../board/timeline.js";

/** Move history of a game with the displayed ply. */
export class Course {
  /** @type {() => Setup} */ setup;
  /** @type {Glyph["told"]} */ told;
  /** @type {import("./moves.js").Moves} */ list;
  /** @type {() => unknown} */ show;
  /** @type {(text: string) => unknown} */ wrong;
  /** @type {string[]} */ moves;
  /** @type {string[]} */ texts;
  /** @type {(Trace | null | undefined)[]} */ traces;
  /** @type {number} */ ply;
  /** @type {number} */ wanted;
  /** @type {{ key: string, answer: Promise<void> } | null} */ pending;

  /**
   * `setup()` returns the common fields of requests to `/api/position`; `told` formats a move for
   * the list (default: its notation); `show()` is called after a change of the displayed ply,
   * `wrong(text)` after a failure to load its position.
   * @param {{
   *   setup: () => Setup,
   *   told?: Glyph["told"],
   *   list: import("./moves.js").Moves,
   *   show: () => unknown,
   *   wrong: (text: string) => unknown,
   * }} options
   */
  constructor({ setup, told, list, show, wrong }) {
    Object.assign(this, {
      setup,
      told,
      list,
      show,
      wrong,
      moves: [],
      texts: [],
      traces: [],
      ply: 0,
      pending: null,
    });
  }

  /** Ply of the latest position: the number of moves. */
  get end() {
    return this.moves.length;
  }

  /** Whether the displayed position is the latest one. */
  isNow() {
    return this.ply === this.end;
  }

  /** Whether the displayed or requested ply is the latest one. */
  follows() {
    return (this.wanted ?? this.ply) === this.end;
  }

  /** Returns the position after `ply` moves, undefined if it is not loaded. */
  text(ply = this.ply) {
    return this.texts[ply];
  }

  /** Returns the cells one ply before the displayed position, null if they are not loaded. */
  before() {
    return this.ply > 0 && this.texts[this.ply - 1]
      ? partsOf(this.texts[this.ply - 1]).cells
      : null;
  }

  /** Returns the trace of the move that led to the displayed position. */
  trace() {
    return this.traces[this.ply];
  }

  /**
   * Replaces the game and returns whether its moves are unchanged. The displayed ply remains if it
   * still exists. Positions of unchanged moves remain loaded, as the server sends the whole game
   * after each reconnect.
   * @param {Pick<Game, "initialFen" | "position" | "last" | "state">} game
   */
  set({ initialFen, position, last, state }) {
    const past = this.follows() ? null : this.wanted;
    const same = this.moves.join(" ") === state.moves;
    const moves = state.moves ? state.moves.split(" ") : [];
    const differs = moves.findIndex((u, at) => u !== this.moves[at]);
    const known =
      initialFen === this.texts[0]
        ? 1 + Math.min(this.end, differs < 0 ? moves.length : differs)
        : 0;
    this.texts.length = Math.min(this.texts.length, known);
    this.traces.length = Math.min(this.traces.length, known);
    this.moves = moves;
    this.texts[0] = initialFen;
    this.texts[this.end] = position;
    this.traces[this.end] = last;
    this.list.set(this.moves);
    this.go(past === null ? this.end : Math.min(past, this.end));
    if (this.told && this.moves.length) this.name().catch(() => {});
    return same;
  }

  /**
   * Appends a move. Returns whether the board displays it.
   * @param {string} u notation of the move
   * @param {string} position
   * @param {Trace | null} trace
   */
  add(u, position, trace) {
    const following = this.follows();
    const before = partsOf(this.texts[this.end]).cells;
    this.moves.push(u);
    this.texts[this.end] = position;
    this.traces[this.end] = trace;
    this.list.add(this.told?.(u, before, trace) ?? u);
    if (following) this.go(this.end);
    return following;
  }

  /**
   * Truncates the game to `ply` moves. A displayed past position remains if it still exists.
   * @param {number} ply
   * @param {string} position
   * @param {Trace | null | undefined} trace
   */
  cut(ply, position, trace) {
    const following = this.follows();
    this.moves.length = Math.min(ply, this.end);
    this.texts.length = this.moves.length;
    this.traces.length = this.moves.length;
    this.texts[this.end] = position;
    this.traces[this.end] = trace;
    this.list.cut(this.end);
    this.go(following ? this.end : Math.min(this.wanted, this.end));
  }

  /**
   * Displays the position after `ply` moves, and loads missing positions. A later call wins.
   * @param {number} ply
   */
  async go(ply) {
    this.wanted = ply;
    if (this.texts[ply] !== undefined) this.stand(ply);
    if (this.texts[ply] !== undefined && (ply === 0 || this.texts[ply - 1] !== undefined))
      return undefined;
    // The previous position is required to draw the last move.
    try {
      await this.fetch();
    } catch (refused) {
      if (this.texts[ply] !== undefined) return undefined;
      if (this.wanted === ply) this.wanted = this.ply;
      return this.wrong(refused.message);
    }
    return this.wanted === ply && ply <= this.end && this.stand(ply);
  }

  /** @param {number} ply */
  stand(ply) {
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
    /** @type {{ replay: { position: string, trace: Trace }[] }} */
    const { replay } = await post("/api/position", {
      ...this.setup(),
      start: this.texts[0],
      moves,
      replay: true,
    });
    // A takeback and other moves may have happened during the request.
    const still = replay.filter(
      (_, at) => moves.slice(0, at + 1).join() === this.moves.slice(0, at + 1).join(),
    );
    still.forEach(({ position, trace }, at) => {
      this.texts[at + 1] ??= position;
      this.traces[at + 1] ??= trace;
    });
  }

  /** Reformats the move list. The format of a move depends on the position before it. */
  async name() {
    const isKnown = () =>
      this.moves.every(
        (_, at) => this.texts[at + 1] !== undefined && this.traces[at + 1] !== undefined,
      );
    if (!isKnown()) await this.fetch();
    const { told } = this;
    if (!told || !isKnown()) return;
    this.list.set(
      this.moves.map((u, ply) => told(u, partsOf(this.texts[ply]).cells, this.traces[ply + 1])),
    );
    this.list.mark(this.ply);
  }
}

/**
 * Animates a move and plays its sounds.
 * @param {import("./page.js").Play} play
 * @param {{ trace: Trace, by: Side, isSeen: boolean }} move `isSeen`: whether the board displays it
 */
export const witnessMove = (play, { trace, by, isSeen }) => {
  const { board, course, glyph, you, game } = play;
  const times = isSeen ? board.animate(trace, by) : timeline(trace, glyph);
  const [before, now] = [course.end - 1, course.end].map((ply) =>
    tokensOf(partsOf(course.text(ply)).cells),
  );
  const turns = trace.paths.some(
    (path) =>
      path.length > 1 &&
      glyph.turns?.(before.get(path[0]), now.get(/** @type {string} */ (path.at(-1)))),
  );
  soundMove(glyph, times, Boolean(turns));
  if (you && by !== you && game.turn === you) sound("yours", times.end + 120);
};

/**
 * Returns the trace and the cells of a move before its takeback, for the animation; null if the
 * board does not display it or they are not loaded.
 * @param {import("./page.js").Play} play
 * @param {number} ply number of moves after the takeback
 */
export const aboutToGo = ({ course }, ply) => {
  const [trace, text] = [course.traces[ply + 1], course.text(ply + 1)];
  return course.isNow() && trace && text ? { trace, cells: partsOf(text).cells } : null;
};

/**
 * Animates a takeback.
 * @param {import("./page.js").Play} play
 * @param {ReturnType<typeof aboutToGo>} gone
 */
export const witnessTakeback = ({ board }, gone) => {
  if (gone) board.rewind(gone.trace, gone.cells);
};

/**
 * Animates the end of the game and plays its sound.
 * @param {import("./page.js").Play} play
 * @param {Pick<End, "winner">} end
 */
export const witnessEnd = ({ board, course }, { winner }) => {
  if (winner && course.isNow()) board.wave(winner);
  sound("end", 400);
};
