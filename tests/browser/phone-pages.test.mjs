// Interruptions and reachability: tabs on phones, redirects to a started game, and the layout of
// the analysis board.
import assert from "node:assert/strict";
import { test } from "node:test";
import { User, startServerAndBrowser } from "./support/server.mjs";
import { CLOCK } from "./support/player.mjs";
import { PHONE } from "./support/viewports.mjs";
import { waitForStatus, statusButton, twoCellMoves } from "./support/game.mjs";
import { legalMoves, playMove } from "./support/analysis.mjs";

const { server, browser } = await startServerAndBrowser();

test("five tabs on a phone reach all pages, language and theme", async () => {
  const { page } = await User.open(browser, server, PHONE);
  const tabs = await page.$$eval(".site-header nav > *", (elements) =>
    elements
      .filter((tab) => tab.checkVisibility())
      .map((tab) => [tab.innerText.trim(), tab.getBoundingClientRect()]),
  );
  assert.deepEqual(
    tabs.map(([name]) => name),
    ["Play", "Lobby", "Watch", "Rules", "More"],
  );
  assert.ok(tabs.every(([, { width, height }]) => width >= 44 && height >= 44));
  await page.click(".header-more");
  await page.waitForSelector("dialog[open] nav a");
  assert.deepEqual(
    await page.$$eval("dialog nav a", (links) => links.map((link) => link.getAttribute("href"))),
    ["/pass-and-play", "/players", "/analysis", "/account", "/settings"],
  );
  await page.click("dialog [data-value=dark]");
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
  await page.click("dialog [data-value=sv]");
  await page.waitForSelector("html[lang=sv]");
  assert.equal(await page.innerText(".header-more"), "Mer");
});

test("a tab in use is not redirected to a started game", async () => {
  const ann = await User.open(browser, server, { name: "Anna" }, "/analysis/caterpillarWar");
  const bob = await User.open(browser, server, { name: "Bert" }, null);
  const { page } = ann;
  const typing = await page.context().newPage();
  await typing.goto(`${server.url}/players`);
  await typing.fill(".player-search input", "Ber");
  const idle = await page.context().newPage();
  await idle.goto(`${server.url}/rules`);
  const [u] = twoCellMoves(await legalMoves(ann, { variant: "caterpillarWar" }));
  await playMove(ann, u);
  const id = await ann.startGame(bob, "hogga", CLOCK);
  await idle.waitForURL(`${server.url}/${id}`);
  for (const each of [page, typing]) await each.waitForSelector(".notice-game-started");
  assert.match(page.url(), /\/analysis/);
  assert.equal(await typing.inputValue(".player-search input"), "Ber");
  await page.click(".notice-game-started .btn");
  await page.waitForURL(`${server.url}/${id}`);
});

test("analysis deletes branches and reports an illegal link", async () => {
  const phone = await User.open(browser, server, PHONE, "/analysis/caterpillarWar");
  await phone.page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  const [chooser, board] = await Promise.all(
    [".analysis-chooser", ".analysis .game-board"].map((each) =>
      phone.page.locator(each).boundingBox(),
    ),
  );
  assert.ok(chooser.y + chooser.height <= board.y);
  await phone.page.selectOption("[name=variant]", "hogga");
  await phone.page.waitForSelector(".board-svg.variant-hogga");

  const [first, second] = twoCellMoves(await legalMoves(phone, { variant: "caterpillarWar" }));
  const { page } = await User.open(
    browser,
    server,
    {},
    `/analysis#variant=caterpillarWar&moves=${first}+(+${second}+)`,
  );
  await page.click(`.move-tree .move-tree-variation >> text="${second}"`);
  await page.click("[aria-label='Delete from here']");
  await page.waitForFunction(() => !document.querySelector(".move-tree .move-tree-variation"));
  assert.equal(new URLSearchParams(new URL(page.url()).hash.slice(1)).get("moves"), first);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Delete");
  await page.waitForFunction(() => document.querySelector(".move-tree").childElementCount === 0);
  assert.equal(await page.getAttribute("[aria-label='Delete from here']", "aria-disabled"), "true");

  const invalid = await User.open(
    browser,
    server,
    {},
    `/analysis#variant=caterpillarWar&moves=${first}+${first}`,
  );
  await invalid.page.waitForSelector(`.toast >> text=${first}, move 1 of this link, is not legal`);
  assert.match(await invalid.page.textContent(".analysis-setup .form-error"), /is not legal/);
});

test("a first game on a phone begins with what to do", async () => {
  const user = await User.open(browser, server, PHONE);
  const { page } = user;
  await page.click(".variant-list [data-key=caterpillarWar] button");
  await page.click("[data-opponent=computer]");
  await page.click("dialog .segmented [data-value=first]");
  await page.click("dialog >> text='Play'");
  await waitForStatus(user, "Your move.");
  await waitForStatus(user, "Tap a stone to step");
  await statusButton(user, "Hint").click();
  await waitForStatus(user, "/Hint: /");
});

test("the profile of an engine level offers a game at that level", async () => {
  const { page } = await User.open(browser, server, {}, "/@/Sprong-5");
  await page.click(".player-head >> text=Play the computer");
  assert.equal(
    await page.getAttribute("dialog .ai-levels [data-value='5']", "aria-checked"),
    "true",
  );
  await page.click("dialog >> text='Play'");
  await page.waitForSelector(".game-player.is-top .is-bot:text-is('BOT 5')");
});
