// Reachability of the server, and an estimate of its clock.
//
// Requests and sockets report their outcome through `setReachable()`. While the server is
// unreachable it is polled at `/healthz` with exponential backoff.

/** Polling of an unreachable server: first and longest interval, and timeout of a request. */
const POLL_DELAY_MS = 2000;
const POLL_DELAY_MAX_MS = 30000;
const POLL_TIMEOUT_MS = 5000;

/** Time of uninterrupted reachability after which the backoff is reset. */
const STEADY_MS = 60000;

let isServerReachable = navigator.onLine;
let delay = POLL_DELAY_MS;
let since = Date.now();
let timer = 0;
/** @type {Set<(there: boolean) => void>} */
const listeners = new Set();

/** Returns whether the server was reachable at the last attempt. */
export const isReachable = () => isServerReachable;

/**
 * Reports whether the server was reached just now.
 * @param {boolean} isNowReachable
 */
export const setReachable = (isNowReachable) => {
  if (isNowReachable === isServerReachable) return;
  // An unstable connection must not reset the backoff each time.
  if (!isNowReachable && Date.now() - since > STEADY_MS) delay = POLL_DELAY_MS;
  isServerReachable = isNowReachable;
  since = Date.now();
  if (!isServerReachable) schedulePoll();
  for (const listener of [...listeners]) listener(isServerReachable);
};

/** Schedules the next poll, with exponential backoff and jitter. */
const schedulePoll = () => {
  clearTimeout(timer);
  timer = setTimeout(() => document.hidden || poll(), delay * (0.5 + Math.random() / 2));
  delay = Math.min(2 * delay, POLL_DELAY_MAX_MS);
};

/** Polls the server immediately. */
const poll = async () => {
  if (isServerReachable) return;
  clearTimeout(timer);
  const limit = AbortSignal.timeout?.(POLL_TIMEOUT_MS);
  const { ok } = await fetch(`${location.origin}/healthz`, {
    cache: "no-store",
    signal: limit,
  }).catch(() => ({ ok: false }));
  if (ok) setReachable(true);
  else if (!isServerReachable) schedulePoll();
};

/**
 * Calls `listener` on each change of reachability.
 * @param {(isReachable: boolean) => void} listener
 */
export const onReachabilityChange = (listener) => listeners.add(listener);

/**
 * Calls `listener` once, when the server becomes reachable.
 * @param {() => void} listener
 */
export const onReconnect = (listener) => {
  const once = (/** @type {boolean} */ now) => {
    if (!now) return;
    listeners.delete(once);
    listener();
  };
  listeners.add(once);
};

addEventListener("offline", () => setReachable(false));
// The browser knows only that there is a network, so the server is polled.
addEventListener("online", poll);
// A hidden page does not poll.
addEventListener("visibilitychange", () => document.hidden || poll());
if (!isServerReachable) schedulePoll();

/** Estimate of the server's clock from ping round trips. */
export class ServerTime {
  drift = 0;
  roundTrip = Infinity;
  epoch = 0;
  /** @type {number | undefined} */ last;

  /** Resets the best round trip, for a new connection. */
  reset() {
    this.roundTrip = Infinity;
  }

  /**
   * Returns the data of a ping. `lag`, the last round trip, is the basis of lag compensation.
   * @returns {PingMessage["d"]}
   */
  ping() {
    const c = performance.now();
    this.epoch = Date.now() - c;
    return this.last === undefined ? { c } : { c, lag: Math.round(this.last) };
  }

  /**
   * Updates the estimate from a pong, assuming equal travel times in both directions.
   * @param {Frames["pong"]} pong
   */
  pong({ c, at }) {
    if (c === null) return;
    const roundTrip = performance.now() - c;
    // After a suspension of the machine the monotonic clock and the wall clock differ.
    if (Math.abs(Date.now() - performance.now() - this.epoch) > 1000) return;
    this.last = roundTrip;
    // Slow round trips give worse estimates than fast ones.
    if (roundTrip <= 2 * this.roundTrip) this.drift = at + roundTrip / 2 - Date.now();
    this.roundTrip = Math.min(roundTrip, 1.2 * this.roundTrip + 1);
  }

  /** Returns the server time in epoch milliseconds. */
  now() {
    return Date.now() + this.drift;
  }
}
