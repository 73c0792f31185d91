// State of the lobby page as the server determines it, and its transitions. Pure, as
// `game/state.js`: no DOM, no time, no network; no object is changed, and `lobby.js` executes the
// effects after it has shown the new state. `apply` handles the messages of both
// sockets, `/ws/lobby` and `/ws/live`; responses, timers and actions of the viewer cause the other
// transitions. A challenge that is gone remains in the list for a moment, and new ones are queued
// while the list is in use, so that no item moves under the pointer. `lobby.js` holds the current
// state; `board-transitions.js` has the transitions of the games in progress.
import { onGame, onGameGone, onLive, onLiveGone, replaceGames } from "./board-transitions.js";
import { isOwn } from "../common/challenge-text.js";
import { dispatch } from "../lib/dispatch.js";

/** @typedef {Received<"/ws/lobby" | "/ws/live">} LobbySocketMessage */

/**
 * Reason why a listed challenge is no longer open. `isDeclined` is true if its recipient declined
 * the viewer's challenge.
 * @typedef {Omit<ChallengeGone, "id"> & { isDeclined: boolean }} Gone
 */

/**
 * Failed ready check of the viewer, with the challenge and the viewer's rating at that time.
 * @typedef {{ reason: string, challenge: Challenge, rating: number }} Failure
 */

/**
 * State of the lobby. The keys of the maps are ids of challenges.
 * @typedef {object} LobbyState
 * @property {Readonly<Account>} me
 * @property {readonly OwnGame[]} ownGames games in progress of the viewer
 * @property {readonly Challenge[]} challenges listed challenges, with those that are gone
 * @property {readonly Challenge[]} queued new challenges that are not listed yet, oldest first
 * @property {boolean} isListInUse
 * @property {ReadonlyMap<string, Gone>} gone
 * @property {ReadonlyMap<string, number>} readyChecks ends of the viewer's ready checks
 * @property {ReadonlyMap<string, Failure>} failures
 * @property {number} snapshot number of `full` messages so far
 * @property {number} pages number of loaded pages of challenges
 * @property {number | null} nextPage
 * @property {readonly LiveGame[]} games games in progress
 * @property {readonly import("./board-transitions.js").LiveBoard[]} boards
 * @property {boolean} areBoardsShown
 */

/**
 * Effect of a transition besides the change of the state. `loadPages` restores the number of pages.
 * `checkStarted` requests challenges that are missing after a reconnect, as they may have become
 * games. `follow` sets the games that `/ws/live` reports.
 * @typedef {{ type: "loaded" }
 *   | { type: "loadPages", pages: number }
 *   | { type: "reloadOwnGames" }
 *   | { type: "checkStarted", ids: string[] }
 *   | { type: "challengeGone", id: string, gone: Gone }
 *   | { type: "readyCheckBegun", id: string, readyBy: number }
 *   | { type: "readyCheckFailed", id: string, failure: Failure }
 *   | { type: "gameStarted", start: Frames["start"], isOwn: boolean }
 *   | { type: "dailyGameStarted" }
 *   | { type: "loadBoards" }
 *   | { type: "follow", ids: string[] }
 *   | { type: "boardGone", id: string }
 *   | { type: "forward", message: Frame<NoticeMessage> }} Effect
 */

/** @typedef {{ state: LobbyState, effects: Effect[] }} Transition */

/**
 * Page of the lobby. The first one has the games in progress.
 * @typedef {object} LobbyPage
 * @property {Challenge[]} challenges
 * @property {number} page
 * @property {number | null} nextPage
 * @property {LiveGame[]} games
 * @property {Partial<Account> | null} you
 */

/**
 * @param {Readonly<Account>} me
 * @returns {LobbyState}
 */
export const initialState = (me) => ({
  me,
  ownGames: [],
  challenges: [],
  queued: [],
  isListInUse: false,
  gone: new Map(),
  readyChecks: new Map(),
  failures: new Map(),
  snapshot: 0,
  pages: 1,
  nextPage: null,
  games: [],
  boards: [],
  areBoardsShown: false,
});

