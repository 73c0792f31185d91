// Localization: a complete game and the pages around it in each language, with and without scripts.
//
// No page contains a phrase of another language, a raw key, or an unfilled placeholder.
import assert from "node:assert/strict";
import { test } from "node:test";
import { languages, phrases as scriptPhrases } from "../client/support/languages.mjs";
import { ALL_CASES } from "./support/all-cases.mjs";
import { User, startServerAndBrowser } from "./support/server.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { screenshot } from "./support/viewports.mjs";

const LOCALES = { en: "en-GB", nl: "nl-NL", sv: "sv-SE" };

const { server, browser } = await startServerAndBrowser();

/** Returns the fixed parts of a phrase, between its placeholders. */
const fixedParts = (phrase) => phrase.split(/\{\w+\}/).map((part) => part.trim());

/** Returns all strings of a nested object. */
const stringsIn = (node) =>
  typeof node === "string" ? [node] : Object.values(node).flatMap(stringsIn);
const texts = Object.fromEntries(
  Object.entries(languages).map(([language, parts]) => [language, stringsIn(parts)]),
);

/**
 * Returns the phrases of other languages that a language does not have, complete and as parts
 * of more than two words (`longParts`).
 */
const foreignPhrases = (language) => {
  const own = new Set(texts[language].flatMap((phrase) => [phrase, ...fixedParts(phrase)]));
  const others = Object.entries(texts)
    .filter(([other]) => other !== language)
    .flatMap(([, phrases]) => phrases);
  const complete = others.filter((phrase) => !own.has(phrase));
  const ownText = [...own].join("\n");
  return {
    complete: new Set(complete),
    longParts: [...new Set(complete.flatMap(fixedParts))].filter(
      (part) => part.split(" ").length > 2 && !ownText.includes(part),
    ),
  };
};

/**
 * Returns the texts of a page: title, description, visible text, and accessible names. Names of
 * other languages are marked with their own `lang`; code and keys have no language. Both are left
 * out.
 */
const pageTexts = (page) =>
  page.evaluate(() => {
    const texts = [document.title, document.querySelector("meta[name=description]")?.content ?? ""];
    const { lang } = document.documentElement;
    const isInPageLanguage = (element) =>
      !element.closest("script, style, code, kbd") &&
      !element.matches("noscript") &&
      element.closest("[lang]").lang === lang;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode())
      if (isInPageLanguage(walker.currentNode.parentElement)) texts.push(walker.currentNode.data);
    for (const name of ["aria-label", "title", "placeholder", "alt", "aria-description"])
      texts.push(
        ...[...document.body.querySelectorAll(`[${name}]`)].map((element) =>
          element.getAttribute(name),
        ),
      );
    return [...new Set(texts.map((text) => text.replaceAll(/\s+/g, " ").trim()).filter(Boolean))];
  });

const prefixes = [...new Set(Object.keys(scriptPhrases.en).map((key) => key.split(".")[0]))].join(
  "|",
);
const RAW = new RegExp(`(^|[^\\w/.])(${prefixes})\\.[a-z]\\w*|\\{\\w+\\}|undefined|\\[object`, "i");

/** Returns the texts that belong to another language or contain a raw key or placeholder. */
const findForeign = (texts, { complete, longParts }) =>
  texts.filter(
    (text) => RAW.test(text) || complete.has(text) || longParts.some((part) => text.includes(part)),
  );

/** User whose pages are checked after every step. */
class LanguageChecker {
  constructor(user, language) {
    Object.assign(this, {
      user,
      page: user.page,
      language,
      phrases: foreignPhrases(language),
      texts: 0,
    });
  }

