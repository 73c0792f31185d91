// Offline use: rules pages and the analysis board work without a network, other pages show an
// offline page.
//
// An unreachable or silent server counts as no network and is polled until it answers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellsOf } from "../../static/model/notation.js";
import { User, startServerAndBrowser } from "./support/server.mjs";
import { TcpProxy } from "./support/proxy.mjs";
import { assertNoPageErrors } from "./support/no-errors.mjs";
import { screenshotAll } from "./support/viewports.mjs";
import { OFFLINE_ERRORS, goOffline, openWithServiceWorker } from "./support/service-worker.mjs";

const { server, browser } = await startServerAndBrowser();

const LANGUAGES = [
  ["en", "You are offline"],
  ["nl", "Je bent offline"],
  ["sv", "Du är offline"],
];

/** Returns the first legal move of one or two cells. */
const simpleMove = (legal) => legal.find((u) => /^[a-z]\d+(-[a-z]\d+)?$/.test(u));

/**
 * Returns the clicks of a move. A move that is a prefix of another needs a second click on its last
 * cell.
 */
const clicksOf = (u, legal) => {
  const cells = cellsOf(u);
  return legal.some((other) => other !== u && other.startsWith(u))
    ? [...cells, cells.at(-1)]
    : cells;
};

test("offline rules page plays its examples in each language", async () => {
  const user = await openWithServiceWorker(browser, server);
  const { page } = user;
  await goOffline(user);
  for (const language of ["en", "nl", "sv"]) {
    await page.evaluate((tag) => localStorage.setItem("language", tag), language);
    await page.goto(`${server.url}/rules/hogga`);
    const figure = page.locator(".rules-part:not(.is-first) .rules-example").first();
    await figure.locator("text=/^0 \\/ \\d+$/").waitFor();
    const before = await figure.locator("svg .board-layer-pieces").innerHTML();
    await figure.locator(".rules-example-steps button").last().click();
    await figure.locator("text=/ 1 \\/ \\d+$/").waitFor();
    assert.notEqual(await figure.locator("svg .board-layer-pieces").innerHTML(), before);
    assert.equal(await page.locator("html").getAttribute("lang"), language);
  }
  await screenshotAll(page, "offline-rules");
  await page.goto(`${server.url}/rules`);
  assert.equal(await page.locator(".rules-index li").count(), 5);
  assertNoPageErrors([user], OFFLINE_ERRORS);
});

test("offline analysis plays every variant without the engine", async () => {
  const user = await openWithServiceWorker(browser, server);
  const { page } = user;
  const variants = (await user.request("/api/variants")).body;
  await goOffline(user);
  for (const { key } of variants) {
    await page.goto(`${server.url}/analysis/${key}`);
    await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
    await page.waitForFunction(() => location.hash.includes("variant="));
    const start = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("start");
    const moves = [];
    for (let ply = 0; ply < 4; ply += 1) {
      // The server is still reachable from outside the page.
      const {
        body: { legal },
      } = await user.request("/api/position", { variant: key, moves, ...(start && { start }) });
      const u = simpleMove(legal);
      for (const cell of clicksOf(u, legal)) await user.clickCell(cell);
      moves.push(u);
      await page.waitForFunction(
        (expected) => new URLSearchParams(location.hash.slice(1)).get("moves") === expected,
        moves.join(" "),
      );
    }
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    assert.ok((await page.textContent(".move-tree [aria-current]")).startsWith(moves[1]), key);
    await page.keyboard.press("End");
    assert.ok((await page.textContent(".move-tree [aria-current]")).startsWith(moves[3]), key);
  }
  assert.equal(await page.textContent("header [role=status]"), "Works offline");
  await page.click(".engine .switch");
  await page.locator(".engine-output [role=status] >> text=needs a connection").waitFor();
  await screenshotAll(page, "offline-analysis");
  // Once online, the engine and the user name return without a reload.
  await page.context().setOffline(false);
  await page.waitForSelector(".engine-lines li");
  await page.waitForSelector("header .header-self", { state: "attached" });
  assert.equal(await page.textContent("header [role=status]"), "");
  assertNoPageErrors([user], OFFLINE_ERRORS);
});

test("offline analysis opens links, refuses invalid positions", async () => {
  const user = await openWithServiceWorker(browser, server);
  const { page } = user;
  await goOffline(user);
  await page.goto(
    `${server.url}/analysis#variant=hogga&moves=${encodeURIComponent("c13-c9 j1-j5")}`,
  );
  await page.waitForSelector('.move-tree [aria-current] >> text="j1-j5"');
  await page.fill("[name=position]", "nonsense");
  await page.click("text=Set up");
  await page.locator("text=This is not a valid position of this game").waitFor();
  assertNoPageErrors([user], OFFLINE_ERRORS);
});

test("other pages show an offline notice and load once online", async () => {
  const user = await openWithServiceWorker(browser, server);
  const { page } = user;
  await goOffline(user);
  for (const [language, title] of LANGUAGES) {
    await page.evaluate((tag) => localStorage.setItem("language", tag), language);
    await page.goto(`${server.url}/`);
    await page.locator("h1", { hasText: title }).waitFor();
    if (language === "nl") await screenshotAll(page, "offline-page");
  }
  await page.evaluate(() => localStorage.setItem("language", "en"));
  await page.goto(`${server.url}/players`);
  await page.click("text=Try again");
  await page.locator("h1", { hasText: "You are offline" }).waitFor();
  await page.click("main >> text='Analysis'");
  await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  await page.goBack();
  await page.locator("h1", { hasText: "You are offline" }).waitFor();
  await page.context().setOffline(false);
  await page.waitForSelector("script[src$='/users/players.js']", { state: "attached" });
  await page.waitForSelector("header .header-self", { state: "attached" });
  assertNoPageErrors([user], OFFLINE_ERRORS);
});

test("unreachable or silent server is offline until it answers", async (context) => {
  const proxy = await TcpProxy.open(server.port);
  context.after(() => proxy.close());
  const user = await openWithServiceWorker(browser, proxy);
  const { page } = user;
  const waitForNotice = (text) =>
    page.waitForFunction(
      (expected) => document.querySelector("header [role=status]")?.textContent === expected,
      text,
    );
  await page.goto(`${proxy.url}/analysis/caterpillarWar`);
  await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  const {
    body: { legal },
  } = await user.request("/api/position", { variant: "caterpillarWar" });
  const u = simpleMove(legal);
  proxy.isRefusing = true;
  proxy.closeConnections();
  for (const cell of clicksOf(u, legal)) await user.clickCell(cell);
  await page.waitForSelector(`.move-tree [aria-current] >> text="${u}"`);
  await waitForNotice("Works offline");
  // The page polls the server: no input is needed.
  proxy.isRefusing = false;
  await waitForNotice("");
  // Connections are accepted now but never answered.
  proxy.isSilent = true;
  proxy.mute();
  await page.goto(`${proxy.url}/analysis/hogga`);
  await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  await waitForNotice("Works offline");
  assertNoPageErrors([user], OFFLINE_ERRORS);
});

test("the manifest is in the chosen language, not the browser's", async () => {
  const { page } = await User.open(browser, server, { locale: "en-GB" });
  const session = await page.context().newCDPSession(page);
  for (const [language] of LANGUAGES) {
    await page.evaluate((tag) => localStorage.setItem("language", tag), language);
    // The first visit sends the language to the server.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await page.goto(`${server.url}/about`);
      await page.waitForSelector("header .header-brand");
    }
    const { data, errors } = await session.send("Page.getAppManifest");
    assert.deepEqual([JSON.parse(data).lang, errors], [language, []]);
  }
});
