// What the server tells somebody wherever they are: challenges, the ready check, games that begin,
// whose turn it is. Pages with a socket of their own feed its frames to `notices()`; others `listen()`.
import { accountAtLast, post, variants } from "../lib/http.js";
import { atWork, call, flashTitle, goTo, showTurns } from "./navigation.js";
import { h, toast } from "../lib/dom.js";
import { Socket } from "../lib/socket.js";
import { refusalText } from "./challenge-text.js";
import { isAside, putAside } from "../lib/settings.js";
import { knows, say } from "../lib/i18n.js";

const TICK_MS = 500;
/** How long a ready check stays to be seen after its end, if nobody says what became of it. */
const LATE_MS = 3000;

let left = false;

/** This page itself ends the session, or has failed to: being signed out is then no news, or is again. */
export const leaving = (is = true) => {
  left = is;
};

class Notices {
  /** @type {() => number} */ now;
  /** @type {() => boolean} */ busy;
  /** @type {(challenge: Challenge) => boolean} */ skips;
  /** @type {Map<string, any>} */ bars;
  /** @type {boolean} */ rings;

  /** @param {{ now?: () => number, busy?: () => boolean, skips?: (challenge: Challenge) => boolean }} options */
  constructor({ now = Date.now, busy = () => false, skips = () => false }) {
    Object.assign(this, { now, busy, skips, bars: new Map() });
    // It is there then when there is something to tell.
    this.catalogue();
    this.element = h("div", {
      class: "notices",
      role: "region",
      "aria-label": say("news.title"),
      "aria-live": "polite",
    });
    setInterval(() => this.tick(), TICK_MS);
  }

  /** Takes a frame of any socket; what is not for these bars is left alone. */
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

  /** All there is: what is not in it went while the connection was away. */
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

  challenge(challenge) {
    const { id, kind, direction, status } = challenge;
    if (
      direction !== "in" ||
      !["direct", "rematch"].includes(kind) ||
      ["ring", "asked"].includes(this.bars.get(id)?.kind)
    )
      return;
    if (status !== "created") this.drop(id);
    else if (!isAside(id) && !this.skips(challenge) && location.pathname !== `/${id}`)
      this.put(id, { kind: "challenge", challenge, by: challenge.challenger });
  }

  gone({ id, status, reasonKey }) {
    // A game has the name of its challenge: what has begun is still to be gone to.
    if (this.bars.get(id)?.kind !== "begun") this.drop(id);
    if (status === "declined")
      toast(
        knows(`decline.${reasonKey}`)
          ? `${say("news.declined")} ${say(`decline.${reasonKey}`)}`
          : say("news.declined"),
      );
  }

  ring({ challenge, by, readyBy, ...bound }) {
    if (!this.bars.has(challenge.id)) call();
    this.put(challenge.id, { kind: "ring", challenge, by, readyBy, bound });
  }

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

  start({ id, challenge }) {
    const { kind, by, challenge: about } = this.bars.get(challenge ?? id) ?? {};
    this.drop(challenge ?? id);
    if (location.pathname === `/${id}`) return;
    // Whoever sits at a clock, or types something, is told of the new game, not taken away.
    if (atWork() || (this.busy() && kind !== "ring" && kind !== "asked"))
      this.put(id, { kind: "begun", challenge: about, by, game: id });
    else goTo(id, call);
  }

  /** Every variant, as far as they can be known; what cannot be had now is asked for again the next time. */
  catalogue() {
    return variants().catch(() => new Map());
  }

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

  drop(id) {
    this.bars.get(id)?.bar?.remove();
    this.bars.delete(id);
    this.tick();
  }

  /** The seconds that are left, and the word in the title while somebody rings. */
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

  /** What the buttons of a bar do. */
  deeds({ challenge, by, game }) {
    const { id } = challenge ?? {};
    const send = (what, body, then) => async () => {
      try {
        then(await post(`/api/challenge/${id}/${what}`, body));
      } catch (refused) {
        toast(refusalText(refused, challenge));
        if ([404, 409].includes(refused.status)) this.drop(id);
      }
    };
    return {
      accept: send("accept", {}, (answer) =>
        answer.ready === false
          ? this.put(id, { kind: "asked", challenge, by, readyBy: answer.readyBy })
          : goTo(answer.id),
      ),
      decline: send("decline", { reason: "generic" }, () => this.drop(id)),
      ready: send("ready", { answer: "yes" }, (answer) => goTo(answer.id)),
      notReady: send("ready", { answer: "no" }, () => this.drop(id)),
      later: async () => {
        putAside(id);
        this.drop(id);
      },
      open: async () => goTo(game),
      dismiss: async () => this.drop(game),
    };
  }
}

/**
 * The bars over the top of a page: `element` belongs into the body, `hear(frame)` gets the frames.
 * `now()` is the server's time; `busy()` says whether somebody plays just now, and is then not taken
 * to another game; `skips(challenge)` is true for what the page shows itself.
 * @param {{ now?: () => number, busy?: () => boolean, skips?: (challenge: Challenge) => boolean }} [options]
 */
export const notices = (options = {}) => new Notices(options);

/**
 * A socket that tells what is told wherever they are, and nothing else.
 * @param {(frame: any) => unknown} hear
 */
export const newsSocket = (hear) => new Socket("/ws/me", { hear, state: () => {} });

/** For pages without a socket of their own: opens one, and shows what it says. */
export const listen = () => {
  let socket;
  const news = notices({ now: () => socket?.now() ?? Date.now() });
  document.body.append(news.element);
  accountAtLast()
    .then(() => {
      socket = newsSocket((frame) => news.hear(frame));
    })
    .catch(() => {});
};
