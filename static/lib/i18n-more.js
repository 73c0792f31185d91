// Phrases that the lobby does not need. Modules that use them import this one, which awaits them.
import { language, addPhrases } from "./i18n.js";

const RETRY_DELAY_MS = 1000;

/**
 * Loads the phrases and retries until it succeeds. The browser caches a failed import by its URL,
 * so each retry has another query string.
 */
const load = async (times = 0) => {
  try {
    addPhrases((await import(`../i18n/${language}.more.js${times ? `?${times}` : ""}`)).default);
  } catch {
    await new Promise((done) => setTimeout(done, RETRY_DELAY_MS));
    await load(times + 1);
  }
};

await load();
