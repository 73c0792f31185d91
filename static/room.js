// Page of a challenge or game id: shows the challenge until it is accepted, then the game.
import { account, get, variants } from "./lib/http.js";
import { goToGame } from "./common/navigation.js";
import { createNotices } from "./common/notifications.js";
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
  busy: () => view?.isBusy?.() ?? false,
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
  });

/** Loads the challenge and, once it is accepted, the game. */
const loadRoom = async () => {
  const challenge = await loadChallenge();
  const isStarted = !challenge || challenge.status === "accepted";
  return { challenge, game: isStarted ? await get(`/api/game/${id}`) : null };
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
