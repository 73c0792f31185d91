// Style sheets of modules that are loaded on first use.
import { h } from "./dom.js";

/** @type {Map<string, Promise<void>>} */
const loads = new Map();

/**
 * Loads a style sheet of `css/` once. Resolves when it applies; without it, the page is unstyled
 * but works.
 * @param {string} name
 * @returns {Promise<void>}
 */
export const loadStyleSheet = (name) => {
  const load =
    loads.get(name) ??
    new Promise((done) => {
      const link = h("link", {
        rel: "stylesheet",
        href: new URL(`../css/${name}.css`, import.meta.url).href,
        onload: () => done(),
        onerror: () => done(),
      });
      document.head.append(link);
    });
  loads.set(name, load);
  return load;
};
