// The moves of a game and what stood after each of them; which of it is looked at, and what is seen and heard when something happens.
import { post } from "../lib/http.js";
import { partsOf, tokensOf } from "../model/notation.js";
import { sound, soundMove } from "../board/sound.js";
import { timeline } from "../board/timeline.js";

export class Course {
  /** @type {() => Setup} */ setup;
  /** @type {Glyph["told"]} */ told;
  /** @type {import("./moves.js").Moves} */ list;
  /** @type {() => unknown} */ show;
  /** @type {(text: string) => unknown} */ wrong;
  /** @type {string[]} */ moves;
  /** @type {string[]} */ texts;
  /** @type {(Trace | null)[]} */ traces;
  /** @type {number} */ ply;
  /** @type {number} */ wanted;
  /** @type {{ key: string, answer: Promise<void> } | null} */ pending;

  /**
   * `setup()` is what a question to the rules begins with, `told` what the list shows of a move if not
   * its notation; `show()` is called when another position is looked at, `wrong(text)` when it cannot be had.
   * @param {{ setup: () => Setup, told?: Glyph["told"], list: import("./moves.js").Moves, show: () => unknown, wrong: (text: string) => unknown }} how
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

  /** How many moves have been made. */
  get end() {
    return this.moves.length;
  }

  isNow() {
    return this.ply === this.end;
  }

  /** Whether what is looked at, or asked for, is what stands now. */
  follows() {
    return (this.wanted ?? this.ply) === this.end;
  }

  /** What stands after that many plies, if that is known. */
  text(ply = this.ply) {
    return this.texts[ply];
  }

  /** What stood a ply before what is looked at, and what the move between them did. */
  before() {
    return this.ply > 0 && this.texts[this.ply - 1]
      ? partsOf(this.texts[this.ply - 1]).cells
      : null;
  }

  trace() {
    return this.traces[this.ply];
  }

  /**
   * Replaces the game; returns whether its moves are unchanged. The ply that is shown stays if it still exists. Positions
   * of unchanged moves stay known: the server sends the whole game with every new connection.
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

  /** Takes a move; says whether it is looked at. */
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

  /** Leaves so many plies; a past that is looked at stays if it still exists. */
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

  /** Looks at what stood after that many plies. */
  async go(ply) {
    this.wanted = ply;
    if (this.texts[ply] !== undefined) this.stand(ply);
    if (this.texts[ply] !== undefined && (ply === 0 || this.texts[ply - 1] !== undefined))
      return undefined;
    // What stood before tells what the last move did; it may have to be asked for.
    try {
      await this.fetch();
    } catch (refused) {
      if (this.texts[ply] !== undefined) return undefined;
      if (this.wanted === ply) this.wanted = this.ply;
      return this.wrong(refused.message);
    }
    return this.wanted === ply && ply <= this.end && this.stand(ply);
  }

  stand(ply) {
    this.ply = ply;
    this.list.mark(ply);
    this.show();
  }

  /** Fetches all positions; calls for the same moves share one request. */
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

  /** @param {string[]} moves */
  async replay(moves) {
    const { replay } = await post("/api/position", {
      ...this.setup(),
      start: this.texts[0],
      moves,
      replay: true,
    });
    // Moves may have been taken back meanwhile, and others made.
    const still = replay.filter(
      (_, at) => moves.slice(0, at + 1).join() === this.moves.slice(0, at + 1).join(),
    );
    still.forEach(({ position, trace }, at) => {
      this.texts[at + 1] ??= position;
      this.traces[at + 1] ??= trace;
    });
  }

  /** Shows in the list what is told of the moves, which depends on the positions before them. */
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

/** A move was made by a side; `isSeen` if the board shows it. */
export const witnessMove = (play, { trace, by, isSeen }) => {
  const { board, course, glyph, you, game } = play;
  const times = isSeen ? board.animate(trace, by) : timeline(trace, glyph);
  const [before, now] = [course.end - 1, course.end].map((ply) =>
    tokensOf(partsOf(course.text(ply)).cells),
  );
  const turns = trace.paths.some(
    (path) => path.length > 1 && glyph.turns?.(before.get(path[0]), now.get(path.at(-1))),
  );
  soundMove(glyph, times, Boolean(turns));
  if (you && by !== you && game.turn === you) sound("yours", times.end + 120);
};

/** What a move did that is about to be taken back, if the board shows it; null if it is not known. */
export const aboutToGo = ({ course }, ply) => {
  const [trace, text] = [course.traces[ply + 1], course.text(ply + 1)];
  return course.isNow() && trace && text ? { trace, cells: partsOf(text).cells } : null;
};

/** That move goes back. */
export const witnessTakeback = ({ board }, gone) => {
  if (gone) board.rewind(gone.trace, gone.cells);
};

/** The game has just ended. */
export const witnessEnd = ({ board, course }, { winner }) => {
  if (winner && course.isNow()) board.wave(winner);
  sound("end", 400);
};
