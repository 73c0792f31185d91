// Moderator actions that players see: a deleted chat line, a warning, a new name, and the answer to
// an appeal against a closed account.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkView, moderatorOpener, takeAction } from "./support/moderator.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { PASSWORD } from "./support/player.mjs";
import { User, startServerAndBrowser } from "./support/server.mjs";
import { PHONE, SMALL_PHONE } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();

const openUser = (options) => User.open(browser, server, options, null);

const openModerator = moderatorOpener({ server, browser });

test("a deleted chat line disappears from an open game", async () => {
  const [ann, bob] = await Promise.all(["Ann", "Bob"].map((name) => openUser({ name })));
  const mo = await openModerator("MoChat", SMALL_PHONE);
  const game = await ann.startGame(bob, "caterpillarWar", { days: 3 });
  await ann.visit(`/${game}`, ".chat-panel");
  await bob.post(`/api/board/game/${game}/chat`, { text: "Hello there" });
  await bob.post(`/api/board/game/${game}/chat`, { text: "You play like a sloth" });
  await ann.page.waitForSelector(".chat-panel li >> text=You play like a sloth");
  await ann.post("/api/report", { username: "Bob", reason: "abuse", text: "", game });

  const { page } = mo;
  await mo.visit("/admin?user=bob", "main >> text=Unkind words");
  await page.click("main >> text=Show the chat");
  const line = page.locator(".admin-chat li", { hasText: "sloth" });
  await line.locator("button").click();
  await page.click("dialog [type=submit]");
  await page.waitForSelector("dialog .form-error >> text=Write a reason.");
  await page.fill("dialog [name=reason]", "Unkind");
  await checkView(page, "delete-line-phone");
  await page.click("dialog [type=submit]");
  await page.waitForSelector(".admin-chat li >> text=Deleted by a moderator");
  await checkView(page, "deleted-line-phone");
  await ann.page.waitForSelector(".chat-panel li >> text=Deleted by a moderator");
  assert.equal(await ann.page.locator(".chat-panel li", { hasText: "sloth" }).count(), 0);
  assert.equal(await ann.page.locator(".chat-panel li", { hasText: "Hello there" }).count(), 1);
  await mo.visit("/admin?view=log", ".account-list li >> text=Chat line deleted");
  assertNoErrors(server, [ann, bob, mo]);
});

test("a warning stays until it is confirmed", async () => {
  const cas = await openUser({ name: "Cas", ...PHONE });
  const mo = await openModerator("MoWarn");
  await cas.visit("/players", "main h1");
  await mo.visit("/admin?user=cas", "#actions");
  await takeAction(mo.page, "warn", { text: "Please be kind.\nAlways." });
  await mo.page.waitForSelector("main >> text=not read yet");
  await checkView(mo.page, "warned-desktop");
  // An open page shows it, and every other page until it is confirmed.
  const dialog = "dialog >> text=Please be kind.";
  await cas.page.waitForSelector(dialog);
  await cas.page.keyboard.press("Escape");
  await cas.page.keyboard.press("Escape");
  await cas.page.waitForSelector(dialog);
  await checkView(cas.page, "warning-phone");
  for (const path of ["/lobby", "/players"]) {
    await cas.page.goto(`${server.url}${path}`);
    await cas.page.waitForSelector(dialog);
  }
  const other = await cas.page.context().newPage();
  await other.goto(`${server.url}/players`);
  await other.waitForSelector(dialog);
  await cas.page.click("text=I have read this");
  await cas.page.waitForSelector("dialog", { state: "detached" });
  // Another tab can confirm it, too.
  await other.click("text=I have read this");
  await other.waitForSelector("dialog", { state: "detached" });
  await mo.page.reload();
  await mo.page.waitForSelector("main >> text=read on");
  assertNoErrors(server, [cas, mo]);
});

test("a warning that cannot be confirmed can be closed", async () => {
  const fay = await openUser({ name: "Fay", ...PHONE });
  server.admin("warn", "fay", "Please be kind.");
  const { page } = fay;
  await page.route("**/api/account/warnings/*/read", (route) => route.abort());
  await page.goto(`${server.url}/players`);
  await page.click("dialog >> text=I have read this");
  await page.waitForSelector("dialog .form-error:not(:empty)");
  await checkView(page, "unconfirmed-phone");
  await page.click("dialog >> text=Close");
  await page.waitForSelector("dialog", { state: "detached" });
  await page.unroute("**/api/account/warnings/*/read");
  await page.reload();
  await page.click("dialog >> text=I have read this");
  await page.waitForSelector("dialog", { state: "detached" });
  assertNoErrors(server, [fay], /Failed to load resource/);
});

test("a renamed player stays signed in", async () => {
  const dan = await openUser({ name: "Dan" });
  const mo = await openModerator("MoName", SMALL_PHONE);
  await dan.visit("/players", "header >> text=Dan");
  await mo.visit("/admin?user=dan", "#actions");
  await mo.page.selectOption("[name=action]", "rename");
  await checkView(mo.page, "rename-phone");
  await takeAction(mo.page, "rename", { name: "" });
  await mo.page.waitForSelector("h2 >> text=/^player-[0-9]{6}$/");
  await dan.page.waitForSelector("dialog >> text=A moderator has changed your name to player-");
  await dan.page.click("text=I have read this");
  await dan.page.waitForSelector("dialog", { state: "detached" });
  await dan.page.reload();
  await dan.page.waitForSelector("header >> text=/^player-[0-9]{6}$/");
  assertNoErrors(server, [mo]);
});

test("the player of a closed account writes to the moderators", async () => {
  const eve = await openUser({ name: "Eve", ...PHONE });
  const mo = await openModerator("MoAppeal");
  await mo.visit("/admin?user=eve", "#actions");
  await takeAction(mo.page, "close", {});

  const { page } = eve;
  const logIn = async () => {
    await page.goto(`${server.url}/privacy`);
    await page.goto(`${server.url}/login#login`);
    await page.fill("[name=username]", "Eve");
    await page.fill("[name=password]", PASSWORD);
    await page.click("main [type=submit]");
    await page.waitForSelector("text=A moderator has closed this account");
  };
  await logIn();
  await checkView(page, "closed-phone");
  await page.click("main >> text=Write to the moderators");
  await page.fill("dialog [name=text]", "I will be kind");
  await checkView(page, "appeal-phone");
  await page.click("dialog [type=submit]");
  await page.waitForSelector("main >> text=Your message has been sent to the moderators.");
  await logIn();
  await page.waitForSelector("main >> text=Your message to the moderators is not answered yet.");

  await mo.visit("/admin?view=appeals", ".account-list >> text=I will be kind");
  await checkView(mo.page, "appeals-desktop");
  await mo.page.click(".account-list a");
  await mo.page.waitForSelector("main >> text=I will be kind");
  await takeAction(mo.page, "decline-appeal", {});
  await mo.page.waitForSelector("main >> text=Declined on");
  await checkView(mo.page, "declined-desktop");
  await logIn();
  await page.waitForSelector("main >> text=The moderators have declined your appeal.");
  assertNoErrors(server, [mo]);
});
