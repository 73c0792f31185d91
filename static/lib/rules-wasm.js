// Rules of the server compiled to WebAssembly, the fallback while the server is unreachable.

/**
 * Instantiates `rules.wasm`; returns a function that answers like `POST /api/position`.
 * @param {BufferSource} bytes
 * @returns {Promise<(question: object) => { status: number, body: any }>}
 */
export const instantiateRules = async (bytes) => {
  const { instance } = await WebAssembly.instantiate(bytes);
  const rules = /** @type {any} */ (instance.exports);
  return (question) => {
    const text = new TextEncoder().encode(JSON.stringify(question));
    const at = rules.question(text.length);
    // Each call may grow the memory, which detaches the previous buffer.
    new Uint8Array(rules.memory.buffer, at, text.length).set(text);
    const length = rules.ask();
    return JSON.parse(
      new TextDecoder().decode(new Uint8Array(rules.memory.buffer, rules.answer(), length)),
    );
  };
};

/** Timeout of the download; the next query retries. */
const LOAD_MS = 10000;

/** @type {ReturnType<typeof instantiateRules> | null} */
let rules = null;

/**
 * Answers a query like `POST /api/position`.
 * @param {object} question
 * @returns {Promise<{ status: number, body: any }>}
 */
export const answer = async (question) => {
  rules ??= fetch(new URL("../rules.wasm", import.meta.url), {
    signal: AbortSignal.timeout?.(LOAD_MS),
  })
    .then((response) => response.arrayBuffer())
    .then(instantiateRules);
  try {
    return (await rules)(question);
  } catch (error) {
    // A failed download or a trap may leave the module unusable, so the next query reloads it.
    rules = null;
    throw error;
  }
};
