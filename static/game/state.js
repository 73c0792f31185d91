// State of a game as the server determines it, and its transitions. Pure: no DOM, no time and no
// network, so that `tests/client/game-state.test.mjs` can replay transcripts of the socket. `apply`
// changes no object: it returns a new state, and the previous one remains valid. Events that leave
// no trace in the state, such as sounds and announcements, are its effects: data that
// `effect-runner.js` executes after `render.js` has shown the new state. Messages arrive in order
// and without gaps: `game-socket.js` drops repeated events, and after a gap the server sends a
// `full`. Called by `session.js`, which holds the current state.
import { dispatch } from "../lib/dispatch.js";
import { cellCoordinates, parsePosition, splitMoves } from "../model/notation.js";
import {
  NO_OFFER,
  onOfferChallenge,
  onOfferGone,
  onOfferRefused,
  onOfferStart,
  onRematch,
  withRematch,
} from "./rematch-state.js";

/** @typedef {Received<"/ws/game/{id}">} GameSocketMessage */

/**
 * Difference between the moves of a `full` and those known before. "extended" keeps the known moves
 * and appends others.
 * @typedef {"unchanged" | "extended" | "replaced"} MovesChange
 */

/**
 * State of a game. `game` has the shape of the API and is up to date in all members. `resync` is a
 * new object after each `full`. `rematch` survives it, as a `full` has no offer.
 * @typedef {object} GameState
 * @property {Readonly<Game>} game
 * @property {readonly string[]} moves notations of all moves
 * @property {{ readonly moves: MovesChange }} resync latest `full`
 * @property {Readonly<import("./rematch-state.js").RematchOffer>} rematch
 */

/**
 * Effect of a message besides the change of the state.
 * @typedef {{ type: "lag", quota: number | undefined, compensationMs: number | undefined }
 *   | { type: "announceMove", by: Side, u: string, trace: Trace }
 *   | { type: "announceTakeback", ply: number }
 *   | { type: "turnStarted", legal: string[] }
 *   | { type: "animateMove", by: Side, trace: Trace }
 *   | { type: "animateTakeback" }
 *   | { type: "offerReceived", kind: OfferKind }
 *   | { type: "offerDeclined", kind: OfferKind }
 *   | { type: "timeGiven", to: Side, seconds: number }
 *   | { type: "outage", seconds: number }
 *   | { type: "vacation", side: Side, until: number }
 *   | { type: "ended", end: End, isLive: boolean }
 *   | { type: "refused", refusal: Refusal }
 *   | { type: "rematchStarted", id: string }
 *   | { type: "turnsChanged" }
 *   | { type: "forward", message: Frame<NoticeMessage> }} Effect
 */

/** @typedef {"draw" | "takeback"} OfferKind */

/** @typedef {{ state: GameState, effects: Effect[] }} Transition */

/** @type {(ms: number | undefined) => number} */
const roundSeconds = (ms) => Math.round((ms ?? 0) / 1000);

/**
 * Returns the state of a game from the API or from a `full`.
 * @param {Readonly<Game>} game
 * @param {MovesChange} [change] difference to the moves known before
 * @returns {GameState}
 */
export const initialState = (game, change = "replaced") => {
  const { moves, status } = game.state;
  // The other members of `game.state` repeat the clocks and offers for clients of lichess.
  return {
    game: { ...game, state: { moves, status } },
    moves: splitMoves(moves),
    resync: { moves: change },
    rematch: NO_OFFER,
  };
};

/**
 * Returns a state with other properties of the game.
 * @param {GameState} state
 * @param {Partial<Game>} changes
 * @returns {GameState}
 */
const withGame = (state, changes) => ({ ...state, game: { ...state.game, ...changes } });

/**
 * Returns a state with other moves and properties of the game.
 * @param {GameState} state
 * @param {string[]} moves
 * @param {Partial<Game>} changes
 * @returns {GameState}
 */
