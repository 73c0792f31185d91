// Offline use: rules pages and the analysis board work without a network, other pages show an
// offline page.
//
// An unreachable or silent server counts as no network and is polled until it answers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellsOf } from "../../static/model/notation.js";
import { Person, house } from "./support/server.mjs";
import { Proxy } from "./support/proxy.mjs";
import { pagesWereQuiet } from "./support/no-errors.mjs";
import { shots } from "./support/viewports.mjs";
import { CUT_OFF, goOffline, settled } from "./support/service-worker.mjs";

const { server, browser } = await house();

const LANGUAGES = [
  ["en", "You are offline"],
  ["nl", "Je bent offline"],
  ["sv", "Du är offline"],
];

/** Returns the first legal move of one or two cells. */
const plain = (legal) => legal.find((u) => /^[a-z]\d+(-[a-z]\d+)?$/.test(u));

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

test("offline, a rules page plays its examples in each language", async () => {
  const person = await settled(browser, server);
  const { page } = person;
  await goOffline(person);
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
  await shots(page, "offline-rules");
  await page.goto(`${server.url}/rules`);
  assert.equal(await page.locator(".rules-index li").count(), 5);
  pagesWereQuiet([person], CUT_OFF);
});

test("offline, analysis plays every variant and the engine is unavailable", async () => {
  const person = await settled(browser, server);
  const { page } = person;
  const catalogue = (await person.ask("/api/variants")).body;
  await goOffline(person);
  for (const { key } of catalogue) {
    await page.goto(`${server.url}/analysis/${key}`);
    await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
    await page.waitForFunction(() => location.hash.includes("variant="));
    const start = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("start");
    const moves = [];
    for (let ply = 0; ply < 4; ply += 1) {
      // The server is still reachable from outside the page.
      const {
        body: { legal },
      } = await person.ask("/api/position", { variant: key, moves, ...(start && { start }) });
      const u = plain(legal);
      for (const cell of clicksOf(u, legal)) await person.cell(cell);
      moves.push(u);
      await page.waitForFunction(
        (words) => new URLSearchParams(location.hash.slice(1)).get("moves") === words,
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
  await shots(page, "offline-analysis");
  // Once online, the engine and the user name return without a reload.
  await page.context().setOffline(false);
  await page.waitForSelector(".engine-lines li");
  await page.waitForSelector("header .header-self", { state: "attached" });
  assert.equal(await page.textContent("header [role=status]"), "");
  pagesWereQuiet([person], CUT_OFF);
});

test("offline, an analysis link opens and an invalid position is refused", async () => {
  const person = await settled(browser, server);
  const { page } = person;
  await goOffline(person);
  await page.goto(
    `${server.url}/analysis#variant=hogga&moves=${encodeURIComponent("c13-c9 j1-j5")}`,
  );
  await page.waitForSelector('.move-tree [aria-current] >> text="j1-j5"');
  await page.fill("[name=position]", "nonsense");
  await page.click("text=Set up");
  await page.locator("text=This is not a valid position of this game").waitFor();
  pagesWereQuiet([person], CUT_OFF);
});

test("offline, other pages show a notice and load once online", async () => {
  const person = await settled(browser, server);
  const { page } = person;
  await goOffline(person);
  for (const [language, title] of LANGUAGES) {
    await page.evaluate((tag) => localStorage.setItem("language", tag), language);
    await page.goto(`${server.url}/`);
    await page.locator("h1", { hasText: title }).waitFor();
    if (language === "nl") await shots(page, "offline-page");
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
  pagesWereQuiet([person], CUT_OFF);
});

test("an unreachable or silent server counts as offline until it answers", async (context) => {
  const line = await Proxy.open(server.port);
  context.after(() => line.close());
  const person = await settled(browser, line);
  const { page } = person;
  const note = (text) =>
    page.waitForFunction(
      (words) => document.querySelector("header [role=status]")?.textContent === words,
      text,
    );
  await page.goto(`${line.url}/analysis/caterpillarWar`);
  await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  const {
    body: { legal },
  } = await person.ask("/api/position", { variant: "caterpillarWar" });
  const u = plain(legal);
  line.away = true;
  line.cut();
  for (const cell of clicksOf(u, legal)) await person.cell(cell);
  await page.waitForSelector(`.move-tree [aria-current] >> text="${u}"`);
  await note("Works offline");
  // The page polls the server: no input is needed.
  line.away = false;
  await note("");
  // Connections are accepted now but never answered.
  line.silent = true;
  line.mute();
  await page.goto(`${line.url}/analysis/hogga`);
  await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  await note("Works offline");
  pagesWereQuiet([person], CUT_OFF);
});

test("the manifest is in the chosen language, not the browser's", async () => {
  const { page } = await Person.open(browser, server, { locale: "en-GB" });
  const line = await page.context().newCDPSession(page);
  for (const [language] of LANGUAGES) {
    await page.evaluate((tag) => localStorage.setItem("language", tag), language);
    // The first visit sends the language to the server.
    for (let times = 0; times < 2; times += 1) {
      await page.goto(`${server.url}/about`);
      await page.waitForSelector("header .header-brand");
    }
    const { data, errors } = await line.send("Page.getAppManifest");
    assert.deepEqual([JSON.parse(data).lang, errors], [language, []]);
  }
});
