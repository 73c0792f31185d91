// Localization: a complete game and the pages around it in each language, with and without scripts.
//
// No page contains a phrase of another language, a raw key, or an unfilled placeholder.
import assert from "node:assert/strict";
import { test } from "node:test";
import { languages, phrases as words } from "../client/support/languages.mjs";
import { Person, house } from "./support/server.mjs";
import { wasQuiet } from "./support/no-errors.mjs";
import { shot } from "./support/viewports.mjs";

const LOCALES = { en: "en-GB", nl: "nl-NL", sv: "sv-SE" };

const { server, browser } = await house();

/** Returns the fixed parts of a phrase, between its placeholders. */
const partsOf = (phrase) => phrase.split(/\{\w+\}/).map((part) => part.trim());

/** Returns all strings of a nested object. */
const textsIn = (node) =>
  typeof node === "string" ? [node] : Object.values(node).flatMap(textsIn);
const texts = Object.fromEntries(
  Object.entries(languages).map(([language, parts]) => [language, textsIn(parts)]),
);

/**
 * Returns the phrases of other languages that a language does not have, complete (`whole`) and as
 * parts of more than two words (`long`).
 */
const foreign = (language) => {
  const own = new Set(texts[language].flatMap((phrase) => [phrase, ...partsOf(phrase)]));
  const others = Object.entries(texts)
    .filter(([other]) => other !== language)
    .flatMap(([, phrases]) => phrases);
  const whole = others.filter((phrase) => !own.has(phrase));
  const said = [...own].join("\n");
  return {
    whole: new Set(whole),
    long: [...new Set(whole.flatMap(partsOf))].filter(
      (part) => part.split(" ").length > 2 && !said.includes(part),
    ),
  };
};

/**
 * Returns the texts of a page: title, description, visible text, and accessible names. Names of
 * other languages are marked with their own `lang`; code and keys have no language. Both are left
 * out.
 */
const textsOf = (page) =>
  page.evaluate(() => {
    const texts = [document.title, document.querySelector("meta[name=description]")?.content ?? ""];
    const { lang } = document.documentElement;
    const isSaid = (element) =>
      !element.closest("script, style, code, kbd") &&
      !element.matches("noscript") &&
      element.closest("[lang]").lang === lang;
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode())
      if (isSaid(walk.currentNode.parentElement)) texts.push(walk.currentNode.data);
    for (const name of ["aria-label", "title", "placeholder", "alt", "aria-description"])
      texts.push(
        ...[...document.body.querySelectorAll(`[${name}]`)].map((element) =>
          element.getAttribute(name),
        ),
      );
    return [...new Set(texts.map((text) => text.replaceAll(/\s+/g, " ").trim()).filter(Boolean))];
  });

const prefixes = [...new Set(Object.keys(words.en).map((key) => key.split(".")[0]))].join("|");
const RAW = new RegExp(`(^|[^\\w/.])(${prefixes})\\.[a-z]\\w*|\\{\\w+\\}|undefined|\\[object`, "i");

/** Returns the texts that belong to another language or contain a raw key or placeholder. */
const wrongIn = (texts, { whole, long }) =>
  texts.filter(
    (text) => RAW.test(text) || whole.has(text) || long.some((part) => text.includes(part)),
  );

/** User whose pages are checked after every step. */
class Reader {
  constructor(person, language) {
    Object.assign(this, {
      person,
      page: person.page,
      language,
      phrases: foreign(language),
      texts: 0,
    });
  }

