// State of the page that looks for an opponent, and its transitions. Pure, as `game/state.js`: no
// DOM, no time, no network; no object is changed, and `find.js` executes the effects after it has
// shown the new state. The server reports the search when a connection begins and after each
// change; `null` is the end of the search: a game has begun, it was canceled, or the server was
// restarted.
import { dispatch } from "../lib/dispatch.js";

/** @typedef {Received<"/ws/me">} UserSocketMessage */
/** @typedef {import("../common/opponent-search.js").SearchTerms} SearchTerms */

/**
 * Stage of the page: choice of games and time; search; end of the search by the player or from
 * another page; challenge left in the lobby; game.
 * @typedef {"choosing" | "looking" | "canceled" | "posted" | "found"} Stage
 */

/**
 * State of the page. `request` is the number of requests for a search, of which the last one
 * counts. `isFresh` is true until the connection has reported the search. `game` is a game that has
 * begun, perhaps that of the search. `canceledId` is the id of the search that the player has
 * canceled. `isLeaving` is true while a challenge in the lobby takes the place of the search.
 * @typedef {object} FindState
 * @property {Stage} stage
 * @property {SearchTerms | null} terms
 * @property {number | null} since server time in epoch milliseconds
 * @property {Search | null} search
 * @property {number} request
 * @property {boolean} isPosting
 * @property {boolean} isConnected
 * @property {boolean} isFresh
 * @property {string | null} game
 * @property {string | null} canceledId
 * @property {boolean} isLeaving
 */

/**
 * Effect of a transition besides the change of the state. `restart` opens the game that has begun
 * while the connection was down, or begins the search anew. `isAgain` is true for a search that the
 * player has begun before. `until` is the end of a ready check.
 * @typedef {{ type: "post", terms: SearchTerms, request: number, isAgain: boolean }
 *   | { type: "cancel", search: Search | null }
 *   | { type: "restart", request: number }
 *   | { type: "confirm", id: string, until: number }
 *   | { type: "openGame", id: string }
 *   | { type: "forward", message: Frame<NoticeMessage> }} Effect
 */

/** @typedef {{ state: FindState, effects: Effect[] }} Transition */

/**
 * Returns the state of a new page; `remembered` is the search of this tab before a reload.
 * @param {{ terms: SearchTerms, since: number } | null} remembered
 * @returns {FindState}
 */
export const initialState = (remembered) => ({
  stage: remembered ? "looking" : "choosing",
  terms: remembered?.terms ?? null,
  since: remembered?.since ?? null,
  search: null,
  request: 0,
  isPosting: false,
  isConnected: true,
  isFresh: true,
  game: null,
  canceledId: null,
  isLeaving: false,
});

/**
 * @param {FindState} state
 * @param {Partial<FindState>} changes
 * @param {Effect[]} [effects]
 * @returns {Transition}
 */
const withChanges = (state, changes, effects = []) => ({
  state: { ...state, ...changes },
  effects,
});

/**
 * Begins a search; `since` is the time from which the wait counts.
 * @param {FindState} state
 * @param {SearchTerms} terms
 * @param {number} since
 * @param {boolean} [isAgain]
 * @returns {Transition}
 */
export const begin = (state, terms, since, isAgain = false) => {
  const request = state.request + 1;
  return withChanges(
    state,
    {
      stage: "looking",
      terms,
      since,
      search: null,
      request,
      isPosting: true,
      game: null,
      isLeaving: false,
    },
    [{ type: "post", terms, request, isAgain }],
  );
};

/**
 * Handles the response to a request that begins a search. The player may have canceled the search
 * in the meantime; the request that does so follows this one.
 * @param {FindState} state
 * @param {Search} search
 * @param {number} request
 */
export const onPosted = (state, search, request) => {
  if (request !== state.request) return withChanges(state, {});
  return state.stage === "looking"
    ? withChanges(state, { isPosting: false, search: state.search ?? search })
    : withChanges(state, { isPosting: false, canceledId: search.id });
};

/**
 * Handles the refusal of the last request: returns to the choice, unless the player has canceled
 * the search.
 * @param {FindState} state
 * @param {number} request
 */
