// Lists of one's account that are fetched, drawn, and fetched again after each change: whom one has blocked, where one is
// logged in, and the tokens with which programs play and ask in one's name.
import { get, post, remove } from "../lib/http.js";
import { deed, field, form, openDialog } from "../lib/dialog.js";
import { h } from "../lib/dom.js";
import { leaving } from "../common/notifications.js";
import { handleOf, nameLink } from "../common/user-link.js";
import { copyField } from "../lib/share.js";
import { agoText, dayText } from "../lib/format-time.js";
import { saidAs, say } from "../lib/i18n.js";

class Fetched {
  /** @type {() => Promise<any[]>} */ load;
  /** @type {(entry: any, again: () => Promise<void>) => Child[]} */ row;

  /**
   * `load()` answers the entries, `row(entry, again)` what stands in one, `none` what is said when there are none.
   * @param {string} label
   * @param {() => Promise<any[]>} load
   * @param {(entry: any, again: () => Promise<void>) => Child[]} row
   * @param {string} none
   */
  constructor(label, load, row, none) {
    Object.assign(this, { load, row });
    this.list = h("ul", { class: "plain", "aria-label": label, tabindex: -1 });
    this.none = h("p", { class: "soft small", hidden: true }, none);
    this.element = h("div", {}, this.list, this.none);
    this.again();
  }

  async again() {
    try {
      const entries = await this.load();
      // What was pressed may be gone: then the list itself keeps the place of the keyboard.
      const inside = this.list.contains(document.activeElement);
      this.list.replaceChildren(
        ...entries.map((entry) => h("li", {}, ...this.row(entry, () => this.again()))),
      );
      this.list.hidden = entries.length === 0;
      this.none.hidden = entries.length > 0;
      if (inside) this.list.focus();
    } catch (refused) {
      this.list.replaceChildren(h("li", { class: "soft" }, refused.message));
    }
  }
}

const blockedRow = (player, again) => [
  h("span", { class: "what" }, nameLink(player)),
  deed(say("player.unblock"), async () => {
    await post(`/api/rel/unblock/${handleOf(player)}`);
    await again();
  }),
];

/** The players that are kept away, each with the way back. */
export const blockedSection = () => {
  const list = new Fetched(
    say("account.blocked"),
    async () => (await get("/api/rel/blocking")).blocked,
    blockedRow,
    say("account.blockedNone"),
  );
  return h(
    "section",
    { class: "card own" },
    h("h2", {}, say("account.blocked")),
    h("p", { class: "small soft" }, say("account.blockedWhy")),
    list.element,
  );
};

/** More special names come first: every browser names others besides itself. */
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

const find = (list, agent) => list.find(([mark]) => agent.includes(mark))?.[1];

/** What kind of device it was, as far as it said. */
const agentText = (agent = "") => {
  const [browser, system] = [find(BROWSERS, agent ?? ""), find(SYSTEMS, agent ?? "")];
  if (browser && system) return say("account.agent", { browser, system });
  return browser ?? system ?? ((agent ?? "").slice(0, 60) || say("account.unknown"));
};

const sessionRow = ({ id, createdAt, seenAt, agent, current }, again) => [
  h(
    "span",
    { class: "what" },
    h("b", {}, agentText(agent)),
    h(
      "span",
      { class: "small soft" },
      say("account.seen", { since: agoText(createdAt), seen: agoText(seenAt) }),
    ),
  ),
  current
    ? h("span", { class: "kind here" }, say("account.here"))
    : deed(say("account.revoke"), async () => {
        await post(`/api/account/sessions/${id}/revoke`);
        await again();
      }),
];

const everywhere = () =>
  openDialog(say("account.everywhere"), () =>
    form([h("p", {}, say("account.everywhereWhy"))], say("account.everywhere"), async () => {
      leaving();
      await post("/api/account/logout-everywhere");
      location.assign("/login#login");
    }),
  );

/** The sessions, each with its end. */
export const sessionsSection = () => {
  const list = new Fetched(
    say("account.sessions"),
    async () => (await get("/api/account/sessions")).sessions,
    sessionRow,
    "",
  );
  return h(
    "section",
    { class: "card own" },
    h("h2", {}, say("account.sessions")),
    list.element,
    h(
      "div",
      { class: "deeds" },
      h("button", { class: "btn", type: "button", onclick: everywhere }, say("account.everywhere")),
    ),
  );
};

const SCOPES = ["board:play", "bot:play", "challenge:read", "challenge:write"];

const tokenRow = ({ id, description, scopes, createdAt, usedAt }, again) => [
  h(
    "span",
    { class: "what" },
    h("b", {}, description || say("token.unnamed")),
    h("span", { class: "small soft" }, scopes.join(", ") || say("token.noScopes")),
    h(
      "span",
      { class: "small weak" },
      say("token.made", { date: dayText(createdAt) }),
      " · ",
      usedAt ? say("token.used", { ago: agoText(usedAt) }) : say("token.unused"),
    ),
  ),
  deed(say("token.delete"), async () => {
    await remove(`/api/token?id=${encodeURIComponent(id)}`);
    await again();
  }),
];

/** The tokens, and the form for a new one, which is shown this once. */
export const tokensSection = () => {
  const list = new Fetched(
    say("token.title"),
    async () => (await get("/api/token")).tokens,
    tokenRow,
    say("token.none"),
  );
  const description = h("input", { name: "description", maxlength: 100, autocomplete: "off" });
  const boxes = SCOPES.map((scope) =>
    h("input", { type: "checkbox", name: "scope", value: scope }),
  );
  const scopes = h(
    "fieldset",
    { class: "checks" },
    h("legend", {}, say("token.scopes")),
    ...boxes.map((box) =>
      h(
        "label",
        {},
        box,
        h(
          "span",
          {},
          say(`token.scope.${box.value}`),
          h("span", { class: "small weak code" }, ` ${box.value}`),
        ),
      ),
    ),
  );
  const fresh = h("div", { class: "fresh", role: "status" });
  const make = async (element) => {
    const wanted = {
      description: description.value,
      scopes: boxes.filter(({ checked }) => checked).map(({ value }) => value),
    };
    const { token } = await post("/api/token", wanted).catch(saidAs("tooMany", "token.tooMany"));
    fresh.replaceChildren(
      h("p", {}, h("b", {}, say("token.once"))),
      copyField(say("token.token"), token),
    );
    element.reset();
    await list.again();
  };
  return h(
    "section",
    { class: "card own", id: "tokens" },
    h("h2", {}, say("token.title")),
    h(
      "p",
      { class: "small soft" },
      say("token.lead"),
      " ",
      h("a", { href: "/api/docs" }, say("token.docs")),
    ),
    list.element,
    fresh,
    h(
      "details",
      {},
      h("summary", {}, say("token.new")),
      form([field(say("token.description"), description), scopes], say("token.create"), make),
    ),
  );
};
