// Page of a challenge or game id: shows the challenge until it is accepted, then the game.
import { account, get, variants } from "./lib/http.js";
import { goTo } from "./common/navigation.js";
import { notices } from "./common/notifications.js";
import { missing, trouble } from "./common/error-page.js";
import "./lib/i18n-more.js";
import { Play } from "./game/page.js";
import { top } from "./common/header.js";

const id = location.pathname.slice(1);
const main = document.querySelector("main");

/**
 * Common members of the two views.
 * @typedef {object} RoomView
 * @property {{ now(): number }} [socket]
 * @property {() => boolean} [isBusy]
 * @property {{ hear(frame: Frame): unknown }} notices
 */

/** @typedef {import("./challenge/page.js").Waiting} Waiting */

/** @type {RoomView | undefined} */
let shown;
const news = notices({
  now: () => shown?.socket?.now() ?? Date.now(),
  busy: () => shown?.isBusy?.() ?? false,
  skips: ({ rematchOf }) => rematchOf === id,
});
document.body.append(news.element);

/**
 * Loads the challenge with this id, if it exists: games of a standing challenge have other ids than
 * the challenge.
 * @returns {Promise<Challenge | undefined>}
 */
const find = () =>
  get(`/api/challenge/${id}/show`).catch((refused) => {
    if (refused.status !== 404) throw refused;
  });

/** Loads the challenge and, once it is accepted, the game. */
const look = async () => {
  const challenge = await find();
  const begins = !challenge || challenge.status === "accepted";
  return { challenge, game: begins ? await get(`/api/game/${id}`) : null };
};

/** @returns {Promise<unknown>} */
const show = async () => {
  // Requested in parallel: most visitors have a session already.
  const [catalogue, me, { challenge, game }] = await Promise.all([variants(), account(), look()]);
  // The challenge was requested before `account()` had created a guest session.
  const seen =
    !game && /** @type {Challenge} */ (challenge).ineligibleReason === "anonymous"
      ? await find()
      : challenge;
  if (!game && seen?.status === "accepted") return show();
  // The view of a challenge is loaded only if it is shown.
  shown = game
    ? new Play(id, game, catalogue, me)
    : new (await import("./challenge/page.js")).Waiting(
        /** @type {Challenge} */ (seen),
        catalogue,
        me,
        begun,
      );
  shown.notices = news;
  return game
    ? /** @type {Play} */ (shown).open(main)
    : main.replaceChildren(/** @type {Waiting} */ (shown).element);
};

const open = () =>
  show().catch((refused) => {
    main.replaceChildren(refused.status === 404 ? missing() : trouble(refused));
  });

/**
 * Opens a game that has started: here if it has this page's id, otherwise at its own address.
 * @param {string} game
 */
const begun = (game) => (game === id ? open() : goTo(game));

top(null);
open();
