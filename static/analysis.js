// The page of the analysis board: empty, of a variant, or of a game that is over.
import { Analysis } from "./analysis-page.js";
import { get, variants } from "./api.js";
import { worksWhile } from "./at-work.js";
import { h } from "./dom.js";
import { listen } from "./me.js";
import { missing } from "./missing.js";
import { top } from "./top.js";
import { trouble } from "./trouble.js";
import { say } from "./words.js";

const main = document.querySelector("main");
const path = location.pathname.split("/").filter(Boolean).map(decodeURIComponent);
const id = path[1] === "analysis" ? path[0] : null;

/** @type {Analysis | null} */
let analysis = null;

/** What is said in place of a board. */
const message = (text, ...more) => main.replaceChildren(h("div", { class: "message" }, h("p", {}, text), ...more));

const show = async () => {
  const [catalogue, game] = await Promise.all([variants(), id && get(`/api/game/${encodeURIComponent(id)}`)]);
  // Whoever plays looks at it with their own eyes.
  if (game && !game.end) return message(say("analysis.live"), h("a", { class: "btn", href: `/${id}` }, say("analysis.togame")));
  analysis = new Analysis(catalogue, path[0] === "analysis" ? path[1] : "", game);
  return analysis.open();
};

top("/analysis");
// Whoever has moved something here is not taken away to a game.
worksWhile(() => Boolean(analysis?.touched));
listen();
show().catch((refused) => (refused.status === 404 ? main.replaceChildren(missing()) : main.replaceChildren(trouble(refused))));
