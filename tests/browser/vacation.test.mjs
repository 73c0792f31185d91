// Vacations, which stop the time for moves in games with days per move.
import assert from "node:assert/strict";
import { test } from "node:test";
import { User, startServerAndBrowser } from "./support/server.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";

const { server, browser } = await startServerAndBrowser();

const DAY_MS = 86_400_000;

test("an opponent sees the vacation of the player to move", async () => {
  const [ann, bob] = [
    await User.open(browser, server, { name: "VacAnn" }, null),
    await User.open(browser, server, { name: "VacBob" }, null),
  ];
  const game = await ann.startGame(bob, "hogga", { days: 3 });
  await bob.visit(`/${game}`, ".game-status");
  const status = bob.page.locator(".game-status");
  await status.getByText("VacAnn is to move.").waitFor();

  const { page } = ann;
  await ann.visit("/settings", "text=You are not on vacation.");
  await page.click("text=Take a vacation");
  const days = page.locator("dialog input");
  await days.fill("31");
  await page.click("text=Start the vacation");
  await page.waitForSelector("dialog >> text=Enter 1 to 30 days.");
  await days.fill("5");
  await days.press("Enter");
  await page.waitForSelector("text=You are on vacation until");
  assert.equal(await page.locator("dialog").count(), 0);

  await status.getByText("VacAnn is on vacation until").waitFor();
  const left = bob.page.locator(".game-clock.is-running");
  assert.match(await left.textContent(), /^[78] d/);
  await bob.page.reload();
  await status.getByText("VacAnn is on vacation until").waitFor();
  await bob.visit("/@/VacAnn", ".player-head >> text=on vacation until");

  await page.click("text=Extend the vacation");
  await days.fill("2");
  await days.press("Enter");
  await page.waitForSelector("dialog", { state: "detached" });
  const { body } = await ann.request("/api/account/vacation");
  assert.ok(Math.abs(body.until - Date.now() - 7 * DAY_MS) < DAY_MS / 24);
  assertNoErrors(server, [ann, bob]);
});

test("a guest learns that vacations need an account", async () => {
  const guest = await User.open(browser, server, {}, null);
  await guest.visit("/settings", "text=Vacations need an account.");
  assert.equal(await guest.page.locator("text=Take a vacation").isVisible(), false);
  assertNoErrors(server, [guest]);
});
