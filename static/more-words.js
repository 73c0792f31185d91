// What is said beyond the first page: whoever says any of it imports this, and so waits until it is known.
import { language, learn } from "./words.js";

const { default: words } = await import(`./words/${language}.more.js`);
learn(words);
