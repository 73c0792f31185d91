// One's own account: what others see of it, how to get in, and how to get out.
import { account } from "./api.js";
import { blockedSection } from "./account-blocked.js";
import { closeSection } from "./account-close.js";
import { guestSections } from "./account-guest.js";
import { passwordSection, profileSection } from "./account-profile.js";
import { sessionsSection } from "./account-sessions.js";
import { tokensSection } from "./account-tokens.js";
import { h } from "./dom.js";
import { listen } from "./me.js";
import { handleOf, pathOf } from "./person.js";
import { top } from "./top.js";
import { trouble } from "./trouble.js";
import { say } from "./words.js";

const main = document.querySelector("main");

const exportSection = (me) => {
  const link = (as, key) => h("a", { class: "btn", href: `/api/games/user/${handleOf(me)}?as=${as}`, download: `${me.id}.${as === "text" ? "txt" : "ndjson"}` }, say(key));
  return h("section", { class: "card own", id: "export" }, h("h2", {}, say("account.export")), h("p", { class: "small soft" }, say("account.exportWhy")),
    h("div", { class: "deeds" }, link("text", "account.exportText"), link("json", "account.exportJson")));
};

const show = async () => {
  const me = await account();
  const head = h("div", { class: "people-head" }, h("h1", {}, say("account.title")), h("a", { class: "btn", href: pathOf(me) }, say("account.page")));
  const sections = me.guest ? guestSections(me)
    : [profileSection(me), passwordSection(me), sessionsSection(), blockedSection(), exportSection(me), tokensSection(), closeSection(me)];
  main.append(h("div", { class: "people narrow" }, head, ...sections));
};

top("/account");
listen();
document.title = `${say("account.title")} · Sprong`;
show().catch((refused) => main.append(trouble(refused)));
