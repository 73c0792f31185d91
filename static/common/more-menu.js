// Menu of the last tab on a phone: further pages, account, language and theme.
import { openDialog } from "../lib/dialog.js";
import { choiceGroup, h, iconSvg } from "../lib/dom.js";
import { language, languages, t, setLanguage } from "../lib/i18n.js";
import "../lib/i18n-more.js";
import { setTheme } from "../lib/settings.js";
import { userPath } from "./user-link.js";

/**
 * Names of the languages in themselves.
 * @type {Record<string, string>}
 */
const LANGUAGE_NAMES = { en: "English", nl: "Nederlands", sv: "Svenska" };

/**
 * Games on one device, which have no other place in the navigation.
 * @type {import("./header.js").NavLink}
 */
const PASS_LINK = [
  "/pass-and-play",
  "pass.title",
  "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-4 3-6.5 6.5-6.5M13 11h8v9h-8zM16 17h2",
];

/** @param {import("./header.js").NavLink} place */
const link = ([path, key, d]) =>
  h(
    "a",
    {
      class: "phone-menu-link",
      href: path,
      "aria-current": path === location.pathname ? "page" : undefined,
    },
    iconSvg(d),
    h("span", {}, t(key)),
  );

/**
 * @param {string} key
 * @param {string} className
 * @param {string[][]} choices
 * @param {string} chosen
 * @param {(value: string) => unknown} change
 */
const choiceField = (key, className, choices, chosen, change) =>
  h(
    "fieldset",
    {},
    h("legend", {}, t(key)),
    choiceGroup(className, t(key), choices, chosen, change),
  );

/**
 * Returns links to the user's page and to sign-up, login or logout.
 * @param {Account | null} account
 * @param {() => unknown} leave
 */
const accountSection = (account, leave) => {
  if (!account) return null;
  const page = h("a", { class: "btn", href: userPath(account) }, t("more.page"));
  const out = account.guest
    ? h("a", { class: "btn btn-primary", href: "/login" }, t("nav.signup"))
    : h("button", { class: "btn", type: "button", onclick: leave }, t("nav.logout"));
  const back = account.guest && h("a", { class: "btn", href: "/login#login" }, t("nav.login"));
  return h(
    "div",
    { class: "phone-menu-user" },
    h(
      "p",
      {},
      h("b", {}, account.username),
      account.guest && h("span", { class: "small soft" }, t("card.guest")),
    ),
    page,
    back,
    out,
  );
};

/**
 * Opens the menu; `account` is null until the account has loaded, and `leave()`
 * logs out.
 * @param {import("./header.js").NavLink[]} links
 * @param {Account | null} account
 * @param {() => unknown} leave
 */
export const openMoreMenu = (links, account, leave) =>
  openDialog(t("nav.more"), () =>
    h(
      "div",
      { class: "dialog-body phone-menu" },
      accountSection(account, leave),
      h("nav", { "aria-label": t("nav.more") }, ...[PASS_LINK, ...links].map(link)),
      choiceField(
        "nav.language",
        "segmented",
        languages.map((tag) => [tag, LANGUAGE_NAMES[tag]]),
        language,
        (tag) => tag !== language && setLanguage(tag),
      ),
      choiceField(
        "more.theme",
        "segmented is-two-column",
        sprongTheme.themes.map((theme) => [theme, t(`theme.${theme}`)]),
        sprongTheme.now(),
        setTheme,
      ),
    ),
  );
