// Account page: profile, password, sessions, API tokens, closing, and a guest's personal link.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { User, startServerAndBrowser, waitUntil } from "./support/server.mjs";
import { PASSWORD } from "./support/player.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";

const { server, browser } = await startServerAndBrowser();

/** Opens a player with an account, outside the lobby, which redirects to each new game. */
const openUser = (name) => User.open(browser, server, { name }, null);

/** Logs an account in from a second browser. */
const logInElsewhere = async (name, password) => {
  const user = await User.open(browser, server, {}, null);
  const { status } = await user.request("/api/login", { username: name, password });
  assert.equal(status, 200);
  user.name = `${name} elsewhere`;
  return user;
};

test("the account page changes profile, password and sessions", async () => {
  const fay = await openUser("Fay");
  const { page } = fay;
  await fay.visit("/account", "[name=bio]");
  await page.fill("[name=bio]", "Plays <i>slowly</i>.");
  await page.fill("input[name=location]", "Lund");
  await page.click(".account-section >> text=Save");
  await page.waitForSelector(".toast >> text=Saved");
  await fay.visit("/@/Fay", ".player-bio");
  assert.equal(await page.textContent(".player-bio"), "Plays <i>slowly</i>.");
  assert.match(await page.textContent(".player-facts"), /Lund/);

  const other = await logInElsewhere("Fay", PASSWORD);
  await fay.visit("/account", ".account-list li >> nth=1");
  // The guest session from before the sign-up may be listed: ends all other sessions.
  const sessions = page.locator("[aria-label='Where you are logged in'] li");
  for (let remaining = await sessions.count(); remaining > 1; remaining -= 1) {
    await page.click(".account-list li:not(:has-text('This device')) >> text=Log out");
    await page.waitForFunction(
      (count) =>
        document.querySelectorAll("[aria-label='Where you are logged in'] li").length === count,
      remaining - 1,
    );
  }
  assert.notEqual((await other.request("/api/account")).body.username, "Fay");

  const third = await logInElsewhere("Fay", PASSWORD);
  await page.fill("[name=old]", "not-the-password");
  await page.fill("[name=new]", "battery-staple");
  await page.click("text=Change the password");
  await page.waitForSelector(".form-error >> text=not your current password");
  await page.fill("[name=old]", PASSWORD);
  await page.click("text=Change the password");
  await page.waitForSelector(".toast >> text=Changed");
  assert.notEqual((await third.request("/api/account")).body.username, "Fay");
  assert.equal((await fay.request("/api/account")).body.username, "Fay");
  assert.equal(
    (await third.request("/api/login", { username: "Fay", password: PASSWORD })).status,
    401,
  );

  const last = await logInElsewhere("Fay", "battery-staple");
  await page.click(".account-section >> text=Log out everywhere");
  await page.click("dialog .btn");
  await page.waitForURL(/\/login/);
  for (const user of [fay, last])
    assert.notEqual((await user.request("/api/account")).body.username, "Fay");
  assertNoErrors(server, [fay, other, third, last], /40[13]/);
});

test("API token is created, shown once, used and deleted", async () => {
  const gil = await openUser("Gil");
  const { page } = gil;
  await gil.visit("/account", "#tokens summary");
  await page.click("#tokens summary");
  await page.fill("#tokens [name=description]", "My program");
  await page.check("#tokens [value='challenge:read']");
  await page.selectOption("#tokens [name=days]", "30");
  await page.fill("#tokens [name=password]", "not-the-password");
  await page.click("#tokens >> text=Create token");
  await page.waitForSelector("#tokens .form-error >> text=not your current password");
  assert.equal(await page.locator(".account-secret input").count(), 0);
  await page.fill("#tokens [name=password]", PASSWORD);
  await page.click("#tokens >> text=Create token");
  const token = await page.inputValue(".account-secret input");
  assert.match(token, /^spr_/);
  // The clipboard rejects the write: the page reports the failure and selects the token.
  await page.evaluate(() =>
    Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error("no leave")) }),
  );
  await page.click(".account-secret button");
  await page.waitForSelector(".toast >> text=Not copied");
  assert.equal(await page.evaluate(() => getSelection().toString()), token);
  await page.waitForSelector("#tokens li >> text=never used · valid until");
  const bearer = { headers: { authorization: `Bearer ${token}` } };
  const allowed = await fetch(`${server.url}/api/challenge`, bearer);
  assert.equal(allowed.status, 200);
  const rejected = await fetch(`${server.url}/api/challenge`, {
    ...bearer,
    method: "POST",
    body: new URLSearchParams({ variant: "hogga" }),
  });
  assert.deepEqual([rejected.status, (await rejected.json()).reason], [403, "missingScope"]);
  await page.reload();
  await page.waitForSelector("#tokens li >> text=last used");
  assert.equal(await page.locator(".account-secret input").count(), 0, "a token is shown once");
  await page.click("#tokens li >> text=Delete");
  await page.waitForSelector("text=You have no tokens");
  assert.equal((await fetch(`${server.url}/api/challenge`, bearer)).status, 401);
  assertNoErrors(server, [gil], /403/);
});

