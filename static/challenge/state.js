// State of a challenge on its page, and its transitions. Pure, as `game/state.js`: no DOM, no time,
// no network; no object is changed, and `page.js` executes the effects after `render` has shown the
// new state. `apply` handles the messages of the lobby's socket; the other transitions follow
// responses to the viewer's requests.
import { dispatch } from "../lib/dispatch.js";

/** @typedef {Received<"/ws/lobby">} LobbySocketMessage */

/**
 * State of a challenge. `readyBy` is the end of the ready check that the viewer has begun by
 * accepting, `by` the player who has accepted the viewer's challenge. Once the game has started,
 * the page shows it in place of the challenge. `isCreatorGone` is true once the account of the
 * creator of a canceled challenge is known to be closed.
 * @typedef {object} ChallengeState
 * @property {Challenge} challenge
 * @property {string} viewerId
 * @property {number | null} readyBy
 * @property {Player | null} by
 * @property {boolean} isStarted
 * @property {boolean} isCreatorGone
 */

/**
 * Effect of a transition besides the change of the state. `reload` requests the challenge,
 * `closed` ends the updates of a closed challenge.
 * @typedef {{ type: "reload" }
 *   | { type: "closed" }
 *   | { type: "readyCheckBegun", readyBy: number }
 *   | { type: "gameStarted", id: string, isOwn: boolean }
 *   | { type: "seatLost" }
 *   | { type: "readyCheckFailed", reason: string, challenge: Challenge }
 *   | { type: "forward", message: Frame<NoticeMessage> }} Effect
 */

/** @typedef {{ state: ChallengeState, effects: Effect[] }} Transition */

/**
 * @param {Challenge} challenge
 * @param {string} viewerId
 * @returns {ChallengeState}
 */
export const initialState = (challenge, viewerId) => ({
  challenge,
  viewerId,
  readyBy: null,
  by: null,
  isStarted: false,
  isCreatorGone: false,
});

/**
 * Whether the viewer created the challenge.
 * @param {ChallengeState} state
 */
export const isOwn = ({ challenge, viewerId }) =>
  challenge.ineligibleReason === "own" ||
  challenge.challenger?.id === viewerId ||
  challenge.direction === "out";

/**
 * Starts the game once: the acceptor learns of it from the response and from the socket.
 * @param {ChallengeState} state
 * @param {string} id
 * @returns {Transition}
 */
export const startGame = (state, id) => {
  if (state.isStarted) return { state, effects: [] };
  return {
    state: { ...state, isStarted: true },
    effects: [{ type: "gameStarted", id, isOwn: isOwn(state) }],
  };
};

/**
 * Updates the challenge. An equal one leaves the state as it is, and so does an open one after the
 * end of the challenge: a response may be older than the message of the end.
 * @param {ChallengeState} state
 * @param {Challenge} challenge
 * @returns {Transition}
 */
const update = (state, challenge) => {
  const isOld = state.challenge.status !== "created" && challenge.status === "created";
  if (isOld || JSON.stringify(challenge) === JSON.stringify(state.challenge))
    return { state, effects: [] };
  const isClosed = state.challenge.status === "created" && challenge.status !== "created";
  return { state: { ...state, challenge }, effects: isClosed ? [{ type: "closed" }] : [] };
};

/**
 * Ends the challenge. A standing challenge remains open after each game; notifications inform its
 * creator of the games.
 * @param {ChallengeState} state
 * @param {Pick<ChallengeGone, "status" | "reasonKey">} gone
 * @returns {Transition}
 */
export const onGone = (state, { status, reasonKey }) => {
  const { challenge } = state;
  if (status === "accepted" && !challenge.standing) return startGame(state, challenge.id);
  return update(state, { ...challenge, status, declineReasonKey: reasonKey ?? undefined });
};

/**
 * Begins the ready check in which the viewer waits for the creator.
 * @param {ChallengeState} state
 * @param {number} readyBy
 * @returns {Transition}
 */
export const beginReadyCheck = (state, readyBy) => ({
  state: { ...state, readyBy },
  effects: [{ type: "readyCheckBegun", readyBy }],
});

/**
 * Ends a ready check. The acceptor is told why it failed, unless the acceptor has canceled it.
 * @param {ChallengeState} state
 * @param {string} reason
 * @returns {Transition}
 */
export const endReadyCheck = (state, reason) => {
  const challenge = { ...state.challenge, readyBy: null };
  return {
    state: { ...state, challenge, readyBy: null, by: null },
    effects:
      state.readyBy && reason !== "ready" ? [{ type: "readyCheckFailed", reason, challenge }] : [],
  };
};

/**
 * Ends the viewer's ready check of whose end no message has arrived.
 * @param {ChallengeState} state
 * @param {number} readyBy
 * @returns {Transition}
 */
export const expireReadyCheck = (state, readyBy) =>
  state.readyBy === readyBy ? endReadyCheck(state, "late") : { state, effects: [] };

