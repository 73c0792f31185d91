// Pages without scripts, and the language of pages without storage or cookies.
//
// Without scripts the rules and the about page are complete; other pages link to them. The chosen
// language is kept in a cookie, so that server and scripts agree.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Person, house } from "./support/server.mjs";
import { pagesWereQuiet } from "./support/no-errors.mjs";
import { shot, sideways } from "./support/viewports.mjs";

const { server, browser } = await house();

const headings = (page) =>
  page.$$eval("main h1, main h2, main h3", (found) => found.map((heading) => heading.textContent));

test("the rules have the same text without scripts in every language", async () => {
  for (const [locale, width, scheme] of [
    ["en-GB", 1280, "light"],
    ["nl-NL", 390, "dark"],
    ["sv-SE", 390, "light"],
  ]) {
    const view = { locale, colorScheme: scheme, viewport: { width, height: 844 } };
    const plain = await Person.open(
      browser,
      server,
      { ...view, javaScriptEnabled: false },
      "/rules/hogga",
    );
    const full = await Person.open(browser, server, view, "/rules/hogga");
    await full.page.waitForSelector(".rules-example svg");
    const told = await headings(plain.page);
    assert.deepEqual(told, await headings(full.page));
    assert.ok(told.length > 12, told.join());
    const shown = (page) =>
      page.$$eval("main .rules-part p:not(.rules-example-note)", (found) =>
        found.map((text) => text.textContent),
      );
    assert.deepEqual(await shown(plain.page), await shown(full.page));
    assert.equal(await sideways(plain.page), 0);
    await shot(plain.page, `noscript-rules-${width}-${scheme}`);
    await plain.page.click("nav.rules-index >> nth=0 >> a >> nth=1");
    await plain.page.waitForURL(`${server.url}/rules/knightFight`);
    await plain.page.click("header nav a >> nth=1");
    await plain.page.waitForURL(`${server.url}/about`);
    assert.ok((await headings(plain.page)).length > 5);
    await shot(plain.page, `noscript-about-${width}-${scheme}`);
  }
});

test("without scripts other pages link to the rules", async () => {
  for (const [locale, word] of [
    ["en-GB", "Read the rules"],
    ["nl-NL", "Lees de regels"],
    ["sv-SE", "Läs reglerna"],
  ]) {
    const { page } = await Person.open(
      browser,
      server,
      { locale, javaScriptEnabled: false },
      "/live",
    );
    await shot(page, "noscript-live");
    assert.equal(await page.textContent("main a.btn"), word);
    await page.click("main a.btn");
    await page.waitForURL(`${server.url}/rules`);
    assert.equal(await page.locator(".rules-index li").count(), 5);
  }
});

test("the server renders the language chosen before", async () => {
  const person = await Person.open(browser, server, { locale: "en-GB" }, "/about");
  const { page } = person;
  await page.waitForSelector("header .header-language");
  assert.equal(await page.title(), "About this site · Sprong");
  await Promise.all([
    page.waitForEvent("load"),
    page.selectOption("header .header-language", "sv"),
  ]);
  await page.waitForSelector("header .header-language");
  assert.equal(await page.title(), "Om sajten · Sprong");
  assert.equal(await page.textContent("h1"), "Om Sprong");
  assert.equal(await page.getAttribute("html", "lang"), "sv");
  pagesWereQuiet([person]);
});

test("a language can be chosen without storage and without cookies", async () => {
  const noStorage = () => {
    const get = () => {
      throw new DOMException("blocked", "SecurityError");
    };
    for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, { get });
  };
  const noCookies = () =>
    Object.defineProperty(Document.prototype, "cookie", { get: () => "", set: () => {} });
  for (const blocked of [[noStorage], [noStorage, noCookies]]) {
    const person = await Person.open(browser, server, { locale: "en-GB" }, null);
    const { page } = person;
    for (const script of blocked) await page.addInitScript(script);
    await person.visit("/", ".quick-play >> text=Play the computer");
    for (const [tag, word] of [
      ["sv", "Spela mot datorn"],
      ["nl", "Tegen de computer"],
    ]) {
      await Promise.all([
        page.waitForEvent("load"),
        page.selectOption("header .header-language", tag),
      ]);
      await page.click(`.quick-play >> text=${word}`);
      await page.waitForSelector("dialog[open]");
      assert.equal(await page.getAttribute("html", "lang"), tag);
      await page.keyboard.press("Escape");
    }
    // With cookies the next page has that language, too.
    await person.visit("/rules", "header .header-language");
    assert.equal(await page.textContent("h1"), blocked.length > 1 ? "Rules" : "Regels");
    pagesWereQuiet([person]);
  }
});

test("scripts and server both follow the language cookie", async () => {
  const person = await Person.open(browser, server, { locale: "en-GB" }, null);
  await person.page.context().addCookies([{ name: "language", value: "nl", url: server.url }]);
  await person.visit("/rules", "header .header-language");
  assert.equal(await person.page.getAttribute("html", "lang"), "nl");
  assert.equal(await person.page.textContent("h1"), "Regels");
  assert.equal(await person.page.inputValue("header .header-language"), "nl");
});
