// Page of a challenge or game id: shows the challenge until it is accepted, then the game. A
// visitor with a link to a challenge that another player has accepted learns so before watching the
// game.
import { account, get, variants } from "./lib/http.js";
import { goToGame } from "./common/navigation.js";
import { createNotices, openUserSocket } from "./common/notifications.js";
import { loadFailed } from "./common/error-page.js";
import "./lib/i18n-more.js";
import { GamePage } from "./game/page.js";
import { initHeader } from "./common/header.js";

const id = location.pathname.slice(1);
const main = document.querySelector("main");

/**
 * Common members of the two views.
 * @typedef {object} RoomView
 * @property {{ now(): number }} [socket]
 * @property {() => boolean} [isBusy]
 */

/** @type {RoomView | undefined} */
let view;
const noticeBars = createNotices({
  now: () => view?.socket?.now() ?? Date.now(),
  // A clock of the user may run in a game that is not loaded yet.
  busy: () => !view || (view.isBusy?.() ?? false),
  skips: ({ rematchOf }) => rematchOf === id,
});
document.body.append(noticeBars.element);

/**
 * Loads the challenge with this id, if it exists: games of a standing challenge have other ids than
 * the challenge.
 * @returns {Promise<Challenge | undefined>}
 */
const loadChallenge = () =>
  get(`/api/challenge/${id}/show`).catch((refused) => {
    if (refused.status !== 404) throw refused;
    return undefined;
  });

/** Loads the challenge and, once it is accepted, the game. */
const loadRoom = async () => {
  const challenge = await loadChallenge();
  const isStarted = !challenge || challenge.status === "accepted";
  return { challenge, game: isStarted ? await get(`/api/game/${id}`) : null };
};

/** Whether the challenge was shown on this page: the visitor wanted to play, not to watch. */
let isInvited = false;
/** Whether the visitor has chosen to watch the game. */
let isWatching = false;

/**
 * Returns whether a visitor who opened the link of a challenge was too late. Links of this site
 * lead to games to watch.
 * @param {Challenge | undefined} challenge
 * @param {Game} game
 */
const isTooLate = (challenge, game) =>
  challenge?.kind === "link" &&
  !challenge.standing &&
  !isWatching &&
  !game.you &&
  game.state.status === "started" &&
  (isInvited || !document.referrer.startsWith(`${location.origin}/`));

/**
 * Shows that another player has accepted the challenge.
 * @param {Challenge} challenge
 */
const showTaken = async (challenge) => {
  const { takenPage } = await import("./challenge/page.js");
  const socket = openUserSocket((frame) => noticeBars.handle(frame));
  const watch = () => {
    isWatching = true;
    socket.close();
    return open();
  };
  view = { socket };
  main.replaceChildren(takenPage(challenge, watch));
};

/** @returns {Promise<unknown>} */
const show = async () => {
  // Requested in parallel: most visitors have a session already.
  const [catalog, me, { challenge, game }] = await Promise.all([variants(), account(), loadRoom()]);
  // The challenge was requested before `account()` had created a guest session.
  const current =
    !game && /** @type {Challenge} */ (challenge).ineligibleReason === "anonymous"
      ? await loadChallenge()
      : challenge;
  if (!game && current?.status === "accepted") return show();
  if (game && isTooLate(challenge, game)) return showTaken(/** @type {Challenge} */ (challenge));
  isInvited = !game;
  // The view of a challenge is loaded only if it is shown.
  view = game
    ? new GamePage(id, game, catalog, me, noticeBars)
    : new (await import("./challenge/page.js")).ChallengePage(
        /** @type {Challenge} */ (current),
        catalog,
        me,
        { notices: noticeBars, onStart: openGame },
      );
  return game
    ? /** @type {GamePage} */ (view).open(main)
    : main.replaceChildren(
        /** @type {import("./challenge/page.js").ChallengePage} */ (view).element,
      );
};

const open = () => show().catch((refused) => main.replaceChildren(loadFailed(refused)));

/**
 * Opens a game that has started: here if it has this page's id, otherwise at its own address.
 * @param {string} game
 */
const openGame = (game) => (game === id ? open() : goToGame(game));

initHeader(null);
open();
