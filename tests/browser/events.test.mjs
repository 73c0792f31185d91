// Page of the game nights: without one, with several, the button with the question about push
// messages, and the news in the inbox.
import assert from "node:assert/strict";
import { test } from "node:test";
import { editDatabase } from "./support/database.mjs";
import { User, startServerAndBrowser, waitUntil } from "./support/server.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { PHONE, horizontalOverflow, screenshotThemes } from "./support/viewports.mjs";

const SERVICE = "http://127.0.0.1:9";
const MINUTE_MS = 60000;
const DAY_MS = 86400000;

const { server, browser } = await startServerAndBrowser("--push-service", SERVICE);

/** Adds a game night; returns its number. */
const addEvent = (variant, startsAt, ...options) => {
  const start = new Date(startsAt).toISOString();
  return Number(server.admin("add-event", variant, start, ...options).split(" ")[1]);
};

/** Moves the start of a game night. */
const setStart = (number, startsAt) =>
  editDatabase(server, `UPDATE event SET starts_ms = ${startsAt} WHERE seq = ${number}`);

const removeEvent = (number) => server.admin("remove-event", String(number));

test("without a game night the page offers a search", async () => {
  const guest = await User.open(browser, server, {}, "/live");
  const { page } = guest;
  await page.click("main >> text=Game nights");
  await page.waitForSelector(".empty-state svg");
  assert.equal(await page.title(), "Game nights · Sprong");
  await screenshotThemes(page, "events-empty");
  await page.getByRole("link", { name: "Find an opponent" }).click();
  await page.waitForURL("**/find");
  assertNoErrors(server, [guest]);
});

test("a player asks for a notification and ends it", async () => {
  const numbers = [
    addEvent("hogga", Date.now() + 3 * DAY_MS + 3600000, "--weekly"),
    addEvent("knightFight", Date.now() + DAY_MS, "--minutes", "90"),
  ];
  setStart(numbers[1], Date.now() - MINUTE_MS);
  const ann = await User.open(browser, server, { name: "Ann" }, "/settings");
  const { page } = ann;
  await page.click("main >> text=Game nights");
  const item = page.locator(`.events-list [data-id="${numbers[0]}"]`);
  const button = item.getByRole("button");
  await button.waitFor();
  assert.equal(await button.textContent(), "Notify me");
  assert.match(await item.locator(".events-left").textContent(), /^Begins in 3 d/);
  const local = await page.evaluate(
    (at) => new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" }),
    Number(await item.getAttribute("data-starts-at")),
  );
  assert.ok((await item.locator("time").textContent()).includes(local), local);
  const running = page.locator(`.events-list [data-id="${numbers[1]}"]`);
  await running.locator("text=/On now, 1 h \\d\\d left/").waitFor();
  await button.click();
  await item.getByRole("button", { name: "Stop notifying me" }).waitFor();
  await item.locator("text=1 player wants to come").waitFor();
  const stored = async () =>
    (await ann.get("/api/event")).find(({ id }) => id === numbers[0]).interested;
  assert.equal(await stored(), true);
  await page.reload();
  await item.getByRole("button", { name: "Stop notifying me" }).waitFor();
  await screenshotThemes(page, "events");
  await item.getByRole("button").click();
  await item.getByRole("button", { name: "Notify me", exact: true }).waitFor();
  assert.equal(await stored(), false);
  // It leads to a search for this game.
  await item.getByRole("link").click();
  await page.waitForURL("**/find?variant=hogga");
  numbers.forEach(removeEvent);
  assertNoErrors(server, [ann]);
});

test("a weekly game night that ends shows the next one", async () => {
  const number = addEvent("hogga", Date.now() + DAY_MS, "--minutes", "10", "--weekly");
  const eve = await User.open(browser, server, { name: "Eve" }, null);
  const { page } = eve;
  // The first request fails.
  await page.route("**/api/event", (route) => route.abort(), { times: 1 });
  const startsAt = Date.now() - 10 * MINUTE_MS + 10000;
  setStart(number, startsAt);
  await page.goto(`${server.url}/events`);
  const item = page.locator(`.events-list [data-id="${number}"]`);
  await item.getByRole("button", { name: "Notify me" }).waitFor();
  await item.locator("text=/^Begins in 6 d/").waitFor();
  const stored = (await eve.get("/api/event")).find(({ id }) => id === number).startsAt;
  assert.equal(stored, startsAt + 7 * DAY_MS);
  removeEvent(number);
  assertNoErrors(server, [eve], /ERR_FAILED/);
});

test("the button asks for push messages, once", async () => {
  const number = addEvent("hogga", Date.now() + DAY_MS);
  const bob = await User.open(browser, server, { name: "Bob", ...PHONE }, null);
  const { page } = bob;
  await page.addInitScript(() => {
    Object.defineProperty(Notification, "permission", { get: () => "default" });
    Notification.requestPermission = async () => "denied";
    Object.defineProperty(navigator, "serviceWorker", {
      value: { getRegistration: async () => undefined, addEventListener() {} },
    });
  });
  await page.goto(`${server.url}/events`);
  const button = page.locator(".events-actions").getByRole("button");
  await button.click();
  const question = page.locator(".push-question");
  await question.waitFor();
  assert.match(await question.textContent(), /Tell you here when the game night begins\?/);
  await screenshotThemes(page, "events-question");
  assert.equal(await horizontalOverflow(page), 0);
  await question.getByRole("button", { name: "Not now" }).click();
  await page.locator("text=Stop notifying me").click();
  await page.getByRole("button", { name: "Notify me", exact: true }).click();
  await page.locator("text=Stop notifying me").waitFor();
  assert.equal(await question.count(), 0);
  removeEvent(number);
  assertNoErrors(server, [bob]);
});

test("a game night that runs is counted and listed in the inbox", async () => {
  const number = addEvent("hogga", Date.now() + DAY_MS);
  const cat = await User.open(browser, server, { name: "Cat", ...PHONE }, null);
  const { page } = cat;
  assert.equal((await cat.request(`/api/event/${number}/interest`, {})).status, 200);
  setStart(number, Date.now() + 5000);
  await page.goto(`${server.url}/players`);
  const bell = page.locator(".inbox-button");
  // On most runs the page is open when it begins.
  await waitUntil("the bell counts it", async () =>
    (await bell.getAttribute("aria-label")).endsWith(": 1"),
  );
  await bell.press("Enter");
  const notice = page.locator("dialog[open] .notice");
  await notice.waitFor();
  assert.match(await notice.locator(".notice-text").textContent(), /^Game night: Hogga, until \d/);
  await screenshotThemes(page, "events-inbox");
  await notice.getByRole("link", { name: "View" }).click();
  await page.waitForURL("**/events");
  await page.goto(`${server.url}/players`);
  await bell.press("Enter");
  await notice.getByRole("button", { name: "Dismiss" }).click();
  await waitUntil("it is dismissed", async () => (await notice.count()) === 0);
  await page.reload();
  await page.waitForSelector(".leaderboard, .users-page");
  assert.equal(await bell.getAttribute("aria-label"), "Notifications");
  removeEvent(number);
  assertNoErrors(server, [cat]);
});
