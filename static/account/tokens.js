// Section of the account page with the API tokens. Used by account.js.
import { currentPassword } from "./current-password.js";
import { get, post, remove } from "../lib/http.js";
import { asyncButton, field, form, usernameField } from "../lib/form.js";
import { h } from "../lib/dom.js";
import { copyField } from "../lib/share.js";
import { agoText, dayText } from "../lib/format-time.js";
import { overrideReason, t } from "../lib/i18n.js";
import { ReloadableList } from "./reloadable-list.js";

/**
 * @typedef {import("./reloadable-list.js").Reload} Reload
 * @typedef {{ id: string, description: string, scopes: string[], createdAt: number,
 *   usedAt?: number | null, expiresAt?: number | null }} Token
 */

const SCOPES = [
  "board:play",
  "bot:play",
  "challenge:read",
  "challenge:write",
  "follow:read",
  "follow:write",
];

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
