// Home page of players: their games first, who is online, games in progress; no introduction for
// accounts; levels of the computer that were beaten; links to the lessons.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { editDatabase } from "./support/database.mjs";
import { User, startServerAndBrowser } from "./support/server.mjs";
import { Player } from "./support/player.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { recordLayoutShifts, takeLayoutShifts, totalShift } from "./support/layout-shift.mjs";
import { PHONE, screenshotAll } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();
const WHOLE_PAGE = { fullPage: true };

/** Opens the home page of a player and waits until it is complete. */
const openHome = async (options) => {
  const user = await User.open(browser, server, options, null);
  await user.page.addInitScript(recordLayoutShifts);
  await user.visit("/", ".lobby");
  return user;
};

/** Returns the headings of the visible sections in their order. */
const headings = ({ page }) =>
  page.$$eval("main h1, main h2", (all) =>
    all
      .filter(
        (heading) => heading.checkVisibility() && heading.closest("form, .challenge-form") === null,
      )
      .map(({ textContent }) => textContent),
  );

/** Adds wins against the computer to the database. */
const addWins = (id, wins) => {
  const sql = wins.map(
    ([variant, level]) =>
      `INSERT INTO pair SELECT one.key, two.key, '${variant}', 1, 0, 0
       FROM account one, account two WHERE one.id = '${id}' AND two.level = ${level};`,
  );
  editDatabase(server, sql.join(""));
};

test("account without games sees who could be met, no introduction", async () => {
  const user = await openHome({ name: "Anke" });
  const { page } = user;
  await page.waitForSelector(".people-empty:not([hidden])");
  assert.equal(await page.locator(".hero p").count(), 0);
  const [title, own, people, live, games] = await headings(user);
  assert.deepEqual(
    [title, own, people, live, games],
    ["Play", "Your games", "Online now", "Games in progress", "The games"],
  );
  assert.match(
    await page.textContent(".people-empty"),
    /^Nobody else with an account is online right now\.$/,
  );
  assert.match(await page.textContent(".no-games p"), /^No games in progress\./);
  assert.equal(totalShift(await takeLayoutShifts(page)), 0);
  await screenshotAll(page, "room-empty", WHOLE_PAGE);
  assertNoErrors(server, [user]);
});

test("games that wait for the player come first", async () => {
  const user = await User.open(browser, server, { name: "Joris" }, null);
  const opponent = await Player.create(server, "Sanna");
  const VARIANTS = ["caterpillarWar", "hogga", "knightFight", "kopfOderKnopf"];
  for (let number = 0; number < 12; number += 1)
    await user.startGame(opponent, VARIANTS[number % 4], { days: 3 });
  const theirs = await opponent.startGame(user, "hogga", { days: 3 });
  await user.page.addInitScript(recordLayoutShifts);
  await user.visit("/", ".lobby");
  const { page } = user;
  const turns = await page.$$eval(".my-games li", (items) =>
    items.map((item) => item.classList.contains("is-my-turn")),
  );
  assert.deepEqual(turns, [...Array(12).fill(true), false]);
  assert.equal(await page.textContent(".my-games-count"), "your move in 12");
  assert.equal(await page.locator(".my-games li").last().getAttribute("data-id"), theirs);
  assert.equal(await page.locator(".no-games").isVisible(), false);
  assert.equal(totalShift(await takeLayoutShifts(page)), 0);
  await screenshotAll(page, "room-many-games", WHOLE_PAGE);
  assertNoErrors(server, [user]);
});

test("players online have profiles and can be challenged", async () => {
  const others = [];
  for (const name of ["Mats", "Zoe"]) others.push(await openHome({ name }));
  others.push(await User.open(browser, server, {}, "/"));
  const user = await openHome({ name: "Rob" });
  const { page } = user;
  const names = () =>
    page.$$eval(".people-name b", (all) => all.map(({ textContent }) => textContent));
  await page.waitForFunction(() => document.querySelectorAll(".people-name").length === 2);
  assert.deepEqual(await names(), ["Mats", "Zoe"]);
  // The guest is online once its page is connected.
  await page.waitForFunction(
    () => document.querySelector(".people-head span").textContent === "1 guest",
  );
  assert.equal(await page.getAttribute(".people-name", "href"), "/@/Mats");
  await screenshotAll(page, "room-people", WHOLE_PAGE);
  const challenge = page.getByRole("link", { name: "Challenge Mats" });
  assert.ok((await challenge.boundingBox()).height >= 44);
  await challenge.click();
  await page.waitForURL(/\/lobby\?to=Mats$/);
  await page.waitForFunction(() => document.querySelector("[name=opponent]")?.value === "Mats");
  assertNoErrors(server, [user, ...others]);
});

