// A player's page: who it is, ratings, games, and what happened between the two of us.
import { account, get, variants } from "./api.js";
import { crosstable } from "./crosstable.js";
import { h } from "./dom.js";
import { GameList } from "./game-list.js";
import { listen } from "./me.js";
import { missing } from "./missing.js";
import { playerHead } from "./player-head.js";
import { handleOf } from "./person.js";
import { Ratings } from "./ratings.js";
import { top } from "./top.js";
import { trouble } from "./trouble.js";

const main = document.querySelector("main");

const show = async () => {
  const name = decodeURIComponent(location.pathname.split("/")[2]);
  const [catalogue, me, who] = await Promise.all([variants(), account(), get(`/api/user/${encodeURIComponent(name)}`)]);
  document.title = `${who.username} · Sprong`;
  const other = who.id !== me.id;
  const page = h("div", { class: "people" }, playerHead(who, me));
  main.replaceChildren(page);
  // A closed account keeps its games for those it played with, and nothing else.
  if (!who.closed) {
    const histories = await get(`/api/user/${handleOf(who)}/ratings`);
    page.append(new Ratings(catalogue, who.perfs, histories).element);
  }
  if (other) {
    const between = await get(`/api/crosstable/${handleOf(me)}/${handleOf(who)}`);
    if (between.nbGames) page.append(crosstable(between, me, who, catalogue));
  }
  page.append(new GameList(catalogue, who).element);
};

top("/players");
listen();
show().catch((refused) => {
  main.replaceChildren(refused.status === 404 ? missing() : trouble(refused));
});
