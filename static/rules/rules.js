// Entry point of the rules pages (/rules and /rules/{variant}): list of variants, or the guide of
// one, with examples to step through. The server's rules endpoint plays the moves of the examples.
// The server also renders the pages as static HTML, which stays if the script cannot load its data.
import { get, post, variants } from "../lib/http.js";
import { ratioOf } from "../board/render.js";
import { loadAnimation, StaticBoard } from "../board/static-board.js";
import { h, iconSvg, toast } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { subscribe } from "../common/notifications.js";
import { notFound } from "../common/error-page.js";
import "../lib/i18n-more.js";
import { parsePosition } from "../model/notation.js";
import { stepButton } from "../lib/keyboard.js";
import { rulesPath, initHeader } from "../common/header.js";
import { language, t, variantName } from "../lib/i18n.js";

/** @typedef {{ start: string | null, options: Options, moves: string[] }} ExampleData */

/**
 * Part of a guide; `notes` is present if there is an example.
 * @typedef {{ title: string, text: string, example?: string, notes: string[] }} GuidePart
 */

/**
 * Guide of a variant; the lists are paragraphs or list items.
 * @typedef {{
 *   examples: Record<string, ExampleData>,
 *   words: {
 *     aim: string,
 *     origin: string,
 *     board: string[],
 *     parts: GuidePart[],
 *     end: string[],
 *     options: string[],
 *     notation: string[],
 *     readings: string[],
 *     hint: string[],
 *   },
 * }} Guide
 */

/** Figure with a board, the note of the current ply, and step buttons. */
class Example {
  /** @type {Variant} */ variant;
  /** @type {ExampleData} */ example;
  /** @type {string[]} */ notes;
  /** @type {number} */ ply;
  /** @type {{ position: string, trace?: Trace }[]} */ steps;

  /**
   * @param {Variant} variant
   * @param {ExampleData} example
   * @param {string} title
   * @param {string[]} notes  texts by ply
   */
  constructor(variant, example, title, notes) {
    Object.assign(this, { variant, example, notes, ply: 0, steps: [] });
    this.board = new StaticBoard(variant.key, {
      board: variant.board,
      label: `${variantName(variant)}: ${title}`,
    });
    this.note = h("p", { class: "rules-example-note", role: "status" });
    this.count = h("span", { class: "num soft small" });
    this.back = stepButton("back", () => this.go(this.ply - 1));
    this.next = stepButton("forward", () => this.go(this.ply + 1));
    const frame = h("div", { class: "rules-example-board" }, this.board.svg);
    frame.style.setProperty("--ratio", ratioOf(variant.board));
    this.element = h(
      "figure",
      { class: "rules-example" },
      frame,
      h(
        "figcaption",
        {},
        this.note,
        notes.length > 1 &&
          h("div", { class: "rules-example-steps" }, this.back, this.count, this.next),
      ),
    );
    this.note.textContent = notes[0];
    this.load().catch((refused) => {
      this.note.textContent = refused.message;
    });
  }

  /** Loads the positions; the start is the initial position if the example has none. */
  async load() {
    const { start, options, moves } = this.example;
    const question = { variant: this.variant.key, options, ...(start && { start }) };
    const [begin, { replay }] = await Promise.all([
      start ?? post("/api/position", question).then(({ position }) => position),
      post("/api/position", { ...question, moves, replay: true }),
      loadAnimation(),
    ]);
    this.steps = [{ position: begin }, ...replay];
    this.go(0);
  }

  /**
   * Shows a ply; ignored if out of range.
   * @param {number} ply
   */
  go(ply) {
    const step = this.steps[ply];
    if (!step) return;
    const forward = ply > this.ply;
    this.ply = ply;
    const { cells } = parsePosition(step.position);
    const before = ply ? parsePosition(this.steps[ply - 1].position).cells : null;
    // Steps forward are animated.
    if (forward && step.trace) this.board.showMove({ cells, before, trace: step.trace });
    else this.board.show({ cells, before, trace: step.trace });
    this.note.textContent = this.notes[ply];
    const u = ply ? `${this.example.moves[ply - 1]} · ` : "";
    this.count.textContent = `${u}${ply} / ${this.steps.length - 1}`;
    this.back.disabled = ply === 0;
    this.next.disabled = ply === this.steps.length - 1;
  }
}

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

/**
 * Returns the guide of a variant; sets the page title.
 * @param {Variant} variant
 * @param {Guide} guide
 */
const guidePage = (variant, guide) => {
  const { words: texts } = guide;
  document.title = `${variantName(variant)}: ${t("rules.title")} · Sprong`;
  return h(
    "div",
    { class: "rules" },
    game &&
      h(
        "a",
        { class: "btn rules-back", href: `/${encodeURIComponent(game)}` },
        iconSvg("M14 6l-6 6 6 6"),
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
  return main.replaceChildren(guidePage(variant, guide), variantList);
};

initHeader("/rules");
subscribe();
// On failure the server-rendered guide stays, if the page has one.
show().catch((refused) =>
  main.querySelector(".rules")
    ? toast(refused.message)
    : main.replaceChildren(h("div", { class: "page-message" }, h("p", {}, refused.message))),
);