/**
 * Handles the challenge as a request returned it. The viewer's ready check may have ended while the
 * connection was down.
 * @param {ChallengeState} state
 * @param {Challenge} challenge
 * @returns {Transition}
 */
export const onShow = (state, challenge) => {
  if (challenge.status === "accepted") return startGame(state, challenge.id);
  const isMissed = state.readyBy && challenge.readyBy !== state.readyBy;
  const ended = isMissed ? endReadyCheck(state, "late") : { state, effects: [] };
  const { state: next, effects } = update(ended.state, challenge);
  return { state: next, effects: [...ended.effects, ...effects] };
};

/**
 * Handles the profile of the creator of a canceled challenge, as a request returned it.
 * @param {ChallengeState} state
 * @param {{ closed?: boolean }} creator
 * @returns {Transition}
 */
export const onCreator = (state, { closed }) => ({
  state: closed ? { ...state, isCreatorGone: true } : state,
  effects: [],
});

/**
 * Handles the start of a game of the viewer, which may be one of another challenge.
 * @param {ChallengeState} state
 * @param {Frames["start"]} start
 * @param {Frame<NoticeMessage>} message
 * @returns {Transition}
 */
const onStart = (state, { id, challenge }, message) =>
  [challenge, id].includes(state.challenge.id) && !(isOwn(state) && state.challenge.standing)
    ? startGame(state, id)
    : { state, effects: [{ type: "forward", message }] };

/**
 * Shows the ready check to the creator.
 * @param {ChallengeState} state
 * @param {Ring} ring
 * @returns {Transition}
 */
const onRing = (state, { by, readyBy }) =>
  update({ ...state, by }, { ...state.challenge, readyBy });

/**
 * Handles the loss of the viewer's seat.
 * @param {ChallengeState} state
 * @param {Challenge} challenge
 * @returns {Transition}
 */
const onSeatLost = (state, challenge) => {
  const { state: next, effects } = update(state, challenge);
  return { state: next, effects: [...effects, { type: "seatLost" }] };
};

/**
 * Notes that the creator of the challenge has come or gone.
 * @param {ChallengeState} state
 * @param {Frames["presence"]} message
 * @returns {Transition}
 */
const onPresence = (state, { here, away }) => {
  const { challenge } = state;
  const isKnown = [...here, ...away].includes(challenge.id);
  const creatorPresent = here.includes(challenge.id);
  return isKnown ? update(state, { ...challenge, creatorPresent }) : ignore(state);
};

/**
 * Forwards a message that does not concern the challenge to the notifications.
 * @param {ChallengeState} state
 * @param {unknown} data
 * @param {Frame<NoticeMessage>} message
 * @returns {Transition}
 */
const forward = (state, data, message) => ({ state, effects: [{ type: "forward", message }] });

/**
 * Ignores a message that belongs to the lobby page.
 * @param {ChallengeState} state
 * @returns {Transition}
 */
const ignore = (state) => ({ state, effects: [] });

/**
 * Ignores another challenge of the lobby, and forwards one to the viewer.
 * @param {ChallengeState} state
 * @param {Challenge} challenge
 * @param {Frame<NoticeMessage>} message
 */
const onOtherChallenge = (state, challenge, message) =>
  challenge.direction === "in" ? forward(state, challenge, message) : ignore(state);

/**
 * Returns the transition by messages about challenges: `own` by those about the challenge of the
 * page, `other` by those about other ones.
 * @template {{ id: string }} D
 * @param {(state: ChallengeState, data: D) => Transition} own
 * @param {(state: ChallengeState, data: D, message: Frame<NoticeMessage>) => Transition} [other]
 * @returns {(state: ChallengeState, data: D, message: Frame<NoticeMessage>) => Transition}
 */
const byChallenge =
  (own, other = forward) =>
  (state, data, message) =>
    data.id === state.challenge.id ? own(state, data) : other(state, data, message);

/** @type {Transitions<ChallengeState, Transition, LobbySocketMessage>} */
const TRANSITIONS = {
  full: (state) => ({ state, effects: [{ type: "reload" }] }),
  start: onStart,
  challenge: byChallenge(update, onOtherChallenge),
  challengeGone: byChallenge((state, gone) => onGone(state, gone)),
  seatLost: byChallenge(onSeatLost),
  ring: (state, ring, message) =>
    ring.challenge.id === state.challenge.id ? onRing(state, ring) : forward(state, ring, message),
  ringGone: byChallenge((state, { reason }) => endReadyCheck(state, reason)),
  game: ignore,
  gameGone: ignore,
  presence: onPresence,
  hello: forward,
  find: forward,
  turns: forward,
  signedOut: forward,
  ack: forward,
  refused: forward,
};

/**
 * Applies a message of the lobby's socket. A message that does not concern the challenge leaves the
 * state as it is; it is forwarded, unless it belongs to the lobby page. One of a newer server whose
 * type is unknown is forwarded, too.
 */
export const apply = dispatch(TRANSITIONS, forward);
