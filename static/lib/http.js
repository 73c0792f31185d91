// Requests to the API of the server, with retries, an offline fallback and translated errors.
//
// Rate-limited reads are retried after `retry-after`. `POST /api/position` is answered by the rules
// in WebAssembly while the server is unreachable. Each outcome updates `connectivity.js`.
import { toast } from "./dom.js";
import { isReachable, onReconnect, setReachable } from "./connectivity.js";
import { hasPhrase, reasonText, t } from "./i18n.js";

/** Rejected or failed request. */
export class ApiError extends Error {
  /**
   * @param {number} status 0 if there was no answer
   * @param {{ reason?: string, [more: string]: any } | null} body
   * @param {number} wait seconds until the next permitted attempt, 0 if unlimited
   */
  constructor(status, body, wait = 0) {
    // A 404 has no reason; without a JSON body the response is not from the server.
    const { reason = status === 404 ? "notFound" : undefined, rating } = body ?? {};
    super(
      wait && (reason === "tooFast" || !hasPhrase(`error.${reason}`))
        ? t("error.tooFastIn", { n: wait })
        : body
          ? reasonText({ reason, rating })
          : t("error.network"),
    );
    this.status = status;
    this.wait = wait;
    this.reason = body?.reason;
    this.body = body;
  }

  /** Returns whether a retry may succeed. */
  get isTransient() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Retries of a rate-limited request: maximum number, and maximum delay. */
const RETRIES_MAX = 4;
const RETRY_DELAY_MAX_S = 10;

/** Maximum delay between retries of a background request. */
const BACKOFF_MAX_S = 60;

/** POST routes without side effects, which the client can answer itself. */
const QUERY_PATHS = ["/api/position"];

/** Timeouts of such a query: server, server that was unreachable, rules in WebAssembly. */
const QUERY_TIMEOUT_MS = 4000;
const UNREACHABLE_TIMEOUT_MS = 1500;
const WASM_TIMEOUT_MS = 10000;

/** Timeout of reads and awaited requests. Commands have none: the server may have executed them. */
const READ_TIMEOUT_MS = 15000;
const AWAITED_PATHS = ["/api/guest"];

/** Timeout of the phrases of an error; without them the message is general. */
const PHRASES_TIMEOUT_MS = 3000;

/** Loads the phrases of errors, which the first page does without. */
const loadErrorPhrases = () =>
  Promise.race([
    import("./i18n-more.js"),
    new Promise((done) => setTimeout(done, PHRASES_TIMEOUT_MS)),
  ]).catch(() => {});

let noticeShownUntil = 0;

/**
 * Shows the delay of a rate-limited request, once for all simultaneous ones.
 * @param {number} seconds
 */
const showDelayNotice = (seconds) => {
  if (Date.now() < noticeShownUntil) return;
  noticeShownUntil = Date.now() + 1000 * seconds;
  toast(t("error.tooFastIn", { n: seconds }));
};

/**
 * Returns whether a response may come from a cache, which says nothing about the server.
 * @param {string} path
 */
const isCacheable = (path) => path === "/api/variants" || !path.startsWith("/");

/**
 * Waits for 1 to 2 times the given duration; the jitter spreads the clients.
 * @param {number} seconds
 */
const sleep = (seconds) =>
  new Promise((done) => setTimeout(done, seconds * (1 + Math.random()) * 1000));

/**
 * Waits for `retry-after`, doubled with each attempt, up to `RETRY_DELAY_MAX_S`.
 * @param {Response} response
 * @param {number} times
 */
const waitForRetry = (response, times) => {
  const seconds = Math.min(
    (Number(response.headers.get("retry-after")) || 1) * 2 ** times,
    RETRY_DELAY_MAX_S,
  );
  showDelayNotice(Math.ceil(2 * seconds));
  return sleep(seconds);
};

/** @param {string} text */
const parseJson = (text) => {
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
const answerOffline = async (path, body) => {
  if (!QUERY_PATHS.includes(path)) throw new ApiError(0, null);
  const timeout = new Promise((done) => setTimeout(done, WASM_TIMEOUT_MS, null));
  const wasm = await Promise.race([
    timeout,
    import("./rules-wasm.js").then(({ answer }) => answer(body)).catch(() => null),
  ]);
  if (wasm?.status === 200) return wasm.body;
  throw new ApiError(wasm?.status ?? 0, wasm?.body);
};

/**
 * Returns the timeout signal of a request, if it has one.
 * @param {string} method
 * @param {string} path
 */
const timeoutSignal = (method, path) => {
  if (QUERY_PATHS.includes(path))
    return AbortSignal.timeout?.(isReachable() ? QUERY_TIMEOUT_MS : UNREACHABLE_TIMEOUT_MS);
  return method === "GET" || AWAITED_PATHS.includes(path)
    ? AbortSignal.timeout?.(READ_TIMEOUT_MS)
    : undefined;
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
const request = async (method, path, body, signal, times = 0) => {
  const isQuery = QUERY_PATHS.includes(path);
  let response;
  let text;
  try {
    response = await fetch(path, {
      method,
      headers: body && { "content-type": "application/json" },
      body: body && JSON.stringify(body),
      signal: signal ?? timeoutSignal(method, path),
    });
    text = await response.text();
  } catch {
    if (signal?.aborted) throw new ApiError(0, null);
    setReachable(false);
    return answerOffline(path, /** @type {object} */ (body));
  }
  if (!isCacheable(path)) setReachable(true);
  if (response.status === 429 && (method === "GET" || isQuery) && times < RETRIES_MAX) {
    await waitForRetry(response, times);
    return request(method, path, body, signal, times + 1);
  }
  const answer = parseJson(text);
  const seconds =
    response.status === 429
      ? Math.max(1, Math.ceil(Number(response.headers.get("retry-after")) || 1))
      : 0;
  if (!response.ok) {
    await loadErrorPhrases();
    throw new ApiError(response.status, answer, seconds);
  }
  return answer;
};

/**
 * @template {string} P
 * @param {P} path
 * @returns {Promise<ResponseTo<"GET", P>>}
 */
export const get = (path) => request("GET", path);
/**
 * @template {string} P
 * @template {BodyOf<"POST", P, B>} B
 * @param {P} path
 * @param {B} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<ResponseTo<"POST", P>>}
 */
export const post = (path, body, signal) => request("POST", path, body ?? {}, signal);
/**
 * Sends a request that is not retried when rate-limited, and shows no message.
 * @template {string} P
 * @template {BodyOf<"POST", P, B>} B
 * @param {P} path
 * @param {B} body
 * @returns {Promise<ResponseTo<"POST", P>>}
 */
export const postOnce = (path, body) => request("POST", path, body, undefined, RETRIES_MAX);
/**
 * @param {string} path
 * @returns {Promise<any>}
 */
export const remove = (path) => request("DELETE", path);

/** @type {Promise<Account> | undefined} */
let accountPromise;

/**
 * Returns the account of the session. Without a session, a guest account is created.
 * @returns {Promise<Account>}
 */
export const account = () => {
  accountPromise ??= post("/api/guest").catch((refused) => {
    accountPromise = undefined;
    throw refused;
  });
  return accountPromise;
};

/**
 * Requests the account until it succeeds or is rejected permanently.
 * @param {number} times number of retries so far
 * @returns {Promise<Account>}
 */
const requestAccount = (times) =>
  account().catch(async (refused) => {
    if (!refused.isTransient) throw refused;
    await (isReachable()
      ? sleep(Math.max(refused.wait, Math.min(2 ** times, BACKOFF_MAX_S)))
      : new Promise((done) => onReconnect(() => done(undefined))));
    return requestAccount(times + 1);
  });

/** @type {Promise<Account> | undefined} */
let retriedAccountPromise;

/**
 * Returns the account of the session; retries with backoff, and when the server is reachable again.
 * @returns {Promise<Account>}
 */
export const accountWithRetry = () => (retriedAccountPromise ??= requestAccount(0));

/** @type {Promise<Catalog> | undefined} */
let catalogPromise;

/**
 * Returns all variants by key.
 * @returns {Promise<Catalog>}
 */
export const variants = () => {
  catalogPromise ??= get("/api/variants")
    .then((list) => /** @type {Catalog} */ (new Map(list.map((variant) => [variant.key, variant]))))
    .catch((refused) => {
      catalogPromise = undefined;
      throw refused;
    });
  return catalogPromise;
};
