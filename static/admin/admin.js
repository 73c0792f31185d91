// Entry point of the moderators' page (/admin): the queue of reports by accounts, that of guests
// (`?view=guests`), the findings of fair play reports (`?view=suspicions`), the appeals
// (`?view=appeals`), the stop of newcomers (`?view=arrivals`), the bans (`?view=bans`), the log
// (`?view=log`), and an account (`?user=ID`). Others see the refusal of the server.
import { account, get } from "../lib/http.js";
import { h } from "../lib/dom.js";
import { field } from "../lib/form.js";
import { subscribe } from "../common/notifications.js";
import { loadFailed } from "../common/error-page.js";
import "../lib/i18n-more.js";
import { initHeader } from "../common/header.js";
import { agoText } from "../lib/format-time.js";
import { t } from "../lib/i18n.js";
import { appealsSection } from "./appeals.js";
import { arrivalsSection } from "./arrivals.js";
import { bansSection } from "./bans.js";
import { logList, userLink } from "./log.js";
import { PersonPage } from "./person.js";
import { suspicionsSection } from "./suspicions.js";

const main = document.querySelector("main");

/**
 * @typedef {"accounts" | "guests" | "suspicions" | "appeals" | "arrivals" | "bans" | "log"} View
 */

/** @type {View[]} */
const VIEWS = ["accounts", "guests", "suspicions", "appeals", "arrivals", "bans", "log"];

/**
 * Returns the links to the views and the search for an account.
 * @param {View | null} view  current view
 */
const navigation = (view) => {
  const link = (/** @type {View} */ to) =>
    h(
      "a",
      {
        class: "btn",
        href: to === "accounts" ? "/admin" : `/admin?view=${to}`,
        "aria-current": to === view && "page",
      },
      t(`mod.view.${to}`),
    );
  const name = h("input", {
    name: "user",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    required: true,
    maxlength: 40,
  });
  return h(
    "div",
    { class: "admin-nav" },
    h("nav", { class: "users-actions", "aria-label": t("mod.title") }, ...VIEWS.map(link)),
    h(
      "form",
      { class: "admin-search", action: "/admin", role: "search" },
      field(t("mod.player"), name),
      h("button", { class: "btn", type: "submit" }, t("mod.open")),
    ),
  );
};

/** @param {ReportedPerson} person */
const personRow = ({ id, name, reports, reporters, firstAt, muted, closed }) =>
  h(
    "li",
    {},
    h(
      "span",
      { class: "account-list-text" },
      h("a", { class: "admin-link", href: userLink(id) }, h("b", {}, name)),
      h(
        "span",
        { class: "small soft" },
        t("mod.reports", { n: reports }),
        " · ",
        t("mod.reporters", { n: reporters }),
        " · ",
        t("mod.first", { ago: agoText(firstAt) }),
      ),
    ),
    h(
      "span",
      { class: "admin-badges" },
      muted && h("span", { class: "user-badge" }, t("mod.muted")),
      closed && h("span", { class: "user-badge" }, t("mod.closed")),
    ),
  );

/**
 * Returns the queue of reports.
 * @param {boolean} guests  whether the reports are those of guests
 * @param {number} page
 */
const queue = async (guests, page) => {
  /** @type {ReportQueue} */
  const { people, hasMore } = await get(`/api/admin/reports?guests=${guests}&page=${page}`);
  const pageLink = (/** @type {number} */ to, /** @type {string} */ text) =>
    h(
      "a",
      { class: "btn", href: `/admin?view=${guests ? "guests" : "accounts"}&page=${to}` },
      text,
    );
  return h(
    "section",
    { class: "card account-section" },
    h("h2", {}, t(guests ? "mod.view.guests" : "mod.view.accounts")),
    people.length
      ? h("ol", { class: "account-list" }, ...people.map(personRow))
      : h("p", { class: "soft" }, t("mod.none")),
    h(
      "div",
      { class: "users-actions" },
      page > 1 && pageLink(page - 1, t("mod.previous")),
      hasMore && pageLink(page + 1, t("mod.next")),
    ),
  );
};

const log = async () =>
  h(
    "section",
    { class: "card account-section" },
    h("h2", {}, t("mod.view.log")),
    logList(await get("/api/admin/log"), true),
  );

const show = async () => {
  const query = new URLSearchParams(location.search);
  const user = query.get("user");
  const asked = query.get("view");
  const view = user ? null : (VIEWS.find((known) => known === asked) ?? "accounts");
  // The role is checked before the navigation shows what others cannot use.
  const me = await account();
  const page = Math.max(1, Number.parseInt(query.get("page") ?? "", 10) || 1);
  const content = user
    ? await PersonPage.load(user)
    : view === "log"
      ? await log()
      : view === "arrivals"
        ? await arrivalsSection()
        : view === "appeals"
          ? await appealsSection()
          : view === "bans"
            ? await bansSection()
            : view === "suspicions"
              ? await suspicionsSection()
              : await queue(view === "guests", page);
  if (user) document.title = `${content.dataset.name} · ${t("mod.title")} · Sprong`;
  main.append(
    h(
      "div",
      { class: "users-page account-page" },
      h("div", { class: "users-head" }, h("h1", {}, t("mod.title")), me.admin && navigation(view)),
      content,
    ),
  );
};

initHeader("/account");
subscribe();
document.title = `${t("mod.title")} · Sprong`;
show().catch((refused) => main.append(loadFailed(refused)));
