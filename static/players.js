// The best players of each game, and the way to anybody's page.
import { get, variants } from "./api.js";
import { centre, choose, h } from "./dom.js";
import { icon } from "./glyphs/index.js";
import { listen } from "./me.js";
import { diffOf, dot, kindOf, pathOf } from "./person.js";
import { playerSearch } from "./player-search.js";
import { top } from "./top.js";
import { trouble } from "./trouble.js";
import { say, variantName } from "./words.js";

const SHOWN = 50;

const main = document.querySelector("main");

const heading = (key, className) => h("th", { scope: "col", class: className }, say(key));

const row = (key) => (user, at) => {
  const { rating, progress, games } = user.perfs[key];
  return h("tr", {}, h("td", { class: "num weak" }, at + 1),
    h("td", { class: "name" }, h("a", { href: pathOf(user) }, h("span", {}, user.username), kindOf(user), dot(user.online))),
    h("td", { class: "num strong" }, rating), h("td", { class: "num" }, progress ? diffOf(progress) : h("span", { class: "weak" }, "0")), h("td", { class: "num soft" }, games));
};

const tableOf = (variant, users) =>
  h("table", { class: "card best" }, h("caption", { class: "unseen" }, say("players.best", { name: variantName(variant) })),
    h("thead", {}, h("tr", {}, heading("players.place", "num"), heading("players.name"), heading("players.rating", "num"), heading("players.progress", "num"), heading("players.games", "num"))),
    h("tbody", {}, ...users.map(row(variant.key))));

const nobody = (key) => h("div", { class: "nobody" }, icon(key), h("p", {}, say("players.empty")), h("a", { class: "btn main", href: "/lobby" }, say("players.post")));

const show = async () => {
  const catalogue = await variants();
  const board = h("div", { class: "board-of", "aria-live": "polite" });
  // It comes with the list, which would push it away.
  const note = h("p", { class: "small soft", hidden: true }, say("players.provisional"));
  let wanted;
  const list = async (key) => {
    wanted = key;
    history.replaceState(null, "", `?game=${key}`);
    const { users } = await get(`/api/player/top/${SHOWN}/${key}`);
    // Whoever goes on quickly sees the list of the last choice.
    if (wanted === key) board.replaceChildren(users.length ? tableOf(catalogue.get(key), users) : nobody(key));
    note.hidden = false;
  };
  const change = (key) => list(key).catch((refused) => board.replaceChildren(h("p", { class: "soft" }, refused.message)));
  const asked = new URLSearchParams(location.search).get("game");
  const first = asked && catalogue.has(asked) ? asked : [...catalogue.keys()][0];
  const games = [...catalogue.values()].map((variant) => [variant.key, [icon(variant.key), variantName(variant)]]);
  main.append(h("div", { class: "people" },
    h("div", { class: "people-head" }, h("h1", {}, say("players.title")), playerSearch()),
    choose("kinds", say("players.game"), games, first, change),
    board, note));
  centre(document.querySelector(".kinds"));
  await change(first);
};

top("/players");
listen();
document.title = `${say("players.title")} · Sprong`;
show().catch((refused) => main.append(trouble(refused)));
