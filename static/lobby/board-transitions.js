// Transitions of the games in progress, and of those that the lobby shows as boards. Pure, a part
// of `state.js`. The lobby's socket reports all games, `/ws/live` the moves and results of the
// followed ones. A board keeps its position, and remains for a moment after the end of its game.

/** Maximum number of boards. */
const SHOWN_MAX = 8;

/** @typedef {import("./state.js").LobbyState} LobbyState */
/** @typedef {import("./state.js").Transition} Transition */

/**
 * Board of a game. `isFollowed` is true once `/ws/live` has reported the game: that socket sends
 * each move earlier and with its trace. `end` is the result, empty if it is unknown. `isGone` is
 * true after the end, until the board is removed.
 * @typedef {object} LiveBoard
 * @property {LiveGame} game
 * @property {boolean} isFollowed
 * @property {import("../common/mini-board.js").LiveEnd | null} end
 * @property {boolean} isGone
 */

/** @param {Pick<Player, "bot" | "level" | "title">} player */
const isProgram = ({ bot, level, title }) => Boolean(bot || level || title);

/**
 * Returns the ids of the human players of a game.
 * @param {LiveGame} game
 */
const humanIds = ({ first, second }) =>
  [first, second].filter((player) => !isProgram(player)).map(({ id }) => id);

/**
 * Selects the games to show: games between humans, then at most one game against a bot per human,
 * so that no single player fills the section. Excludes the viewer's own games, which `my-games.js`
 * shows.
 * @param {LobbyState} state
 * @returns {LiveGame[]}
 */
export const selectGames = ({ games, me }) => {
  const rank = (/** @type {LiveGame} */ game) => 2 - humanIds(game).length;
  const represented = new Set();
  const isAdmitted = (/** @type {LiveGame} */ game) => {
    const people = humanIds(game);
    if (people.length === 2) return true;
    const name = people[0] ?? "";
    const first = !represented.has(name);
    represented.add(name);
    return first;
  };
  return games
    .filter((game) => !humanIds(game).includes(me.id))
    .filter(isAdmitted)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, SHOWN_MAX);
};

/**
 * Returns the ids of the games to follow: the boards without a result.
 * @param {LobbyState} state
 */
export const followedIds = ({ boards }) =>
  boards.filter(({ end }) => !end).map(({ game }) => game.id);

/**
 * @param {LobbyState} state
 * @param {string} id
 */
const findBoard = ({ boards }, id) => boards.find(({ game }) => game.id === id);

/**
 * Returns a state with another board of the same game.
 * @param {LobbyState} state
 * @param {LiveBoard} board
 */
const withBoard = (state, board) => ({
  ...state,
  boards: state.boards.map((other) => (other.game.id === board.game.id ? board : other)),
});

/**
 * Arranges the boards after a change of the games: those shown keep their position, new ones are
 * appended.
 * @param {LobbyState} state
 * @returns {Transition}
 */
const arrange = (state) => {
  if (!state.areBoardsShown) return { state, effects: [{ type: "loadBoards" }] };
  const selected = selectGames(state);
  const kept = state.boards.filter(
    ({ game, isGone }) => isGone || selected.some(({ id }) => id === game.id),
  );
  const added = selected
    .filter(({ id }) => !findBoard(state, id))
    .map((game) => ({ game, isFollowed: false, end: null, isGone: false }));
  const next = { ...state, boards: [...kept, ...added] };
  if (kept.length === state.boards.length && added.length === 0)
    return { state: next, effects: [] };
  return { state: next, effects: [{ type: "follow", ids: followedIds(next) }] };
};

/**
 * Updates the board of a game from the lobby, which is behind `/ws/live`.
 * @param {LobbyState} state
 * @param {LiveGame} game
 */
const updateBoard = (state, game) => {
  const board = findBoard(state, game.id);
  return !board || board.isFollowed || board.end ? state : withBoard(state, { ...board, game });
};

/**
 * Replaces the games in progress.
 * @param {LobbyState} state
 * @param {readonly LiveGame[]} games
 * @returns {Transition}
 */
export const replaceGames = (state, games) =>
  arrange(games.reduce(updateBoard, { ...state, games }));

/**
 * Adds or updates a game in progress; a new one comes first.
 * @param {LobbyState} state
 * @param {LiveGame} game
 * @returns {Transition}
 */
export const onGame = (state, game) => {
  const { games } = state;
  if (!games.some(({ id }) => id === game.id))
    return arrange({ ...state, games: [game, ...games] });
  const updated = games.map((other) => (other.id === game.id ? game : other));
  return { state: updateBoard({ ...state, games: updated }, game), effects: [] };
};

/**
 * Removes a game; its board remains until `dropBoard`. The result of a followed game comes from
 * `/ws/live`.
 * @param {LobbyState} state
 * @param {{ id: string }} message
 * @returns {Transition}
 */
export const onGameGone = (state, { id }) => {
  const board = findBoard(state, id);
  const next = { ...state, games: state.games.filter((game) => game.id !== id) };
  if (!board) return { state: next, effects: [] };
  const end = board.end ?? (board.isFollowed ? null : {});
  return {
    state: withBoard(next, { ...board, end, isGone: true }),
    effects: board.isGone ? [] : [{ type: "boardGone", id }],
  };
};

/**
 * Handles the state of a followed game.
 * @param {LobbyState} state
 * @param {LiveGame} game
 * @returns {Transition}
 */
export const onLive = (state, game) => {
  const board = findBoard(state, game.id);
  if (!board || board.end) return { state, effects: [] };
  return { state: withBoard(state, { ...board, isFollowed: true, game }), effects: [] };
};

/**
 * Handles the end of a followed game.
 * @param {LobbyState} state
 * @param {Frames["liveGone"]} end
 * @returns {Transition}
 */
export const onLiveGone = (state, end) => {
  const board = findBoard(state, end.id);
  if (!board || board.end) return { state, effects: [] };
  return onGameGone(withBoard(state, { ...board, isFollowed: true, end }), end);
};

/**
 * Shows boards, once their module is loaded.
 * @param {LobbyState} state
 * @returns {Transition}
 */
export const showBoards = (state) => arrange({ ...state, areBoardsShown: true });

/**
 * Removes the board of a game that is gone, unless the game is in progress after all.
 * @param {LobbyState} state
 * @param {string} id
 * @returns {Transition}
 */
export const dropBoard = (state, id) => {
  const board = findBoard(state, id);
  return arrange(board ? withBoard(state, { ...board, isGone: false }) : state);
};
