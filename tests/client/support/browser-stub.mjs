// Minimal browser environment for loading modules in Node: language, address, and an empty
// document.
import { register } from "node:module";

register("./phrase-loader.mjs", import.meta.url);
const noop = () => {};
const element = () => ({
  append: noop,
  setAttribute: noop,
  addEventListener: noop,
  classList: { toggle: noop },
});
globalThis.document = {
  title: "",
  documentElement: element(),
  body: { dataset: {} },
  createElement: element,
  createElementNS: element,
  querySelector: () => null,
  addEventListener: noop,
};
globalThis.MutationObserver = class {
  observe() {}
};
Object.defineProperty(globalThis, "navigator", {
  value: { languages: ["en-GB", "sv"], onLine: true },
  configurable: true,
});
globalThis.location = new URL("http://localhost/analysis");
globalThis.addEventListener = noop;
globalThis.isSecureContext = false;
globalThis.history = {
  state: null,
  replaceState: (state, _, address) => {
    globalThis.location = new URL(address, location);
  },
};
await import("../../../static/lib/i18n-more.js");
