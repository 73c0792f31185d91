// Two-step login: the set-up of an authenticator app, logins and new passwords with codes and
// recovery words, on phones and in all languages.
import assert from "node:assert/strict";
import { test } from "node:test";
import { findViolations } from "./support/axe.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { PASSWORD } from "./support/player.mjs";
import { User, startServerAndBrowser } from "./support/server.mjs";
import { totpCode } from "./support/totp.mjs";
import { PHONE, SMALL_PHONE, horizontalOverflow, screenshot } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();

const NEW_PASSWORD = "battery-staple";
const WRONG_CODE = "abc-def";

const openUser = (options) => User.open(browser, server, options, null);

/** Sets up an app by the dialog of the account page. Returns its secret. */
const setUp = async ({ page }) => {
  await page.click("#second-factor button");
  await page.fill("dialog [name=password]", PASSWORD);
  await page.click("dialog [type=submit]");
  const secret = (await page.textContent("dialog .factor-key")).replaceAll(" ", "");
  await page.fill("dialog [name=code]", totpCode(secret));
  await page.click("dialog [type=submit]");
  await page.waitForSelector("dialog", { state: "detached" });
  return secret;
};

/** Sets up an app by requests. Returns its secret. */
const setUpByRequests = async (user) => {
  const { body } = await user.request("/api/account/totp", { password: PASSWORD });
  const code = totpCode(body.secret);
  const { status } = await user.request("/api/account/totp/confirm", { code });
  assert.equal(status, 200);
  return body.secret;
};

const createWords = async (user) =>
  (await user.request("/api/account/recovery", { password: PASSWORD })).body.words;

/** Opens the login page in another browser, and logs in with name and password. */
const logIn = async (name, options = {}) => {
  const user = await openUser(options);
  await user.visit("/login#login", "form");
  await user.page.fill("[name=username]", name);
  await user.page.fill("[name=password]", PASSWORD);
  await user.page.click("main [type=submit]");
  await user.page.waitForSelector("[name=code]");
  return user;
};

const assertAccessible = async (page, state) =>
  assert.deepEqual((await findViolations(page)).violations, [], state);

const focusedName = (page) => page.evaluate(() => document.activeElement.getAttribute("name"));

