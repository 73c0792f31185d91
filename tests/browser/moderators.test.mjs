// The moderators' page: the queue, an account with its reports and the chat of a game, actions with
// an end, the log, and the log-in of a closed account.
import assert from "node:assert/strict";
import { test } from "node:test";
import { editDatabase } from "./support/database.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { PASSWORD } from "./support/player.mjs";
import { User, startServerAndBrowser, waitUntil } from "./support/server.mjs";
import { screenshotThemes } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();

const openUser = (options) => User.open(browser, server, options, null);

const PHONE = { viewport: { width: 360, height: 640 } };

/** Takes an action on the account of the page. */
const takeAction = async (page, { action, days, reason }) => {
  await page.selectOption("[name=action]", action);
  if (days !== undefined) await page.selectOption("[name=days]", String(days));
  await page.fill("[name=reason]", reason);
  await page.click("#actions [type=submit]");
};

test("a moderator works through the queue", async () => {
  const [ann, bob] = await Promise.all(["Ann", "Bob"].map((name) => openUser({ name })));
  const mo = await openUser({ name: "Mo", ...PHONE });
  const { page } = mo;
  const game = await ann.startGame(bob, "caterpillarWar", { days: 3 });
  await bob.post(`/api/board/game/${game}/chat`, { text: "You play like a <b>sloth</b>" });
  const report = { username: "Bob", reason: "abuse", text: "He is\nunkind", game };
  await ann.post("/api/report", report);

  await mo.visit("/admin", "main >> text=Only moderators can do that.");
  assert.equal(await page.locator(".admin-nav").count(), 0);
  server.admin("grant-admin", "Mo");
  await mo.visit("/account", ".account-page");
  await page.click("main >> text=Moderation");
  await page.waitForSelector("main >> text=1 report · by 1 player");
  await page.click("main .account-list a >> text=Bob");

  await page.waitForSelector("h2 >> text=Bob");
  await page.waitForSelector("main >> text=Unkind words");
  assert.match(await page.locator("li > .admin-report").first().innerText(), /He is\nunkind/);
  await page.click("main >> text=Show the chat");
  await page.waitForSelector(".admin-chat >> text=You play like a <b>sloth</b>");

  await page.fill("[name=reason]", "  ");
  await page.click("#actions [type=submit]");
  await page.waitForSelector(".form-error >> text=Write a reason.");
  await takeAction(page, { action: "mute", days: 3, reason: "Unkind in a game" });
  await page.waitForSelector(".admin-state >> text=Chat is off until");
  await page.waitForSelector("main >> text=Unkind in a game");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Bob");
  await assert.rejects(bob.post(`/api/board/game/${game}/chat`, { text: "again" }));

  await takeAction(page, { action: "resolve", reason: "Muted" });
  await page.waitForSelector(".admin-report >> text=resolved");
  assert.equal(await page.locator("[name=action] option[value=resolve]").count(), 0);
  // The time is a part of the actions that can end.
  await page.selectOption("[name=action]", "note");
  assert.equal(await page.locator("[name=days]").isVisible(), false);
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - innerWidth <= 0);
  assert.equal(await overflow(), true);

  await page.click("nav[aria-label=Moderation] >> text=Reports by accounts");
  await page.waitForSelector("main >> text=No open reports.");
  await page.click("nav[aria-label=Moderation] >> text=Log");
  await page.waitForSelector(".account-list li >> text=Chat turned off");
  assert.equal(await page.locator(".account-list li").count(), 3);
  assert.equal(await overflow(), true);
  assertNoErrors(server, [ann, bob]);
});

test("an account that is closed for a time learns until when", async () => {
  const [mo, cas] = await Promise.all(["Moa", "Cas"].map((name) => openUser({ name })));
  server.admin("grant-admin", "Moa");
  await mo.visit("/@/Cas", ".player-head");
  await mo.page.click("main >> text=Moderate");
  await mo.page.waitForSelector("h2 >> text=Cas");
  await takeAction(mo.page, { action: "close", days: 7, reason: "Cheating" });
  await mo.page.waitForSelector(".admin-state >> text=Closed until");

  await cas.visit("/login#login", "form");
  await cas.page.fill("[name=username]", "Cas");
  await cas.page.fill("[name=password]", PASSWORD);
  await cas.page.click("main [type=submit]");
  await cas.page.waitForSelector("text=A moderator has closed this account until");
  await takeAction(mo.page, { action: "reopen", reason: "Another player" });
  await mo.page.waitForSelector(".admin-state", { state: "detached" });
  await cas.page.click("main [type=submit]");
  await cas.page.waitForSelector("header >> text=Cas");
  assertNoErrors(server, [mo]);
});