/**
 * Returns the transition to a state with other properties.
 * @param {LobbyState} state
 * @param {Partial<LobbyState>} changes
 * @param {Effect[]} [effects]
 * @returns {Transition}
 */
const withChanges = (state, changes, effects = []) => ({
  state: { ...state, ...changes },
  effects,
});

/**
 * @template T
 * @param {ReadonlyMap<string, T>} map
 * @param {string} id
 * @param {T} value
 * @returns {ReadonlyMap<string, T>}
 */
const withEntry = (map, id, value) => new Map([...map, [id, value]]);

/**
 * @template T
 * @param {ReadonlyMap<string, T>} map
 * @param {string} id
 * @returns {ReadonlyMap<string, T>}
 */
const withoutEntry = (map, id) => new Map([...map].filter(([key]) => key !== id));

/**
 * @param {readonly Challenge[]} list
 * @param {string} id
 */
const withoutId = (list, id) => list.filter((challenge) => challenge.id !== id);

/**
 * Returns a list in which a challenge replaces the one with its id.
 * @param {readonly Challenge[]} list
 * @param {Challenge} challenge
 */
const replaceItem = (list, challenge) =>
  list.map((other) => (other.id === challenge.id ? challenge : other));

/**
 * @param {LobbyState} state
 * @param {string} id
 */
const findChallenge = ({ challenges }, id) => challenges.find((challenge) => challenge.id === id);

/**
 * Returns the challenges of the list that are open.
 * @param {LobbyState} state
 */
export const openChallenges = ({ challenges, gone }) =>
  challenges.filter(({ id }) => !gone.has(id));

/**
 * Begins a ready check of the viewer.
 * @param {LobbyState} state
 * @param {string} id
 * @param {number} readyBy
 */
export const beginReadyCheck = (state, id, readyBy) =>
  withChanges(
    state,
    {
      readyChecks: withEntry(state.readyChecks, id, readyBy),
      failures: withoutEntry(state.failures, id),
    },
    [{ type: "readyCheckBegun", id, readyBy }],
  );

/**
 * Ends the viewer's ready check: the challenge is open again. If the viewer has canceled the check,
 * the message about its end has no effect.
 * @param {LobbyState} state
 * @param {string} id
 */
export const endReadyCheck = (state, id) => {
  const challenge = findChallenge(state, id);
  return withChanges(state, {
    challenges: challenge
      ? replaceItem(state.challenges, { ...challenge, readyBy: null })
      : state.challenges,
    readyChecks: withoutEntry(state.readyChecks, id),
  });
};

/**
 * Ends the viewer's ready check of a challenge. The list shows the reason until `dropFailure`.
 * @param {LobbyState} state
 * @param {Challenge} challenge
 * @param {string} reason
 */
const failReadyCheck = (state, challenge, reason) => {
  const { id } = challenge;
  const rating = challenge.yourRating ?? state.me.perfs[challenge.variant.key].rating;
  const failure = { reason, challenge, rating };
  const changes = {
    readyChecks: withoutEntry(state.readyChecks, id),
    failures: withEntry(state.failures, id, failure),
  };
  return withChanges(state, changes, [{ type: "readyCheckFailed", id, failure }]);
};

/**
 * Handles the end of a ready check.
 * @param {LobbyState} state
 * @param {Frames["ringGone"]} message
 */
const onReadyCheckEnd = (state, { id, reason }) => {
  const challenge = findChallenge(state, id);
  if (!state.readyChecks.has(id) || !challenge || reason === "ready")
    return withChanges(state, { readyChecks: withoutEntry(state.readyChecks, id) });
  return failReadyCheck(endReadyCheck(state, id).state, challenge, reason);
};

/**
 * Ends a ready check of the viewer of whose end no message has arrived.
 * @param {LobbyState} state
 * @param {string} id
 * @param {number} readyBy
 */
export const expireReadyCheck = (state, id, readyBy) =>
  state.readyChecks.get(id) === readyBy
    ? onReadyCheckEnd(state, { id, reason: "late" })
    : withChanges(state, {});

/**
 * Ends the ready checks that have ended while the connection was down: their challenges are open
 * again, or another player has accepted them.
 * @param {LobbyState} state
 * @returns {Transition}
 */
