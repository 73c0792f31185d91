// Page of settings, and the loudspeaker of the header.
import assert from "node:assert/strict";
import { test } from "node:test";
import { recordTonesAndMessages } from "./support/pointer.mjs";
import { User, startServerAndBrowser, waitUntil } from "./support/server.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { PHONE, horizontalOverflow, screenshot, screenshotThemes } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();

const SOUND = ".site-header [aria-label=Sound]";

const switchOf = (page, name) => page.locator(`.settings-page .switch:has-text("${name}")`);

const stored = (page, key) => page.evaluate((name) => localStorage.getItem(name), key);

/** Returns the space between the navigation, or the logo of a phone, and the controls beside it. */
const headerGap = (page) =>
  page.evaluate(() => {
    const before = document.querySelector(innerWidth < 768 ? ".header-brand" : ".site-header nav");
    const controls = [...document.querySelectorAll(".header-user > *")];
    const left = controls
      .filter((control) => control.checkVisibility())
      .map((control) => control.getBoundingClientRect().left);
    return Math.min(...left) - before.getBoundingClientRect().right;
  });

test("a guest changes all settings on one page", async () => {
  const guest = await User.open(browser, server, {}, "/rules");
  const { page } = guest;
  await page.click(".site-header a[title=Settings]");
  await page.waitForSelector(".settings-section");
  assert.equal(await page.title(), "Settings · Sprong");
  for (const [name, key] of [
    ["Confirm each move", "confirmMove"],
    ["Premoves", "premove"],
    ["Coordinates", "coordinates"],
    ["Letter keys", "letterKeys"],
    ["Show notifications", "newsCards"],
  ]) {
    const toggle = switchOf(page, name);
    const before = await toggle.getAttribute("aria-checked");
    await toggle.click();
    assert.notEqual(await toggle.getAttribute("aria-checked"), before, name);
    assert.equal(await stored(page, key), before === "true" ? "no" : "yes", name);
  }
  await page.click("[data-value=dark]");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  // The header and this page switch the same sound.
  await page.click(SOUND);
  assert.equal(await page.locator(SOUND).getAttribute("aria-pressed"), "true");
  await page.reload();
  assert.equal(await switchOf(page, "Play sounds").getAttribute("aria-checked"), "true");
  await switchOf(page, "Play sounds").click();
  assert.equal(await page.locator(SOUND).getAttribute("aria-pressed"), "false");
  await Promise.all([page.waitForURL(/settings/), page.click("[data-value=nl]")]);
  await page.waitForSelector("html[lang=nl] .settings-page h1:text-is('Instellingen')");
  assertNoErrors(server, [guest]);
});

test("a guest chooses the times of reminders", async () => {
  const guest = await User.open(browser, server, { ...PHONE, colorScheme: "dark" }, "/settings");
  const { page } = guest;
  const group = page.getByRole("group", { name: "Remind me before my time runs out" });
  const time = (hours) => group.getByRole("checkbox", { name: `${hours} h before` });
  const chosen = async () => (await guest.request("/api/account/reminders")).body.times;
  const isStored = (expected) =>
    waitUntil(`${expected} is stored`, async () => String(await chosen()) === expected);
  await time(24).waitFor();
  for (const hours of [48, 24, 12, 6, 3, 1])
    assert.equal(await time(hours).isChecked(), [24, 3].includes(hours), `${hours}`);
  await time(6).tap();
  await isStored("24,6,3");
  await time(6).press("Space");
  await isStored("24,3");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await isStored("24");
  await time(24).tap();
  await isStored("");
  await page.reload();
  await time(24).waitFor();
  assert.equal(await time(24).isChecked(), false);
  await page.setViewportSize({ width: 360, height: 800 });
  const sizes = await group.locator("button").evaluateAll((buttons) =>
    buttons.map((button) => {
      const { width, height } = button.getBoundingClientRect();
      return Math.min(width, height);
    }),
  );
  assert.ok(sizes.length === 6 && sizes.every((size) => size >= 44), JSON.stringify(sizes));
  assert.equal(await horizontalOverflow(page), 0);
  await screenshot(page, "reminder-times-360", { fullPage: true });
  assertNoErrors(server, [guest]);
});

