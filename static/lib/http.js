// Requests to the server, and what its refusals are called in words.
import { toast } from "./dom.js";
import { isThere, onceBack, reached } from "./connectivity.js";
import { knows, reasonText, say } from "./i18n.js";

/** A request the server refused, or that never reached it. */
export class Refused extends Error {
  /**
   * `wait` is how many seconds the server asks to be left alone, if it does.
   * @param {number} status
   * @param {{ reason?: string, [more: string]: any } | null} body
   */
  constructor(status, body, wait = 0) {
    // What is not there has no reason; what has no body did not come from the server.
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

  /** Whether the same may well be answered in a moment. */
  get passes() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** How often a question is asked again that came too often, and how long is waited for it at the most. */
const TIMES = 4;
const WAIT_MAX_S = 10;

/** How long a server that cannot answer now is left alone at the most by what nobody waits for. */
const CALM_MAX_S = 60;

/** What changes nothing, though it is posted, and what the page can answer by itself. */
const QUESTIONS = ["/api/position"];

/** How long the server, the server that was away a moment ago, and the page itself may take for such a question. */
const ANSWER_MS = 4000;
const AWAY_MS = 1500;
const OWN_MS = 10000;

/** A server that says nothing for so long to what a page waits for is away. Nothing that is done there is given up. */
const SILENT_MS = 15000;
const AWAITED = ["/api/guest"];

let told = 0;

/** Says that an answer takes a while, and how long at the most: once for all that wait at the same time. */
const tellWait = (seconds) => {
  if (Date.now() < told) return;
  told = Date.now() + 1000 * seconds;
  toast(say("error.tooFastIn", { n: seconds }));
};

/** What a service worker or the browser itself may have answered does not tell whether the server is there. */
const isKept = (path) => path === "/api/variants" || !path.startsWith("/");

/** Waits so many seconds, and no two pages equally long. */
const rest = (seconds) =>
  new Promise((done) => setTimeout(done, seconds * (1 + Math.random()) * 1000));

/** Waits as long as the server asks for, longer each time. */
const wait = (response, times) => {
  const seconds = Math.min(
    (Number(response.headers.get("retry-after")) || 1) * 2 ** times,
    WAIT_MAX_S,
  );
  tellWait(Math.ceil(2 * seconds));
  return rest(seconds);
};

const jsonOf = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** What the page answers by itself when the server cannot be reached. */
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

/** When a request is given up, if it is. */
const limit = (method, path) => {
  if (QUESTIONS.includes(path)) return AbortSignal.timeout?.(isThere() ? ANSWER_MS : AWAY_MS);
  return method === "GET" || AWAITED.includes(path) ? AbortSignal.timeout?.(SILENT_MS) : undefined;
};

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
    return alone(path, body);
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
 * With a `signal` whoever asks can give the request up.
 * @param {string} path
 * @param {object} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export const post = (path, body = {}, signal) => ask("POST", path, body, signal);
/**
 * Asked in passing: if it comes too often it is not asked again, and nobody is told.
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

let me;

/**
 * Who is here: whoever has no session becomes a guest at once, anybody else stays who they are.
 * @returns {Promise<Account>}
 */
export const account = () => {
  me ??= post("/api/guest").catch((refused) => {
    me = undefined;
    throw refused;
  });
  return me;
};

const learn = (times) =>
  account().catch(async (refused) => {
    if (!refused.passes) throw refused;
    await (isThere()
      ? rest(Math.max(refused.wait, Math.min(2 ** times, CALM_MAX_S)))
      : new Promise((done) => onceBack(() => done(undefined))));
    return learn(times + 1);
  });

let sure;

/**
 * Who is here, however long it takes: asked again when the server is back, or has been left alone for a while.
 * @returns {Promise<Account>}
 */
export const accountAtLast = () => (sure ??= learn(0));

let catalogue;

/**
 * Every variant that is played here, by key.
 * @returns {Promise<Catalogue>}
 */
export const variants = () => {
  catalogue ??= get("/api/variants")
    .then((list) => new Map(list.map((variant) => [variant.key, variant])))
    .catch((refused) => {
      catalogue = undefined;
      throw refused;
    });
  return catalogue;
};
