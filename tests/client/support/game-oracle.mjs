// Expected state of a game after each message of `/ws/game/{id}`, as docs/websocket.md describes
// them. Independent of `static/game/state.js`: it keeps one mutable record and knows no effects but
// their types.
const opponentOf = { first: "second", second: "first" };

/** Returns the clocks as they stand at a later time. */
export const advanceClocks = (clocks, at) =>
  clocks && {
    ...clocks,
    ...(clocks.running && { [clocks.running]: clocks[clocks.running] - (at - clocks.at) }),
    at,
  };

/** Record of a game that follows the messages. */
export class Oracle {
  /** @param {object} full data of the first `full` */
  constructor(full) {
    this.rematch = { by: null, id: null, outcome: null };
    this.restart(full);
  }

  /** Takes over a `full`. */
  restart(full) {
    const { state, ...game } = structuredClone(full);
    Object.assign(this, {
      plies: state.moves.split(" ").filter(Boolean),
      status: state.status,
      game,
    });
  }

  /** Returns whether a message concerns the latest offer of a rematch. */
  isRematch(type, d) {
    if (type === "rematch") return true;
    if (!this.game.you) return false;
    if (type === "challenge") return d.rematchOf === this.game.id;
    const ids = [d?.id, d?.challenge];
    return ["challengeGone", "start"].includes(type) && ids.includes(this.rematch.id);
  }

  /** Follows a message and returns the types of the effects that it must have. */
  follow({ t: type, v, d }) {
    const { game } = this;
    const before = { ...game, plies: this.plies };
    const data = structuredClone(d);
    if (v !== undefined) game.v = v;
    if (["challenge", "challengeGone", "start"].includes(type) && !this.isRematch(type, data))
      return ["forward"];
    const handler = `on_${type}`;
    return this[handler] ? this[handler](data, before) : ["forward"];
  }

  /** Returns whether the viewer has a clock, whose lag compensation is shown. */
  get lag() {
    return this.game.you ? ["lag"] : [];
  }

  get isOwnTurn() {
    return this.game.turn === this.game.you && this.game.end === null;
  }

  on_full(full, before) {
    this.restart(full);
    const isSame = before.plies.join() === this.plies.join();
    return [
      ...(this.isOwnTurn && !isSame ? ["turnStarted"] : []),
      ...this.lag,
      ...(full.end ? ["ended"] : []),
    ];
  }

  setPosition({ cells, extras, turn, clock, abortable, startBy, dueBy, legal }) {
    const number = { first: 1, second: 2 }[turn];
    Object.assign(this.game, {
      position: `${cells} ${number} ${extras}`.trim(),
      turn,
      clocks: clock,
      abortable,
      startBy,
      dueBy: dueBy ?? null,
      legal,
    });
  }

  on_move(move) {
    const { game } = this;
    this.plies = [...this.plies, move.u];
    this.setPosition(move);
    game.last = move.trace;
    game.takeback = null;
    // A draw offer stays open until the opponent moves.
    if (game.draw === opponentOf[move.by]) game.draw = null;
    return [
      ...this.lag,
      ...(move.by === game.you ? [] : ["announceMove"]),
      ...(this.isOwnTurn && move.legal ? ["turnStarted"] : []),
      "animateMove",
    ];
  }

  on_shortMove({ changed, ...move }) {
    const [cells] = this.game.position.split(" ");
    const rows = cells.split("/").reverse();
    const replaced = rows.map((row, at) =>
      row
        .split(",")
        .map((token, col) => changed[`${"abcdefghijklmnopqrstuvwxyz"[col]}${at + 1}`] ?? token)
        .join(),
    );
    const usual = { extras: "", abortable: false, clock: null, startBy: null };
    return this.on_move({ ...usual, ...move, cells: replaced.reverse().join("/") });
  }

  on_takeback(message, before) {
    if (!("ply" in message)) return this.setOffer("takeback", message.by, before);
    this.plies = this.plies.slice(0, message.ply);
    this.setPosition(message);
    Object.assign(this.game, { last: message.last, draw: null, takeback: null });
    return [...this.lag, "announceTakeback", "animateTakeback"];
  }

  on_draw({ by }, before) {
    return this.setOffer("draw", by, before);
  }

  setOffer(kind, by, { you, [kind]: previousBy }) {
    this.game[kind] = by;
    if (!you) return [];
    if (by === opponentOf[you] && previousBy !== by) return ["offerReceived"];
    return by === null && previousBy === you ? ["offerDeclined"] : [];
  }

  on_clock({ clocks, given, lost = 0 }) {
    const { game } = this;
    game.clocks = clocks;
    if (lost) game.lost = (game.lost ?? 0) + lost;
    if (game.startBy) game.startBy += lost;
    if (game.dueBy) game.dueBy += lost;
    return [...this.lag, ...(given ? ["timeGiven"] : lost >= 500 ? ["outage"] : [])];
  }

  on_gone(absence) {
    const rest = this.game.gone.filter(({ side }) => side !== absence.side);
    this.game.gone = absence.claimInMs === null ? rest : [...rest, absence];
    return [];
  }

  on_chat(line) {
    this.game.chat.push({ ...line, v: this.game.v });
    return [];
  }

  on_end({ clock = null, shuffle, ...end }) {
    Object.assign(this.game, {
      end,
      clocks: clock,
      draw: null,
      takeback: null,
      legal: undefined,
      gone: [],
      abortable: false,
      startBy: null,
      dueBy: null,
    });
    if (shuffle) this.game.shuffle = shuffle;
    this.status = end.status;
    return ["ended"];
  }

  on_crowd({ n, names }) {
    Object.assign(this.game, { crowd: n, crowdNames: names });
    return [];
  }

  on_rematchTerms(terms) {
    this.game.rematch = terms;
    return [];
  }

  on_rematch({ by, id, status, cause }) {
    const { rematch } = this;
    if (by) this.rematch = { by, id, outcome: null, offeredBy: by };
    else {
      const who = cause && (cause.side === this.game.you ? "expired" : cause.reason);
      const outcome = who ?? (rematch.by && this.outcomeOf(status));
      Object.assign(rematch, { by: null, outcome: outcome ?? rematch.outcome });
    }
    return [];
  }

  /** Returns the outcome of which the player is told. */
  outcomeOf(status) {
    const isOwn = this.rematch.offeredBy === this.game.you;
    if (status === "expired") return "expired";
    return status === "declined" && isOwn ? "declined" : null;
  }

  on_challenge({ id, direction }) {
    const { you } = this.game;
    const by = direction === "in" ? opponentOf[you] : you;
    const outcome = id === this.rematch.id ? this.rematch.outcome : null;
    this.rematch = { by, id, outcome, offeredBy: by };
    return [];
  }

  on_challengeGone({ status }) {
    const { rematch } = this;
    if (status !== "accepted")
      Object.assign(rematch, { by: null, outcome: this.outcomeOf(status) ?? rematch.outcome });
    return [];
  }

  on_start() {
    return ["rematchStarted"];
  }

  on_next({ id }) {
    this.game.next = id;
    return [];
  }

  on_ack() {
    return [];
  }

  on_refused() {
    return ["refused"];
  }
}
