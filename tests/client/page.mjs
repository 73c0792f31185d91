// What modules look for in a browser while they are loaded: a language, an address, a document that has nothing.
import { register } from "node:module";

register("./built.mjs", import.meta.url);
globalThis.document = { documentElement: {} };
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en-GB", "sv"], onLine: true }, configurable: true });
globalThis.location = new URL("http://localhost/analysis");
globalThis.addEventListener = () => {};
globalThis.history = {
  state: null,
  replaceState: (state, _, address) => {
    globalThis.location = new URL(address, location);
  },
};
