// Sessions on the account page: the browser, place and ages of each.
import assert from "node:assert/strict";
import { test } from "node:test";
import { editDatabase } from "./support/database.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { PASSWORD } from "./support/player.mjs";
import { User, startServerAndBrowser } from "./support/server.mjs";

const { server, browser } = await startServerAndBrowser();

const HOUR_MS = 3600000;
const DAY_MS = 24 * HOUR_MS;

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 " +
  "(KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1";

/** Moves the beginning and the last use of the session of a browser into the past. */
const ageSession = (agent, { createdMs, seenMs }) =>
  editDatabase(
    server,
    `UPDATE session SET created_ms = created_ms - ${createdMs}, seen_ms = seen_ms - ${seenMs}
     WHERE agent LIKE '%${agent}%'`,
  );

test("sessions have their ages beside their places", async () => {
  const ida = await User.open(browser, server, { name: "Ida" }, null);
  const phone = await User.open(browser, server, { userAgent: IPHONE }, null);
  await phone.post("/api/login", { username: "Ida", password: PASSWORD });
  ageSession("iPhone", { createdMs: 3 * DAY_MS, seenMs: 2 * HOUR_MS });
  ageSession("Chrome", { createdMs: 5 * DAY_MS, seenMs: 0 });

  const { page } = ida;
  await ida.visit("/account", "[aria-label='Where you are logged in'] li >> nth=1");
  const rows = page.locator("[aria-label='Where you are logged in'] li");
  assert.equal(await rows.count(), 2);
  const other = await rows.filter({ hasText: "iPhone" }).innerText();
  assert.match(other, /Safari on iPhone/);
  assert.match(other, /logged in 3 days ago, last used 2 hours ago/);
  assert.match(other, /from 127\.0\.0\.1/);
  const own = await rows.filter({ hasText: "This device" }).innerText();
  assert.match(own, /Chrome on Linux/);
  assert.match(own, /logged in 5 days ago, last used (this|1) minute/);
  assert.match(own, /from 127\.0\.0\.1/);

  // A use of the other session makes it the last one.
  assert.equal((await phone.get("/api/account")).username, "Ida");
  await page.reload();
  await page.waitForSelector("li >> text=/logged in 3 days ago, last used (this|1) minute/");
  assertNoErrors(server, [ida, phone]);
});