test("the page does not change the computer", async () => {
  const mo = await openUser({ name: "Mob" });
  server.admin("grant-admin", "Mob");
  await mo.visit("/admin", ".admin-nav");
  await mo.page.fill(".admin-search [name=user]", "sprong-3");
  await mo.page.click(".admin-search [type=submit]");
  await mo.page.waitForSelector("h2 >> text=Sprong-3");
  const actions = await mo.page.locator("[name=action] option").allInnerTexts();
  assert.deepEqual(actions, ["Note"]);
  await mo.page.waitForSelector("main >> text=are changed on the command line");
  assertNoErrors(server, [mo]);
  await mo.visit("/admin?user=nobody-here", ".page-message");
});

test("a moderator stops newcomers for a while", async () => {
  const mo = await openUser({ name: "MoStop", ...PHONE });
  server.admin("grant-admin", "MoStop");
  const { page } = mo;
  await mo.visit("/admin?view=arrivals", "h2 >> text=Newcomers");
  const submit = "main form.form-fields [type=submit]";
  await page.fill("[name=reason]", "Flood");
  await page.click(submit);
  await page.waitForSelector(".form-error >> text=Switch something first.");
  for (const name of ["New guests", "New accounts"])
    await page.getByRole("switch", { name }).press("Enter");
  await page.click(submit);
  await page.waitForSelector("text=Done, and in the log.");
  assert.equal(await page.inputValue("[name=reason]"), "");
  await page.reload();
  assert.equal(
    await page.getByRole("switch", { name: "New guests" }).getAttribute("aria-checked"),
    "false",
  );

  const context = await browser.newContext();
  const visitor = await context.newPage();
  for (const path of ["/players", "/", "/lobby"]) {
    await visitor.goto(`${server.url}${path}`);
    await visitor.waitForSelector("text=This site takes no new guests now.");
  }
  await visitor.click("main a[href='/login#login']");
  await visitor.waitForURL(/login#login/);
  await visitor.goto("about:blank");
  await visitor.goto(`${server.url}/login`);
  await visitor.fill("form [name=username]", "Newcomer");
  await visitor.fill("form [type=password]", PASSWORD);
  await visitor.click("form [type=submit]");
  await visitor.waitForSelector("text=Nobody can create an account now.");
  await visitor.goto(`${server.url}/login#login`);
  await visitor.fill("form [name=username]", "MoStop");
  await visitor.fill("form [type=password]", PASSWORD);
  await visitor.click("form [type=submit]");
  await visitor.waitForSelector("header >> text=MoStop");
  await context.close();

  await mo.visit("/admin?view=arrivals", "h2 >> text=Newcomers");
  for (const name of ["New guests", "New accounts"])
    await page.getByRole("switch", { name }).press("Enter");
  await page.fill("[name=reason]", "It is over");
  await page.click(submit);
  await page.waitForSelector("text=Done, and in the log.");
  await mo.visit("/admin?view=log", ".account-list li >> text=New accounts allowed");
  assert.equal(await page.locator(".account-list li >> text=Flood").count(), 2);
  await User.open(browser, server, {}, "/players");
  assertNoErrors(server, [mo]);
});

test("a moderator dismisses a finding of the fair play report", async () => {
  const [eve, dan] = await Promise.all(["Eve", "Dan"].map((name) => openUser({ name })));
  const game = await eve.startGame(dan, "caterpillarWar", { days: 3, rated: true });
  for (const player of [eve, dan]) {
    const { legal } = await player.get(`/api/game/${game}`);
    await player.post(`/api/board/game/${game}/move/${encodeURIComponent(legal[0])}`, {});
  }
  await dan.post(`/api/board/game/${game}/resign`, {});
  const mo = await openUser({ name: "MoFair" });
  const { page } = mo;
  server.admin("grant-admin", "MoFair");
  await mo.visit("/admin?view=suspicions", "main >> text=No open suspicions.");
  // The report does not look at games of the last minute.
  editDatabase(server, "UPDATE game SET ended_ms = ended_ms - 120000 WHERE ended_ms IS NOT NULL");
  server.admin("report-now");
  await waitUntil("the report is made", async () => {
    return (await mo.get("/api/admin/suspicions")).length > 0;
  });
  const [{ name, other }] = await mo.get("/api/admin/suspicions");
  assert.deepEqual([name, other].sort(), ["Dan", "Eve"]);
  await mo.visit("/admin?view=suspicions", `h3 >> text=${name}`);
  assert.equal(await page.getAttribute(".admin-games a", "href"), `/${game}`);
  await screenshotThemes(page, "suspicions", { fullPage: true });
  await page.click("h3 a");
  await page.waitForSelector("h2 >> text=Suspicions");
  await page.click("main >> text=Dismiss");
  await page.click("dialog [type=submit]");
  await page.waitForSelector("dialog .form-error >> text=Write a reason.");
  await page.fill("dialog [name=reason]", "Siblings");
  await page.click("dialog [type=submit]");
  await page.waitForSelector("text=Done, and in the log.");
  assert.equal(await page.locator(".admin-games").count(), 0);
  await mo.visit("/admin?view=suspicions", "main >> text=No open suspicions.");
  await mo.visit("/admin?view=log", ".account-list li >> text=Suspicion dismissed");
  assertNoErrors(server, [mo, eve, dan]);
});
