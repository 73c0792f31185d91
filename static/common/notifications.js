// Notifications on every page: the number of games in which it is the user's turn, games that
// start, and the inbox of challenges and ready checks (inbox.js), which is loaded with the first
// news. A page with its own socket passes the frames to `createNotices()`; other pages call
// `subscribe()`, which opens `/ws/me`.
import { accountWithRetry } from "../lib/http.js";
import { isBusy, playGameSound, goToGame, showTurns } from "./navigation.js";
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
 * Whether a frame is news, or the end of news that are announced.
 * @param {Frame} frame
 */
const isNews = ({ t: type, d: data }) => {
  if (type === "hello") return Boolean(data.rings?.length || data.challenges?.length);
  if (type === "challenge") return data.direction === "in" || data.casualRequests;
  if (type === "challengeGone") return data.status === "declined";
  return type === "ring" || type === "ringGone" || type === "seatLost";
};

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
   * Handles a frame of any socket; ignores other types.
   * @param {Frame} frame
   */
  handle(frame) {
    const { t: type, d: data } = frame;
    if (type === "hello") showTurns(data.turns);
    else if (type === "turns") showTurns(data.n);
    else if (type === "signedOut" && !isLeaving) location.assign("/login#login");
    if (type === "start" && !this.loading && !isBusy() && !this.options.busy()) {
      if (location.pathname !== `/${data.id}`) goToGame(data.id, playGameSound);
    } else if (this.loading || type === "start" || isNews(frame))
      this.inbox().then((inbox) => inbox.handle(frame));
  }
}

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
 * @param {(frame: Frame) => unknown} onMessage
 */
export const openUserSocket = (onMessage) => new Socket("/ws/me", { onMessage, onState: () => {} });

/** Shows notifications on a page without a socket of its own. */
export const subscribe = () => {
  /** @type {Socket | undefined} */
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
