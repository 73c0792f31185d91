// Forgotten passwords: recovery words at sign-up and on the account page, reset links, and the ways
// of recovery that the log-in names without e-mail.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Player, PASSWORD } from "./support/player.mjs";
import { User, roundTrip, startServerAndBrowser } from "./support/server.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";

const { server, browser } = await startServerAndBrowser();

const NEW_PASSWORD = "battery-staple";

const openUser = (options) => User.open(browser, server, options, null);

/** Fills the form of a recovery word and sends it. */
const recover = async ({ page }, username, word) => {
  await page.fill("[name=username]", username);
  await page.fill("[name=word]", word);
  await page.fill("[name=password]", NEW_PASSWORD);
  await page.click("main [type=submit]");
};

/** Returns the path of a new reset link. */
const resetPath = (name) => {
  const output = server.admin("reset-link", name);
  const path = /\/reset#\w+/.exec(output)?.[0];
  assert.ok(path, output);
  return path;
};

test("a recovery word of the sign-up sets a new password", async () => {
  const ann = await openUser({});
  const { page } = ann;
  await ann.visit("/rules", ".rules-index");
  await page.click("header >> text=Sign up");
  await page.fill("[name=username]", "WordAnn");
  await page.fill("[name=password]", PASSWORD);
  await page.click("main [type=submit]");
  const words = await ann.keepWords();
  assert.equal(words.length, 10);
  await page.waitForURL(`${server.url}/rules`);

  const elsewhere = await openUser({});
  await elsewhere.visit("/login#login", "form");
  await elsewhere.page.click("text=Forgot your password?");
  await recover(elsewhere, "WordAnn", "bakidofu-lemanoti");
  await elsewhere.page.waitForSelector(".form-error >> text=Check both, or try another word.");
  await recover(elsewhere, "WordAnn", words[4].toUpperCase());
  await elsewhere.page.waitForSelector("h1 >> text=Welcome back, WordAnn");
  await elsewhere.page.waitForSelector("text=You have 9 recovery words left.");
  await elsewhere.page.click("main >> text=Continue");
  await elsewhere.page.waitForSelector("header >> text=WordAnn");
  // The browser of the sign-up continues as a guest.
  assert.notEqual((await ann.request("/api/account")).body.username, "WordAnn");
  assertNoErrors(server, [ann, elsewhere], /40[13]/);
});

test("the log-in without e-mail names words and the operator", async () => {
  const ann = await openUser({});
  const { page } = ann;
  await ann.visit("/login#login", "form >> text=Forgot your password?");
  const answer = page.waitForResponse(`${server.url}/api/recover`);
  await page.click("text=Forgot your password?");
  assert.equal((await (await answer).json()).email, false);
  await page.waitForSelector("[name=word]");
  await page.waitForSelector("main >> text=one of the ten recovery words of your account");
  await page.waitForSelector("main >> text=The operator of this site can make a link for you");
  // Before the answer, the button is hidden on every server.
  await roundTrip(page);
  const byEmail = page.locator("main button", { hasText: "Send me a link by e-mail" });
  assert.deepEqual([await byEmail.count(), await byEmail.isVisible()], [1, false]);
  assert.doesNotMatch(await page.innerText("main"), /e-mail/);
  assertNoErrors(server, [ann]);
});

test("the account page replaces the recovery words", async () => {
  const bob = await openUser({ name: "PageBob" });
  const { page } = bob;
  await bob.visit("/account", "#recovery >> text=You have no recovery words");
  await page.click("#recovery >> text=Create recovery words");
  await page.fill("dialog [name=password]", "not-the-password");
  await page.click("dialog [type=submit]");
  await page.waitForSelector("dialog .form-error >> text=not your current password");
  await page.fill("dialog [name=password]", PASSWORD);
  await page.click("dialog [type=submit]");
  await page.waitForSelector("dialog .recovery-words");
  // Words that were not noted are lost.
  for (let press = 0; press < 3; press++) await page.keyboard.press("Escape");
  assert.equal(await page.locator("dialog .dialog-head button").count(), 0);
  const words = await bob.keepWords();
  await page.waitForSelector("dialog", { state: "detached" });
  await page.waitForSelector("#recovery >> text=You have 10 recovery words left");
  const form = { username: "PageBob", word: words[0], password: NEW_PASSWORD };
  // Without the cookie of the new session, the log-in would open that of a guest.
  const isLogin = ({ pathname }) => pathname === "/login";
  await page.route(isLogin, (route) => recovery.then(() => route.continue()));
  const recovery = bob.request("/api/recover", form);
  assert.equal((await recovery).status, 200);
  // The session of the page has ended: it goes to the log-in, and with the new session back here.
  await page.waitForSelector("#recovery >> text=You have 9 recovery words left");
  await page.waitForSelector("#recovery >> text=Create new words");
  assertNoErrors(server, [bob], /403/);
});

test("an account that was made on an invitation is reminded once", async () => {
  const ann = await Player.create(server, "InviteAnn");
  const fields = { variant: "hogga", rated: true, days: 3, listed: false };
  const { id } = await ann.post("/api/challenge", fields);
  const guest = await openUser({});
  const { page } = guest;
  await guest.visit(`/${id}`, ".challenge-page .btn");
  await page.click(".challenge-page >> text=Sign up");
  await page.fill("[name=username]", "InviteBob");
  await page.fill("[name=password]", PASSWORD);
  await page.click(".challenge-page [type=submit]");
  await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  await guest.visit("/", ".card >> text=With recovery words, you can");
  await page.click(".card >> text=Not now");
  await page.waitForSelector(".card >> text=With recovery words, you can", { state: "detached" });
  await guest.visit("/", ".people");
  assert.equal(await page.locator("text=With recovery words, you can").count(), 0);
  assertNoErrors(server, [guest], /40\d/);
});

test("a reset link without its token asks for the whole link", async () => {
  const ann = await openUser({});
  await ann.visit("/reset", "main >> text=This link is incomplete.");
  assert.equal(await ann.page.locator("main input").count(), 0);
  await ann.page.click("main >> text=Forgot your password?");
  await ann.page.waitForSelector("[name=word]");
  assertNoErrors(server, [ann]);
});

test("a reset link sets a new password and works once", async () => {
  await Player.create(server, "LinkAnn");
  const path = resetPath("LinkAnn");
  const ann = await openUser({});
  const { page } = ann;
  const setPassword = async () => {
    await ann.visit("/rules", ".rules-index");
    await ann.visit(path, "[name=password]");
    assert.equal(new URL(page.url()).hash, "", "the secret leaves the address bar");
    await page.fill("[name=password]", NEW_PASSWORD);
    await page.click("main [type=submit]");
  };
  await setPassword();
  await page.waitForSelector("h1 >> text=Welcome back, LinkAnn");
  await page.waitForSelector("text=You have 0 recovery words left.");
  await page.click("main >> text=Create recovery words");
  await page.waitForSelector("#recovery >> text=You have no recovery words");
  await setPassword();
  await page.waitForSelector(".form-error >> text=Ask for a new one.");
  assertNoErrors(server, [ann], /401/);
});