test("the loudspeaker plays a sample at once", async () => {
  const guest = await User.open(browser, server, {}, null);
  await guest.page.addInitScript(recordTonesAndMessages);
  await guest.visit("/rules", SOUND);
  const tones = () => guest.page.evaluate(() => window.tones?.length ?? 0);
  assert.equal(await tones(), 0);
  await guest.page.click(SOUND);
  await guest.page.waitForFunction(() => window.tones.length > 0);
  assertNoErrors(server, [guest]);
});

test("the volume scales all sounds, plays a sample and is kept", async () => {
  const guest = await User.open(browser, server, {}, null);
  const { page } = guest;
  await page.addInitScript(recordTonesAndMessages);
  await page.addInitScript(() => {
    window.gains = [];
    const { createGain } = AudioContext.prototype;
    AudioContext.prototype.createGain = function create() {
      const node = createGain.call(this);
      window.gains.push(node.gain);
      return node;
    };
  });
  await guest.visit("/settings", ".volume-slider input");
  const slider = page.locator(".volume-slider input");
  assert.equal(await slider.inputValue(), "100");
  await page.click('.settings-page .switch:has-text("Play sounds")');
  await page.waitForFunction(() => window.tones?.length > 0);
  // The first node is that of the volume.
  assert.equal(await page.evaluate(() => window.gains[0].value), 1);
  const before = await page.evaluate(() => window.tones.length);
  await slider.focus();
  await page.keyboard.press("Home");
  await page.waitForFunction((count) => window.tones.length > count, before);
  assert.ok(Math.abs((await page.evaluate(() => window.gains[0].value)) - 0.01) < 1e-6);
  await page.reload();
  assert.equal(await slider.inputValue(), "10");
  assertNoErrors(server, [guest]);
});

test("settings and header fit every width", async () => {
  const guest = await User.open(browser, server, {}, "/settings");
  const { page } = guest;
  for (const locale of ["en", "nl", "sv"]) {
    await page.context().addCookies([{ name: "language", value: locale, url: server.url }]);
    await page.reload();
    await page.waitForSelector(`html[lang=${locale}] .settings-section`);
    await page.waitForSelector(".header-self", { state: "attached" });
    for (const width of [360, 390, 1024, 1440])
      for (const theme of ["light", "dark", "contrast"]) {
        await page.setViewportSize({ width, height: width < 768 ? 800 : 900 });
        await page.evaluate((name) => window.sprongTheme.set(name), theme);
        assert.equal(await horizontalOverflow(page), 0, `${locale} ${width} ${theme}`);
        assert.ok((await headerGap(page)) >= 0, `header: ${locale} ${width} ${theme}`);
        if (locale === "en" || theme === "light")
          await screenshot(page, `settings-${locale}-${width}-${theme}`, { fullPage: true });
      }
  }
  const sizes = await page.$$eval(".site-header .icon", (icons) =>
    icons
      .filter((icon) => icon.checkVisibility())
      .map((icon) => icon.getBoundingClientRect())
      .map(({ width, height }) => [width, height]),
  );
  assert.ok(sizes.length > 3 && sizes.flat().every((size) => size >= 44), JSON.stringify(sizes));
  assertNoErrors(server, [guest]);
});

test("the menu of a phone leads to the settings", async () => {
  const guest = await User.open(browser, server, PHONE, "/rules");
  await guest.page.tap(".header-more");
  await guest.page.tap("dialog a[href='/settings']");
  await guest.page.waitForSelector(".settings-section");
  assertNoErrors(server, [guest]);
});

test("a member hides when they are online", async () => {
  const ann = await User.open(browser, server, { name: "Ann" }, "/settings");
  const bob = await User.open(browser, server, { name: "Bob" }, "/@/ann");
  const { page } = ann;
  const shown = switchOf(page, "Show others when I am online");
  await bob.page.waitForSelector("main .online-dot");
  await shown.click();
  await waitUntil("Ann is offline", async () => !(await bob.get("/api/user/ann")).online);
  await bob.visit("/@/ann", "main h1 >> text=Ann");
  assert.equal(await bob.page.locator("main .online-dot").count(), 0);
  assert.equal(await bob.page.locator("main >> text=last seen").count(), 0);
  await page.reload();
  await page.waitForSelector(".settings-page .switch:has-text('Show others')");
  assert.equal(await shown.getAttribute("aria-checked"), "false");
  await screenshotThemes(page, "presence", {}, () => shown.scrollIntoViewIfNeeded());
  await shown.click();
  await waitUntil("Ann is online", async () => (await bob.get("/api/user/ann")).online);
  assertNoErrors(server, [ann, bob]);
});
