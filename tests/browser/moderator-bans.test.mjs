// Voided games and bans of devices on the moderators' page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkView, moderatorOpener } from "./support/moderator.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { PASSWORD } from "./support/player.mjs";
import { User, startServerAndBrowser } from "./support/server.mjs";
import { PHONE, SMALL_PHONE } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();

const openUser = (options) => User.open(browser, server, options, null);

const openModerator = moderatorOpener({ server, browser });

test("a voided game is marked on the pages of players", async () => {
  const [ann, bob] = await Promise.all([
    openUser({ name: "Ann", ...SMALL_PHONE }),
    openUser({ name: "Bob" }),
  ]);
  const mo = await openModerator("MoVoid", PHONE);
  const game = await ann.beat(bob, "hogga");

  const { page } = mo;
  await mo.visit("/admin?user=bob", "#games");
  await page.click("#games >> text=Show the last games");
  await page.click("#games .account-list >> text=Void");
  await page.fill("dialog [name=reason]", "Helped by an engine");
  await checkView(page, "void-phone");
  await page.click("dialog [type=submit]");
  await page.waitForSelector("#games >> text=voided by a moderator");
  assert.equal(await page.locator("#games >> text=Void this game").count(), 0);
  await checkView(page, "voided-phone");
  await mo.visit("/admin?view=log", ".account-list li >> text=Game voided");

  await ann.visit("/@/ann", "main >> text=voided by a moderator");
  await checkView(ann.page, "voided-list-small");
  await bob.visit(`/${game}`, "main >> text=voided by a moderator");
  await checkView(bob.page, "voided-game-desktop");
  assertNoErrors(server, [ann, bob, mo]);
});

test("a banned device is refused until the ban is lifted", async () => {
  const cas = await openUser({ name: "Cas", ...SMALL_PHONE });
  const mo = await openModerator("MoBan");
  const { page } = mo;
  // All browsers of this test share the address, also that of the moderator.
  await mo.visit("/admin?user=cas", "#origins a >> text=MoBan");
  await page.click("#origins >> text=Ban the address");
  await page.fill("dialog [name=reason]", "Flood");
  await page.click("dialog [type=submit]");
  await page.waitForSelector("dialog .form-error:not(:empty)");
  await page.keyboard.press("Escape");
  await page.click("#origins >> text=Ban the device");
  await page.fill("dialog [name=reason]", "Flood");
  await checkView(page, "ban-desktop");
  await page.click("dialog [type=submit]");
  await page.waitForSelector("text=Done, and in the log.");
  await page.waitForSelector("dialog", { state: "detached" });
  await page.waitForSelector("#origins >> text=Lift");
  assert.equal(await page.locator("#origins >> text=Ban the device").count(), 0);
  await page.locator("#origins").scrollIntoViewIfNeeded();
  await checkView(page, "origins-desktop");

  const logIn = async () => {
    await cas.page.goto(`${server.url}/login#login`);
    await cas.page.fill("[name=username]", "Cas");
    await cas.page.fill("[name=password]", PASSWORD);
    await cas.page.click("main [type=submit]");
  };
  await cas.post("/api/logout", {});
  await logIn();
  await cas.page.waitForSelector("text=A moderator has banned this address or this browser until");
  await checkView(cas.page, "banned-small");

  await mo.visit("/admin?view=bans", ".account-list >> text=Cas");
  await checkView(page, "bans-desktop");
  await page.click(".account-list >> text=Lift");
  await page.fill("dialog [name=reason]", "An appeal");
  await page.click("dialog [type=submit]");
  await page.waitForSelector("main >> text=No bans.");
  await logIn();
  await cas.page.waitForSelector("header >> text=Cas");
  assertNoErrors(server, [mo], /Failed to load resource/);
});
