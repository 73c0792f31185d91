// Entry point of the rules pages (/rules and /rules/{variant}): list of variants, or the guide of
// one, with examples to step through. The server also renders the pages as static HTML, which stays
// if the script cannot load its data.
import { get, post, variants } from "../lib/http.js";
import { h, iconSvg, toast } from "../lib/dom.js";
import { BACK } from "../lib/icons.js";
import { icon } from "../variants/index.js";
import { subscribe } from "../common/notifications.js";
import { goToGame } from "../common/navigation.js";
import { notFound } from "../common/error-page.js";
import "../lib/i18n-more.js";
import { rulesPath, initHeader } from "../common/header.js";
import { language, t, variantName } from "../lib/i18n.js";
import { Example } from "./example.js";

/** @typedef {import("./example.js").ExampleData} ExampleData */

/**
 * Part of a guide; `notes` is present if there is an example.
 * @typedef {{ title: string, text: string, example?: string, notes: string[] }} GuidePart
 */

/**
 * Guide of a variant; the lists are paragraphs or list items.
 * @typedef {{
 *   examples: Record<string, ExampleData>,
 *   texts: {
 *     aim: string,
 *     origin: string,
 *     board: string[],
 *     parts: GuidePart[],
 *     end: string[],
 *     entry: string[],
 *     options: string[],
 *     notation: string[],
 *     readings: string[],
 *     hint: string[],
 *   },
 * }} Guide
 */

const main = document.querySelector("main");
const key = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const game = new URLSearchParams(location.search).get("game");

/** @param {string[]} texts */
const paragraphs = (texts) => texts.map((text) => h("p", {}, text));
/** @type {(title: string, ...children: Child[]) => HTMLElement} */
const section = (title, ...children) =>
  h("section", { id: title }, h("h2", {}, t(title)), ...children);
/** @param {string[]} texts */
const list = (texts) => h("ul", {}, ...texts.map((text) => h("li", {}, text)));

/**
 * Returns a function that builds a part of the guide, with its example, if any.
 * @param {Variant} variant
 * @param {Guide} guide
 * @returns {(part: GuidePart) => HTMLElement}
 */
const guidePart =
  (variant, guide) =>
  ({ title, text, example, notes }) => {
    const caption = h("div", {}, h("h3", {}, title), h("p", {}, text));
    return h(
      "article",
      { class: example ? "rules-part" : "rules-part is-text-only" },
      caption,
      example && new Example(variant, guide.examples[example], title, notes).element,
    );
  };

/** Sections of a guide, in order; each is the phrase of its heading and its anchor. */
const SECTIONS = [
  "rules.board",
  "rules.play",
  "rules.end",
  "rules.entry",
  "rules.options",
  "rules.notation",
  "rules.readings",
  "rules.hint",
];

const contents = () =>
  h(
    "nav",
    { class: "rules-contents", "aria-label": t("learn.contents") },
    h("ul", {}, ...SECTIONS.map((title) => h("li", {}, h("a", { href: `#${title}` }, t(title))))),
  );

/**
 * Starts a game against the lowest level of the computer. A button starts one game only.
 * @param {string} variant
 * @param {HTMLButtonElement} button
 */
const playComputer = async (variant, button) => {
  if (button.classList.contains("is-busy")) return;
  button.classList.add("is-busy");
  try {
    const { id } = await post("/api/challenge/ai", { level: 1, variant, color: "random" });
    goToGame(id);
  } catch (refused) {
    button.classList.remove("is-busy");
    toast(/** @type {Error} */ (refused).message);
  }
};

/**
 * Returns the links to the lesson and to games.
 * @param {Variant} variant
 */
const actions = ({ key: variantKey }) => {
  const computer = h("button", { class: "btn", type: "button" }, t("learn.computer"));
  computer.addEventListener("click", () => playComputer(variantKey, computer));
  return h(
    "div",
    { class: "rules-actions" },
    h("a", { class: "btn btn-primary", href: `/learn/${variantKey}` }, t("learn.link")),
    computer,
    h("a", { class: "btn", href: "/find" }, t("quick.person")),
    h("a", { class: "btn", href: `/pass-and-play/${variantKey}` }, t("pass.title")),
  );
};

/**
 * Returns the guide of a variant; sets the page title.
 * @param {Variant} variant
 * @param {Guide} guide
 */
const guidePage = (variant, guide) => {
  const { texts } = guide;
  document.title = `${variantName(variant)}: ${t("rules.title")} · Sprong`;
  return h(
    "div",
    { class: "rules" },
    game &&
      h(
        "a",
        { class: "btn rules-back", href: `/${encodeURIComponent(game)}` },
        iconSvg(BACK),
        t("rules.back"),
      ),
    h(
      "header",
      {},
      h("span", { class: "variant-icon" }, icon(variant.key)),
      h(
        "div",
        {},
        h("h1", {}, variantName(variant)),
        h("p", { class: "rules-lead" }, texts.aim),
        h("p", { class: "soft small" }, texts.origin),
      ),
    ),
    actions(variant),
    contents(),
    section(
      "rules.board",
      h(
        "div",
        { class: "rules-part is-first" },
        h("div", {}, ...paragraphs(texts.board)),
        new Example(variant, { start: null, options: {}, moves: [] }, t("rules.start"), [
          t("rules.start"),
        ]).element,
      ),
    ),
    section("rules.play", ...texts.parts.map(guidePart(variant, guide))),
    section("rules.end", ...paragraphs(texts.end)),
    section("rules.entry", ...paragraphs(texts.entry)),
    section("rules.options", list(texts.options)),
    section("rules.notation", ...paragraphs(texts.notation)),
    section(
      "rules.readings",
      h("p", { class: "soft" }, t("rules.readingsWhy")),
      list(texts.readings),
    ),
    section("rules.hint", list(texts.hint)),
  );
};

/**
 * Returns the list item that links to a variant's guide.
 * @param {Variant} variant
 */
const card = (variant) =>
  h(
    "li",
    {},
    h(
      "a",
      {
        class: "card",
        href: rulesPath(variant.key, game),
        "aria-current": variant.key === key ? "page" : undefined,
      },
      h("span", { class: "variant-icon" }, icon(variant.key)),
      h(
        "span",
        {},
        h("b", {}, variantName(variant)),
        h("span", { class: "soft small" }, t(`tagline.${variant.key}`)),
      ),
    ),
  );

const show = async () => {
  const catalog = await variants();
  const variantList = h(
    "nav",
    { class: "rules-index", "aria-label": t("rules.title") },
    h("ul", {}, ...[...catalog.values()].map(card)),
  );
  if (!key) {
    document.title = `${t("rules.title")} · Sprong`;
    return main.replaceChildren(
      h(
        "div",
        { class: "rules" },
        h("h1", {}, t("rules.title")),
        h("p", { class: "rules-lead" }, t("rules.lead")),
      ),
      variantList,
    );
  }
  const variant = catalog.get(key);
  if (!variant) return main.replaceChildren(notFound());
  const guide = await get(new URL(`../guide/${language}/${key}.json`, import.meta.url).href);
  main.replaceChildren(guidePage(variant, guide), variantList);
  // The anchor of the address existed in the server's page only.
  return document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
};

initHeader("/rules");
subscribe();
// On failure the server-rendered guide stays, if the page has one.
show().catch((refused) =>
  main.querySelector(".rules")
    ? toast(refused.message)
    : main.replaceChildren(h("div", { class: "page-message" }, h("p", {}, refused.message))),
);
