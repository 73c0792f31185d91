// A socket that comes back by itself, goes on where it was, and sends again what was not confirmed.
import { reached, ServerTime } from "./connectivity.js";

const PING_MS = 2500;
const SILENCE_MS = 9000;
const BACK_FIRST_MS = 500;
const BACK_MAX_MS = 10000;

/** Who has said too much waits so long before coming back. */
const BACK_CALMER_MS = 15000;

/** When the network or the machine may have changed, an answer is waited for no longer than this. */
const DOUBT_MS = 2000;

/** Nothing is to be had there: the server says so with this code. */
const UNKNOWN = 4404;

/** The session has ended: whoever comes back does so signed in anew. */
const SIGNED_OUT = 4401;

/** The server is going down, and will be back. */
const RESTART = 1012;

/** More messages than the server takes from one connection. */
const TOO_MANY = 1008;

const beats = new Set();

/** Calls that about twice a second, behind other pages too. */
const onBeat = (deed) => {
  if (beats.size === 0) {
    const all = () => beats.forEach((each) => each());
    const alone = () => setInterval(all, 500);
    try {
      Object.assign(new Worker(new URL("./timer-worker.js", import.meta.url)), {
        onmessage: all,
        onerror: alone,
      });
    } catch {
      alone();
    }
  }
  beats.add(deed);
};

export class Socket {
  /** @type {string} */ path;
  /** @type {(message: any) => unknown} */ hear;
  /** @type {(word: string) => unknown} */ state;
  /** @type {boolean} */ versioned;
  /** @type {number | null} */ v;
  /** @type {Map<string, string>} */ waiting;
  /** @type {number} */ tries;
  /** @type {ServerTime} */ time;
  /** @type {boolean} */ over;
  /** @type {number | null} */ retryAt;
  /** @type {number | null} */ doubtAt;
  /** @type {WebSocket} */ ws;
  /** @type {number} */ heard;
  /** @type {number} */ pinged;
  /** @type {boolean} */ told;

  /**
   * `hear(message)` gets every message that is new; `state(word)` is told open, closed, restart,
   * tooMany, signedOut or unknown. With `versioned`, events are counted and a gap asks for the whole again.
   * @param {string} path
   * @param {{ hear: (message: any) => unknown, state: (word: string) => unknown, versioned?: boolean }} how
   */
  constructor(path, { hear, state, versioned = false }) {
    Object.assign(this, {
      path,
      hear,
      state,
      versioned,
      v: null,
      waiting: new Map(),
      tries: 0,
      time: new ServerTime(),
      over: false,
      retryAt: null,
      doubtAt: null,
    });
    this.open();
    this.live = () => this.beat();
    onBeat(this.live);
    // A laptop that wakes, or a network that is back, need not wait for the next try.
    addEventListener("online", () => this.renew());
    addEventListener("offline", () => this.doubt());
    navigator.connection?.addEventListener?.("change", () => this.doubt());
    addEventListener("pageshow", ({ persisted }) => persisted && this.renew());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.doubt();
    });
  }

  open() {
    this.retryAt = null;
    this.doubtAt = null;
    this.time.begin();
    const known = this.versioned && this.v !== null ? `?v=${this.v}` : "";
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const ws = new WebSocket(`${scheme}://${location.host}${this.path}${known}`);
    this.ws = ws;
    this.heard = Date.now();
    this.pinged = 0;
    this.told = false;
    ws.onopen = () => {
      reached(true);
      this.state("open");
      for (const frame of this.waiting.values()) ws.send(frame);
      this.ping();
    };
    ws.onmessage = ({ data }) => {
      this.heard = Date.now();
      this.tries = 0;
      this.doubtAt = null;
      this.take(JSON.parse(data));
    };
    ws.onclose = ({ code }) => {
      if (this.ws === ws) this.closed(code);
    };
  }

  /** Asks, comes back or gives up, when it is time for it. */
  beat() {
    if (this.over) return;
    const now = Date.now();
    if (this.retryAt !== null) {
      if (now >= this.retryAt) this.open();
    } else if (now - this.heard > SILENCE_MS || (this.doubtAt !== null && now > this.doubtAt))
      this.renew();
    else if (now - this.pinged >= PING_MS) this.ping();
  }

  ping() {
    if (this.ws.readyState !== WebSocket.OPEN) return;
    this.pinged = Date.now();
    this.ws.send(JSON.stringify({ t: "ping", d: this.time.ping() }));
  }

  /** Asks at once whether anybody is still there; if not, this connection is left. */
  doubt() {
    if (this.over || this.retryAt !== null) return undefined;
    if (Date.now() - this.heard > SILENCE_MS) return void this.renew();
    this.doubtAt ??= Date.now() + DOUBT_MS;
    return this.ping();
  }

  closed(code) {
    if (code === SIGNED_OUT || code === UNKNOWN) {
      this.over = true;
      this.state(code === UNKNOWN ? "unknown" : "signedOut");
      return;
    }
    this.state({ [RESTART]: "restart", [TOO_MANY]: "tooMany" }[code] ?? "closed");
    const longest = Math.min(BACK_MAX_MS, BACK_FIRST_MS * 2 ** this.tries++);
    const wait = longest * (0.5 + Math.random() / 2);
    this.retryAt = Date.now() + (code === TOO_MANY ? BACK_CALMER_MS : wait);
  }

  /** Leaves this connection for a new one. */
  renew() {
    if (this.over) return;
    const old = this.ws;
    this.state("closed");
    this.open();
    old.onopen = old.onmessage = old.onclose = null;
    old.close();
  }

  /** Leaves for good. */
  close() {
    this.over = true;
    beats.delete(this.live);
    this.ws.onopen = this.ws.onclose = this.ws.onmessage = null;
    this.ws.close();
  }

  take(message) {
    const { t, v, d } = message;
    if (t === "pong") return void this.time.pong(d);
    if (t === "ack" || t === "refused") this.waiting.delete(d.cid);
    if (this.versioned && v !== undefined && t !== "full") {
      if (this.v !== null && v <= this.v) return;
      if (this.v === null || v > this.v + 1) {
        this.v = null;
        this.renew();
        return;
      }
    }
    // A whole that was under way when its connection was left, or comes twice, is older than what is known.
    if (this.versioned && t === "full" && this.told && this.v !== null && v < this.v) return;
    if (this.versioned && v !== undefined) Object.assign(this, { v, told: true });
    if (t) this.hear(message);
  }

  /** Sends a command, again and again with the same id until it is answered; answers that id. */
  command(t, d = {}) {
    const cid = crypto.randomUUID?.() ?? uuid();
    const frame = JSON.stringify({ t, d: { ...d, cid } });
    this.waiting.set(cid, frame);
    if (this.ws.readyState === WebSocket.OPEN) this.ws.send(frame);
    return cid;
  }

  /** The server's time, as far as it is known. */
  now() {
    return this.time.now();
  }
}

/** Pages that came without TLS have no randomUUID. */
const uuid = () => {
  const hex = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
};
