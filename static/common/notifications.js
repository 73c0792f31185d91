// Notifications on every page: challenges, ready checks, games that start, and the number of games
// in which it is the user's turn. There is at most one bar per challenge. A page with its own
// socket passes the frames to `createNotices()`; other pages call `subscribe()`, which opens `/ws/me`.
import { accountWithRetry, post, variants } from "../lib/http.js";
import { isBusy, playGameSound, flashTitle, goToGame, showTurns } from "./navigation.js";
import { h, toast } from "../lib/dom.js";
import { Socket } from "../lib/socket.js";
import { READY_CHECK_GRACE_MS, refusalText } from "./challenge-text.js";
import { dismissedChallenges } from "../lib/settings.js";
import { hasPhrase, t } from "../lib/i18n.js";

const TICK_MS = 500;
/** Delay before the next attempt to load the module of the bars. */
const RETRY_MS = 3000;

/** @param {string} id */
const isDismissed = (id) => dismissedChallenges.get().includes(id);

let isLeaving = false;

/**
 * Records that this page ends the session, or failed to: the `signedOut` frame is then ignored.
 * @param {boolean} [isEnding]
 */
export const setLeaving = (isEnding = true) => {
  isLeaving = isEnding;
};

/** @typedef {import("./notice-bar.js").Notice} Notice */
/** @typedef {import("./notice-bar.js").NoticeAction} NoticeAction */

/**
 * `now()` is the server's time. While `busy()` is true a game that starts is announced instead of
 * opened. `skips(challenge)` is true for challenges that the page itself shows.
 * @typedef {{
 *   now?: () => number,
 *   busy?: () => boolean,
 *   skips?: (challenge: Challenge) => boolean,
 * }} NoticeOptions
 */

/** Notice bars of a page. */
class Notices {
  /** @type {() => number} */ now;
  /** @type {() => boolean} */ busy;
  /** @type {(challenge: Challenge) => boolean} */ skips;
  /** @type {Map<string, Notice>} */ bars;
  /** @type {boolean} */ isRinging;

  /** @param {NoticeOptions} options */
  constructor({ now = Date.now, busy = () => false, skips = () => false }) {
    Object.assign(this, { now, busy, skips, bars: new Map() });
    // Preloaded for the first notice.
    this.loadCatalog();
    this.element = h("div", {
      class: "notices",
      role: "region",
      "aria-label": t("news.title"),
      "aria-live": "polite",
    });
    setInterval(() => this.tick(), TICK_MS);
  }

  /**
   * Handles a frame of any socket; ignores other types.
   * @param {Frame} frame
   */
  handle({ t: type, d: data }) {
    if (type === "hello") this.onHello(data);
    else if (type === "turns") showTurns(data.n);
    else if (type === "challenge") this.onChallenge(data);
    else if (type === "challengeGone") this.onChallengeGone(data);
    else if (type === "ring") this.onRing(data);
    else if (type === "ringGone") this.onRingGone(data);
    else if (type === "start") this.onStart(data);
    else if (type === "seatLost") toast(t("news.seatLost"));
    else if (type === "signedOut" && !isLeaving) location.assign("/login#login");
  }

  /**
   * Synchronizes the bars with the open challenges and ready checks: those that are missing ended
   * while the connection was closed.
   * @param {Frames["hello"]} state
   */
  onHello({ turns, rings = [], challenges = [] }) {
    showTurns(turns);
    const open = new Set([
      ...rings.map(({ challenge }) => challenge.id),
      ...challenges.map(({ id }) => id),
    ]);
    for (const [id, { kind }] of this.bars)
      if (kind !== "begun" && kind !== "asked" && !open.has(id)) this.remove(id);
    challenges.forEach((challenge) => this.onChallenge(challenge));
    rings.forEach((ring) => this.onRing(ring));
  }

  /** @param {Challenge} challenge */
  onChallenge(challenge) {
    const { id, kind, direction, status } = challenge;
    if (
      direction !== "in" ||
      !["direct", "rematch"].includes(kind) ||
      ["ring", "asked"].includes(/** @type {string} */ (this.bars.get(id)?.kind))
    )
      return;
    if (status !== "created") this.remove(id);
    else if (!isDismissed(id) && !this.skips(challenge) && location.pathname !== `/${id}`)
      this.add(id, { kind: "challenge", challenge, by: challenge.challenger });
  }

  /** @param {ChallengeGone} gone */
  onChallengeGone({ id, status, reasonKey }) {
    // A game may have the id of its challenge: the notice of a game that has started stays.
    if (this.bars.get(id)?.kind !== "begun") this.remove(id);
    if (status === "declined")
      toast(
        hasPhrase(`decline.${reasonKey}`)
          ? `${t("news.declined")} ${t(`decline.${reasonKey}`)}`
          : t("news.declined"),
      );
  }

  /** @param {Ring} ring */
  onRing({ challenge, by, readyBy, ...bound }) {
    if (!this.bars.has(challenge.id)) playGameSound();
    this.add(challenge.id, { kind: "ring", challenge, by, readyBy, bound });
  }

