// What has no place in the bar of a phone: who one is, other places, language and appearance.
import { post } from "./api.js";
import { openDialog } from "./dialog.js";
import { choose, h, line, toast } from "./dom.js";
import { leaving } from "./me.js";
import { pathOf } from "./person.js";
import { language, languages, say, speak } from "./words.js";

const THEMES = ["system", "light", "dark", "contrast"];

/** What languages call themselves. */
const NAMES = { en: "English", nl: "Nederlands", sv: "Svenska" };

/** Ends the session and begins anew. */
export const leave = async () => {
  leaving();
  try {
    await post("/api/logout");
    location.assign("/");
  } catch (refused) {
    leaving(false);
    toast(refused.message);
  }
};

const link = ([path, key, d]) => h("a", { class: "place", href: path, "aria-current": path === location.pathname ? "page" : undefined }, line(d), h("span", {}, say(key)));

const setting = (key, className, choices, chosen, change) => h("fieldset", {}, h("legend", {}, say(key)), choose(className, say(key), choices, chosen, change));

/** The account: a guest can make one, others find their page and the way out. */
const person = (who) => {
  if (!who) return null;
  const page = h("a", { class: "btn", href: pathOf(who) }, say("more.page"));
  const out = who.guest ? h("a", { class: "btn main", href: "/login" }, say("nav.signup")) : h("button", { class: "btn", type: "button", onclick: leave }, say("nav.logout"));
  return h("div", { class: "whoami" }, h("p", {}, h("b", {}, who.username), who.guest && h("span", { class: "small soft" }, say("card.guest"))), page, out);
};

/**
 * Opens it; `places` are the links, `who` the account if it is known.
 * @param {[string, string, string][]} places
 * @param {object | null} who
 */
export const openMore = (places, who) =>
  openDialog(say("nav.more"), () => h("div", { class: "ask-body more-places" }, person(who), h("nav", { "aria-label": say("nav.more") }, ...places.map(link)),
    setting("nav.language", "seg", languages.map((tag) => [tag, NAMES[tag]]), language, (tag) => tag !== language && speak(tag)),
    setting("more.theme", "seg four", THEMES.map((theme) => [theme, say(`theme.${theme}`)]), sprongTheme.now(), (theme) => sprongTheme.set(theme))));
