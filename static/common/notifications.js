// Notifications on every page: the number of games in which it is the user's turn, games that
// start, and the inbox of challenges and ready checks (inbox.js), which is loaded with the first
// news. A page with its own socket passes the frames to `createNotices()`; other pages call
// `subscribe()`, which opens `/ws/me`.
import { accountWithRetry } from "../lib/http.js";
import { isBusy, playGameSound, goToGame, showTurns } from "./navigation.js";
import { dispatch } from "../lib/dispatch.js";
import { h, toast } from "../lib/dom.js";
import { waitingTexts } from "../lib/settings.js";
import { Socket } from "../lib/socket.js";
import { t } from "../lib/i18n.js";

/** Delay before the next attempt to load the inbox. */
const RETRY_MS = 3000;

let isLeaving = false;

/**
 * Records that this page ends the session, or failed to: the `signedOut` frame is then ignored.
 * @param {boolean} [isEnding]
 */
export const setLeaving = (isEnding = true) => {
  isLeaving = isEnding;
};

/**
 * `now()` is the server's time. While `busy()` is true a clock of the user may run: news change the
 * number on the bell only, and a game that starts is announced instead of opened.
 * `skips(challenge)` is true for challenges that the page itself shows.
 * @typedef {{
 *   now?: () => number,
 *   busy?: () => boolean,
 *   skips?: (challenge: Challenge) => boolean,
 * }} NoticeOptions
 */

/**
 * Loads the module of the inbox, with retries.
 * @returns {Promise<typeof import("./inbox.js")>}
 */
const loadInbox = () =>
  import("./inbox.js").catch(
    () => new Promise((done) => setTimeout(() => done(loadInbox()), RETRY_MS)),
  );

/** Notifications of a page. */
class Notices {
  /** @type {Promise<import("./inbox.js").Inbox> | undefined} */ loading;

  /** @param {NoticeOptions} options */
  constructor({ now = Date.now, busy = () => false, skips = () => false }) {
    this.options = { now, busy, skips };
    this.element = h("div", { class: "notices" });
    // Texts of the page before.
    if (waitingTexts.get().length) this.inbox();
  }

  /** Returns the inbox; loads it on first use. */
  inbox() {
    this.loading ??= loadInbox().then(({ Inbox }) => new Inbox(this.options, this.element));
    return this.loading;
  }

  /**
   * Handles a frame of any socket.
   * @param {Frame<NoticeMessage>} frame
   */
  handle(frame) {
    handleFrame(this, frame);
  }

  /**
   * Informs the inbox of a message, once it is loaded. Only news load it.
   * @param {unknown} isNews  whether it is news, or the end of news that are announced
   * @param {(inbox: import("./inbox.js").Inbox) => unknown} inform
   */
  inform(isNews, inform) {
    if (this.loading || isNews) this.inbox().then(inform);
  }

  /**
   * Opens a game that has started. The inbox announces it if the user is busy.
   * @param {Frames["start"]} start
   */
  onStart(start) {
    if (this.loading || isBusy() || this.options.busy())
      this.inform(true, (inbox) => inbox.onStart(start));
    else if (location.pathname !== `/${start.id}`) goToGame(start.id, playGameSound);
  }
}

const ignore = () => {};

/** @type {Handlers<Notices, NoticeMessage>} */
const HANDLERS = {
  hello: (notices, state) => {
    showTurns(state.turns);
    const isNews = state.rings.length || state.challenges.length || state.warnings || state.events;
    notices.inform(isNews, (inbox) => inbox.onHello(state));
  },
  turns: (notices, { n }) => {
    showTurns(n);
    notices.inform(false, (inbox) => inbox.onTurns());
  },
  start: (notices, start) => notices.onStart(start),
  challenge: (notices, challenge) => {
    const isNews = challenge.direction === "in" || challenge.casualRequests;
    notices.inform(isNews, (inbox) => inbox.onChallenge(challenge));
  },
  challengeGone: (notices, gone) =>
    notices.inform(gone.status === "declined", (inbox) => inbox.onChallengeGone(gone)),
  seatLost: (notices) => notices.inform(true, (inbox) => inbox.onSeatLost()),
  ring: (notices, ring) => notices.inform(true, (inbox) => inbox.onRing(ring)),
  ringGone: (notices, gone) => notices.inform(true, (inbox) => inbox.onRingGone(gone)),
  signedOut: () => {
    if (!isLeaving) location.assign("/login#login");
  },
  find: ignore,
  ack: ignore,
  refused: ignore,
};

const handleFrame = dispatch(HANDLERS, ignore);

/** @type {Notices | undefined} */
let notices;

/**
 * Creates the notifications of a page: the page appends `element` to its body and passes the frames
 * of its socket to `handle()`.
 * @param {NoticeOptions} [options]
 */
export const createNotices = (options = {}) => {
  notices = new Notices(options);
  return notices;
};

/**
 * Opens the socket of notifications.
 * @param {(frame: Frame<Received<"/ws/me">>) => unknown} onMessage
 */
export const openUserSocket = (onMessage) => new Socket("/ws/me", { onMessage, onState: () => {} });

/** Shows notifications on a page without a socket of its own. */
export const subscribe = () => {
  /** @type {Socket<"/ws/me"> | undefined} */
  let socket;
  const news = createNotices({ now: () => socket?.now() ?? Date.now() });
  document.body.append(news.element);
  accountWithRetry()
    .then(() => {
      socket = openUserSocket((frame) => news.handle(frame));
    })
    .catch(() => {});
};

/** Opens the list of all news. */
export const openInbox = async () => {
  if (!notices) subscribe();
  try {
    await import("./inbox.js");
  } catch {
    return toast(t("error.network"));
  }
  return (await /** @type {Notices} */ (notices).inbox()).open();
};