const withMoves = (state, moves, changes) => ({
  ...withGame(state, { ...changes, state: { ...state.game.state, moves: moves.join(" ") } }),
  moves,
});

/**
 * Returns how `moves` differ from the known ones.
 * @param {readonly string[]} known
 * @param {readonly string[]} moves
 * @returns {MovesChange}
 */
const compareMoves = (known, moves) => {
  if (known.some((u, at) => u !== moves[at])) return "replaced";
  return known.length === moves.length ? "unchanged" : "extended";
};

/**
 * Returns the effect that shows the lag compensation to a player.
 * @param {GameState} state
 * @param {number} [compensationMs] compensation of the player's last move
 * @returns {Effect[]}
 */
const lagEffects = ({ game: { you, clocks } }, compensationMs) =>
  you ? [{ type: "lag", quota: clocks?.quota?.[you], compensationMs }] : [];

/**
 * Returns the effect of a new turn of the viewer, none in the turn of the other side.
 * @param {GameState} state
 * @returns {Effect[]}
 */
const turnEffects = ({ game: { turn, you, legal } }) =>
  legal && turn === you ? [{ type: "turnStarted", legal }] : [];

/**
 * Returns the effects of a whole game, after its `full` or when the page is opened.
 * @param {GameState} state
 * @returns {Effect[]}
 */
export const resyncEffects = (state) => {
  const { end } = state.game;
  return [
    ...(state.resync.moves === "unchanged" ? [] : turnEffects(state)),
    ...lagEffects(state),
    .../** @type {Effect[]} */ (end ? [{ type: "ended", end, isLive: false }] : []),
  ];
};

/**
 * Returns the seconds of the outages between two states, whose messages are lost with the
 * connection.
 * @param {Readonly<Game>} before
 * @param {Readonly<Game>} after
 */
const missedOutage = ({ lost: before = 0 }, { lost: after = 0 }) => roundSeconds(after - before);

/**
 * Replaces the game: the first message of a connection, unless the server could send the missed
 * events alone.
 * @param {GameState} state
 * @param {Game} game
 * @returns {Transition}
 */
const onFull = (state, game) => {
  const change = compareMoves(state.moves, splitMoves(game.state.moves));
  const next = { ...initialState(game, change), rematch: state.rematch };
  const effects = resyncEffects(next);
  const seconds = change === "unchanged" && !game.end ? missedOutage(state.game, game) : 0;
  if (seconds > 0) effects.push({ type: "outage", seconds });
  return { state: next, effects };
};

/**
 * Appends a move.
 * @param {GameState} state
 * @param {Frames["move"]} message
 * @returns {Transition}
 */
const onMove = (state, message) => {
  const { u, by, cells, extras, turn, lag } = message;
  // After a move, there always is a trace.
  const trace = /** @type {Trace} */ (message.trace);
  const { you, draw } = state.game;
  const next = withMoves(state, [...state.moves, u], {
    position: [cells, turn === "first" ? 1 : 2, extras].filter((part) => part !== "").join(" "),
    last: trace,
    turn,
    ...positionChanges(message),
    takeback: null,
    // A move declines the draw offer of the opponent and keeps the player's own.
    draw: draw === by ? draw : null,
  });
  return {
    state: next,
    effects: [
      ...lagEffects(next, by === you ? lag : undefined),
      .../** @type {Effect[]} */ (by === you ? [] : [{ type: "announceMove", by, u, trace }]),
      ...turnEffects(next),
      { type: "animateMove", by, trace },
    ],
  };
};

/**
 * Returns a cells text with other tokens in some cells.
 * @param {string} cells
 * @param {Readonly<Record<string, string>>} changed  new token by cell
 * @returns {string}
 */
const replaceTokens = (cells, changed) => {
  const rows = cells.split("/").map((line) => line.split(","));
  for (const [cell, token] of Object.entries(changed)) {
    const [col, row] = cellCoordinates(cell);
    rows[rows.length - 1 - row][col] = token;
  }
  return rows.map((line) => line.join(",")).join("/");
};

