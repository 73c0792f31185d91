// The page for what is not there.
import { h } from "./dom.js";
import { ghost } from "./ghost.js";
import { listen } from "./me.js";
import { top } from "./top.js";
import { say } from "./words.js";

/** A board with one ghost, and a way back. */
export const missing = () => {
  document.title = `${say("missing.title")} · Sprong`;
  return h("div", { class: "message" }, ghost(),
    h("h1", {}, say("missing.title")), h("p", { class: "soft" }, say("missing.text")), h("a", { class: "btn main", href: "/lobby" }, say("missing.home")));
};

if (document.querySelector("script[src$='/missing.js']")) {
  top(null);
  listen();
  document.querySelector("main").append(missing());
}