test("a new password ends API tokens, unless the player keeps them", async () => {
  const uma = await openUser("Uma");
  const { page } = uma;
  const { token } = (await uma.request("/api/token", { scopes: "challenge:read" })).body;
  const bearer = { headers: { authorization: `Bearer ${token}` } };
  const statusOfToken = async () => (await fetch(`${server.url}/api/challenge`, bearer)).status;
  await uma.visit("/account", ".account-section");
  await page.waitForSelector("text=from 127.0.0.1");
  const change = async (/** @type {string} */ old, /** @type {string} */ next) => {
    await page.fill("[name=old]", old);
    await page.fill("[name=new]", next);
    await page.click("text=Change the password");
    await page.waitForSelector(".toast >> text=Password changed");
    await page.waitForSelector(".toast", { state: "detached" });
  };
  await page.check("text=Keep my API tokens");
  await change(PASSWORD, "battery-staple");
  assert.equal(await statusOfToken(), 200);
  await page.uncheck("text=Keep my API tokens");
  await change("battery-staple", "correct-staple");
  assert.equal(await statusOfToken(), 401);
  await page.waitForSelector("text=You have no tokens");
  assert.equal(await page.locator("text=Keep my API tokens").isVisible(), false);
  assertNoErrors(server, [uma]);
});

test("a player chooses who may challenge them", async () => {
  const [lou, mia] = [await openUser("Lou"), await openUser("Mia")];
  const { page } = lou;
  const challenge = async () => {
    const fields = { variant: "hogga", days: 3, rated: true };
    const { status, body } = await mia.request("/api/challenge/lou", fields);
    return status === 200 ? "ok" : body.reason;
  };
  await lou.visit("/account", "#challenges input");
  assert.equal(await page.locator("#challenges input:checked").inputValue(), "accounts");
  assert.equal(await challenge(), "ok");
  await page.check("#challenges >> text=Nobody");
  await page.waitForSelector(".toast >> text=Saved");
  assert.equal(await challenge(), "noChallenges");
  await page.check("#challenges >> text=Everyone");
  await page.waitForSelector(".toast", { state: "detached" });
  await page.click("#challenges .switch");
  await page.waitForSelector(".toast >> text=Saved");
  assert.equal(await challenge(), "casualOnly");
  await page.reload();
  await page.waitForSelector("#challenges input");
  assert.equal(await page.locator("#challenges input:checked").inputValue(), "everyone");
  assert.equal(await page.getAttribute("#challenges .switch", "aria-checked"), "true");

  // Arrow keys select one option after the other; the last one is stored.
  await page.focus("#challenges [value=everyone]");
  for (let presses = 0; presses < 2; presses++) await page.keyboard.press("ArrowDown");
  await waitUntil("the last option is stored", async () => {
    const { body } = await lou.request("/api/account/challenges");
    return body.audience === "nearRating";
  });
  await page.waitForSelector(".toast >> text=Saved");

  // After a failure the page shows what is stored, and keeps the focus.
  await page.route("**/api/account/challenges", (route) => route.abort());
  await page.keyboard.press("ArrowDown");
  await page.waitForSelector("#challenges .form-error:not([hidden])");
  assert.equal(await page.locator("#challenges input:checked").inputValue(), "nearRating");
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("name")), "audience");
  await page.unroute("**/api/account/challenges");

  // The form shows the reason of a refusal.
  await mia.visit("/lobby?to=lou", ".challenge-form [type=submit]");
  await mia.page.click(".challenge-form [type=submit]");
  await mia.page.waitForSelector(".challenge-form .form-error >> text=casual challenges only");
  assertNoErrors(server, [lou, mia], /403|ERR_FAILED/);
});

