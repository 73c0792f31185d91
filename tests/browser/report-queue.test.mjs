// The queues of reports on the moderators' page: those of guests apart, and their pages.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkView, moderatorOpener } from "./support/moderator.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { Player } from "./support/player.mjs";
import { User, startServerAndBrowser } from "./support/server.mjs";
import { PHONE } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();

const openModerator = moderatorOpener({ server, browser });

/** Players on a page of the queue. */
const PAGE_SIZE = 30;

/** Reports that the server takes from one account a day. */
const REPORTS_MAX = 20;

/** Returns a guest without a page. */
const createGuest = async () => {
  const guest = new Player();
  guest.server = server;
  const { id, username } = await guest.post("/api/guest", {});
  return Object.assign(guest, { id, name: username });
};

const report = (reporter, username, text = "") =>
  reporter.post("/api/report", { username, reason: "other", text });

/** Returns the names in the queue of the page, in its order. */
const queuedNames = (page) => page.locator("main ol.account-list b").allTextContents();

test("reports by guests are a queue of their own", async () => {
  const ann = await User.open(browser, server, { name: "Ann" }, null);
  for (const name of ["Bob", "Cas", "Dan"]) await Player.create(server, name);
  const guest = await createGuest();
  await report(ann, "Bob", "Unkind");
  await report(guest, "Cas", "Rude");
  for (const reporter of [ann, guest]) await report(reporter, "Dan");

  const mo = await openModerator("MoGuests", PHONE);
  const { page } = mo;
  await mo.visit("/admin", "h2 >> text=Reports by accounts");
  assert.deepEqual(await queuedNames(page), ["Bob", "Dan"]);
  await page.click("nav[aria-label=Moderation] >> text=Reports by guests");
  await page.waitForSelector("h2 >> text=Reports by guests");
  assert.deepEqual(await queuedNames(page), ["Cas", "Dan"]);
  // Each queue counts its own reports.
  const dan = page.locator("main ol.account-list li", { hasText: "Dan" });
  assert.match(await dan.innerText(), /1 report · by 1 player/);
  await checkView(page, "guest-reports-phone");

  await page.click("main ol.account-list >> text=Cas");
  await page.waitForSelector(`.admin-report >> text=by the guest ${guest.name}`);
  await page.selectOption("[name=action]", "resolve");
  await page.fill("[name=reason]", "A quarrel");
  await page.click("#actions [type=submit]");
  await page.waitForSelector(".admin-report >> text=resolved");
  await mo.visit("/admin?view=guests", "h2 >> text=Reports by guests");
  assert.deepEqual(await queuedNames(page), ["Dan"]);
  await mo.visit("/admin", "h2 >> text=Reports by accounts");
  assert.deepEqual(await queuedNames(page), ["Bob", "Dan"]);
  assertNoErrors(server, [ann, mo]);
});

const QUEUES = {
  accounts: { path: "/admin", createReporter: (name) => Player.create(server, name) },
  guests: { path: "/admin?view=guests", createReporter: createGuest },
};

for (const [queue, { path, createReporter }] of Object.entries(QUEUES))
  test(`the queue of reports by ${queue} has pages`, async () => {
    const reporters = [await createReporter("Eve"), await createReporter("Fay")];
    const reported = [];
    for (let number = 0; number < PAGE_SIZE + 2; number += 1) {
      const { id, name } = await createGuest();
      await report(reporters[Math.floor(number / REPORTS_MAX)], id);
      reported.push(name);
    }
    const mo = await openModerator(`MoPages-${queue}`);
    const { page } = mo;
    const heading = `h2 >> text=Reports by ${queue}`;
    await mo.visit(path, heading);
    const first = await queuedNames(page);
    assert.equal(first.length, PAGE_SIZE);
    assert.equal(await page.locator("main >> text=Previous page").count(), 0);
    await checkView(page, `first-page-${queue}`);
    await page.click("main >> text=Next page");
    await page.waitForSelector("main >> text=Previous page");
    await page.waitForSelector(heading);
    const second = await queuedNames(page);
    assert.equal(await page.locator("main >> text=Next page").count(), 0);
    const all = [...first, ...second];
    assert.equal(new Set(all).size, all.length, "nobody is on two pages");
    assert.deepEqual(
      reported.filter((name) => !all.includes(name)),
      [],
    );
    await page.click("main >> text=Previous page");
    await page.waitForSelector("main >> text=Next page");
    assert.deepEqual(await queuedNames(page), first);
    assertNoErrors(server, [mo]);
  });
