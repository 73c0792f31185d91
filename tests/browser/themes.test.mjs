// Color themes follow the system or the stored choice: light ("paper"), dark ("dusk"), and high
// contrast in black and white.
import assert from "node:assert/strict";
import { test } from "node:test";
import { startServerAndBrowser } from "./support/server.mjs";

const { server, browser } = await startServerAndBrowser();

/** Returns the lightness, from 0 to 1, of the page, its text, and the browser's own fields. */
const measureColors = (page) =>
  page.evaluate(() => {
    const { backgroundColor, color } = getComputedStyle(document.body);
    const lightness = (text) =>
      text
        .match(/\d+/g)
        .slice(0, 3)
        .reduce((sum, value) => sum + Number(value) / 765, 0);
    const field = Object.assign(document.createElement("div"), { style: "background: Canvas" });
    document.body.append(field);
    const fieldLightness = lightness(getComputedStyle(field).backgroundColor);
    field.remove();
    return { ground: lightness(backgroundColor), ink: lightness(color), field: fieldLightness };
  });

/** Expected appearance by the system's color scheme and the chosen theme. */
const APPEARANCES = {
  light: { system: "paper", light: "paper", dark: "dusk", contrast: "white" },
  dark: { system: "dusk", light: "paper", dark: "dusk", contrast: "black" },
};

const appearanceOf = ({ ground, ink, field }) => {
  assert.ok(Math.abs(ground - ink) > 0.6, `${ground} beside ${ink}`);
  assert.equal(field > 0.5, ground > 0.5, "native controls match the theme");
  if (ground > 0.99) return "white";
  if (ground === 0) return "black";
  return ground > 0.5 ? "paper" : "dusk";
};

for (const [colorScheme, appearances] of Object.entries(APPEARANCES)) {
  test(`with a ${colorScheme} system each theme has its appearance`, async (context) => {
    const browserContext = await browser.newContext({
      colorScheme,
      locale: "en-GB",
      viewport: { width: 1280, height: 800 },
    });
    context.after(() => browserContext.close());
    const page = await browserContext.newPage();
    await page.goto(`${server.url}/rules`);
    await page.waitForSelector("header button[title^=Appearance]");
    for (const [theme, appearance] of Object.entries(appearances)) {
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), theme);
      assert.equal(appearanceOf(await measureColors(page)), appearance, theme);
      await page.reload();
      await page.waitForSelector("header button[title^=Appearance]");
      assert.equal(appearanceOf(await measureColors(page)), appearance, `${theme}, after a reload`);
      await page.click("header button[title^=Appearance]");
    }
    assert.equal(
      await page.evaluate(() => document.documentElement.dataset.theme),
      "system",
      "the themes repeat",
    );
  });
}

test("a system with more contrast gets it unless a theme is chosen", async (context) => {
  const browserContext = await browser.newContext({
    colorScheme: "dark",
    contrast: "more",
    locale: "en-GB",
  });
  context.after(() => browserContext.close());
  const page = await browserContext.newPage();
  await page.goto(`${server.url}/rules`);
  assert.equal(appearanceOf(await measureColors(page)), "black");
  await page.evaluate(() => globalThis.sprongTheme.set("light"));
  assert.equal(appearanceOf(await measureColors(page)), "paper");
});
