// The page of an id: the challenge until it is accepted, then the game.
import { account, get, variants } from "./api.js";
import { h } from "./dom.js";
import { missing } from "./missing.js";
import { Play } from "./play.js";
import { top } from "./top.js";
import { waiting } from "./waiting.js";

const id = location.pathname.slice(1);
const main = document.querySelector("main");

const show = async () => {
  const [catalogue, me] = await Promise.all([variants(), account()]);
  const challenge = await get(`/api/challenge/${id}/show`);
  if (challenge.status === "accepted") return new Play(id, await get(`/api/game/${id}`), catalogue, me).open(main);
  return main.replaceChildren(waiting(challenge, catalogue, me, open));
};

const open = () => show().catch((refused) => {
  main.replaceChildren(refused.status === 404 ? missing() : h("div", { class: "message" }, h("p", {}, refused.message)));
});

top(null);
open();
