// Sections of the account page with the blocked players and the sessions. Used by account.js.
import { get, post } from "../lib/http.js";
import { openDialog } from "../lib/dialog.js";
import { asyncButton, form } from "../lib/form.js";
import { h } from "../lib/dom.js";
import { setLeaving } from "../common/notifications.js";
import { userHandle, nameLink } from "../common/user-link.js";
import { agoText } from "../lib/format-time.js";
import { t } from "../lib/i18n.js";
import { ReloadableList } from "./reloadable-list.js";

/**
 * @typedef {import("./reloadable-list.js").Reload} Reload
 * @typedef {{ id: string, createdAt: number, seenAt: number, agent?: string | null,
 *   network: string, current: boolean }} Session
 */

/** @type {(player: Person, again: Reload) => Child[]} */
const blockedRow = (player, again) => [
  h("span", { class: "account-list-text" }, nameLink(player)),
  asyncButton(t("player.unblock"), async () => {
    await post(`/api/rel/unblock/${userHandle(player)}`);
    await again();
  }),
];

/** Returns the section of the blocked players. */
export const blockedSection = () => {
  const list = new ReloadableList(
    t("account.blocked"),
    async () => (await get("/api/rel/blocking")).blocked,
    blockedRow,
    t("account.blockedNone"),
  );
  return h(
    "section",
    { class: "card account-section" },
    h("h2", {}, t("account.blocked")),
    h("p", { class: "small soft" }, t("account.blockedWhy")),
    list.element,
  );
};

/**
 * User-agent tokens with display names; specific ones first, as most user agents name others too.
 */
const BROWSERS = [
  ["Edg", "Edge"],
  ["OPR", "Opera"],
  ["SamsungBrowser", "Samsung Internet"],
  ["Firefox", "Firefox"],
  ["Chrome", "Chrome"],
  ["Safari", "Safari"],
  ["curl", "curl"],
];
const SYSTEMS = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS", "macOS"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
];

/** @type {(list: string[][], agent: string) => string | undefined} */
const lookup = (list, agent) => list.find(([mark]) => agent.includes(mark))?.[1];

/**
 * Describes a user agent by browser and system, as far as they are recognized.
 * @param {string | null} [agent]
 */
const agentText = (agent = "") => {
  const [browser, system] = [lookup(BROWSERS, agent ?? ""), lookup(SYSTEMS, agent ?? "")];
  if (browser && system) return t("account.agent", { browser, system });
  return browser ?? system ?? ((agent ?? "").slice(0, 60) || t("account.unknown"));
};

/** @type {(session: Session, again: Reload) => Child[]} */
const sessionRow = ({ id, createdAt, seenAt, agent, network, current }, again) => [
  h(
    "span",
    { class: "account-list-text" },
    h("b", {}, agentText(agent)),
    h(
      "span",
      { class: "small soft" },
      t("account.seen", { since: agoText(createdAt), seen: agoText(seenAt) }),
    ),
    network && h("span", { class: "small weak" }, t("account.network", { address: network })),
  ),
  current
    ? h("span", { class: "user-badge is-current" }, t("account.here"))
    : asyncButton(t("account.revoke"), async () => {
        await post(`/api/account/sessions/${id}/revoke`);
        await again();
      }),
];

/** Opens the dialog that revokes all sessions. */
const openLogoutEverywhereDialog = () =>
  openDialog(t("account.everywhere"), () =>
    form([h("p", {}, t("account.everywhereWhy"))], t("account.everywhere"), async () => {
      setLeaving();
      await post("/api/account/logout-everywhere");
      location.assign("/login#login");
    }),
  );

/** Returns the section of the sessions, and its list. */
export const sessionsSection = () => {
  const list = new ReloadableList(
    t("account.sessions"),
    async () => (await get("/api/account/sessions")).sessions,
    sessionRow,
    "",
  );
  const section = h(
    "section",
    { class: "card account-section" },
    h("h2", {}, t("account.sessions")),
    list.element,
    h(
      "div",
      { class: "users-actions" },
      h(
        "button",
        { class: "btn", type: "button", onclick: openLogoutEverywhereDialog },
        t("account.everywhere"),
      ),
    ),
  );
  return { section, list };
};
