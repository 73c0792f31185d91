// Whether the server can be reached, as far as anybody in this page knows, and what its clock shows, as far as pings tell. While it
// cannot be reached, it is looked for.

/** The first pause before it is looked for, and the longest; and how long an answer is waited for. */
const PAUSE_MS = 2000;
const PAUSE_MAX_MS = 30000;
const LOOK_MS = 5000;

/** Who was there for so long is looked for as often as at first when it goes. */
const STEADY_MS = 60000;

let there = navigator.onLine;
let pause = PAUSE_MS;
let since = Date.now();
let timer = 0;
/** @type {Set<(there: boolean) => void>} */
const heard = new Set();

/** Whether it could be reached the last time. */
export const isThere = () => there;

/**
 * Tells whether it could be reached just now.
 * @param {boolean} now
 */
export const reached = (now) => {
  if (now === there) return;
  // One that comes and goes is not asked for more and more.
  if (!now && Date.now() - since > STEADY_MS) pause = PAUSE_MS;
  there = now;
  since = Date.now();
  if (!there) seek();
  for (const hear of [...heard]) hear(there);
};

/** Looks for it after a while, longer each time, and no two pages equally long. */
const seek = () => {
  clearTimeout(timer);
  timer = setTimeout(() => document.hidden || look(), pause * (0.5 + Math.random() / 2));
  pause = Math.min(2 * pause, PAUSE_MAX_MS);
};

/** Looks for it now. */
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
 * Calls whenever that changes.
 * @param {(there: boolean) => void} hear
 */
export const onReach = (hear) => heard.add(hear);

/**
 * Calls once, when it may be reached again.
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
// Whether the way is open as far as the server, is not said by that.
addEventListener("online", look);
// Behind other pages it is not looked for.
addEventListener("visibilitychange", () => document.hidden || look());
if (!there) seek();

export class ServerTime {
  drift = 0;
  trip = Infinity;
  epoch = 0;
  /** @type {number | undefined} */ last;

  /** Another way begins: the first guess there is as good as any. */
  begin() {
    this.trip = Infinity;
  }

  /** What a ping tells: what the last way there and back took lets the server make good what the line has cost. */
  ping() {
    const c = performance.now();
    this.epoch = Date.now() - c;
    return this.last === undefined ? { c } : { c, lag: Math.round(this.last) };
  }

  /** Half of the way there and back is the best guess of when the server looked at its clock. */
  pong({ c, at }) {
    const trip = performance.now() - c;
    // An answer that lay about while the machine slept tells of a time long ago.
    if (Math.abs(Date.now() - performance.now() - this.epoch) > 1000) return;
    this.last = trip;
    // A slow answer guesses worse than the quick one before it.
    if (trip <= 2 * this.trip) this.drift = at + trip / 2 - Date.now();
    this.trip = Math.min(trip, 1.2 * this.trip + 1);
  }

  now() {
    return Date.now() + this.drift;
  }
}
