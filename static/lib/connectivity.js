// Reachability of the server, and an estimate of its clock.
//
// Requests and sockets report their outcome through `reached()`. While the server is unreachable it
// is polled at `/healthz` with exponential backoff.

/** Polling of an unreachable server: first and longest interval, and timeout of a request. */
const PAUSE_MS = 2000;
const PAUSE_MAX_MS = 30000;
const LOOK_MS = 5000;

/** Time of uninterrupted reachability after which the backoff is reset. */
const STEADY_MS = 60000;

let there = navigator.onLine;
let pause = PAUSE_MS;
let since = Date.now();
let timer = 0;
/** @type {Set<(there: boolean) => void>} */
const heard = new Set();

/** Returns whether the server was reachable at the last attempt. */
export const isThere = () => there;

/**
 * Reports whether the server was reached just now.
 * @param {boolean} now
 */
export const reached = (now) => {
  if (now === there) return;
  // An unstable connection must not reset the backoff each time.
  if (!now && Date.now() - since > STEADY_MS) pause = PAUSE_MS;
  there = now;
  since = Date.now();
  if (!there) seek();
  for (const hear of [...heard]) hear(there);
};

/** Schedules the next poll, with exponential backoff and jitter. */
const seek = () => {
  clearTimeout(timer);
  timer = setTimeout(() => document.hidden || look(), pause * (0.5 + Math.random() / 2));
  pause = Math.min(2 * pause, PAUSE_MAX_MS);
};

/** Polls the server immediately. */
const look = async () => {
  if (there) return;
  clearTimeout(timer);
  const limit = AbortSignal.timeout?.(LOOK_MS);
  const { ok } = await fetch(`${location.origin}/healthz`, {
    cache: "no-store",
    signal: limit,
  }).catch(() => ({ ok: false }));
  if (ok) reached(true);
  else if (!there) seek();
};

/**
 * Calls `hear` on each change of reachability.
 * @param {(there: boolean) => void} hear
 */
export const onReach = (hear) => heard.add(hear);

/**
 * Calls `hear` once, when the server becomes reachable.
 * @param {() => void} hear
 */
export const onceBack = (hear) => {
  const once = (/** @type {boolean} */ now) => {
    if (!now) return;
    heard.delete(once);
    hear();
  };
  heard.add(once);
};

addEventListener("offline", () => reached(false));
// The browser knows only that there is a network, so the server is polled.
addEventListener("online", look);
// A hidden page does not poll.
addEventListener("visibilitychange", () => document.hidden || look());
if (!there) seek();

/** Estimate of the server's clock from ping round trips. */
export class ServerTime {
  drift = 0;
  trip = Infinity;
  epoch = 0;
  /** @type {number | undefined} */ last;

  /** Resets the best round trip, for a new connection. */
  begin() {
    this.trip = Infinity;
  }

  /** Returns the data of a ping. `lag`, the last round trip, is the basis of lag compensation. */
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
    const trip = performance.now() - c;
    // After a suspension of the machine the monotonic clock and the wall clock differ.
    if (Math.abs(Date.now() - performance.now() - this.epoch) > 1000) return;
    this.last = trip;
    // Slow round trips give worse estimates than fast ones.
    if (trip <= 2 * this.trip) this.drift = at + trip / 2 - Date.now();
    this.trip = Math.min(trip, 1.2 * this.trip + 1);
  }

  /** Returns the server time in epoch milliseconds. */
  now() {
    return Date.now() + this.drift;
  }
}