const endMissedReadyChecks = (state) =>
  state.challenges
    .filter(({ id, readyBy }) => (state.readyChecks.get(id) ?? readyBy) !== readyBy)
    .reduce(
      (last, challenge) => {
        const { state: next, effects } = failReadyCheck(last.state, challenge, "late");
        return { state: next, effects: [...last.effects, ...effects] };
      },
      withChanges(state, {}),
    );

/**
 * Replaces the lists: the first message of a connection, and after it has missed messages.
 * @param {LobbyState} state
 * @param {LobbyPage} page
 * @returns {Transition}
 */
const onFull = (state, { challenges, nextPage, games, you }) => {
  const missing = openChallenges(state)
    .filter((challenge) => isOwn(challenge) || state.readyChecks.has(challenge.id))
    .map(({ id }) => id)
    .filter((id) => challenges.every((challenge) => challenge.id !== id));
  const me = you ? { ...state.me, ...you } : state.me;
  const snapshot = state.snapshot + 1;
  const lists = { me, challenges, queued: [], gone: new Map(), snapshot, pages: 1, nextPage };
  const replaced = replaceGames({ ...state, ...lists }, games);
  const checked = endMissedReadyChecks(replaced.state);
  return {
    state: checked.state,
    effects: [
      { type: "checkStarted", ids: missing },
      { type: "loadPages", pages: state.pages },
      ...replaced.effects,
      ...checked.effects,
      { type: "reloadOwnGames" },
      { type: "loaded" },
    ],
  };
};

/**
 * Replaces the games in progress of the viewer.
 * @param {LobbyState} state
 * @param {readonly OwnGame[]} ownGames
 */
export const replaceOwnGames = (state, ownGames) => withChanges(state, { ownGames });

/**
 * Inserts or moves a challenge to the top of the list.
 * @param {LobbyState} state
 * @param {Challenge} challenge
 */
export const prependChallenge = (state, challenge) =>
  withChanges(state, {
    challenges: [challenge, ...withoutId(state.challenges, challenge.id)],
    queued: withoutId(state.queued, challenge.id),
    gone: withoutEntry(state.gone, challenge.id),
  });

/**
 * Handles a new or updated challenge.
 * @param {LobbyState} state
 * @param {Challenge} challenge
 */
const onChallenge = (state, challenge) => {
  const { challenges, queued, gone, isListInUse } = state;
  const { id } = challenge;
  if (findChallenge(state, id))
    return withChanges(state, {
      challenges: replaceItem(challenges, challenge),
      gone: withoutEntry(gone, id),
    });
  if (isOwn(challenge) || !isListInUse) return prependChallenge(state, challenge);
  return withChanges(state, { queued: [...withoutId(queued, id), challenge] });
};

/**
 * Marks a challenge as gone; a queued one disappears.
 * @param {LobbyState} state
 * @param {ChallengeGone} message
 */
export const onChallengeGone = (state, { id, status, reasonKey }) => {
  const challenge = findChallenge(state, id);
  const changes = {
    queued: withoutId(state.queued, id),
    readyChecks: withoutEntry(state.readyChecks, id),
  };
  if (!challenge) return withChanges(state, changes);
  const gone = { status, reasonKey, isDeclined: status === "declined" && isOwn(challenge) };
  return withChanges(state, { ...changes, gone: withEntry(state.gone, id, gone) }, [
    { type: "challengeGone", id, gone },
  ]);
};

/**
 * Removes a challenge from the list, unless it has changed since it was gone.
 * @param {LobbyState} state
 * @param {string} id
 * @param {Gone} gone
 */
export const dropChallenge = (state, id, gone) =>
  state.gone.get(id) === gone
    ? withChanges(state, {
        challenges: withoutId(state.challenges, id),
        gone: withoutEntry(state.gone, id),
      })
    : withChanges(state, {});

/**
 * Inserts the queued challenges, the newest at the top.
 * @param {LobbyState} state
 */
export const insertQueued = (state) =>
  withChanges(state, {
    challenges: [...[...state.queued].reverse(), ...state.challenges],
    queued: [],
  });