test("an app is set up, and a login needs its code", async () => {
  const ann = await openUser({ name: "CodeAnn" });
  const { page } = ann;
  await ann.visit("/account", "#second-factor >> text=No authenticator app yet.");
  await page.click("#second-factor >> text=Set up an authenticator app");
  await page.fill("dialog [name=password]", "not-the-password");
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog .form-error >> text=not your current password");
  await page.fill("dialog [name=password]", PASSWORD);
  await page.keyboard.press("Enter");
  const key = await page.textContent("dialog .factor-key");
  assert.match(key, /^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
  assert.equal(await focusedName(page), "code");
  const width = () => page.$eval("dialog img", (image) => image.naturalWidth);
  assert.ok((await width()) > 0, "expected the QR code to load");
  await assertAccessible(page, "set-up of an app");
  await page.fill("dialog [name=code]", WRONG_CODE);
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog .form-error >> text=This code is wrong or was used.");
  const secret = key.replaceAll(" ", "");
  await page.fill("dialog [name=code]", totpCode(secret));
  await page.keyboard.press("Enter");
  await page.waitForSelector("text=Two-step login is on.");
  await page.waitForSelector("#second-factor >> text=On since");

  const elsewhere = await logIn("CodeAnn");
  assert.equal(await focusedName(elsewhere.page), "code");
  assert.equal(await elsewhere.page.textContent("main .form-error"), "");
  assert.equal(await elsewhere.page.inputValue("[name=password]"), PASSWORD);
  const input = elsewhere.page.locator("[name=code]");
  assert.equal(await input.getAttribute("autocomplete"), "one-time-code");
  assert.equal(await input.getAttribute("inputmode"), "numeric");
  await assertAccessible(elsewhere.page, "login with a code");
  await elsewhere.page.click("main [type=submit]");
  await elsewhere.page.waitForSelector(".form-error >> text=Enter a code of your authenticator");
  await input.fill(WRONG_CODE);
  await elsewhere.page.keyboard.press("Enter");
  await elsewhere.page.waitForSelector(".form-error >> text=This code is wrong or was used.");
  await input.fill(totpCode(secret, 1));
  await elsewhere.page.keyboard.press("Enter");
  await elsewhere.page.waitForSelector("header >> text=CodeAnn");
  assertNoErrors(server, [ann, elsewhere], /40[13]/);
});

test("a recovery word replaces the code and turns it off", async () => {
  const bob = await openUser({ name: "WordBob" });
  const secret = await setUpByRequests(bob);
  await bob.visit("/account", "#second-factor >> text=you need a recovery word");
  // Words replace a code, and so creating them needs one.
  await bob.page.click("#recovery >> text=Create recovery words");
  await bob.page.fill("dialog [name=password]", PASSWORD);
  await bob.page.click("dialog [type=submit]");
  await bob.page.fill("dialog [name=code]", totpCode(secret, 1));
  await bob.page.click("dialog [type=submit]");
  const words = await bob.keepWords();
  await bob.page.waitForSelector("#second-factor >> text=you need a recovery word", {
    state: "hidden",
  });
  const elsewhere = await logIn("WordBob", PHONE);
  const { page } = elsewhere;
  await page.click("text=Use a recovery word instead");
  assert.equal(await focusedName(page), "code");
  assert.equal(await page.getAttribute("[name=code]", "inputmode"), "text");
  await page.fill("[name=code]", words[0].toUpperCase());
  await page.click("main [type=submit]");
  await page.waitForSelector("header >> text=WordBob");

  await elsewhere.visit("/account", "#second-factor >> text=On since");
  await page.click("#second-factor >> text=Turn off");
  await page.fill("dialog [name=password]", PASSWORD);
  await page.click("dialog [type=submit]");
  await page.click("dialog >> text=Use a recovery word instead");
  await page.fill("dialog [name=code]", words[0]);
  await page.click("dialog [type=submit]");
  await page.waitForSelector("dialog .form-error >> text=This word is wrong or was used.");
  await page.fill("dialog [name=code]", words[1]);
  await page.click("dialog [type=submit]");
  await page.waitForSelector("#second-factor >> text=No authenticator app yet.");
  await page.waitForSelector("dialog", { state: "detached" });
  assertNoErrors(server, [bob, elsewhere], /40[13]/);
});

test("a new password needs a code of the app", async () => {
  const ann = await openUser({ name: "ResetAnn" });
  const words = await createWords(ann);
  const secret = await setUpByRequests(ann);
  const elsewhere = await openUser(PHONE);
  const { page } = elsewhere;
  await elsewhere.visit("/login#forgot", "[name=word]");
  await page.fill("[name=username]", "ResetAnn");
  await page.fill("[name=word]", words[0]);
  await page.fill("[name=password]", NEW_PASSWORD);
  await page.click("main [type=submit]");
  await page.waitForSelector("[name=code]");
  assert.equal(await page.locator("text=Use a recovery word instead").count(), 0);
  await page.fill("[name=code]", totpCode(secret, 1));
  await page.click("main [type=submit]");
  await page.waitForSelector("text=You have 9 recovery words left.");

  const link = /\/reset#\w+/.exec(server.admin("reset-link", "ResetAnn"))[0];
  const third = await openUser({});
  await third.visit(link, "[name=password]");
  await third.page.fill("[name=password]", PASSWORD);
  await third.page.click("main [type=submit]");
  await third.page.click("text=Use a recovery word instead");
  await third.page.fill("[name=code]", words[1]);
  await third.page.click("main [type=submit]");
  await third.page.waitForSelector("h1 >> text=Welcome back, ResetAnn");
  assertNoErrors(server, [ann, elsewhere, third], /40[13]/);
});

test("the forms fit small phones in all languages and themes", async () => {
  const eve = await openUser({ name: "FitEve", ...SMALL_PHONE, colorScheme: "dark" });
  await eve.visit("/account", "#second-factor button");
  await eve.page.click("#second-factor button");
  await eve.page.fill("dialog [name=password]", PASSWORD);
  await eve.page.click("dialog [type=submit]");
  await eve.page.waitForSelector("dialog .factor-key");
  assert.equal(await horizontalOverflow(eve.page), 0);
  await assertAccessible(eve.page, "set-up of an app on a small phone");
  await screenshot(eve.page, "second-factor-set-up");
  await eve.page.keyboard.press("Escape");
  await setUp(eve);
  for (const locale of ["en-GB", "nl-NL", "sv-SE"]) {
    const user = await logIn("FitEve", { ...SMALL_PHONE, locale });
    assert.equal(await horizontalOverflow(user.page), 0, locale);
    await assertAccessible(user.page, `login with a code, ${locale}`);
    await screenshot(user.page, `second-factor-login-${locale}`);
    assertNoErrors(server, [user], /40[13]/);
  }
  assertNoErrors(server, [eve], /40[13]/);
});
