// Menu of the last tab on a phone: further pages, account, language and theme.
import { openDialog } from "../lib/dialog.js";
import { choose, h, line } from "../lib/dom.js";
import { language, languages, say, speak } from "../lib/i18n.js";
import "../lib/i18n-more.js";
import { pathOf } from "./user-link.js";

const THEMES = ["system", "light", "dark", "contrast"];

/**
 * Names of the languages in themselves.
 * @type {Record<string, string>}
 */
const NAMES = { en: "English", nl: "Nederlands", sv: "Svenska" };

/** @param {import("./header.js").NavLink} place */
const link = ([path, key, d]) =>
  h(
    "a",
    { class: "place", href: path, "aria-current": path === location.pathname ? "page" : undefined },
    line(d),
    h("span", {}, say(key)),
  );

/**
 * @param {string} key
 * @param {string} className
 * @param {string[][]} choices
 * @param {string} chosen
 * @param {(value: string) => unknown} change
 */
const setting = (key, className, choices, chosen, change) =>
  h(
    "fieldset",
    {},
    h("legend", {}, say(key)),
    choose(className, say(key), choices, chosen, change),
  );

/**
 * Returns links to the user's page and to sign-up, login or logout.
 * @param {Account | null} who
 * @param {() => unknown} leave
 */
const person = (who, leave) => {
  if (!who) return null;
  const page = h("a", { class: "btn", href: pathOf(who) }, say("more.page"));
  const out = who.guest
    ? h("a", { class: "btn main", href: "/login" }, say("nav.signup"))
    : h("button", { class: "btn", type: "button", onclick: leave }, say("nav.logout"));
  const back = who.guest && h("a", { class: "btn", href: "/login#login" }, say("nav.login"));
  return h(
    "div",
    { class: "whoami" },
    h(
      "p",
      {},
      h("b", {}, who.username),
      who.guest && h("span", { class: "small soft" }, say("card.guest")),
    ),
    page,
    back,
    out,
  );
};

/**
 * Opens the menu; `places` are its links, `who` is null until the account has loaded, and `leave()`
 * logs out.
 * @param {import("./header.js").NavLink[]} places
 * @param {Account | null} who
 * @param {() => unknown} leave
 */
export const openMore = (places, who, leave) =>
  openDialog(say("nav.more"), () =>
    h(
      "div",
      { class: "ask-body more-places" },
      person(who, leave),
      h("nav", { "aria-label": say("nav.more") }, ...places.map(link)),
      setting(
        "nav.language",
        "seg",
        languages.map((tag) => [tag, NAMES[tag]]),
        language,
        (tag) => tag !== language && speak(tag),
      ),
      setting(
        "more.theme",
        "seg four",
        THEMES.map((theme) => [theme, say(`theme.${theme}`)]),
        sprongTheme.now(),
        (theme) => sprongTheme.set(theme),
      ),
    ),
  );
