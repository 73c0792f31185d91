// A socket that comes back by itself, goes on where it was, and sends again what was not confirmed.

const PING_MS = 2500;
const SILENCE_MS = 9000;
const BACK_FIRST_MS = 500;
const BACK_MAX_MS = 10000;

/** Nothing is to be had there: the server says so with this code. */
const UNKNOWN = 4404;

/** The session has ended: whoever comes back does so signed in anew. */
const SIGNED_OUT = 4401;

export class Socket {
  /**
   * `hear(message)` gets every message that is new; `state(word)` is told open, closed, restart or
   * unknown. With `versioned`, events are counted and a gap asks for the whole again.
   */
  constructor(path, { hear, state, versioned = false }) {
    Object.assign(this, { path, hear, state, versioned, v: null, waiting: new Map(), tries: 0, drift: 0, trip: Infinity, over: false });
    this.open();
    // A laptop that wakes, or a network that is back, need not wait for the next try.
    addEventListener("online", () => this.renew());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && Date.now() - this.heard > SILENCE_MS) this.renew();
    });
  }

  open() {
    clearTimeout(this.retry);
    const known = this.versioned && this.v !== null ? `?v=${this.v}` : "";
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const ws = new WebSocket(`${scheme}://${location.host}${this.path}${known}`);
    this.ws = ws;
    this.heard = Date.now();
    ws.onopen = () => {
      this.state("open");
      for (const frame of this.waiting.values()) ws.send(frame);
      this.ping();
    };
    ws.onmessage = ({ data }) => {
      this.heard = Date.now();
      this.tries = 0;
      this.take(JSON.parse(data));
    };
    ws.onclose = ({ code }) => {
      if (this.ws === ws) this.closed(code);
    };
    clearInterval(this.beat);
    this.beat = setInterval(() => (Date.now() - this.heard > SILENCE_MS ? this.renew() : this.ping()), PING_MS);
  }

  ping() {
    if (this.ws.readyState === WebSocket.OPEN) this.ws.send(JSON.stringify({ t: "ping", d: { c: performance.now() } }));
  }

  closed(code) {
    clearInterval(this.beat);
    if (code === SIGNED_OUT) {
      this.over = true;
      return;
    }
    if (code === UNKNOWN) {
      this.over = true;
      this.state("unknown");
      return;
    }
    this.state(code === 1012 ? "restart" : "closed");
    const longest = Math.min(BACK_MAX_MS, BACK_FIRST_MS * 2 ** this.tries++);
    this.retry = setTimeout(() => this.open(), longest * (0.5 + Math.random() / 2));
  }

  /** Leaves this connection for a new one. */
  renew() {
    if (this.over) return;
    const old = this.ws;
    this.state("closed");
    this.open();
    old.onopen = old.onclose = old.onmessage = null;
    old.close();
  }

  /** Leaves for good. */
  close() {
    this.over = true;
    clearInterval(this.beat);
    clearTimeout(this.retry);
    this.ws.onopen = this.ws.onclose = this.ws.onmessage = null;
    this.ws.close();
  }

  take(message) {
    const { t, v, d } = message;
    if (t === "pong") {
      const trip = performance.now() - d.c;
      // Half of the way there and back is the best guess of when the server looked at its clock;
      // a slow answer guesses worse than the quick one before it.
      if (trip <= 2 * this.trip) this.drift = d.at + trip / 2 - Date.now();
      this.trip = Math.min(trip, 1.2 * this.trip + 1);
      return;
    }
    if (t === "ack" || t === "refused") this.waiting.delete(d.cid);
    if (this.versioned && v !== undefined && t !== "full") {
      if (this.v !== null && v <= this.v) return;
      if (this.v === null || v > this.v + 1) {
        this.v = null;
        this.renew();
        return;
      }
    }
    if (this.versioned && v !== undefined) this.v = v;
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
    return Date.now() + this.drift;
  }
}

/** Pages that came without TLS have no randomUUID. */
const uuid = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
};