export const onRefused = (state, request) => {
  if (request !== state.request) return withChanges(state, {});
  return state.stage === "looking"
    ? withChanges(state, { stage: "choosing", isPosting: false, search: null })
    : withChanges(state, { isPosting: false });
};

/**
 * Handles the failure of a request that is to be repeated.
 * @param {FindState} state
 * @param {number} request
 */
export const onFailed = (state, request) =>
  withChanges(state, request === state.request ? { isPosting: false } : {});

/**
 * Whether the page still needs a search in place of a request that has failed, or of a search that
 * the connection did not report. A challenge in the lobby takes its place, too.
 * @param {FindState} state
 * @param {number} request
 */
export const isAwaiting = (state, request) =>
  state.stage === "looking" && !state.search && !state.isLeaving && request === state.request;

/**
 * Cancels the search.
 * @param {FindState} state
 */
export const cancel = (state) =>
  withChanges(
    state,
    {
      stage: "canceled",
      canceledId: state.search?.id ?? null,
      search: null,
      isLeaving: false,
    },
    [{ type: "cancel", search: state.search }],
  );

/**
 * Shows the search again that could not be canceled.
 * @param {FindState} state
 * @param {Search | null} search
 */
export const onCancelFailed = (state, search) =>
  withChanges(
    state,
    state.stage === "canceled" ? { stage: "looking", search, canceledId: null } : {},
  );

/**
 * Returns to the choice of games and time.
 * @param {FindState} state
 */
export const choose = (state) => withChanges(state, { stage: "choosing" });

/**
 * Begins to replace the search by a challenge in the lobby.
 * @param {FindState} state
 */
export const leave = (state) => withChanges(state, { isLeaving: true });

/**
 * Ends the search for a challenge that stays in the lobby, unless a game has begun.
 * @param {FindState} state
 */
export const onLeftOpen = (state) =>
  withChanges(
    state,
    state.stage === "found"
      ? { isLeaving: false }
      : {
          stage: "posted",
          canceledId: state.search?.id ?? state.canceledId,
          search: null,
          isLeaving: false,
        },
  );

/**
 * Handles a failure to do so. The search may be over.
 * @param {FindState} state
 */
export const onLeaveFailed = (state) => {
  const isOver = state.stage === "looking" && state.isLeaving && !state.search;
  return withChanges(state, { isLeaving: false, ...(isOver && { stage: "canceled" }) });
};

/**
 * Handles a change of the connection.
 * @param {FindState} state
 * @param {boolean} isConnected
 */
export const onConnection = (state, isConnected) =>
  withChanges(state, { isConnected, isFresh: state.isFresh || !isConnected });

/**
 * Opens the game of the search.
 * @param {FindState} state
 * @param {string} id
 */
export const openGame = (state, id) =>
  state.stage === "found"
    ? withChanges(state, {})
    : withChanges(state, { stage: "found", search: null, isLeaving: false }, [
        { type: "openGame", id },
      ]);

/**
 * Handles the end of the search, or its absence on a new connection.
 * @param {FindState} state
 * @returns {Transition}
 */
const onSearchEnd = (state) => {
  const { stage, game, search, isPosting, isFresh, terms } = state;
  const next = { ...state, search: null, isFresh: false };
  if (stage !== "looking") return withChanges(next, {});
  // A search may find its game before the response to its request arrives.
  if (game && (search || !isPosting)) return openGame(next, game);
  // A new search replaces an earlier one.
  if (isPosting || state.isLeaving) return withChanges(next, {});
  if (isFresh && terms) return withChanges(next, {}, [{ type: "restart", request: state.request }]);
  return withChanges(next, { stage: "canceled" });
};

/**
 * Handles the search as the server reports it. Another tab may have begun it.
 * @param {FindState} state
 * @param {Frames["find"]} message
 * @returns {Transition}
 */
const onFind = (state, { search }) => {
  if (!search) return onSearchEnd(state);
  // A search that is canceled before the response to its request has no known id.
  const isCanceled =
    search.id === state.canceledId || (state.stage === "canceled" && state.isPosting);
  if (state.stage === "found" || isCanceled) return withChanges(state, { isFresh: false });
  return withChanges(state, {
    stage: "looking",
    search,
    isFresh: false,
    since: state.stage === "looking" && state.since ? state.since : search.startedAt,
  });
};