test("people who leave disappear from the list, offline is said", async () => {
  const other = await openHome({ name: "Tove" });
  const user = await openHome({ name: "Wim" });
  const { page } = user;
  const refresh = () => page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await page.waitForSelector(".people-name >> text=Tove");
  await other.page.close();
  await page.waitForFunction(
    () => {
      document.dispatchEvent(new Event("visibilitychange"));
      return document.querySelector(".people-empty").checkVisibility();
    },
    null,
    { polling: 500 },
  );
  await page.context().setOffline(true);
  await refresh();
  await page.waitForSelector(".people-empty >> text=The server cannot be reached");
  await page.context().setOffline(false);
  await refresh();
  await page.waitForSelector(".people-empty >> text=Nobody else with an account is online");
  assertNoErrors(server, [user], /ERR_INTERNET_DISCONNECTED|Failed to fetch/);
});

test("guest with games sees the introduction and the own games", async () => {
  const opponent = await Player.create(server, "Pia");
  const guest = await User.open(browser, server, PHONE, null);
  await guest.post("/api/guest", {});
  await guest.startGame(opponent, "hogga", { days: 3 });
  await guest.visit("/", ".lobby");
  const [title, own, people] = await headings(guest);
  assert.deepEqual(
    [title, own.replace(/your.*/, ""), people],
    ["Good games, nearly forgotten", "Your games", "Online now"],
  );
  assert.equal(await guest.page.locator(".hero p").count(), 1);
  assertNoErrors(server, [guest]);
});

test("beaten levels are marked in the dialog and on the cards", async () => {
  const user = await User.open(browser, server, { name: "Lise" }, null);
  addWins("lise", [
    ["hogga", 1],
    ["hogga", 4],
    ["knightFight", 2],
  ]);
  await user.visit("/", ".lobby");
  const { page } = user;
  const cardText = (key) => page.locator(`.variant-list [data-key=${key}] .variant-card-level`);
  assert.equal(await cardText("hogga").textContent(), "✓You beat level 4");
  assert.equal(await cardText("knightFight").textContent(), "✓You beat level 2");
  assert.equal(await cardText("caterpillarWar").count(), 0);
  await page.getByRole("button", { name: "Play the computer" }).first().click();
  await page.click("dialog .game-choice [data-value=hogga]");
  const labels = () =>
    page.$$eval("dialog .ai-levels .is-beaten", (all) =>
      all.map((button) => button.getAttribute("aria-label")),
    );
  await page.waitForSelector("dialog .ai-levels .is-beaten");
  assert.deepEqual(await labels(), ["Level 1: first steps, beaten", "Level 4: medium, beaten"]);
  await page.click("dialog .game-choice [data-value=knightFight]");
  assert.deepEqual(await labels(), ["Level 2: easy, beaten"]);
  await page.click("dialog .game-choice [data-value=caterpillarWar]");
  assert.deepEqual(await labels(), []);
  await page.click("dialog .game-choice [data-value=hogga]");
  await page.waitForFunction(() =>
    [...document.styleSheets].some(({ href }) => href?.endsWith("/css/home.css")),
  );
  await screenshotAll(page, "computer-levels");
  assertNoErrors(server, [user]);
});

test("cards link to the lessons and mark the finished ones", async () => {
  const lesson = readFileSync(join(import.meta.dirname, "../../static/lessons/hogga.json"));
  const names = JSON.parse(lesson).tasks.map(({ name }) => name);
  const user = await User.open(browser, server, { name: "Nora" }, "/");
  const { page } = user;
  const link = page.locator(".variant-list [data-key=hogga] a.btn");
  assert.equal(await link.getAttribute("href"), "/learn/hogga");
  assert.equal(await link.getAttribute("aria-label"), "Learn Hogga");
  assert.equal(await link.textContent(), "Learn");
  await page.evaluate(
    (done) => localStorage.setItem("lessons", JSON.stringify({ hogga: done })),
    names,
  );
  await user.visit("/learn/hogga", ".learn .board-svg rect.board-cell");
  await user.visit("/", ".lobby");
  assert.equal(await link.getAttribute("aria-label"), "Learn Hogga: finished");
  assert.equal(await link.textContent(), "Learn ✓");
  const other = page.locator(".variant-list [data-key=knightFight] a.btn");
  assert.equal(await other.textContent(), "Learn");
  assertNoErrors(server, [user]);
});
