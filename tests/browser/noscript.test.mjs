// Pages without scripts, and the language of pages without storage or cookies.
//
// Without scripts the rules and the about page are complete; other pages link to them. The chosen
// language is kept in a cookie, so that server and scripts agree.
import assert from "node:assert/strict";
import { test } from "node:test";
import { User, startServerAndBrowser } from "./support/server.mjs";
import { assertNoPageErrors } from "./support/no-errors.mjs";
import { screenshot, horizontalOverflow } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();

const headings = (page) =>
  page.$$eval("main h1, main h2, main h3", (elements) =>
    elements.map((heading) => heading.textContent),
  );

test("the rules have the same text without scripts", async () => {
  for (const [locale, width, scheme] of [
    ["en-GB", 1280, "light"],
    ["nl-NL", 390, "dark"],
    ["sv-SE", 390, "light"],
  ]) {
    const options = { locale, colorScheme: scheme, viewport: { width, height: 844 } };
    const withoutScripts = await User.open(
      browser,
      server,
      { ...options, javaScriptEnabled: false },
      "/rules/hogga",
    );
    const withScripts = await User.open(browser, server, options, "/rules/hogga");
    await withScripts.page.waitForSelector(".rules-example svg");
    const headingTexts = await headings(withoutScripts.page);
    assert.deepEqual(headingTexts, await headings(withScripts.page));
    assert.ok(headingTexts.length > 12, headingTexts.join());
    const paragraphs = (page) =>
      page.$$eval("main .rules-part p:not(.rules-example-note)", (elements) =>
        elements.map((text) => text.textContent),
      );
    assert.deepEqual(await paragraphs(withoutScripts.page), await paragraphs(withScripts.page));
    assert.equal(await horizontalOverflow(withoutScripts.page), 0);
    await screenshot(withoutScripts.page, `noscript-rules-${width}-${scheme}`);
    await withoutScripts.page.click("nav.rules-index >> nth=0 >> a >> nth=1");
    await withoutScripts.page.waitForURL(`${server.url}/rules/knightFight`);
    await withoutScripts.page.click("header nav a >> nth=1");
    await withoutScripts.page.waitForURL(`${server.url}/about`);
    assert.ok((await headings(withoutScripts.page)).length > 5);
    await screenshot(withoutScripts.page, `noscript-about-${width}-${scheme}`);
  }
});

test("without scripts other pages link to the rules", async () => {
  for (const [locale, text] of [
    ["en-GB", "Read the rules"],
    ["nl-NL", "Lees de regels"],
    ["sv-SE", "Läs reglerna"],
  ]) {
    const { page } = await User.open(
      browser,
      server,
      { locale, javaScriptEnabled: false },
      "/live",
    );
    await screenshot(page, "noscript-live");
    assert.equal(await page.textContent("main a.btn"), text);
    await page.click("main a.btn");
    await page.waitForURL(`${server.url}/rules`);
    assert.equal(await page.locator(".rules-index li").count(), 5);
  }
});

test("the server renders the language chosen before", async () => {
  const user = await User.open(browser, server, { locale: "en-GB" }, "/about");
  const { page } = user;
  await page.waitForSelector("header .header-language");
  assert.equal(await page.title(), "About this site · Sprong");
  await page.selectOption("header .header-language", "sv");
  // The page is loaded again, at a time of its own.
  await page.waitForFunction(() => document.title === "Om sajten · Sprong");
  assert.equal(await page.textContent("h1"), "Om Sprong");
  assert.equal(await page.getAttribute("html", "lang"), "sv");
  assertNoPageErrors([user]);
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
    const user = await User.open(browser, server, { locale: "en-GB" }, null);
    const { page } = user;
    for (const script of blocked) await page.addInitScript(script);
    await user.visit("/", ".quick-play >> text=Play the computer");
    for (const [tag, text] of [
      ["sv", "Spela mot datorn"],
      ["nl", "Tegen de computer"],
    ]) {
      await Promise.all([
        page.waitForEvent("load"),
        page.selectOption("header .header-language", tag),
      ]);
      await page.click(`.quick-play >> text=${text}`);
      await page.waitForSelector("dialog[open]");
      assert.equal(await page.getAttribute("html", "lang"), tag);
      await page.keyboard.press("Escape");
    }
    // With cookies the next page has that language, too.
    await user.visit("/rules", "header .header-language");
    assert.equal(await page.textContent("h1"), blocked.length > 1 ? "Rules" : "Regels");
    assertNoPageErrors([user]);
  }
});

test("scripts and server both follow the language cookie", async () => {
  const user = await User.open(browser, server, { locale: "en-GB" }, null);
  await user.page.context().addCookies([{ name: "language", value: "nl", url: server.url }]);
  await user.visit("/rules", "header .header-language");
  assert.equal(await user.page.getAttribute("html", "lang"), "nl");
  assert.equal(await user.page.textContent("h1"), "Regels");
  assert.equal(await user.page.inputValue("header .header-language"), "nl");
});
