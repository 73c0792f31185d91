// The page of an id: the challenge until it is accepted, then the game.
import { account, get, variants } from "./api.js";
import { h } from "./dom.js";
import { notices } from "./me.js";
import { missing } from "./missing.js";
import { Play } from "./play.js";
import { top } from "./top.js";
import { Waiting } from "./waiting.js";

const id = location.pathname.slice(1);
const main = document.querySelector("main");

let shown;
const news = notices({ now: () => shown?.socket?.now() ?? Date.now(), busy: () => shown?.isBusy?.() ?? false, skips: ({ rematchOf }) => rematchOf === id });
document.body.append(news.element);

const show = async () => {
  const [catalogue, me] = await Promise.all([variants(), account()]);
  // Not every game has the id of its challenge: those of a challenge for many have their own.
  const challenge = await get(`/api/challenge/${id}/show`).catch((refused) => {
    if (refused.status !== 404) throw refused;
  });
  const begins = !challenge || challenge.status === "accepted";
  shown = begins ? new Play(id, await get(`/api/game/${id}`), catalogue, me) : new Waiting(challenge, catalogue, me, begun);
  shown.notices = news;
  return begins ? shown.open(main) : main.replaceChildren(shown.element);
};

const open = () => show().catch((refused) => {
  main.replaceChildren(refused.status === 404 ? missing() : h("div", { class: "message" }, h("p", {}, refused.message)));
});

/** Each game of a challenge for many has an address of its own. */
const begun = (game) => (game === id ? open() : location.assign(`/${game}`));

top(null);
open();
