// What is said beyond the first page: whoever says any of it imports this, and so waits until it is known.
import { language, learn } from "./i18n.js";

const AGAIN_MS = 1000;

/** What failed once is remembered by its address, and a module that fails is broken for as long as its page: so it is asked for until it is there. */
const load = async (times = 0) => {
  try {
    learn((await import(`../i18n/${language}.more.js${times ? `?${times}` : ""}`)).default);
  } catch {
    await new Promise((done) => setTimeout(done, AGAIN_MS));
    await load(times + 1);
  }
};

await load();
