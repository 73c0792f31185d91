// What stands at the top of every page.
import { account, post } from "./api.js";
import { h, line, s, toast } from "./dom.js";
import { leaving } from "./me.js";
import { pathOf } from "./person.js";
import { badge, showTurns } from "./turns.js";
import { language, languages, say, speak } from "./words.js";

const logo = () =>
  s("svg", { viewBox: "0 0 34 24", "aria-hidden": "true" },
    s("circle", { cx: 17, cy: 18, r: 4.6, fill: "none", stroke: "currentColor", "stroke-width": 2.4 }),
    s("circle", { cx: 4.5, cy: 18.5, r: 3.2, fill: "currentColor" }),
    s("path", { d: "M5 13C9-1 25-1 29 13", fill: "none", stroke: "var(--act)", "stroke-width": 2.6, "stroke-linecap": "round", "stroke-dasharray": ".1 5" }),
    s("circle", { cx: 29.3, cy: 18.2, r: 4, fill: "var(--act)" }));

const themeButton = () => {
  const name = () => say("nav.theme", { theme: say(`theme.${sprongTheme.now()}`) });
  const button = h("button", { class: "icon", type: "button", "aria-label": name(), title: name() }, line("M19 14A8 8 0 1 1 10 5a6.5 6.5 0 0 0 9 9z"));
  button.addEventListener("click", () => {
    sprongTheme.next();
    button.setAttribute("aria-label", name());
    button.title = name();
    toast(name());
  });
  return button;
};

const languageChoice = () => {
  const options = languages.map((tag) => h("option", { value: tag, selected: tag === language }, tag.toUpperCase()));
  return h("select", { class: "lang", "aria-label": say("nav.language"), onchange: (event) => speak(event.target.value) }, ...options);
};

/** The address of a variant's page; whoever comes from a game keeps the way back. */
export const rulesPath = (variant, from) => `/rules/${variant}${from ? `?game=${encodeURIComponent(from)}` : ""}`;

/** The places of the site; on a phone they are the tabs at the bottom, and there "You" is one of them. */
const PLACES = [
  ["/", "nav.play", "M4 11l8-7 8 7M6 9.5V20h12V9.5"],
  ["/live", "live.nav", "M2 12s4-6.5 10-6.5S22 12 22 12s-4 6.5-10 6.5S2 12 2 12zM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z"],
  ["/players", "nav.players", "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c0-4 3-6.5 6.5-6.5s6.5 2.5 6.5 6.5M16 4.3a3.5 3.5 0 0 1 0 6.4M18 14c2.2 1 3.5 3 3.5 6"],
  ["/analysis", "analysis.title", "M4 20V4M4 20h16M7 15l4-5 3 3 5-7"],
  ["/rules", "rules.title", "M6 4h10a2 2 0 0 1 2 2v14H8a2 2 0 0 1-2-2zM6 17.5A2 2 0 0 1 8 16h10M10 8h4"],
  ["/account", "nav.you", "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 21c0-4.5 3.3-7 7.5-7s7.5 2.5 7.5 7"],
];

const place = (here) => ([path, key, d]) =>
  h("a", { href: path, class: path === "/account" ? "you" : undefined, "aria-current": path === here ? "page" : undefined }, line(d), h("span", {}, say(key)), path === "/" && badge);

/** Fills the header; `here` is the address that is marked as the present one. */
export const top = (here) => {
  const me = h("div", { class: "me" }, languageChoice(), themeButton());
  const nav = h("nav", { "aria-label": say("nav.main") }, ...PLACES.map(place(here)));
  const brand = h("a", { class: "brand", href: "/" }, logo(), "Sprong");
  document.querySelector("header.top").replaceChildren(brand, nav, me);
  document.body.prepend(h("a", { class: "btn skip", href: "#main" }, say("nav.skip")));
  account().then((who) => {
    me.append(h("a", { href: pathOf(who), title: who.username, class: who.guest ? "self guest" : "self" }, h("b", {}, who.username)));
    showTurns(who.turns);
    me.append(who.guest ? h("a", { class: "btn quiet", href: "/login" }, say("nav.signup")) : logout());
  }).catch((refused) => toast(refused.message));
};

const logout = () => {
  const leave = async () => {
    leaving();
    await post("/api/logout");
    location.assign("/");
  };
  return h("button", { class: "icon", type: "button", title: say("nav.logout"), "aria-label": say("nav.logout"), onclick: leave },
    line("M10 4H5v16h5M14 8l4 4-4 4M18 12H9"));
};