/**
 * Appends a move of which the server sends the changes only.
 * @param {GameState} state
 * @param {Frames["shortMove"]} message
 * @returns {Transition}
 */
const onShortMove = (state, message) => {
  const cells = replaceTokens(parsePosition(state.game.position).cells, message.changed);
  const { extras = "", abortable = false, clock = null, startBy = null } = message;
  return onMove(state, { ...message, cells, extras, abortable, clock, startBy });
};

/**
 * Returns the properties that follow from a move or a takeback alike.
 * @param {Pick<Frames["takeback"], "abortable" | "clock" | "dueBy" | "legal" | "startBy">} message
 * @returns {Partial<Game>}
 */
const positionChanges = ({ abortable = false, clock, startBy, dueBy, legal }) => ({
  abortable,
  clocks: clock ?? null,
  startBy: startBy ?? null,
  dueBy: dueBy ?? null,
  vacationUntil: undefined,
  legal,
});

/**
 * Handles a takeback: its offer and answer have no `ply`, its execution has one.
 * @param {GameState} state
 * @param {Frames["takeback"]} message
 * @returns {Transition}
 */
const onTakeback = (state, message) => {
  const { by, ply, position, last, turn } = message;
  if (ply === undefined || ply === null) return setOffer(state, "takeback", by);
  const next = withMoves(state, state.moves.slice(0, ply), {
    position,
    last: last ?? null,
    turn,
    ...positionChanges(message),
    takeback: null,
    draw: null,
  });
  return {
    state: next,
    effects: [...lagEffects(next), { type: "announceTakeback", ply }, { type: "animateTakeback" }],
  };
};

/**
 * Handles an offer, its withdrawal or its refusal; the last two have no side and look alike.
 * Whether the player has withdrawn the own offer is known to `offers.js` alone, so a withdrawal has
 * the effect `offerDeclined` too.
 * @param {GameState} state
 * @param {OfferKind} kind
 * @param {Side | null} by
 * @returns {Transition}
 */
const setOffer = (state, kind, by) => {
  const { you, [kind]: before } = state.game;
  /** @type {Effect[]} */
  const effects = [];
  if (you && by && by !== you && by !== before) effects.push({ type: "offerReceived", kind });
  if (you && !by && before === you) effects.push({ type: "offerDeclined", kind });
  return { state: withGame(state, { [kind]: by }), effects };
};

/**
 * Handles new clock times: `given` is a gift of time, `lost` the milliseconds that were not
 * deducted, of an outage or, with `vacationUntil`, of a vacation of the player to move.
 * @param {GameState} state
 * @param {Frames["clock"]} message
 * @returns {Transition}
 */
const onClock = (state, { clocks, given, lost, vacationUntil }) => {
  const { startBy, dueBy } = state.game;
  /** @type {(deadline: number | null | undefined) => number | null} */
  const postpone = (deadline) => (deadline ? deadline + (lost ?? 0) : null);
  const next = withGame(state, {
    clocks,
    startBy: postpone(startBy),
    dueBy: postpone(dueBy),
    ...(vacationUntil ? { vacationUntil } : lost && { lost: (state.game.lost ?? 0) + lost }),
  });
  const effects = lagEffects(next);
  if (vacationUntil)
    effects.push({ type: "vacation", side: state.game.turn, until: vacationUntil });
  else if (given)
    effects.push({ type: "timeGiven", to: given.to, seconds: roundSeconds(given.ms) });
  else if (roundSeconds(lost) > 0) effects.push({ type: "outage", seconds: roundSeconds(lost) });
  return { state: next, effects };
};

/**
 * Handles the absence of a player, or the return from it. The entry of the other player remains the
 * same object, as its time until a claim counts from its own message.
 * @param {GameState} state
 * @param {Gone} absence
 * @returns {Transition}
 */