test("closing an account requires password and name, keeps games", async () => {
  const [hal, ivo] = [await openUser("Hal"), await openUser("Ivo")];
  await hal.beat(ivo, "knightFight");
  const { page } = hal;
  await hal.visit("/account", ".account-section");
  await page.click(".account-section >> text=Close the account…");
  await page.fill("dialog [name=password]", "not-the-password");
  await page.fill("dialog [name=typed]", "Somebody");
  await page.click("dialog >> text=Close it for good");
  await page.waitForSelector("dialog .form-error >> text=Type Hal to confirm");
  await page.fill("dialog [name=typed]", "Hal");
  await page.click("dialog >> text=Close it for good");
  await page.waitForSelector("dialog .form-error >> text=not your current password");
  await page.fill("dialog [name=password]", PASSWORD);
  await page.click("dialog >> text=Close it for good");
  await page.waitForURL(`${server.url}/`);
  assert.notEqual((await hal.request("/api/account")).body.username, "Hal");
  assert.equal(
    (await hal.request("/api/login", { username: "Hal", password: PASSWORD })).status,
    401,
  );
  await ivo.visit("/@/Hal", ".game-row");
  await ivo.page.waitForSelector("text=This account is closed");
  assert.equal(await ivo.page.locator(".player-head .btn").count(), 0);
  assert.equal(await ivo.page.locator(".rating-list").count(), 0);
  assertNoErrors(server, [hal, ivo], /403/);
});

test("a player downloads all data and erases the account", async () => {
  const [wim, xia] = [await openUser("Wim"), await openUser("Xia")];
  const game = await wim.beat(xia, "knightFight");
  const { page } = wim;
  await wim.visit("/account", ".account-section");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.click("text=Download your data"),
  ]);
  assert.equal(download.suggestedFilename(), "sprong-wim-archive.ndjson");
  const lines = readFileSync(await download.path(), "utf8")
    .trim()
    .split("\n");
  const archive = lines.filter((line) => line).map((line) => JSON.parse(line));
  assert.deepEqual(
    archive.filter(({ type }) => type === "game").map(({ data }) => data.id),
    [game],
  );
  await page.click(".account-section >> text=Delete account and data…");
  await page.waitForSelector("dialog >> text=under a name such as deleted-");
  await page.fill("dialog [name=password]", PASSWORD);
  await page.fill("dialog [name=typed]", "Somebody");
  await page.click("dialog >> text=Delete everything for good");
  await page.waitForSelector("dialog .form-error >> text=Type Wim to confirm");
  await page.fill("dialog [name=typed]", "Wim");
  await page.click("dialog >> text=Delete everything for good");
  await page.waitForURL(`${server.url}/`);
  // The erasure follows in the background.
  await waitUntil(
    "the name is gone",
    async () => (await xia.request("/api/user/Wim")).status === 404,
  );
  await xia.visit(`/${game}`, ".game-board svg");
  await xia.page.waitForSelector(".game-player >> text=/^deleted-/");
  assertNoErrors(server, [wim, xia], /404/);
});

test("personal link restores a guest in another browser", async () => {
  const guest = await User.open(browser, server);
  const other = await User.open(browser, server, {}, null);
  const { username } = (await guest.request("/api/account")).body;
  await guest.visit("/account", ".account-section");
  assert.match(await guest.page.textContent(".account-section h2"), new RegExp(username));
  await guest.page.click("text=Create a link");
  const link = await guest.page.inputValue(".account-secret input");
  assert.match(link, /\/come#./);
  // The origin of the link can differ from the address that the test uses.
  const { pathname, hash } = new URL(link);
  await other.page.goto(server.url + pathname + hash);
  await other.page.waitForURL(`${server.url}/`);
  await other.page.waitForSelector(`header >> text=${username}`, { state: "attached" });
  assert.equal((await other.request("/api/account")).body.username, username);
  await guest.page.click("text=Create a link");
  await guest.page.waitForFunction(
    (previous) => document.querySelector(".account-secret input").value !== previous,
    link,
  );
  const expired = await User.open(browser, server, {}, null);
  await expired.visit(pathname + hash, ".page-message");
  assert.match(await expired.page.textContent(".page-message"), /not valid anymore/);
  assertNoErrors(server, [guest, other, expired], /401/);
});

test("personal link asks before it replaces a signed-in account", async () => {
  const guest = await User.open(browser, server, {}, null);
  const [{ username }, { url }] = [
    await guest.post("/api/guest", {}),
    await guest.post("/api/account/link", {}),
  ];
  const { pathname, hash } = new URL(url);
  const kim = await openUser("Kim");
  await kim.visit(pathname + hash, ".page-message .btn");
  assert.match(await kim.page.textContent(".page-message"), new RegExp(`as Kim.*for ${username}`));
  assert.equal((await kim.request("/api/account")).body.username, "Kim");
  await kim.page.click(".page-message a:text-is('Stay Kim')");
  await kim.page.waitForURL(`${server.url}/`);
  assert.equal((await kim.request("/api/account")).body.username, "Kim");
  await kim.visit(pathname + hash, ".page-message .btn");
  await kim.page.click(`.page-message button:text-is("Continue as ${username}")`);
  await kim.page.waitForURL(`${server.url}/`);
  await kim.page.waitForSelector(`header >> text=${username}`, { state: "attached" });
  assert.equal((await kim.request("/api/account")).body.username, username);
  assertNoErrors(server, [guest, kim], /409/);
});