  /** @param {Frames["ringGone"]} gone */
  onRingGone({ id, reason }) {
    const kind = this.bars.get(id)?.kind;
    if (kind === "begun") return;
    this.remove(id);
    if (!kind || reason === "ready") return;
    const key =
      kind === "asked" && ["declined", "late"].includes(reason)
        ? "absent"
        : ["late", "withdrawn"].includes(reason)
          ? reason
          : "nogame";
    toast(t(`news.${key}`));
  }

  /** @param {Frames["start"]} start */
  onStart({ id, challenge }) {
    const {
      kind,
      by,
      challenge: opened,
    } = /** @type {Partial<Notice>} */ (this.bars.get(challenge ?? id) ?? {});
    this.remove(challenge ?? id);
    if (location.pathname === `/${id}`) return;
    // A user who plays or types is notified of the new game and stays on the page.
    if (isBusy() || (this.busy() && kind !== "ring" && kind !== "asked"))
      this.add(id, { kind: "begun", challenge: opened, by, game: id });
    else goToGame(id, playGameSound);
  }

  /**
   * Loads the variants; returns an empty catalog if that fails. The next call tries again.
   * @returns {Promise<Catalog>}
   */
  loadCatalog() {
    return variants().catch(() => new Map());
  }

  /**
   * Adds a notice, or replaces the one with that id.
   * @param {string} id
   * @param {Notice} entry
   * @param {Notice} [before]
   */
  async add(id, entry, before = this.bars.get(id)) {
    this.bars.set(id, entry);
    const [catalog, { noticeBar }] = await Promise.all([
      this.loadCatalog(),
      import("./notice-bar.js").catch(() => ({ noticeBar: null })),
    ]);
    if (this.bars.get(id) !== entry) return;
    if (!noticeBar)
      return void setTimeout(
        () => this.bars.get(id) === entry && this.add(id, entry, before),
        RETRY_MS,
      );
    entry.bar = noticeBar(entry, catalog, this.actions(entry));
    if (before?.bar?.isConnected) before.bar.replaceWith(entry.bar);
    else if (entry.kind === "ring") this.element.prepend(entry.bar);
    else this.element.append(entry.bar);
    this.tick();
  }

  /** @param {string} id */
  remove(id) {
    this.bars.get(id)?.bar?.remove();
    this.bars.delete(id);
    this.tick();
  }

  /**
   * Updates the countdowns and the flashing title of a ready check; removes those that are over.
   */
  tick() {
    for (const [id, { readyBy, bar }] of this.bars) {
      if (!readyBy) continue;
      const seconds = Math.max(0, Math.ceil((readyBy - this.now()) / 1000));
      if (bar)
        bar.querySelector(".notice-countdown").textContent =
          `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
      if (this.now() > readyBy + READY_CHECK_GRACE_MS) this.remove(id);
    }
    const isRinging = [...this.bars.values()].some(({ kind }) => kind === "ring");
    if (isRinging !== Boolean(this.isRinging)) flashTitle(isRinging ? t("news.ring") : null);
    this.isRinging = isRinging;
  }

  /**
   * Returns the actions of the buttons of a bar.
   * @param {Notice} notice
   * @returns {Record<NoticeAction, () => Promise<unknown>>}
   */
  actions({ challenge, by, game }) {
    const { id } = /** @type {{ id: string }} */ (challenge ?? {});
    /**
     * @param {string} action
     * @param {object} body
     * @param {(answer: { id: string, ready?: boolean, readyBy?: number }) => unknown} then
     */
    const send = (action, body, then) => async () => {
      try {
        then(await post(`/api/challenge/${id}/${action}`, body));
      } catch (refused) {
        toast(refusalText(refused, /** @type {Challenge} */ (challenge)));
        if ([404, 409].includes(refused.status)) this.remove(id);
      }
    };
    return {
      accept: send("accept", {}, (answer) =>
        answer.ready === false
          ? this.add(
              id,
              /** @type {Notice} */ ({ kind: "asked", challenge, by, readyBy: answer.readyBy }),
            )
          : goToGame(answer.id),
      ),
      decline: send("decline", { reason: "generic" }, () => this.remove(id)),
      ready: send("ready", { answer: "yes" }, (answer) => goToGame(answer.id)),
      notReady: send("ready", { answer: "no" }, () => this.remove(id)),
      later: async () => {
        dismissedChallenges.set([...dismissedChallenges.get(), id]);
        this.remove(id);
      },
      open: async () => goToGame(/** @type {string} */ (game)),
      dismiss: async () => this.remove(/** @type {string} */ (game)),
    };
  }
}

/**
 * Creates the notice bars of a page: the page appends `element` to its body and passes the frames
 * of its socket to `handle()`.
 * @param {NoticeOptions} [options]
 */
export const createNotices = (options = {}) => new Notices(options);

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
