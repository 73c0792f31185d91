// Passkeys with an authenticator of the browser: registration, logins, refusals and removal, on
// phones and in all languages.
import assert from "node:assert/strict";
import { test } from "node:test";
import { findViolations } from "./support/axe.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { smallTargets } from "./support/page-sizes.mjs";
import { PASSWORD } from "./support/player.mjs";
import { User, startServerAndBrowser } from "./support/server.mjs";
import { totpCode } from "./support/totp.mjs";
import { PHONE, SMALL_PHONE, horizontalOverflow, screenshot } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser("--account-login-limit", "1000");

/** The server by a name: an IP address has no passkeys. */
const site = { url: `http://localhost:${server.port}` };

/** Opens a user whose device has an authenticator. */
const openUser = async (options) => {
  const user = await User.open(browser, site, options, null);
  const session = await user.page.context().newCDPSession(user.page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  const send = (name, values) => session.send(`WebAuthn.${name}`, { authenticatorId, ...values });
  const credentials = async () => (await send("getCredentials")).credentials;
  return Object.assign(user, { send, credentials });
};

/** Adds a passkey by the dialog of the account page. */
const addPasskey = async ({ page }, name) => {
  await page.click("#passkeys >> text=Add a passkey");
  await page.fill("dialog [name=name]", name);
  await page.fill("dialog [name=password]", PASSWORD);
  await page.click("dialog [type=submit]");
};

const fillLogin = async (user, name) => {
  await user.visit("/login#login", "form");
  await user.page.fill("[name=username]", name);
  await user.page.fill("[name=password]", PASSWORD);
  await user.page.click("main [type=submit]");
  await user.page.waitForSelector(".code-field");
};

/** Logs out, and asks for a login until the second factor. */
const logInAgain = async (user, name) => {
  await user.request("/api/logout", {});
  await fillLogin(user, name);
};

const assertAccessible = async (page, state) =>
  assert.deepEqual((await findViolations(page)).violations, [], state);

test("a passkey is added, logs in and is removed", async () => {
  const ann = await openUser({ name: "KeyAnn" });
  const { page } = ann;
  await ann.visit("/account", "#passkeys >> text=No passkeys yet.");
  await page.click("#passkeys >> text=Add a passkey");
  await page.click("dialog [type=submit]");
  await page.waitForSelector("dialog .form-error:not(:empty)");
  await page.fill("dialog [name=name]", "My phone");
  await page.fill("dialog [name=password]", "not-the-password");
  await page.click("dialog [type=submit]");
  await page.waitForSelector("dialog .form-error >> text=not your current password");
  await page.fill("dialog [name=password]", PASSWORD);
  await assertAccessible(page, "dialog that adds a passkey");
  await page.click("dialog [type=submit]");
  await page.waitForSelector("text=Passkey added.");
  await page.waitForSelector("#passkeys li >> text=My phone");
  await page.waitForSelector("#passkeys >> text=never used");
  await page.waitForSelector("#passkeys >> text=you need a recovery word");
  await assertAccessible(page, "account page with a passkey");
  assert.equal((await ann.credentials()).length, 1);

  await logInAgain(ann, "KeyAnn");
  assert.equal(await page.locator("[name=code]").isVisible(), false);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Use a passkey");
  await assertAccessible(page, "login with a passkey");
  await page.click("main [type=submit]");
  await page.waitForSelector(".form-error >> text=Use your passkey, or another way.");
  await page.click("text=Use a passkey");
  await page.waitForSelector("header >> text=KeyAnn");

  await ann.visit("/account", "#passkeys >> text=last used");
  await page.click("#passkeys li button");
  await page.fill("dialog [name=password]", PASSWORD);
  await page.click("dialog [type=submit]");
  await page.click("dialog >> text=Use a passkey");
  await page.waitForSelector("text=Passkey removed.");
  await page.waitForSelector("#passkeys >> text=No passkeys yet.");
  await ann.request("/api/logout", {});
  await ann.visit("/login#login", "form");
  await page.fill("[name=username]", "KeyAnn");
  await page.fill("[name=password]", PASSWORD);
  await page.click("main [type=submit]");
  await page.waitForSelector("header >> text=KeyAnn");
  assertNoErrors(server, [ann], /40[013]/);
});

test("refusals say what to do next", async () => {
  const bob = await openUser({ name: "KeyBob" });
  const { page } = bob;
  await bob.visit("/account", "#passkeys >> text=No passkeys yet.");
  await bob.send("setUserVerified", { isUserVerified: false });
  await addPasskey(bob, "Not verified");
  await page.waitForSelector("dialog .form-error >> text=No passkey was created");
  await bob.send("setUserVerified", { isUserVerified: true });
  await page.click("dialog [type=submit]");
  await page.waitForSelector("#passkeys li >> text=Not verified");
  // The same device again: the prompt asks for the second factor first.
  await addPasskey(bob, "Again");
  await page.click("dialog >> text=Use a passkey");
  await page.waitForSelector("dialog .form-error >> text=has a passkey of your account already");
  await page.keyboard.press("Escape");

  // Without verification, Chromium closes the prompt as if the user had.
  await bob.send("setUserVerified", { isUserVerified: false });
  await logInAgain(bob, "KeyBob");
  await page.click("text=Use a passkey");
  await page.waitForSelector(".code-field .form-error >> text=No passkey was used");
  await bob.send("setUserVerified", { isUserVerified: true });
  await page.click("text=Use a passkey");
  await page.waitForSelector("header >> text=KeyBob");

  // A copy of the key, with the counter of its beginning.
  const [{ credentialId, ...copied }] = await bob.credentials();
  await bob.send("removeCredential", { credentialId });
  await bob.send("addCredential", { credential: { ...copied, credentialId, signCount: 0 } });
  await logInAgain(bob, "KeyBob");
  await page.click("text=Use a passkey");
  await page.waitForSelector(".form-error >> text=seems to have been copied");
  // The next challenge is requested by the button.
  await bob.send("removeCredential", { credentialId });
  await page.click("text=Use a passkey");
  await page.waitForSelector(".code-field .form-error >> text=No passkey was used");
  server.admin("remove-second-factor", "KeyBob");
  await page.click("main [type=submit]");
  await page.waitForSelector("header >> text=KeyBob");
  assertNoErrors(server, [bob], /40[0139]/);
});

test("a lost passkey is replaced by a code or a word", async () => {
  const eve = await openUser({ name: "KeyEve" });
  const { words } = await eve.post("/api/account/recovery", { password: PASSWORD });
  const { secret } = await eve.post("/api/account/totp", { password: PASSWORD });
  await eve.post("/api/account/totp/confirm", { code: totpCode(secret) });
  await eve.visit("/account", "#passkeys >> text=No passkeys yet.");
  await addPasskey(eve, "Key");
  await eve.page.fill("dialog [name=code]", totpCode(secret, 1));
  await eve.page.click("dialog [type=submit]");
  await eve.page.waitForSelector("#passkeys li >> text=Key");
  // Another device, without the passkey.
  const elsewhere = await openUser(PHONE);
  await fillLogin(elsewhere, "KeyEve");
  const { page } = elsewhere;
  await page.click("text=Use a passkey");
  await page.waitForSelector(".code-field .form-error >> text=No passkey was used");
  assert.equal(await page.locator("[name=code]").isVisible(), true);
  await page.click("text=Use a recovery word instead");
  await page.fill("[name=code]", words[0]);
  await page.click("main [type=submit]");
  await page.waitForSelector("header >> text=KeyEve");
  // It is removed while the other device asks for it.
  await logInAgain(eve, "KeyEve");
  const { passkeys } = await elsewhere.get("/api/account/second-factor");
  const removal = { password: PASSWORD, code: words[1] };
  await elsewhere.post(`/api/account/passkeys/${passkeys[0].id}/remove`, removal);
  await eve.page.click("text=Use a passkey");
  await eve.page.waitForSelector("main .form-error >> text=was not accepted");
  assertNoErrors(server, [eve, elsewhere], /40[13]/);
});

test("a page by an IP address offers no passkeys", async () => {
  const kim = await openUser({ name: "KeyKim" });
  const { words } = await kim.post("/api/account/recovery", { password: PASSWORD });
  await kim.visit("/account", "#passkeys >> text=No passkeys yet.");
  await addPasskey(kim, "Key");
  await kim.page.waitForSelector("#passkeys li >> text=Key");
  const elsewhere = await User.open(browser, server, {}, null);
  const { page } = elsewhere;
  await fillLogin(elsewhere, "KeyKim");
  await page.waitForSelector("text=Your passkey does not work at this address");
  assert.equal(await page.locator("text=Use a passkey").isVisible(), false);
  await page.click("main [type=submit]");
  await page.waitForSelector(".form-error >> text=Enter a recovery word.");
  await page.fill("[name=code]", words[0]);
  await page.click("main [type=submit]");
  await page.waitForSelector("header >> text=KeyKim");
  await elsewhere.visit("/account", "#passkeys li");
  assert.equal(await page.locator("text=Add a passkey").isVisible(), false);
  // A recovery word is no second factor beside another.
  await elsewhere.request("/api/logout", {});
  await elsewhere.visit("/login#forgot", "[name=word]");
  await page.fill("[name=username]", "KeyKim");
  await page.fill("[name=word]", words[1]);
  await page.fill("[name=password]", PASSWORD);
  await page.click("main [type=submit]");
  await page.waitForSelector(".form-error >> text=This takes your passkey");
  assert.equal(await page.locator("[name=code]").isVisible(), false);
  const other = await User.open(browser, server, { name: "KeyLea" }, null);
  await other.visit("/account", "#second-factor >> text=No authenticator app yet.");
  assert.equal(await other.page.locator("#passkeys").isVisible(), false);
  assertNoErrors(server, [kim, elsewhere, other], /40[13]/);
});

test("the field follows a change of the second factors", async () => {
  const mia = await openUser({ name: "KeyMia" });
  const { page } = mia;
  const { words } = await mia.post("/api/account/recovery", { password: PASSWORD });
  await mia.visit("/account", "#passkeys >> text=No passkeys yet.");
  await addPasskey(mia, "Key");
  await page.waitForSelector("#passkeys li >> text=Key");
  const elsewhere = await openUser(PHONE);
  const login = { username: "KeyMia", password: PASSWORD, code: words[0] };
  await elsewhere.post("/api/login", login);
  await logInAgain(mia, "KeyMia");
  assert.equal(await page.locator("[name=code]").isVisible(), false);
  const proof = { password: PASSWORD, code: words[1] };
  const { secret } = await elsewhere.post("/api/account/totp", proof);
  await elsewhere.post("/api/account/totp/confirm", { code: totpCode(secret) });
  await page.click("main [type=submit]");
  await page.fill("[name=code]", totpCode(secret, 1));
  await page.click("main [type=submit]");
  await page.waitForSelector("header >> text=KeyMia");
  // A list that cannot be loaded shows the section with the error.
  await page.route("**/api/account/second-factor", (route) => route.abort());
  await mia.visit("/account", "#passkeys li.soft");
  assertNoErrors(server, [mia, elsewhere], /403|ERR_FAILED/);
});

test("the forms fit small phones in all languages and themes", async () => {
  const fay = await openUser({ name: "KeyFay", ...SMALL_PHONE, colorScheme: "dark" });
  await fay.visit("/account", "#passkeys:not([hidden])");
  await fay.page.click("#passkeys .users-actions button");
  await fay.page.fill("dialog [name=name]", "A name of up to forty characters, or so.");
  assert.equal(await horizontalOverflow(fay.page), 0);
  assert.deepEqual(await smallTargets(fay.page), []);
  await screenshot(fay.page, "passkey-dialog-dark");
  await fay.page.fill("dialog [name=password]", PASSWORD);
  await fay.page.click("dialog [type=submit]");
  await fay.page.waitForSelector("#passkeys li");
  await fay.page.locator("#passkeys").scrollIntoViewIfNeeded();
  assert.equal(await horizontalOverflow(fay.page), 0);
  assert.deepEqual(await smallTargets(fay.page), []);
  await screenshot(fay.page, "passkey-list-dark");
  for (const locale of ["en-GB", "nl-NL", "sv-SE"]) {
    const user = await openUser({ ...SMALL_PHONE, locale });
    await fillLogin(user, "KeyFay");
    await user.page.click(".code-field button:not(.btn-quiet)");
    await user.page.waitForSelector(".code-field .form-error:not(:empty)");
    assert.equal(await horizontalOverflow(user.page), 0, locale);
    await assertAccessible(user.page, `login with a passkey, ${locale}`);
    assert.deepEqual(await smallTargets(user.page), [], locale);
    await screenshot(user.page, `passkey-login-${locale}`);
    assertNoErrors(server, [user], /40[13]/);
  }
  assertNoErrors(server, [fay], /40[13]/);
});
