// Notifications on every page: challenges, ready checks, games that start, and the number of games
// in which it is the user's turn. There is at most one bar per challenge. A page with its own
// socket passes the frames to `notices()`; other pages call `listen()`, which opens `/ws/me`.
import { accountAtLast, post, variants } from "../lib/http.js";
import { atWork, call, flashTitle, goTo, showTurns } from "./navigation.js";
import { h, toast } from "../lib/dom.js";
import { Socket } from "../lib/socket.js";
import { refusalText } from "./challenge-text.js";
import { isAside, putAside } from "../lib/settings.js";
import { knows, say } from "../lib/i18n.js";

const TICK_MS = 500;
/**
 * Time for which a ready check stays after its end without a message about it, and delay before the
 * next attempt to load the bar.
 */
const LATE_MS = 3000;

let left = false;

/**
 * Records that this page ends the session, or failed to: the `signedOut` frame is then ignored.
 * @param {boolean} [is]
 */
export const leaving = (is = true) => {
  left = is;
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
  /** @type {boolean} */ rings;

  /** @param {NoticeOptions} options */
  constructor({ now = Date.now, busy = () => false, skips = () => false }) {
    Object.assign(this, { now, busy, skips, bars: new Map() });
    // Preloaded for the first notice.
    this.catalogue();
    this.element = h("div", {
      class: "notices",
      role: "region",
      "aria-label": say("news.title"),
      "aria-live": "polite",
    });
    setInterval(() => this.tick(), TICK_MS);
  }

  /**
   * Handles a frame of any socket; ignores other types.
   * @param {Frame} frame
   */
  hear({ t, d }) {
    if (t === "hello") this.hello(d);
    else if (t === "turns") showTurns(d.n);
    else if (t === "challenge") this.challenge(d);
    else if (t === "challengeGone") this.gone(d);
    else if (t === "ring") this.ring(d);
    else if (t === "ringGone") this.ringGone(d);
    else if (t === "start") this.start(d);
    else if (t === "seatLost") toast(say("news.seatLost"));
    else if (t === "signedOut" && !left) location.assign("/login#login");
  }

  /**
   * Synchronizes the bars with the open challenges and ready checks: those that are missing ended
   * while the connection was closed.
   * @param {Frames["hello"]} state
   */
  hello({ turns, rings = [], challenges = [] }) {
    showTurns(turns);
    const open = new Set([
      ...rings.map(({ challenge }) => challenge.id),
      ...challenges.map(({ id }) => id),
    ]);
    for (const [id, { kind }] of this.bars)
      if (kind !== "begun" && kind !== "asked" && !open.has(id)) this.drop(id);
    challenges.forEach((challenge) => this.challenge(challenge));
    rings.forEach((ring) => this.ring(ring));
  }

  /** @param {Challenge} challenge */
  challenge(challenge) {
    const { id, kind, direction, status } = challenge;
    if (
      direction !== "in" ||
      !["direct", "rematch"].includes(kind) ||
      ["ring", "asked"].includes(/** @type {string} */ (this.bars.get(id)?.kind))
    )
      return;
    if (status !== "created") this.drop(id);
    else if (!isAside(id) && !this.skips(challenge) && location.pathname !== `/${id}`)
      this.put(id, { kind: "challenge", challenge, by: challenge.challenger });
  }

  /** @param {ChallengeGone} gone */
  gone({ id, status, reasonKey }) {
    // A game may have the id of its challenge: the notice of a game that has started stays.
    if (this.bars.get(id)?.kind !== "begun") this.drop(id);
    if (status === "declined")
      toast(
        knows(`decline.${reasonKey}`)
          ? `${say("news.declined")} ${say(`decline.${reasonKey}`)}`
          : say("news.declined"),
      );
  }

  /** @param {Ring} ring */
  ring({ challenge, by, readyBy, ...bound }) {
    if (!this.bars.has(challenge.id)) call();
    this.put(challenge.id, { kind: "ring", challenge, by, readyBy, bound });
  }

  /** @param {Frames["ringGone"]} gone */
  ringGone({ id, reason }) {
    const own = this.bars.get(id)?.kind;
    if (own === "begun") return;
    this.drop(id);
    if (!own || reason === "ready") return;
    const key =
      own === "asked" && ["declined", "late"].includes(reason)
        ? "absent"
        : ["late", "withdrawn"].includes(reason)
          ? reason
          : "nogame";
    toast(say(`news.${key}`));
  }

  /** @param {Frames["start"]} start */
  start({ id, challenge }) {
    const {
      kind,
      by,
      challenge: about,
    } = /** @type {Partial<Notice>} */ (this.bars.get(challenge ?? id) ?? {});
    this.drop(challenge ?? id);
    if (location.pathname === `/${id}`) return;
    // A user who plays or types is notified of the new game and stays on the page.
    if (atWork() || (this.busy() && kind !== "ring" && kind !== "asked"))
      this.put(id, { kind: "begun", challenge: about, by, game: id });
    else goTo(id, call);
  }

  /**
   * Loads the variants; returns an empty catalog if that fails. The next call tries again.
   * @returns {Promise<Catalogue>}
   */
  catalogue() {
    return variants().catch(() => new Map());
  }

  /**
   * Adds a notice, or replaces the one with that id.
   * @param {string} id
   * @param {Notice} entry
   * @param {Notice} [before]
   */
  async put(id, entry, before = this.bars.get(id)) {
    this.bars.set(id, entry);
    const [catalogue, { noticeBar }] = await Promise.all([
      this.catalogue(),
      import("./notice-bar.js").catch(() => ({ noticeBar: null })),
    ]);
    if (this.bars.get(id) !== entry) return;
    if (!noticeBar)
      return void setTimeout(
        () => this.bars.get(id) === entry && this.put(id, entry, before),
        LATE_MS,
      );
    entry.bar = noticeBar(entry, catalogue, this.deeds(entry));
    if (before?.bar?.isConnected) before.bar.replaceWith(entry.bar);
    else if (entry.kind === "ring") this.element.prepend(entry.bar);
    else this.element.append(entry.bar);
    this.tick();
  }

  /** @param {string} id */
  drop(id) {
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
      const rest = Math.max(0, Math.ceil((readyBy - this.now()) / 1000));
      if (bar)
        bar.querySelector(".rest").textContent =
          `${Math.floor(rest / 60)}:${String(rest % 60).padStart(2, "0")}`;
      if (this.now() > readyBy + LATE_MS) this.drop(id);
    }
    const rings = [...this.bars.values()].some(({ kind }) => kind === "ring");
    if (rings !== Boolean(this.rings)) flashTitle(rings ? say("news.ring") : null);
    this.rings = rings;
  }

  /**
   * Returns the actions of the buttons of a bar.
   * @param {Notice} notice
   * @returns {Record<NoticeAction, () => Promise<unknown>>}
   */
  deeds({ challenge, by, game }) {
    const { id } = /** @type {{ id: string }} */ (challenge ?? {});
    /**
     * @param {string} what
     * @param {object} body
     * @param {(answer: { id: string, ready?: boolean, readyBy?: number }) => unknown} then
     */
    const send = (what, body, then) => async () => {
      try {
        then(await post(`/api/challenge/${id}/${what}`, body));
      } catch (refused) {
        toast(refusalText(refused, /** @type {Challenge} */ (challenge)));
        if ([404, 409].includes(refused.status)) this.drop(id);
      }
    };
    return {
      accept: send("accept", {}, (answer) =>
        answer.ready === false
          ? this.put(
              id,
              /** @type {Notice} */ ({ kind: "asked", challenge, by, readyBy: answer.readyBy }),
            )
          : goTo(answer.id),
      ),
      decline: send("decline", { reason: "generic" }, () => this.drop(id)),
      ready: send("ready", { answer: "yes" }, (answer) => goTo(answer.id)),
      notReady: send("ready", { answer: "no" }, () => this.drop(id)),
      later: async () => {
        putAside(id);
        this.drop(id);
      },
      open: async () => goTo(/** @type {string} */ (game)),
      dismiss: async () => this.drop(/** @type {string} */ (game)),
    };
  }
}

/**
 * Creates the notice bars of a page: the page appends `element` to its body and passes the frames
 * of its socket to `hear()`.
 * @param {NoticeOptions} [options]
 */
export const notices = (options = {}) => new Notices(options);

/**
 * Opens the socket of notifications.
 * @param {(frame: Frame) => unknown} hear
 */
export const newsSocket = (hear) => new Socket("/ws/me", { hear, state: () => {} });

/** Shows notifications on a page without a socket of its own. */
export const listen = () => {
  /** @type {Socket | undefined} */
  let socket;
  const news = notices({ now: () => socket?.now() ?? Date.now() });
  document.body.append(news.element);
  accountAtLast()
    .then(() => {
      socket = newsSocket((frame) => news.hear(frame));
    })
    .catch(() => {});
};
