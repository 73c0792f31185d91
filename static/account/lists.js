// Sections of the account page with lists that are reloaded after each change: blocked players,
// sessions and API tokens. Used by account.js.
import { currentPassword } from "./current-password.js";
import { get, post, remove } from "../lib/http.js";
import { openDialog } from "../lib/dialog.js";
import { asyncButton, field, form, usernameField } from "../lib/form.js";
import { h } from "../lib/dom.js";
import { setLeaving } from "../common/notifications.js";
import { userHandle, nameLink } from "../common/user-link.js";
import { copyField } from "../lib/share.js";
import { agoText, dayText } from "../lib/format-time.js";
import { overrideReason, t } from "../lib/i18n.js";

/** @typedef {() => Promise<void>} Reload */

/**
 * @typedef {{ id: string, createdAt: number, seenAt: number, agent?: string | null,
 *   network: string, current: boolean }} Session
 * @typedef {{ id: string, description: string, scopes: string[], createdAt: number,
 *   usedAt?: number | null, expiresAt?: number | null }} Token
 */

/**
 * List of entries from the server; `again` reloads it.
 * @template T
 */
class ReloadableList {
  /** @type {() => Promise<T[]>} */ load;
  /** @type {(entry: T, again: Reload) => Child[]} */ row;

  /**
   * @param {string} label  accessible name
   * @param {() => Promise<T[]>} load
   * @param {(entry: T, again: Reload) => Child[]} row  returns the content of an item
   * @param {string} emptyNote  text of the empty list
   */
  constructor(label, load, row, emptyNote) {
    Object.assign(this, { load, row });
    this.list = h("ul", { class: "account-list", "aria-label": label, tabindex: -1 });
    this.none = h("p", { class: "soft small", hidden: true }, emptyNote);
    this.element = h("div", {}, this.list, this.none);
    this.reload();
  }

  async reload() {
    try {
      const entries = await this.load();
      // The focused button may have been removed; the focus then moves to the list.
      const inside = this.list.contains(document.activeElement);
      this.list.replaceChildren(
        ...entries.map((entry) => h("li", {}, ...this.row(entry, () => this.reload()))),
      );
      this.list.hidden = entries.length === 0;
      this.none.hidden = entries.length > 0;
      if (inside) this.list.focus();
    } catch (refused) {
      this.list.replaceChildren(h("li", { class: "soft" }, refused.message));
    }
  }
}

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

const SCOPES = ["board:play", "bot:play", "challenge:read", "challenge:write"];

/** @type {(token: Token, again: Reload) => Child[]} */
const tokenRow = ({ id, description, scopes, createdAt, usedAt, expiresAt }, again) => [
  h(
    "span",
    { class: "account-list-text" },
    h("b", {}, description || t("token.unnamed")),
    h("span", { class: "small soft" }, scopes.join(", ") || t("token.noScopes")),
    h(
      "span",
      { class: "small weak" },
      t("token.made", { date: dayText(createdAt) }),
      " · ",
      usedAt ? t("token.used", { ago: agoText(usedAt) }) : t("token.unused"),
      " · ",
      expiresAt ? t("token.expires", { date: dayText(expiresAt) }) : t("token.noEnd"),
    ),
  ),
  asyncButton(t("token.delete"), async () => {
    await remove(`/api/token?id=${encodeURIComponent(id)}`);
    await again();
  }),
];

/** Numbers of days for which a new token can be valid; the second is the default. */
const TOKEN_DAYS = ["30", "365", "730"];

/**
 * Returns the section of the API tokens, with the form for a new one, whose secret is shown once,
 * and its list.
 * @param {Account} me
 * @param {(count: number) => void} loaded  takes the number of tokens
 */
export const tokensSection = (me, loaded) => {
  const list = new ReloadableList(
    t("token.title"),
    async () => {
      const { tokens } = await get("/api/token");
      loaded(tokens.length);
      return tokens;
    },
    tokenRow,
    t("token.none"),
  );
  const description = h("input", { name: "description", maxlength: 100, autocomplete: "off" });
  const boxes = SCOPES.map((scope) =>
    h("input", { type: "checkbox", name: "scope", value: scope }),
  );
  const scopes = h(
    "fieldset",
    { class: "account-options" },
    h("legend", {}, t("token.scopes")),
    ...boxes.map((box) =>
      h(
        "label",
        {},
        box,
        h(
          "span",
          {},
          t(`token.scope.${box.value}`),
          h("span", { class: "small weak token-scope-name" }, ` ${box.value}`),
        ),
      ),
    ),
  );
  const days = h(
    "select",
    { name: "days" },
    ...TOKEN_DAYS.map((number, at) =>
      h("option", { value: number, selected: at === 1 }, t(`token.days.${number}`)),
    ),
  );
  const secret = currentPassword();
  const created = h("div", { class: "account-secret", role: "status" });
  const make = async (/** @type {HTMLFormElement} */ element) => {
    const request = {
      description: description.value,
      scopes: boxes
        .filter(({ checked }) => checked)
        .map(({ value }) => value)
        .join(","),
      days: Number(days.value),
      password: secret.value,
    };
    const { token } = await post("/api/token", request)
      .catch(overrideReason("tooMany", "token.tooMany"))
      .catch(overrideReason("badPassword", "account.badOld"));
    created.replaceChildren(
      h("p", {}, h("b", {}, t("token.once"))),
      copyField(t("token.token"), /** @type {string} */ (token)),
    );
    element.reset();
    await list.reload();
  };
  const section = h(
    "section",
    { class: "card account-section", id: "tokens" },
    h("h2", {}, t("token.title")),
    h(
      "p",
      { class: "small soft" },
      t("token.lead"),
      " ",
      h("a", { href: "/api/docs" }, t("token.docs")),
    ),
    list.element,
    created,
    h(
      "details",
      {},
      h("summary", {}, t("token.new")),
      form(
        [
          usernameField(me.username),
          field(t("token.description"), description),
          scopes,
          field(t("token.days"), days),
          field(t("account.old"), secret),
        ],
        t("token.create"),
        make,
      ),
    ),
  );
  return { section, list };
};