const onGone = (state, absence) => {
  const others = state.game.gone.filter(({ side }) => side !== absence.side);
  const isAbsent = typeof absence.claimInMs === "number";
  return {
    state: withGame(state, { gone: isAbsent ? [...others, absence] : others }),
    effects: [],
  };
};

/**
 * Appends a chat line.
 * @param {GameState} state
 * @param {Frames["chat"]} line
 * @returns {Transition}
 */
const onChat = (state, line) => ({
  state: withGame(state, { chat: [...state.game.chat, { ...line, v: state.game.v }] }),
  effects: [],
});

/**
 * Ends the game. The last clocks and the revealed start become properties of the game, as in a
 * `full`.
 * @param {GameState} state
 * @param {End} message
 * @returns {Transition}
 */
const onEnd = (state, { clock, shuffle, ...end }) => ({
  state: withGame(state, {
    end,
    state: { ...state.game.state, status: end.status },
    clocks: clock ?? null,
    shuffle: shuffle ?? state.game.shuffle,
    draw: null,
    takeback: null,
    legal: undefined,
    gone: [],
    abortable: false,
    startBy: null,
    dueBy: null,
    vacationUntil: undefined,
  }),
  effects: [{ type: "ended", end, isLive: true }],
});

/**
 * Forwards a message that does not concern the game to the notifications.
 * @param {GameState} state
 * @param {unknown} data
 * @param {Frame<NoticeMessage>} message
 * @returns {Transition}
 */
const forward = (state, data, message) => ({ state, effects: [{ type: "forward", message }] });

/**
 * Returns the transition by messages of which some concern the rematch: `own` by those, `other` by
 * the others, for which `own` returns null.
 * @template D
 * @param {(state: GameState, data: D) => Transition | null} own
 * @param {(state: GameState, data: D, message: Frame<NoticeMessage>) => Transition} [other]
 * @returns {(state: GameState, data: D, message: Frame<NoticeMessage>) => Transition}
 */
const byRematch =
  (own, other = forward) =>
  (state, data, message) =>
    own(state, data) ?? other(state, data, message);

/** @type {Transitions<GameState, Transition, GameSocketMessage>} */
const TRANSITIONS = {
  full: onFull,
  move: onMove,
  shortMove: onShortMove,
  draw: (state, { by }) => setOffer(state, "draw", by),
  takeback: onTakeback,
  clock: onClock,
  gone: onGone,
  chat: onChat,
  end: onEnd,
  crowd: (state, { n, names }) => ({
    state: withGame(state, { crowd: n, crowdNames: names }),
    effects: [],
  }),
  rematch: (state, message) =>
    withRematch(state, onRematch(state.rematch, state.game.you, message)),
  rematchTerms: (state, terms) => ({ state: withGame(state, { rematch: terms }), effects: [] }),
  next: (state, { id }) => ({ state: withGame(state, { next: id }), effects: [] }),
  ack: (state) => ({ state, effects: [] }),
  refused: byRematch(onOfferRefused, (state, refusal) => ({
    state,
    effects: [{ type: "refused", refusal }],
  })),
  challenge: byRematch(onOfferChallenge),
  challengeGone: byRematch(onOfferGone),
  start: byRematch(onOfferStart),
  hello: forward,
  seatLost: forward,
  ring: forward,
  ringGone: forward,
  find: forward,
  turns: (state, data, message) => ({
    state,
    effects: [{ type: "turnsChanged" }, { type: "forward", message }],
  }),
  signedOut: forward,
};

const applyToGame = dispatch(TRANSITIONS, forward);

/**
 * Applies a message of the socket. A message that does not concern the game leaves the state as it
 * is and is forwarded, and so is one of a newer server whose type is unknown.
 * @param {GameState} state
 * @param {Frame<GameSocketMessage>} message
 * @returns {Transition}
 */
export const apply = (state, message) => {
  const { v } = message;
  return applyToGame(v === undefined ? state : withGame(state, { v }), message);
};
