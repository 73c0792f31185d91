// State of the list of games in progress, and its transitions. Pure, as `game/state.js`: no DOM, no
// time, no network; no object is changed, and `watch.js` executes the effects after `BoardList` has
// shown the new state. `apply` handles the messages of `/ws/live`, the other transitions the
// responses to requests of the list.
import { dispatch } from "../lib/dispatch.js";

/** Games per page; also the maximum that the socket follows. */
export const PAGE_SIZE = 16;

/** @typedef {Received<"/ws/live">} LiveSocketMessage */

/**
 * Board of a game. Boards with another `number` are drawn anew, even if the game is the same.
 * `isMissing` is true if the last list, which had all games, lacked a game without a result.
 * @typedef {object} WatchedBoard
 * @property {number} number
 * @property {LiveGame} game
 * @property {import("../common/mini-board.js").LiveEnd | null} end
 * @property {boolean} [isMissing]
 */

/**
 * Latest list: its total number of games, its page and number of pages, and the error of a request
 * that failed.
 * @typedef {{ total: number, page: number, pages: number, error?: string }} Listing
 */

/**
 * State of the list. `boards` have their positions; `listing` is a new object after each response;
 * `created` is the number of boards so far.
 * @typedef {object} WatchState
 * @property {readonly WatchedBoard[]} boards
 * @property {Listing} listing
 * @property {number} created
 */

/** @typedef {{ games: LiveGame[], total: number, page: number }} LiveAnswer */

/**
 * Effect of a transition: `follow` sets the games that the socket reports.
 * @typedef {{ type: "follow", ids: string[] }} Effect
 */

/** @typedef {{ state: WatchState, effects: Effect[] }} Transition */

/** @returns {WatchState} */
export const initialState = () => ({
  boards: [],
  listing: { total: 0, page: 1, pages: 1 },
  created: 0,
});

/**
 * Returns the ids of the games to follow: the boards without a result.
 * @param {WatchState} state
 */
export const followedIds = ({ boards }) =>
  boards.filter(({ end }) => !end).map(({ game }) => game.id);

/**
 * Returns the board after a list that has all games. The server does not list games that both
 * players have left: their boards go with the second list that lacks them, as the result of a game
 * may arrive after the first.
 * @param {WatchedBoard} board
 * @param {readonly LiveGame[]} games
 * @returns {WatchedBoard | null}
 */
const afterCompleteList = (board, games) => {
  if (board.end) return board;
  const isMissing = games.every(({ id }) => id !== board.game.id);
  if (isMissing === Boolean(board.isMissing)) return isMissing ? null : board;
  return { ...board, isMissing };
};

/**
 * Applies a list. Boards keep their positions; new games replace the finished ones of
 * `replaceable` and those that are no longer listed, then fill the page.
 * @param {WatchState} state
 * @param {LiveAnswer} answer
 * @param {readonly string[]} [replaceable] ids of games
 * @returns {Transition}
 */
export const onList = (state, { games, total, page }, replaceable = []) => {
  const added = games
    .filter(({ id }) => state.boards.every(({ game }) => game.id !== id))
    .map((game, at) => ({ number: state.created + at, game, end: null }));
  const hasAll = page === 1 && games.length === total;
  const boards = state.boards.flatMap((board) => {
    if (board.end && replaceable.includes(board.game.id)) return added.splice(0, 1);
    const kept = hasAll ? afterCompleteList(board, games) : board;
    return kept ? [kept] : added.splice(0, 1);
  });
  boards.push(...added.slice(0, Math.max(0, PAGE_SIZE - boards.length)));
  const isSameList =
    boards.length === state.boards.length &&
    boards.every(({ number }, at) => number === state.boards[at].number);
  const isSame = isSameList && boards.every((one, at) => one === state.boards[at]);
  const next = {
    boards: isSame ? state.boards : boards,
    listing: { total, page, pages: Math.max(1, Math.ceil(total / PAGE_SIZE)) },
    created: state.created + games.length,
  };
  return { state: next, effects: isSameList ? [] : [{ type: "follow", ids: followedIds(next) }] };
};

/**
 * Applies the list of another filter or page: discards all boards.
 * @param {WatchState} state
 * @param {LiveAnswer} answer
 * @returns {Transition}
 */
export const onNewList = (state, answer) => onList({ ...state, boards: [] }, answer);

/**
 * Shows an error in place of the list.
 * @param {WatchState} state
 * @param {string} error
 * @returns {Transition}
 */
export const onListError = (state, error) => ({
  state: { ...state, boards: [], listing: { ...state.listing, total: 0, error } },
  effects: [],
});

/**
 * Changes the board of a game, unless it has a result.
 * @param {WatchState} state
 * @param {string} id
 * @param {Partial<WatchedBoard>} changes
 * @returns {Transition}
 */
const updateBoard = (state, id, changes) => ({
  state: {
    ...state,
    boards: state.boards.map((board) =>
      board.game.id === id && !board.end ? { ...board, ...changes } : board,
    ),
  },
  effects: [],
});

/**
 * @param {WatchState} state
 * @returns {Transition}
 */
const ignore = (state) => ({ state, effects: [] });

/** @type {Transitions<WatchState, Transition, LiveSocketMessage>} */
const TRANSITIONS = {
  live: (state, game) => updateBoard(state, game.id, { game }),
  liveGone: (state, end) => updateBoard(state, end.id, { end }),
  ack: ignore,
  refused: ignore,
};

/** Applies a message of the socket. One of a newer server whose type is unknown is ignored. */
export const apply = dispatch(TRANSITIONS, ignore);
