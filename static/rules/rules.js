// The rules, written for players: all games, or one with examples to step through, drawn by the same board as a game, from real
// positions: the server plays their moves.
import { get, post, variants } from "../lib/http.js";
import { ratioOf } from "../board/render.js";
import { readyToMove, Seen } from "../board/static-board.js";
import { h, line, toast } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { listen } from "../common/notifications.js";
import { missing } from "../common/error-page.js";
import "../lib/i18n-more.js";
import { partsOf } from "../model/notation.js";
import { stepButton } from "../lib/keyboard.js";
import { rulesPath, top } from "../common/header.js";
import "../lib/settings.js";
import { language, say, variantName } from "../lib/i18n.js";

class Example {
  /** @type {Variant} */ variant;
  /** @type {{ start: string | null, options: Options, moves: string[] }} */ example;
  /** @type {string[]} */ notes;
  /** @type {number} */ ply;
  /** @type {{ position: string, trace?: Trace }[]} */ steps;

  /**
   * An example of a variant: `{ start, options, moves }`, and what is said at each ply.
   * @param {Variant} variant
   * @param {{ start: string | null, options: Options, moves: string[] }} example
   * @param {string} title
   * @param {string[]} notes
   */
  constructor(variant, example, title, notes) {
    Object.assign(this, { variant, example, notes, ply: 0, steps: [] });
    this.board = new Seen(variant.key, {
      board: variant.board,
      label: `${variantName(variant)}: ${title}`,
    });
    this.note = h("p", { class: "note", role: "status" });
    this.count = h("span", { class: "num soft small" });
    this.back = stepButton("back", () => this.go(this.ply - 1));
    this.next = stepButton("forward", () => this.go(this.ply + 1));
    const frame = h("div", { class: "board" }, this.board.svg);
    frame.style.setProperty("--ratio", ratioOf(variant.board));
    this.element = h(
      "figure",
      { class: "example" },
      frame,
      h(
        "figcaption",
        {},
        this.note,
        notes.length > 1 && h("div", { class: "steps" }, this.back, this.count, this.next),
      ),
    );
    this.note.textContent = notes[0];
    this.load().catch((refused) => {
      this.note.textContent = refused.message;
    });
  }

  async load() {
    const { start, options, moves } = this.example;
    const question = { variant: this.variant.key, options, ...(start && { start }) };
    const [begin, { replay }] = await Promise.all([
      start ?? post("/api/position", question).then(({ position }) => position),
      post("/api/position", { ...question, moves, replay: true }),
      readyToMove(),
    ]);
    this.steps = [{ position: begin }, ...replay];
    this.go(0);
  }

  go(ply) {
    const step = this.steps[ply];
    if (!step) return;
    const forward = ply > this.ply;
    this.ply = ply;
    const { cells } = partsOf(step.position);
    const before = ply ? partsOf(this.steps[ply - 1].position).cells : null;
    // A first look shows what is there; a step shows what it did.
    if (forward && step.trace) this.board.follow({ cells, before, trace: step.trace });
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

const paragraphs = (texts) => texts.map((text) => h("p", {}, text));
const section = (title, ...children) =>
  h("section", { id: title }, h("h2", {}, say(title)), ...children);
const list = (texts) => h("ul", {}, ...texts.map((text) => h("li", {}, text)));

/** A rule with its example, if it has one. */
const part =
  (variant, guide) =>
  ({ title, text, example, notes }) => {
    const words = h("div", {}, h("h3", {}, title), h("p", {}, text));
    return h(
      "article",
      { class: example ? "part" : "part plain" },
      words,
      example && new Example(variant, guide.examples[example], title, notes).element,
    );
  };

const page = (variant, guide) => {
  const { words } = guide;
  document.title = `${variantName(variant)}: ${say("rules.title")} · Sprong`;
  return h(
    "div",
    { class: "rules" },
    game &&
      h(
        "a",
        { class: "btn back", href: `/${encodeURIComponent(game)}` },
        line("M14 6l-6 6 6 6"),
        say("rules.back"),
      ),
    h(
      "header",
      {},
      h("span", { class: "glyph" }, icon(variant.key)),
      h(
        "div",
        {},
        h("h1", {}, variantName(variant)),
        h("p", { class: "lead" }, words.aim),
        h("p", { class: "soft small" }, words.origin),
      ),
    ),
    section(
      "rules.board",
      h(
        "div",
        { class: "part first" },
        h("div", {}, ...paragraphs(words.board)),
        new Example(variant, { start: null, options: {}, moves: [] }, say("rules.start"), [
          say("rules.start"),
        ]).element,
      ),
    ),
    section("rules.play", ...words.parts.map(part(variant, guide))),
    section("rules.end", ...paragraphs(words.end)),
    section("rules.options", list(words.options)),
    section("rules.notation", ...paragraphs(words.notation)),
    section(
      "rules.readings",
      h("p", { class: "soft" }, say("rules.readingsWhy")),
      list(words.readings),
    ),
    section("rules.hint", list(words.hint)),
  );
};

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
      h("span", { class: "glyph" }, icon(variant.key)),
      h(
        "span",
        {},
        h("b", {}, variantName(variant)),
        h("span", { class: "soft small" }, say(`tagline.${variant.key}`)),
      ),
    ),
  );

const show = async () => {
  const catalogue = await variants();
  const shelf = h(
    "nav",
    { class: "shelf", "aria-label": say("rules.title") },
    h("ul", {}, ...[...catalogue.values()].map(card)),
  );
  if (!key) {
    document.title = `${say("rules.title")} · Sprong`;
    return main.replaceChildren(
      h(
        "div",
        { class: "rules" },
        h("h1", {}, say("rules.title")),
        h("p", { class: "lead" }, say("rules.lead")),
      ),
      shelf,
    );
  }
  const variant = catalogue.get(key);
  if (!variant) return main.replaceChildren(missing());
  const guide = await get(new URL(`../guide/${language}/${key}.json`, import.meta.url).href);
  return main.replaceChildren(page(variant, guide), shelf);
};

top("/rules");
listen();
// What the server has written stays where the rest cannot be had.
show().catch((refused) =>
  main.querySelector(".rules")
    ? toast(refused.message)
    : main.replaceChildren(h("div", { class: "message" }, h("p", {}, refused.message))),
);
