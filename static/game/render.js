// Shows the state of a game: compares it with the previous one and updates the components that
// display what has changed. After a `full`, for example on a reconnect, everything is shown anew.
// The input of the player comes first, as the board and the status line display it too. Called by
// `session.js` after each message.

/** @typedef {import("./page.js").GamePage} GamePage */
/** @typedef {import("./state.js").GameState} GameState */

/**
 * Returns the state with which to compare the next one, null if everything is to be shown anew.
 * @param {GameState} state
 * @param {GameState | null} previous
 */
const findBase = (state, previous) => (state.resync === previous?.resync ? previous : null);

/**
 * Returns whether one of these properties of the game differs.
 * @param {GameState} state
 * @param {GameState} base
 * @param {...(keyof Game)} keys
 */
const differs = ({ game }, base, ...keys) => keys.some((key) => game[key] !== base.game[key]);

/**
 * Returns by how many plies the game has become longer, negative after a takeback.
 * @param {GameState} state
 * @param {GameState} base
 */
const addedPlies = ({ moves }, base) => moves.length - base.moves.length;

/**
 * Updates the input of the player after a `full`. Clicks and premove remain if the moves are
 * unchanged, and so does an open question.
 * @param {GamePage} page
 * @param {GameState} state
 */
const resyncInput = ({ moveInput, premove }, { game, moves, resync }) => {
  const isUnchanged = resync.moves === "unchanged";
  moveInput.resync(game.legal, moves.length, isUnchanged);
  // In the turn of the player, the effect `turnStarted` sends the premove.
  if (!isUnchanged && !game.legal) premove.drop();
};

/**
 * Updates the input of the player.
 * @param {GamePage} page
 * @param {GameState} state
 * @param {GameState} base
 */
const renderInput = ({ moveInput, premove, prompt }, state, base) => {
  const { game } = state;
  if (game.end && !base.game.end) {
    moveInput.reset([]);
    premove.drop();
    prompt.dropTransient();
    prompt.dropQuestion();
  } else if (addedPlies(state, base) < 0) {
    moveInput.reset(game.legal);
    premove.drop();
    prompt.dropTransient();
  } else if (addedPlies(state, base) > 0) {
    moveInput.reset(game.legal);
    prompt.clearTransient();
  } else if (differs(state, base, "draw", "takeback")) prompt.clearTransient();
};

/**
 * Updates the move list and, if it displays the latest position, the board.
 * @param {GamePage} page
 * @param {GameState} state
 * @param {GameState | null} base
 */
const renderMoves = ({ moveHistory }, state, base) => {
  const { game, moves } = state;
  if (!base) moveHistory.set(game);
  else if (addedPlies(state, base) > 0)
    moveHistory.add(/** @type {string} */ (moves.at(-1)), game.position, game.last);
  else if (addedPlies(state, base) < 0)
    moveHistory.truncate(moves.length, game.position, game.last);
};

/**
 * Updates chat, clocks, spectators, absences, the rematch and the link to the next game.
 * @param {GamePage} page
 * @param {GameState} state
 * @param {GameState | null} base
 */
const renderPanels = ({ chat, clocks, info, absence, nextGame, rematch }, state, base) => {
  const { game } = state;
  if (!base || differs(state, base, "rematch") || state.rematch !== base.rematch)
    rematch?.show(game.rematch, state.rematch);
  if (!base) chat.set(game.chat);
  else if (differs(state, base, "chat")) chat.add(/** @type {ChatMessage} */ (game.chat.at(-1)));
  if (!base || differs(state, base, "clocks", "turn", "dueBy", "end"))
    clocks.set(game.clocks, game);
  if (!base || differs(state, base, "crowd", "crowdNames"))
    info.setCrowd(game.crowd, game.crowdNames);
  if (!base || differs(state, base, "gone", "end")) absence.set(game.gone, base?.game.gone);
  if (!base || differs(state, base, "next")) nextGame?.show(game.next);
};

/**
 * Shows a state. `previous` is the state shown before, null for the first one.
 * @param {GamePage} page
 * @param {GameState} state
 * @param {GameState | null} previous
 */
export const render = (page, state, previous) => {
  const base = findBase(state, previous);
  const { end } = state.game;
  if (base) renderInput(page, state, base);
  else resyncInput(page, state);
  renderMoves(page, state, base);
  renderPanels(page, state, base);
  if (previous && end && !previous.game.end) page.info.revealShuffle();
  // A move has been drawn by the move history, unless the board displays a past position.
  if (!base || addedPlies(state, base) < 0 || (end && !base.game.end)) page.show();
};

/**
 * Updates the status line, once the effects of a message are executed, if the message changed what
 * the line depends on.
 * @param {GamePage} page
 * @param {GameState} state
 * @param {GameState | null} previous
 */
export const renderPrompt = ({ prompt }, state, previous) => {
  const base = findBase(state, previous);
  if (!base || differs(state, base, "position", "draw", "takeback", "gone", "end", "vacationUntil"))
    prompt.update();
};
