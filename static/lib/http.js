// Requests to the API of the server, with retries, an offline fallback and translated errors.
//
// Rate-limited reads are retried after `retry-after`. `POST /api/position` is answered by the rules
// in WebAssembly while the server is unreachable. Each outcome updates `connectivity.js`.
import { toast } from "./dom.js";
import { isThere, onceBack, reached } from "./connectivity.js";
import { knows, reasonText, say } from "./i18n.js";

/** Rejected or failed request. */
export class Refused extends Error {
  /**
   * @param {number} status 0 if there was no answer
   * @param {{ reason?: string, [more: string]: any } | null} body
   * @param {number} wait seconds until the next permitted attempt, 0 if unlimited
   */
  constructor(status, body, wait = 0) {
    // A 404 has no reason; without a JSON body the response is not from the server.
    const { reason = status === 404 ? "notFound" : undefined, rating } = body ?? {};
    super(
      wait && (reason === "tooFast" || !knows(`error.${reason}`))
        ? say("error.tooFastIn", { n: wait })
        : body
          ? reasonText({ reason, rating })
          : say("error.network"),
    );
    this.status = status;
    this.wait = wait;
    this.reason = body?.reason;
    this.body = body;
  }

  /** Whether a retry may succeed. */
  get passes() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Retries of a rate-limited request: maximum number, and maximum delay. */
const TIMES = 4;
const WAIT_MAX_S = 10;

/** Maximum delay between retries of a background request. */
const CALM_MAX_S = 60;

/** POST routes without side effects, which the client can answer itself. */
const QUESTIONS = ["/api/position"];

/** Timeouts of such a query: server, server that was unreachable, rules in WebAssembly. */
const ANSWER_MS = 4000;
const AWAY_MS = 1500;
const OWN_MS = 10000;

/** Timeout of reads and awaited requests. Commands have none: the server may have executed them. */
const SILENT_MS = 15000;
const AWAITED = ["/api/guest"];

let told = 0;

/**
 * Shows the delay of a rate-limited request, once for all simultaneous ones.
 * @param {number} seconds
 */
const tellWait = (seconds) => {
  if (Date.now() < told) return;
  told = Date.now() + 1000 * seconds;
  toast(say("error.tooFastIn", { n: seconds }));
};

/**
 * Returns whether a response may come from a cache, which says nothing about the server.
 * @param {string} path
 */
const isKept = (path) => path === "/api/variants" || !path.startsWith("/");

/**
 * Waits for 1 to 2 times the given duration; the jitter spreads the clients.
 * @param {number} seconds
 */
const rest = (seconds) =>
  new Promise((done) => setTimeout(done, seconds * (1 + Math.random()) * 1000));

/**
 * Waits for `retry-after`, doubled with each attempt, up to `WAIT_MAX_S`.
 * @param {Response} response
 * @param {number} times
 */
const wait = (response, times) => {
  const seconds = Math.min(
    (Number(response.headers.get("retry-after")) || 1) * 2 ** times,
    WAIT_MAX_S,
  );
  tellWait(Math.ceil(2 * seconds));
  return rest(seconds);
};

/** @param {string} text */
const jsonOf = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/**
 * Answers a query without the server; throws if that is impossible.
 * @param {string} path
 * @param {object} body
 */
const alone = async (path, body) => {
  if (!QUESTIONS.includes(path)) throw new Refused(0, null);
  const late = new Promise((done) => setTimeout(done, OWN_MS, null));
  const own = await Promise.race([
    late,
    import("./rules-wasm.js").then(({ answer }) => answer(body)).catch(() => null),
  ]);
  if (own?.status === 200) return own.body;
  throw new Refused(own?.status ?? 0, own?.body);
};

/**
 * Returns the timeout signal of a request, if it has one.
 * @param {string} method
 * @param {string} path
 */
const limit = (method, path) => {
  if (QUESTIONS.includes(path)) return AbortSignal.timeout?.(isThere() ? ANSWER_MS : AWAY_MS);
  return method === "GET" || AWAITED.includes(path) ? AbortSignal.timeout?.(SILENT_MS) : undefined;
};

/**
 * Sends a request and returns the JSON answer.
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {AbortSignal} [signal]
 * @param {number} times number of retries so far
 * @returns {Promise<any>}
 */
const ask = async (method, path, body, signal, times = 0) => {
  const isQuestion = QUESTIONS.includes(path);
  let response;
  let text;
  try {
    response = await fetch(path, {
      method,
      headers: body && { "content-type": "application/json" },
      body: body && JSON.stringify(body),
      signal: signal ?? limit(method, path),
    });
    text = await response.text();
  } catch {
    if (signal?.aborted) throw new Refused(0, null);
    reached(false);
    return alone(path, /** @type {object} */ (body));
  }
  if (!isKept(path)) reached(true);
  if (response.status === 429 && (method === "GET" || isQuestion) && times < TIMES) {
    await wait(response, times);
    return ask(method, path, body, signal, times + 1);
  }
  const answer = jsonOf(text);
  const seconds =
    response.status === 429
      ? Math.max(1, Math.ceil(Number(response.headers.get("retry-after")) || 1))
      : 0;
  if (!response.ok) throw new Refused(response.status, answer, seconds);
  return answer;
};

/**
 * @param {string} path
 * @returns {Promise<any>}
 */
export const get = (path) => ask("GET", path);
/**
 * @param {string} path
 * @param {object} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export const post = (path, body = {}, signal) => ask("POST", path, body, signal);
/**
 * Sends a request that is not retried when rate-limited, and shows no message.
 * @param {string} path
 * @param {object} body
 * @returns {Promise<any>}
 */
export const postOnce = (path, body) => ask("POST", path, body, undefined, TIMES);
/**
 * @param {string} path
 * @returns {Promise<any>}
 */
export const remove = (path) => ask("DELETE", path);

/** @type {Promise<Account> | undefined} */
let me;

/**
 * Returns the account of the session. Without a session, a guest account is created.
 * @returns {Promise<Account>}
 */
export const account = () => {
  me ??= post("/api/guest").catch((refused) => {
    me = undefined;
    throw refused;
  });
  return me;
};

/**
 * Requests the account until it succeeds or is rejected permanently.
 * @param {number} times number of retries so far
 * @returns {Promise<Account>}
 */
const learn = (times) =>
  account().catch(async (refused) => {
    if (!refused.passes) throw refused;
    await (isThere()
      ? rest(Math.max(refused.wait, Math.min(2 ** times, CALM_MAX_S)))
      : new Promise((done) => onceBack(() => done(undefined))));
    return learn(times + 1);
  });

/** @type {Promise<Account> | undefined} */
let sure;

/**
 * Returns the account of the session; retries with backoff, and when the server is reachable again.
 * @returns {Promise<Account>}
 */
export const accountAtLast = () => (sure ??= learn(0));

/** @type {Promise<Catalogue> | undefined} */
let catalogue;

/**
 * Returns all variants by key.
 * @returns {Promise<Catalogue>}
 */
export const variants = () => {
  catalogue ??= get("/api/variants")
    .then((list) => new Map(list.map((/** @type {Variant} */ variant) => [variant.key, variant])))
    .catch((refused) => {
      catalogue = undefined;
      throw refused;
    });
  return catalogue;
};