  say(key, values = {}) {
    return words[this.language][key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  }

  async look(step) {
    const texts = await textsOf(this.page);
    assert.equal(await this.page.getAttribute("html", "lang"), this.language);
    assert.deepEqual(wrongIn(texts, this.phrases), [], `${this.language}, ${step}`);
    this.texts += texts.length;
  }

  async visit(path, ready) {
    await this.person.visit(path, ready);
    await this.look(path);
  }

  press(key, values) {
    return this.page
      .locator("button:visible, a:visible")
      .filter({ hasText: this.say(key, values) })
      .first()
      .click();
  }
}

const MOVES = [
  ["h2", "h5", "e8"],
  ["a7", "a4", "d7"],
  ["h5", "e8", "b8"],
  ["b7", "b5", "d7"],
  ["b8", "e8", "b5"],
];

for (const [language, locale] of Object.entries(LOCALES)) {
  test(`a game and the site's pages are entirely in ${language}`, async (context) => {
    const people = await Promise.all(
      ["Pia", "Wim"].map((name) =>
        Person.open(browser, server, { name: `${name}${language}`, locale }),
      ),
    );
    const readers = people.map((person) => new Reader(person, language));
    const [pia, wim] = readers;
    const look = async (step) => {
      for (const reader of readers) await reader.look(step);
    };
    await look("home");
    await people[0].toForm();
    await pia.page.click(".game-choice [data-value=caterpillarWar]");
    await pia.page.click("form.challenge-form .segmented.is-three-column [data-value=none]");
    await pia.page.selectOption("form select[name=step]", "none");
    await pia.page.click("form.challenge-form .segmented [data-value=first]");
    await pia.page.click("form.challenge-form [type=submit]");
    await wim.page.waitForSelector(".challenge-card .challenge-card-actions .btn");
    await look("posted");
    await wim.page.click(".challenge-card .challenge-card-actions .btn");
    for (const { page } of readers) {
      await page.waitForURL(/\/\w{8}$/);
      await page.waitForSelector(".board-svg.is-interactive rect.board-cell", {
        state: "attached",
      });
    }
    const path = new URL(pia.page.url()).pathname;
    await look("begun");
    for (const [ply, cells] of MOVES.entries()) {
      const [mover, other] = ply % 2 ? [wim, pia] : [pia, wim];
      await mover.person.cell(cells[0]);
      await mover.look("chosen");
      if (ply === 0) {
        await mover.person.cell("a8");
        await mover.look("refused");
      }
      await mover.person.move(cells.slice(1), ply + 1, people);
      await other.page.keyboard.press("o");
      await look(`after ply ${ply + 1}`);
      if (ply === 1) {
        await pia.press("game.draw");
        await pia.look("a question");
        await pia.press("hint.dooffer");
        await wim.page.waitForSelector(".game-status .btn:not(.is-held)");
        await look("an offer");
        await wim.press("hint.no");
        await pia.page.waitForSelector(
          `.game-status >> text=${pia.say("hint.nodraw", { name: `Wim${language}` })}`,
        );
        await look("a refusal");
        await pia.page.keyboard.press("?");
        await pia.page.waitForSelector("dialog[open]");
        await pia.look("the keys");
        await pia.page.keyboard.press("Escape");
        await pia.page.keyboard.press("m");
        await pia.page.keyboard.type("h5(");
        await pia.look("typing");
        await pia.page.keyboard.press("Escape");
      }
    }
    for (const { page } of readers) await page.waitForSelector(".game-result");
    await look("the end");
    await shot(pia.page, `end-${language}`);
    await pia.page.click(".game-result .game-rematch button");
    await wim.page.waitForSelector(".game-result .game-rematch button:not(.is-held)");
    await look("a rematch");
    const pages = [
      [`${path}/analysis`, ".board-svg.is-interactive rect.board-cell"],
      ["/rules", "main h1"],
      ["/rules/caterpillarWar", ".rules-example .board-svg rect"],
      ["/players", "main h1"],
      [`/@/Wim${language}`, ".game-row"],
      ["/account", "form"],
      ["/live", "main h1, main h2"],
      ["/nowhere/at/all", ".page-message"],
    ];
    for (const [where, ready] of pages) await pia.visit(where, ready);
    context.diagnostic(`${language}: ${pia.texts + wim.texts} texts looked at`);
    wasQuiet(server, people, /404/);
  });
}

/** Pages that are readable without scripts, with a selector of their text. */
const READ = {
  "/lobby": "noscript p",
  "/login": "noscript p",
  "/about": "main h2",
  "/api/docs": "main summary",
  "/rules": ".rules-index li",
  "/rules/hogga": "main .rules-part p",
};
/** The same pages with scripts, with a selector that shows that they are complete. */
const FILLED = {
  "/lobby": ".lobby",
  "/login": "form",
  "/about": "header .header-language",
  "/api/docs": "header .header-language",
  "/rules": "header .header-language",
  "/rules/hogga": ".rules-example .board-svg rect",
};

for (const [language, locale] of Object.entries(LOCALES)) {
  test(`texts are in ${language} with and without scripts`, async () => {
    const people = await Promise.all(
      [true, false].map((javaScriptEnabled) =>
        Person.open(browser, server, { locale, javaScriptEnabled }, null),
      ),
    );
    for (const [person, ready] of [
      [people[0], FILLED],
      [people[1], READ],
    ]) {
      const reader = new Reader(person, language);
      for (const [path, shown] of Object.entries(ready)) await reader.visit(path, shown);
      assert.ok(reader.texts > 150, `${reader.texts} texts`);
    }
    wasQuiet(server, people);
  });
}

test("foreign texts, raw keys and placeholders are detected", () => {
  const { nl, sv } = words;
  assert.deepEqual(wrongIn([nl["nav.skip"], sv["nav.skip"]], foreign("nl")), [sv["nav.skip"]]);
  const { pages, rules } = languages.en;
  for (const said of [pages["about.free.text"], pages["noscript.rules"], rules.hogga.aim])
    assert.deepEqual(wrongIn([said], foreign("nl")), [said]);
  assert.equal(
    wrongIn(
      ["hint.foo", "{name} 3", words.en["hint.offered"].replace("{name}", "Pia")],
      foreign("sv"),
    ).length,
    3,
  );
});