  phrase(key, values = {}) {
    return scriptPhrases[this.language][key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  }

  async check(step) {
    const texts = await pageTexts(this.page);
    assert.equal(await this.page.getAttribute("html", "lang"), this.language);
    assert.deepEqual(findForeign(texts, this.phrases), [], `${this.language}, ${step}`);
    this.texts += texts.length;
  }

  async visit(path, ready) {
    await this.user.visit(path, ready);
    await this.check(path);
  }

  press(key, values) {
    return this.page
      .locator("button:visible, a:visible")
      .filter({ hasText: this.phrase(key, values) })
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

// Outside tests/slow, only the language with the most phrases of its own plays a game.
const played = ALL_CASES ? Object.entries(LOCALES) : [["nl", LOCALES.nl]];
for (const [language, locale] of played) {
  test(`a game and the site's pages are entirely in ${language}`, async (context) => {
    const users = await Promise.all(
      ["Pia", "Wim"].map((name) =>
        User.open(browser, server, { name: `${name}${language}`, locale }),
      ),
    );
    const checkers = users.map((user) => new LanguageChecker(user, language));
    const [pia, wim] = checkers;
    const checkAll = async (step) => {
      for (const checker of checkers) await checker.check(step);
    };
    await checkAll("home");
    await users[0].scrollToChallengeForm();
    await pia.page.click(".game-choice [data-value=caterpillarWar]");
    await pia.page.click("form.challenge-form .segmented.is-three-column [data-value=none]");
    await pia.page.click("form.challenge-form summary");
    await pia.page.selectOption("form select[name=step]", "none");
    await pia.page.click("form.challenge-form .segmented [data-value=first]");
    await pia.page.click("form.challenge-form [type=submit]");
    await wim.page.waitForSelector(".challenge-card .challenge-card-actions .btn");
    await checkAll("posted");
    await wim.page.click(".challenge-card .challenge-card-actions .btn");
    for (const { page } of checkers) {
      await page.waitForURL(/\/\w{8}$/);
      await page.waitForSelector(".board-svg.is-interactive rect.board-cell", {
        state: "attached",
      });
    }
    const path = new URL(pia.page.url()).pathname;
    await checkAll("begun");
    for (const [ply, cells] of MOVES.entries()) {
      const [mover, other] = ply % 2 ? [wim, pia] : [pia, wim];
      await mover.user.clickCell(cells[0]);
      await mover.check("chosen");
      if (ply === 0) {
        await mover.user.clickCell("a8");
        await mover.check("refused");
      }
      await mover.user.move(cells.slice(1), ply + 1, users);
      await other.page.keyboard.press("o");
      await checkAll(`after ply ${ply + 1}`);
      if (ply === 1) {
        await pia.press("game.draw");
        await pia.check("a question");
        await pia.press("hint.dooffer");
        await wim.page.waitForSelector(".game-status .btn:not(.is-held)");
        await checkAll("an offer");
        await wim.press("hint.no");
        await pia.page.waitForSelector(
          `.game-status >> text=${pia.phrase("hint.nodraw", { name: `Wim${language}` })}`,
        );
        await checkAll("a refusal");
        await pia.page.keyboard.press("?");
        await pia.page.waitForSelector("dialog[open]");
        await pia.check("the keys");
        await pia.page.keyboard.press("Escape");
        await pia.page.keyboard.press("m");
        await pia.page.keyboard.type("h5(");
        await pia.check("typing");
        await pia.page.keyboard.press("Escape");
      }
    }
    for (const { page } of checkers) await page.waitForSelector(".game-result");
    await checkAll("the end");
    await screenshot(pia.page, `end-${language}`);
    await pia.page.click(".game-result .game-rematch button");
    await wim.page.waitForSelector(".game-result .game-rematch button:not(.is-held)");
    await checkAll("a rematch");
    const pages = [
      [`${path}/analysis`, ".board-svg.is-interactive rect.board-cell"],
      ["/rules", "main h1"],
      ["/rules/caterpillarWar", ".rules-example .board-svg rect"],
      ["/learn/caterpillarWar", ".learn .board-svg rect"],
      ["/pass-and-play/hogga", ".pass-form"],
      ["/players", "main h1"],
      [`/@/Wim${language}`, ".game-row"],
      ["/account", "form"],
      ["/live", "main h1, main h2"],
      ["/nowhere/at/all", ".page-message"],
    ];
    for (const [url, ready] of pages) await pia.visit(url, ready);
    context.diagnostic(`${language}: ${pia.texts + wim.texts} texts looked at`);
    assertNoErrors(server, users, /404/);
  });
}

/** Pages that are readable without scripts, with a selector of their text. */
const NOSCRIPT_PAGES = {
  "/lobby": "noscript p",
  "/login": "noscript p",
  "/about": "main h2",
  "/api/docs": "main summary",
  "/rules": ".rules-index li",
  "/rules/hogga": "main .rules-part p",
  "/learn/hogga": "main section p",
  "/pass-and-play/hogga": "main h1",
};
/** The same pages with scripts, with a selector that shows that they are complete. */
const SCRIPT_PAGES = {
  "/lobby": ".lobby",
  "/login": "form",
  "/about": "header .header-language",
  "/api/docs": "header .header-language",
  "/rules": "header .header-language",
  "/rules/hogga": ".rules-example .board-svg rect",
  "/learn/hogga": ".learn .board-svg rect",
  "/pass-and-play/hogga": ".pass-form",
};

for (const [language, locale] of Object.entries(LOCALES)) {
  test(`texts are in ${language} with and without scripts`, async () => {
    const users = await Promise.all(
      [true, false].map((javaScriptEnabled) =>
        User.open(browser, server, { locale, javaScriptEnabled }, null),
      ),
    );
    for (const [user, ready] of [
      [users[0], SCRIPT_PAGES],
      [users[1], NOSCRIPT_PAGES],
    ]) {
      const checker = new LanguageChecker(user, language);
      for (const [path, selector] of Object.entries(ready)) await checker.visit(path, selector);
      assert.ok(checker.texts > 150, `${checker.texts} texts`);
    }
    assertNoErrors(server, users);
  });
}

test("foreign texts, raw keys and placeholders are detected", () => {
  const { nl, sv } = scriptPhrases;
  assert.deepEqual(findForeign([nl["nav.skip"], sv["nav.skip"]], foreignPhrases("nl")), [
    sv["nav.skip"],
  ]);
  const { pages, rules } = languages.en;
  for (const text of [pages["about.free.text"], pages["noscript.rules"], rules.hogga.aim])
    assert.deepEqual(findForeign([text], foreignPhrases("nl")), [text]);
  assert.equal(
    findForeign(
      ["hint.foo", "{name} 3", scriptPhrases.en["hint.offered"].replace("{name}", "Pia")],
      foreignPhrases("sv"),
    ).length,
    3,
  );
});