/**
 * Appends the next page. The response to a request from before a `full` is ignored.
 * @param {LobbyState} state
 * @param {LobbyPage} answer
 * @param {number} snapshot at the time of the request
 */
export const appendPage = (state, { challenges, page, nextPage }, snapshot) => {
  if (page !== state.nextPage || snapshot !== state.snapshot) return withChanges(state, {});
  const listed = challenges.filter(({ id }) => findChallenge(state, id));
  return withChanges(state, {
    challenges: [
      ...listed.reduce(replaceItem, state.challenges),
      ...challenges.filter((challenge) => !listed.includes(challenge)),
    ],
    queued: challenges.reduce((queued, { id }) => withoutId(queued, id), state.queued),
    pages: state.pages + 1,
    nextPage,
  });
};

/**
 * Removes the reason of a failed ready check, unless there is a newer one.
 * @param {LobbyState} state
 * @param {string} id
 * @param {Failure} failure
 */
export const dropFailure = (state, id, failure) =>
  withChanges(
    state,
    state.failures.get(id) === failure ? { failures: withoutEntry(state.failures, id) } : {},
  );

/**
 * Handles the start of a game of the viewer.
 * @param {LobbyState} state
 * @param {Frames["start"]} start
 */
const onStart = (state, start) => {
  const challenge = findChallenge(state, start.challenge ?? start.id);
  const own = challenge !== undefined && isOwn(challenge);
  const isDaily =
    own &&
    challenge.choices.clocks.every(({ timeControl }) => timeControl.type === "correspondence");
  return withChanges(
    state,
    {},
    isDaily
      ? [{ type: "dailyGameStarted" }, { type: "reloadOwnGames" }]
      : [{ type: "gameStarted", start, isOwn: own }],
  );
};

/**
 * Handles the arrival and departure of creators.
 * @param {LobbyState} state
 * @param {Frames["presence"]} message
 */
const onPresence = (state, { here, away }) => {
  const update = (/** @type {Challenge} */ challenge) =>
    here.includes(challenge.id) || away.includes(challenge.id)
      ? { ...challenge, creatorPresent: here.includes(challenge.id) }
      : challenge;
  return withChanges(state, {
    challenges: state.challenges.map(update),
    queued: state.queued.map(update),
  });
};

/**
 * Forwards a message that does not concern the lobby to the notifications.
 * @param {LobbyState} state
 * @param {unknown} data
 * @param {Frame<NoticeMessage>} message
 */
const forward = (state, data, message) => withChanges(state, {}, [{ type: "forward", message }]);

/**
 * Returns a transition that also forwards its message, if that concerns the notifications, too.
 * @template D
 * @param {(state: LobbyState, data: D) => Transition} transition
 * @param {(data: D) => boolean} [concerns]
 * @returns {(state: LobbyState, data: D, message: Frame<NoticeMessage>) => Transition}
 */
const andForward =
  (transition, concerns = () => true) =>
  (state, data, message) => {
    const { state: next, effects } = transition(state, data);
    return {
      state: next,
      effects: concerns(data) ? [...effects, { type: "forward", message }] : effects,
    };
  };

/** @type {Transitions<LobbyState, Transition, LobbySocketMessage>} */
const TRANSITIONS = {
  full: onFull,
  challenge: andForward(onChallenge, ({ direction }) => direction !== undefined),
  // The list tells the creator of a challenge that it was declined.
  challengeGone: andForward(
    onChallengeGone,
    ({ direction, status }) => direction === "in" || (direction === "out" && status !== "declined"),
  ),
  presence: onPresence,
  ringGone: andForward(onReadyCheckEnd),
  start: onStart,
  turns: andForward((state) => withChanges(state, {}, [{ type: "reloadOwnGames" }])),
  game: onGame,
  gameGone: onGameGone,
  live: onLive,
  liveGone: onLiveGone,
  hello: forward,
  seatLost: forward,
  ring: forward,
  find: forward,
  signedOut: forward,
  ack: forward,
  refused: forward,
};

/**
 * Applies a message of a socket. A message that does not concern the lobby leaves the state as it
 * is and is forwarded, and so is one of a newer server whose type is unknown.
 */
export const apply = dispatch(TRANSITIONS, forward);
