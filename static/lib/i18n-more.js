// Phrases that the lobby does not need. Modules that use them import this one, which awaits them.
import { language, addPhrases } from "./i18n.js";

/** Delays of the retries. After the last one, only a new connection leads to another attempt. */
const RETRY_DELAYS_MS = [1000, 2000, 4000, 8000, 16000, 32000];

/**
 * Waits for the next attempt: until the delay has passed or the browser is online again.
 * @param {number | undefined} delay
 */
const waitForRetry = (delay) =>
  new Promise((done) => {
    addEventListener("online", done, { once: true });
    if (delay) setTimeout(done, delay);
  });

/**
 * Loads the phrases, after `times` failures. The browser caches a failed import by its URL, so each
 * retry has another query string.
 */
const load = async (times = 0) => {
  try {
    addPhrases((await import(`../i18n/${language}.more.js${times ? `?${times}` : ""}`)).default);
  } catch {
    await waitForRetry(RETRY_DELAYS_MS[times]);
    await load(times + 1);
  }
};

await load();
