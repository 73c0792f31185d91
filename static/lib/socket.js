// WebSocket that reconnects and resends unacknowledged commands. Commands carry a client id
// (`cid`), by which the server recognizes repetitions. `game/game-socket.js` extends it.
import { setReachable, ServerTime } from "./connectivity.js";

const PING_INTERVAL_MS = 2500;
const SILENCE_TIMEOUT_MS = 9000;
const BACKOFF_FIRST_MS = 500;
const BACKOFF_MAX_MS = 10000;

/** Delay of the reconnection after too many messages. */
const BACKOFF_TOO_MANY_MS = 15000;

/** Time limit for a sign of life after a change of network or a wake-up. */
const PROBE_TIMEOUT_MS = 2000;

/** Close code: the resource does not exist. */
const UNKNOWN = 4404;

/** Close code: the session has ended. */
const SIGNED_OUT = 4401;

/** Close code: the server restarts. */
const RESTART = 1012;

/** Close code: too many messages. */
const TOO_MANY = 1008;

/** @type {Set<() => void>} */
const tickListeners = new Set();

/**
 * Calls a function twice a second, in hidden pages as well: timers of workers are not throttled.
 * @param {() => void} listener
 */
const onTick = (listener) => {
  if (tickListeners.size === 0) {
    const tickAll = () => tickListeners.forEach((each) => each());
    const startTimer = () => setInterval(tickAll, 500);
    try {
      const worker = new Worker(new URL("./timer-worker.js", import.meta.url));
      worker.onmessage = tickAll;
      worker.onerror = startTimer;
    } catch {
      startTimer();
    }
  }
  tickListeners.add(listener);
};

/**
 * Options of a socket. `onMessage` receives each message; `onState` one of `open`, `closed`,
 * `restart`, `tooMany`, `signedOut`, `unknown`.
 * @template {string} P
 * @typedef {object} SocketOptions
 * @property {(message: Frame<ReceivedOn<P>>) => unknown} onMessage
 * @property {(state: string) => unknown} onState
 */

/**
 * Reconnecting WebSocket.
 * @template {string} [P=string] path, which determines the types of the messages
 */
export class Socket {
  /** @type {string} */ path;
  /** @type {(message: Frame<ReceivedOn<P>>) => unknown} */ onMessage;
  /** @type {(state: string) => unknown} */ onState;
  /** @type {Map<string, string>} */ unacknowledged;
  /** @type {number} */ tries;
  /** @type {ServerTime} */ time;
  /** @type {boolean} */ over;
  /** @type {number | null} */ retryAt;
  /** @type {number | null} */ doubtAt;
  /** @type {WebSocket} */ ws;
  /** @type {number} */ lastReceivedAt;
  /** @type {number} */ lastPingAt;

