// Requests to the server, and what its refusals are called in words.
import { knows, say } from "./words.js";

/** A request the server refused, or that never reached it. */
export class Refused extends Error {
  constructor(status, body) {
    const { reason, error } = body ?? {};
    const key = knows(`error.${reason}`) ? `error.${reason}` : `why.${reason}`;
    super(knows(key) && !/\{/.test(say(key)) ? say(key) : error ?? say("error.network"));
    this.status = status;
    this.reason = reason;
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

/** What changes nothing, though it is posted. */
const QUESTIONS = ["/api/position"];

/** Waits as long as the server asks for, longer each time, and no two pages equally long. */
const wait = (response, times) => {
  const seconds = Math.min((Number(response.headers.get("retry-after")) || 1) * 2 ** times, WAIT_MAX_S);
  return new Promise((done) => setTimeout(done, seconds * (1 + Math.random()) * 1000));
};

const ask = async (method, path, body, signal, times = 0) => {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: body && { "content-type": "application/json" },
      body: body && JSON.stringify(body),
      signal,
    });
  } catch {
    throw new Refused(0, null);
  }
  if (response.status === 429 && (method === "GET" || QUESTIONS.includes(path)) && times < TIMES) {
    await wait(response, times);
    return ask(method, path, body, signal, times + 1);
  }
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw new Refused(response.status, answer);
  return answer;
};

export const get = (path) => ask("GET", path);
/** With a `signal` whoever asks can give the request up. */
export const post = (path, body = {}, signal) => ask("POST", path, body, signal);
export const remove = (path) => ask("DELETE", path);

let me;

/** Who is here: whoever has no session becomes a guest at once, anybody else stays who they are. */
export const account = () => {
  me ??= post("/api/guest").catch((refused) => {
    me = undefined;
    throw refused;
  });
  return me;
};

let catalogue;

/** Every variant that is played here, by key. */
export const variants = () => {
  catalogue ??= get("/api/variants").then((list) => new Map(list.map((variant) => [variant.key, variant]))).catch((refused) => {
    catalogue = undefined;
    throw refused;
  });
  return catalogue;
};
