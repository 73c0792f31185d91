// A guest's personal link leads here: what stands after the # opens the session again.
import { post } from "./api.js";
import { h } from "./dom.js";
import { top } from "./top.js";
import { say } from "./words.js";

const token = location.hash.slice(1);
// The secret need not stand in the address bar nor in the history.
history.replaceState(null, "", location.pathname);
document.title = `${say("come.title")} · Sprong`;

// The header would make a guest of whoever has no session: it waits until the link has been tried.
try {
  await post("/api/come", { token });
  location.replace("/");
} catch (refused) {
  top(null);
  const known = refused.reason === "badLink" || refused.status === 400;
  document.querySelector("main").append(h("div", { class: "message" }, h("h1", {}, say("come.title")),
    h("p", {}, known ? say("come.broken") : refused.message), known && h("p", { class: "soft" }, say("come.again")), h("a", { class: "btn main", href: "/lobby" }, say("missing.home"))));
}
