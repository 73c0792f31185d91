// Where one is logged in, and how to end it.
import { get, post } from "./api.js";
import { agoText } from "./dates.js";
import { openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { Fetched } from "./fetched.js";
import { deed, form } from "./fields.js";
import { leaving } from "./me.js";
import { say } from "./words.js";

/** More special names come first: every browser names others besides itself. */
const BROWSERS = [["Edg", "Edge"], ["OPR", "Opera"], ["SamsungBrowser", "Samsung Internet"], ["Firefox", "Firefox"], ["Chrome", "Chrome"], ["Safari", "Safari"], ["curl", "curl"]];
const SYSTEMS = [["Android", "Android"], ["iPhone", "iPhone"], ["iPad", "iPad"], ["Windows", "Windows"], ["Mac OS", "macOS"], ["CrOS", "ChromeOS"], ["Linux", "Linux"]];

const find = (list, agent) => list.find(([mark]) => agent.includes(mark))?.[1];

/** What kind of device it was, as far as it said. */
const agentText = (agent = "") => {
  const [browser, system] = [find(BROWSERS, agent ?? ""), find(SYSTEMS, agent ?? "")];
  if (browser && system) return say("account.agent", { browser, system });
  return browser ?? system ?? ((agent ?? "").slice(0, 60) || say("account.unknown"));
};

const row = ({ id, createdAt, seenAt, agent, current }, again) => [
  h("span", { class: "what" }, h("b", {}, agentText(agent)), h("span", { class: "small soft" }, say("account.seen", { since: agoText(createdAt), seen: agoText(seenAt) }))),
  current ? h("span", { class: "kind here" }, say("account.here")) : deed(say("account.revoke"), async () => {
    await post(`/api/account/sessions/${id}/revoke`);
    await again();
  }),
];

const everywhere = () => openDialog(say("account.everywhere"), () => form([h("p", {}, say("account.everywhereWhy"))], say("account.everywhere"), async () => {
  leaving();
  await post("/api/account/logout-everywhere");
  location.assign("/login#login");
}));

/** The sessions, each with its end. */
export const sessionsSection = () => {
  const list = new Fetched(say("account.sessions"), async () => (await get("/api/account/sessions")).sessions, row, "");
  return h("section", { class: "card own" }, h("h2", {}, say("account.sessions")), list.element,
    h("div", { class: "deeds" }, h("button", { class: "btn", type: "button", onclick: everywhere }, say("account.everywhere"))));
};
