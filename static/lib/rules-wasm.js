// The rules themselves, for when the server cannot be reached: the sources of its own, as WebAssembly.

/**
 * The rules, made of the bytes of `rules.wasm`: a function that answers a question as
 * `POST /api/position` does.
 * @param {BufferSource} bytes
 * @returns {Promise<(question: object) => { status: number, body: any }>}
 */
export const rulesOf = async (bytes) => {
  const { instance } = await WebAssembly.instantiate(bytes);
  const rules = /** @type {any} */ (instance.exports);
  return (question) => {
    const text = new TextEncoder().encode(JSON.stringify(question));
    const at = rules.question(text.length);
    // Its memory may grow at each call: it is looked at anew after each.
    new Uint8Array(rules.memory.buffer, at, text.length).set(text);
    const length = rules.ask();
    return JSON.parse(
      new TextDecoder().decode(new Uint8Array(rules.memory.buffer, rules.answer(), length)),
    );
  };
};

/** What has not come after so long is asked for anew by the next question. */
const LOAD_MS = 10000;

/** @type {ReturnType<typeof rulesOf> | null} */
let rules = null;

/**
 * What `POST /api/position` would answer.
 * @param {object} question
 * @returns {Promise<{ status: number, body: any }>}
 */
export const answer = async (question) => {
  rules ??= fetch(new URL("../rules.wasm", import.meta.url), {
    signal: AbortSignal.timeout?.(LOAD_MS),
  })
    .then((response) => response.arrayBuffer())
    .then(rulesOf);
  try {
    return (await rules)(question);
  } catch (broken) {
    // Whatever broke, the next question finds rules that are whole.
    rules = null;
    throw broken;
  }
};
