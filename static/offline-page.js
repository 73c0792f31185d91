// What stands in place of a page that needs the network, while there is none.
import { h } from "./dom.js";
import { ghost } from "./ghost.js";
import { onceBack, reached } from "./reach.js";
import { top } from "./top.js";
import { say } from "./words.js";

/** It stands under the addresses of others; under its own there is nothing to come back to. */
const isGuest = location.pathname !== "/offline";

const again = () => (isGuest ? location.reload() : location.assign("/"));

if (isGuest) {
  reached(false);
  onceBack(again);
}
top(null);
document.title = `${say("offline.title")} · Sprong`;
document.querySelector("main").append(h("div", { class: "message" }, ghost(),
  h("h1", {}, say("offline.title")), h("p", { class: "soft" }, say("offline.text")),
  h("button", { class: "btn main", type: "button", onclick: again }, say("offline.again")),
  h("p", {}, h("a", { class: "btn quiet", href: "/rules" }, say("rules.title")), " ", h("a", { class: "btn quiet", href: "/analysis" }, say("analysis.title")))));
