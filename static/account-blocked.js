// Whom one has blocked.
import { get, post } from "./api.js";
import { h } from "./dom.js";
import { Fetched } from "./fetched.js";
import { deed } from "./fields.js";
import { handleOf, nameLink } from "./person.js";
import { say } from "./words.js";

const row = (player, again) => [
  h("span", { class: "what" }, nameLink(player)),
  deed(say("player.unblock"), async () => {
    await post(`/api/rel/unblock/${handleOf(player)}`);
    await again();
  }),
];

/** The players that are kept away, each with the way back. */
export const blockedSection = () => {
  const list = new Fetched(say("account.blocked"), async () => (await get("/api/rel/blocking")).blocked, row, say("account.blockedNone"));
  return h("section", { class: "card own" }, h("h2", {}, say("account.blocked")), h("p", { class: "small soft" }, say("account.blockedWhy")), list.element);
};
