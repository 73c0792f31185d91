// Moderator actions on an account: chat that is allowed again, an empty profile, and notes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkView, moderatorOpener, takeAction } from "./support/moderator.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { User, startServerAndBrowser } from "./support/server.mjs";
import { SMALL_PHONE } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();

const openUser = (name) => User.open(browser, server, { name }, null);

const openModerator = moderatorOpener({ server, browser });

/** Returns the actions that the page offers. */
const offeredActions = (page) =>
  page.locator("[name=action] option").evaluateAll((options) => options.map(({ value }) => value));

test("a muted player can chat again after an unmute", async () => {
  const [ann, bob] = await Promise.all(["Ann", "Bob"].map(openUser));
  const mo = await openModerator("MoUnmute");
  const { page } = mo;
  const game = await ann.startGame(bob, "caterpillarWar", { days: 3 });
  const chat = `/api/board/game/${game}/chat`;
  await mo.visit("/admin?user=bob", "#actions");
  assert.ok(!(await offeredActions(page)).includes("unmute"));
  await takeAction(page, "mute", {});
  await page.waitForSelector(".admin-state >> text=Chat is off");
  assert.equal((await bob.request(chat, { text: "May I?" })).body.reason, "muted");

  await takeAction(page, "unmute", { reason: "It was a joke" });
  await page.waitForSelector(".admin-state", { state: "detached" });
  assert.ok(!(await offeredActions(page)).includes("unmute"));
  await page.waitForSelector("section >> li >> text=Chat allowed again");
  await page.waitForSelector("section >> li >> text=It was a joke");
  await ann.visit(`/${game}`, ".chat-panel");
  await bob.post(chat, { text: "Thank you" });
  await ann.page.waitForSelector(".chat-panel li >> text=Thank you");
  await mo.visit("/admin?view=log", ".account-list li >> text=Chat allowed again");
  assertNoErrors(server, [ann, bob, mo]);
});

test("an emptied profile is gone from the page of the player", async () => {
  const cas = await openUser("Cas");
  const mo = await openModerator("MoProfile", SMALL_PHONE);
  const { page } = mo;
  await mo.visit("/admin?user=cas", "#actions");
  assert.ok(!(await offeredActions(page)).includes("clear-profile"));
  await cas.visit("/account", "[name=bio]");
  await cas.page.fill("[name=bio]", "Buy my cheap coins");
  await cas.page.fill("input[name=location]", "coins.example");
  await cas.page.click(".account-section >> text=Save");
  await cas.page.waitForSelector(".toast >> text=Saved");
  const visitor = await User.open(browser, server, {}, "/@/Cas");
  await visitor.page.waitForSelector(".player-bio >> text=Buy my cheap coins");
  assert.match(await visitor.page.textContent(".player-facts"), /coins\.example/);

  await page.reload();
  await page.waitForSelector("main .admin-text >> text=Buy my cheap coins");
  await page.waitForSelector("main .admin-text >> text=coins.example");
  await takeAction(page, "clear-profile", { reason: "Advertising" });
  await page.waitForSelector("section >> li >> text=Profile emptied");
  assert.equal(await page.locator("main >> text=coins").count(), 0);
  assert.ok(!(await offeredActions(page)).includes("clear-profile"));
  await checkView(page, "emptied-profile-small");

  await visitor.page.reload();
  await visitor.page.waitForSelector(".player-facts");
  assert.equal(await visitor.page.locator(".player-bio").count(), 0);
  assert.doesNotMatch(await visitor.page.innerText("main"), /coins/);
  await cas.visit("/account", "[name=bio]");
  assert.equal(await cas.page.inputValue("[name=bio]"), "");
  assert.equal(await cas.page.inputValue("input[name=location]"), "");
  assertNoErrors(server, [cas, mo, visitor]);
});

test("a note is read by other moderators, not by the player", async () => {
  const dan = await openUser("Dan");
  const mo = await openModerator("MoNote");
  const colleague = await openModerator("MoOther", SMALL_PHONE);
  await mo.visit("/admin?user=dan", "#actions");
  await takeAction(mo.page, "note", { reason: "Shares a computer\nwith a brother" });
  const note = "section >> li >> text=Shares a computer";
  await mo.page.waitForSelector(note);
  // A note changes nothing that players see.
  assert.equal(await mo.page.locator(".admin-state").count(), 0);

  await colleague.visit("/admin?user=dan", note);
  const row = colleague.page.locator("section li", { hasText: "Shares a computer" });
  assert.match(await row.innerText(), /^Note\nShares a computer\nwith a brother\n.* by MoNote$/);
  await checkView(colleague.page, "note-small");
  await colleague.visit("/admin?view=log", ".account-list li >> text=Shares a computer");

  for (const [path, ready] of [
    ["/@/Dan", ".player-facts"],
    ["/account", "[aria-label='Where you are logged in'] li"],
  ]) {
    await dan.visit(path, ready);
    assert.doesNotMatch(await dan.page.innerText("main"), /brother/, path);
  }
  const archive = await dan.page.context().request.get(`${server.url}/api/account/archive`);
  assert.equal(archive.status(), 200);
  assert.doesNotMatch(await archive.text(), /brother/);
  assertNoErrors(server, [dan, mo, colleague]);
});