  /**
   * @param {P} path
   * @param {SocketOptions<P>} options
   */
  constructor(path, { onMessage, onState }) {
    Object.assign(this, {
      path,
      onMessage,
      onState,
      unacknowledged: new Map(),
      tries: 0,
      time: new ServerTime(),
      over: false,
      retryAt: null,
      doubtAt: null,
    });
    this.open();
    this.tickListener = () => this.tick();
    onTick(this.tickListener);
    // After a wake-up or a network change, waiting for the next attempt is unnecessary.
    addEventListener("online", () => this.reconnect());
    addEventListener("offline", () => this.probe());
    navigator.connection?.addEventListener?.("change", () => this.probe());
    addEventListener("pageshow", ({ persisted }) => persisted && this.reconnect());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.probe();
    });
  }

  open() {
    this.retryAt = null;
    this.doubtAt = null;
    this.time.reset();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const ws = new WebSocket(`${scheme}://${location.host}${this.path}${this.query()}`);
    this.ws = ws;
    this.lastReceivedAt = Date.now();
    this.lastPingAt = 0;
    ws.onopen = () => {
      setReachable(true);
      this.onState("open");
      for (const frame of this.unacknowledged.values()) ws.send(frame);
      this.ping();
    };
    ws.onmessage = ({ data }) => {
      this.lastReceivedAt = Date.now();
      this.tries = 0;
      this.doubtAt = null;
      this.receive(JSON.parse(data));
    };
    ws.onclose = ({ code }) => {
      if (this.ws === ws) this.handleClose(code);
    };
  }

  /** Returns the query of the address of the next connection. */
  query() {
    return "";
  }

  /** Sends a ping, reconnects, or replaces a silent connection, when due. */
  tick() {
    if (this.over) return;
    const now = Date.now();
    if (this.retryAt !== null) {
      if (now >= this.retryAt) this.open();
    } else if (
      now - this.lastReceivedAt > SILENCE_TIMEOUT_MS ||
      (this.doubtAt !== null && now > this.doubtAt)
    )
      this.reconnect();
    else if (now - this.lastPingAt >= PING_INTERVAL_MS) this.ping();
  }

  ping() {
    if (this.ws.readyState !== WebSocket.OPEN) return;
    this.lastPingAt = Date.now();
    /** @type {PingMessage} */
    const message = { t: "ping", d: this.time.ping() };
    this.ws.send(JSON.stringify(message));
  }

  /** Probes the connection; without an answer within `PROBE_TIMEOUT_MS` it is replaced. */
  probe() {
    if (this.over || this.retryAt !== null) return undefined;
    if (Date.now() - this.lastReceivedAt > SILENCE_TIMEOUT_MS) return void this.reconnect();
    this.doubtAt ??= Date.now() + PROBE_TIMEOUT_MS;
    return this.ping();
  }

  /**
   * Schedules the reconnection, unless the close code is final.
   * @param {number} code
   */
  handleClose(code) {
    if (code === SIGNED_OUT || code === UNKNOWN) {
      this.over = true;
      this.onState(code === UNKNOWN ? "unknown" : "signedOut");
      return;
    }
    this.onState({ [RESTART]: "restart", [TOO_MANY]: "tooMany" }[code] ?? "closed");
    const longest = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** this.tries++);
    const wait = longest * (0.5 + Math.random() / 2);
    this.retryAt = Date.now() + (code === TOO_MANY ? BACKOFF_TOO_MANY_MS : wait);
  }

  /** Replaces the connection. */
  reconnect() {
    if (this.over) return;
    const old = this.ws;
    this.onState("closed");
    this.open();
    old.onopen = old.onmessage = old.onclose = null;
    old.close();
  }

  /** Closes the connection permanently. */
  close() {
    this.over = true;
    tickListeners.delete(this.tickListener);
    this.ws.onopen = this.ws.onclose = this.ws.onmessage = null;
    this.ws.close();
  }

  /**
   * Processes a message.
   * @param {SocketFrame} message
   * @returns {void}
   */
  receive(message) {
    const { t: type, d: data } = message;
    if (type === "pong") {
      this.time.pong(data);
      return;
    }
    if ((type === "ack" || type === "refused") && data.cid) this.unacknowledged.delete(data.cid);
    if (type) this.onMessage(/** @type {Frame<ReceivedOn<P>>} */ (message));
  }

  /**
   * Sends a command and resends it after each reconnection until it is answered. Returns its id.
   * @template {keyof Commands} T
   * @param {T} type
   * @param {Commands[T]} data
   */
  command(type, data) {
    const cid = crypto.randomUUID?.() ?? uuid();
    const frame = JSON.stringify({ t: type, d: { ...data, cid } });
    this.unacknowledged.set(cid, frame);
    if (this.ws.readyState === WebSocket.OPEN) this.ws.send(frame);
    return cid;
  }

  /** Returns the estimated server time in epoch milliseconds. */
  now() {
    return this.time.now();
  }
}

/** Returns a UUID v4; insecure contexts lack `crypto.randomUUID`. */
const uuid = () => {
  const hex = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
};
