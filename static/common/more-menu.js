// Menu of the last tab on a phone: further pages, account, language and theme.
import { openDialog } from "../lib/dialog.js";
import { choiceGroup, h, iconSvg } from "../lib/dom.js";
import { language, languages, say, setLanguage } from "../lib/i18n.js";
import "../lib/i18n-more.js";
import { userPath } from "./user-link.js";

const THEMES = ["system", "light", "dark", "contrast"];

/**
 * Names of the languages in themselves.
 * @type {Record<string, string>}
 */
const LANGUAGE_NAMES = { en: "English", nl: "Nederlands", sv: "Svenska" };

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
    h("span", {}, say(key)),
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
    h("legend", {}, say(key)),
    choiceGroup(className, say(key), choices, chosen, change),
  );

/**
 * Returns links to the user's page and to sign-up, login or logout.
 * @param {Account | null} account
 * @param {() => unknown} leave
 */
const accountSection = (account, leave) => {
  if (!account) return null;
  const page = h("a", { class: "btn", href: userPath(account) }, say("more.page"));
  const out = account.guest
    ? h("a", { class: "btn btn-primary", href: "/login" }, say("nav.signup"))
    : h("button", { class: "btn", type: "button", onclick: leave }, say("nav.logout"));
  const back = account.guest && h("a", { class: "btn", href: "/login#login" }, say("nav.login"));
  return h(
    "div",
    { class: "phone-menu-user" },
    h(
      "p",
      {},
      h("b", {}, account.username),
      account.guest && h("span", { class: "small soft" }, say("card.guest")),
    ),
    page,
    back,
    out,
  );
};

/**
 * Opens the menu; `places` are its links, `who` is null until the account has loaded, and `leave()`
 * logs out.
 * @param {import("./header.js").NavLink[]} links
 * @param {Account | null} account
 * @param {() => unknown} leave
 */
export const openMoreMenu = (links, account, leave) =>
  openDialog(say("nav.more"), () =>
    h(
      "div",
      { class: "dialog-body phone-menu" },
      accountSection(account, leave),
      h("nav", { "aria-label": say("nav.more") }, ...links.map(link)),
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
        THEMES.map((theme) => [theme, say(`theme.${theme}`)]),
        sprongTheme.now(),
        (theme) => sprongTheme.set(theme),
      ),
    ),
  );