/**
 * Handles the start of a game of the player. If it is that of the search, the end of the search
 * follows.
 * @param {FindState} state
 * @param {Frames["start"]} start
 * @param {Frame<NoticeMessage>} message
 * @returns {Transition}
 */
const onStart = (state, { id, challenge }, message) => {
  if (state.stage === "found") return withChanges(state, {});
  if (state.stage !== "looking") return forward(state, message.d, message);
  return challenge === state.search?.id ? openGame(state, id) : withChanges(state, { game: id });
};

/**
 * Whether a ready check is one of a search: the player was away for a moment and is here again.
 * @param {Ring} ring
 */
const isOwnRing = ({ challenge }) => challenge.kind === "seek";

/**
 * Returns the confirmation of a ready check of the search. There is none after the end of the
 * search: the server ends the ready check, too.
 * @param {FindState} state
 * @param {Ring} ring
 * @returns {Effect[]}
 */
const confirmation = ({ stage, search, canceledId, isFresh }, { challenge: { id }, readyBy }) => {
  // A new page learns of the ready check before the search.
  const isLooking = stage === "looking" || (stage === "choosing" && isFresh);
  const isOwn = search ? id === search.id : id !== canceledId;
  return isLooking && isOwn ? [{ type: "confirm", id, until: readyBy }] : [];
};

/**
 * Confirms the ready checks of the search, and forwards those that are not of a search.
 * @param {FindState} state
 * @param {Frames["hello"]} hello
 * @returns {Transition}
 */
const onHello = (state, hello) => {
  const own = hello.rings.filter(isOwnRing);
  const rings = hello.rings.filter((ring) => !own.includes(ring));
  return withChanges(state, {}, [
    ...own.flatMap((ring) => confirmation(state, ring)),
    {
      type: "forward",
      message: /** @type {Frame<NoticeMessage>} */ ({ t: "hello", d: { ...hello, rings } }),
    },
  ]);
};

/**
 * Forwards a message that does not concern the search to the notifications.
 * @param {FindState} state
 * @param {unknown} data
 * @param {Frame<NoticeMessage>} message
 * @returns {Transition}
 */
const forward = (state, data, message) => withChanges(state, {}, [{ type: "forward", message }]);

/** @type {Transitions<FindState, Transition, UserSocketMessage>} */
const TRANSITIONS = {
  find: onFind,
  start: onStart,
  hello: onHello,
  ring: (state, ring, message) =>
    isOwnRing(ring)
      ? withChanges(state, {}, confirmation(state, ring))
      : forward(state, ring, message),
  ringGone: forward,
  challenge: forward,
  challengeGone: forward,
  seatLost: forward,
  turns: forward,
  signedOut: forward,
  ack: forward,
  refused: forward,
};

/** Applies a message of the socket. One of a newer server whose type is unknown is forwarded. */
export const apply = dispatch(TRANSITIONS, forward);

/** Duration of a search after which the player is offered other ways to play, in milliseconds. */
export const COMPUTER_AFTER_MS = 15000;
export const OPEN_AFTER_MS = 120000;

/** Keys of the sentences that say what the search does. */
export const MESSAGES = {
  reconnecting: "find.reconnecting",
  asking: "find.asking",
  absent: "find.missed.absent",
  taken: "find.missed.taken",
  waiting: "find.waiting",
  nobody: "find.nobody",
};

/**
 * Returns the key of the sentence that says what the search does, with its values.
 * @param {FindState} state
 * @param {number} elapsedMs
 * @returns {[key: string, values: Record<string, string>]}
 */
export const progressOf = ({ search, isConnected, isPosting, isLeaving }, elapsedMs) => {
  // Without a search and a request for one, the request is to be repeated.
  const isWaiting = !search && !isPosting && !isLeaving;
  if (!isConnected || isWaiting) return [MESSAGES.reconnecting, {}];
  if (search?.asking) return [MESSAGES.asking, { name: search.asking.name }];
  if (search?.missed) return [MESSAGES[search.missed], {}];
  return [elapsedMs < COMPUTER_AFTER_MS ? MESSAGES.waiting : MESSAGES.nobody, {}];
};
