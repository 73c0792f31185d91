// One bar over the top of the page: who wants what, and the buttons for it.
import { timeText } from "./terms.js";
import { h, line } from "./dom.js";
import { deed } from "./fields.js";
import { icon } from "./glyphs/index.js";
import { say, variantName } from "./words.js";

const severalOf = (choices) => choices?.variants.length > 1 || choices?.clocks.length > 1;

/** Game, clock and rating in short; several to choose from are looked at first. */
const whatText = ({ variant, timeControl, rated, choices }, catalogue) => {
  if (severalOf(choices)) return say("news.choice");
  return [variantName(catalogue.get(variant.key) ?? variant), timeText(timeControl), say(rated ? "card.rated" : "card.casual")].join(" · ");
};

const textOf = ({ kind, challenge, by }, catalogue) => {
  const name = by?.name ?? "";
  if (kind === "begun") return by ? say("news.begun", { name }) : say("news.begunAny");
  const what = whatText(challenge, catalogue);
  if (kind === "ring") return say("news.rings", { name, what });
  if (kind === "asked") return say("news.asked", { name });
  return say(challenge.kind === "rematch" ? "news.rematch" : "news.challenge", { name, what });
};

/**
 * The bar of a challenge, a ready check or a new game.
 * @param {any} entry
 * @param {Catalogue} catalogue
 * @param {Record<string, () => Promise<unknown>>} deeds
 */
export const noticeBar = (entry, catalogue, deeds) => {
  const { kind, challenge, readyBy } = entry;
  const buttons = [];
  const add = (key, act, className) => buttons.push(deed(say(key), act, className));
  const look = (className) => buttons.push(h("a", { class: className, href: `/${challenge.id}` }, say("news.look")));
  if (kind === "ring") {
    add("news.start", deeds.ready, "btn main");
    add("news.notnow", deeds.notReady, "btn");
  } else if (kind === "asked") add("card.withdraw", deeds.notReady, "btn");
  else if (kind === "begun") add("news.open", deeds.open, "btn main");
  else {
    const open = challenge.eligible !== false && !severalOf(challenge.choices);
    if (open) add("card.accept", deeds.accept, "btn main");
    else look("btn main");
    add("news.decline", deeds.decline, "btn");
    if (open) look("btn quiet");
  }
  const put = kind === "begun" ? deeds.dismiss : deeds.later;
  const away = (kind === "challenge" || kind === "begun") &&
    h("button", { class: "icon away", type: "button", "aria-label": say("news.later"), title: say("news.later"), onclick: put }, line("M6 6l12 12M18 6L6 18"));
  const text = textOf(entry, catalogue);
  return h("div", { class: `notice notice-${kind}`, role: "group", "aria-label": text },
    h("span", { class: "glyph" }, challenge && icon(challenge.variant.key)),
    h("p", { role: kind === "ring" ? "alert" : undefined }, text, " ", readyBy && h("span", { class: "rest num", "aria-hidden": "true" })),
    h("span", { class: "notice-deeds" }, ...buttons), away);
};
