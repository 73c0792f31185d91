// Transfer size of the first page, and layout shifts of all pages while they load.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { Server, house, PATIENCE } from "./support/server.mjs";
import { enliven } from "./support/fixtures.mjs";
import { Proxy } from "./support/proxy.mjs";
import { countShifts, shiftsOf, sumOf } from "./support/layout-shift.mjs";

/**
 * Limit of the first page in bytes: all files as transferred, with headers; and the addition for
 * boards of games in progress.
 */
const WEIGHT_MAX = 60000;
const BOARDS_MAX = 4000;
/** Limit of the cumulative layout shift while a page loads. */
const SHIFT_MAX = 0.02;
/** Delay per direction in milliseconds; makes API responses arrive after the first paint. */
const SLOW_MS = 40;

const { server, browser } = await house();
let lively;
before(async () => {
  lively = await enliven(server);
});

/** Opens a page with an empty cache and records its responses: type, path, encoding, bytes. */
const freshPage = async (options = {}) => {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const line = await context.newCDPSession(page);
  const sent = new Map();
  await line.send("Network.enable");
  line.on("Network.responseReceived", ({ requestId, type, response }) =>
    sent.set(requestId, {
      type,
      path: new URL(response.url).pathname,
      coding: response.headers["content-encoding"],
      bytes: 0,
      head: response.encodedDataLength,
    }),
  );
  line.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const one = sent.get(requestId);
    if (one) Object.assign(one, { bytes: encodedDataLength - one.head, whole: true });
  });
  line.on("Network.loadingFailed", ({ requestId }) =>
    Object.assign(sent.get(requestId) ?? {}, { whole: true }),
  );
  return { context, page, sent };
};

/** Returns the bytes transferred for the first page of a server, without API responses. */
const weigh = async (url) => {
  const { context, page, sent } = await freshPage();
  await page.goto(url, { waitUntil: "networkidle" });
  await page.waitForSelector(".variant-list");
  // The DevTools protocol reports finished transfers with a delay.
  while (![...sent.values()].every(({ whole }) => whole))
    await page.evaluate(() => new Promise(requestAnimationFrame));
  const all = [...sent.values()].sort((a, b) => b.bytes - a.bytes);
  const isAnswer = ({ type, path }) =>
    (type === "Fetch" || type === "XHR") && path.startsWith("/api/");
  const [files, answers] = [all.filter((one) => !isAnswer(one)), all.filter(isAnswer)];
  const sum = (list) => list.reduce((total, { bytes }) => total + bytes, 0);
  const heads = files.reduce((total, { head }) => total + head, 0);
  for (const { bytes, coding, path } of files.slice(0, 12))
    console.log(`  ${String(bytes).padStart(6)} ${coding ?? "plain"} ${path}`);
  console.log(
    `  first page: ${sum(files)} bytes in ${files.length} files, their heads ${heads}; answers of the server: ${sum(answers)} bytes`,
  );
  await context.close();
  assert.ok(files.length > 10, "too few files are counted");
  assert.deepEqual(
    files.filter(({ bytes, coding }) => bytes > 1500 && !coding).map(({ path }) => path),
    [],
    "files without compression",
  );
  return sum(files) + heads;
};

test("first page stays below the size limit", async (context) => {
  const quiet = await Server.start();
  context.after(() => quiet.stop());
  for (const [what, { url }, most] of [
    ["without games", quiet, WEIGHT_MAX],
    ["with games in progress", server, WEIGHT_MAX + BOARDS_MAX],
  ]) {
    const bytes = await weigh(url);
    context.diagnostic(`${what}: ${bytes} bytes`);
    assert.ok(bytes < most, `${what}: ${bytes} bytes`);
  }
});

const PAGES = {
  home: [() => "/", ".variant-list"],
  lobby: [() => "/lobby", ".challenge-card"],
  about: [() => "/about", "main h1"],
  api: [() => "/api/docs", "#shapes"],
  login: [() => "/login", "form"],
  game: [() => `/${lively.game}`, ".game-board svg"],
  "game over": [() => `/${lively.over}`, ".game-board svg"],
  live: [() => "/live", ".watch-boards li"],
  rules: [() => "/rules", "main h1"],
  "rules of a game": [() => "/rules/hogga", "main svg.board-svg"],
  analysis: [() => "/analysis/hogga", ".game-board svg"],
  "analysis of a game": [() => `/${lively.over}/analysis`, ".game-board svg"],
  players: [() => "/players", ".leaderboard-frame > *"],
  player: [() => "/@/Ann", ".game-row"],
};

const shiftOf = async (url, width, path, ready) => {
  const { context, page } = await freshPage({
    viewport: { width, height: width < 600 ? 844 : 800 },
    hasTouch: width < 600,
  });
  await page.addInitScript(countShifts);
  await page.goto(url + path);
  await page.waitForSelector(ready);
  // Late content can shift as well. The time it takes is not checked here.
  await page.waitForLoadState("networkidle", { timeout: 5000 }).catch(() => {});
  // Ignores shifts that the browser attributes to user input: this test makes none.
  const moved = (await shiftsOf(page)).filter(({ asked }) => !asked);
  await context.close();
  return moved;
};

test("pages have no layout shift while loading", async (context) => {
  // A proxy delays responses: the browser's own throttling sometimes stalls.
  const slow = await Proxy.open(server.port);
  slow.delay = SLOW_MS;
  context.after(() => slow.close());
  const restless = [];
  for (const [name, [path, ready]] of Object.entries(PAGES)) {
    const [wide, narrow] = await Promise.all(
      [1280, 390].map((width) => shiftOf(slow.url, width, path(), ready)),
    );
    console.log(
      `  ${name}: ${sumOf(wide).toFixed(4)} at 1280 px, ${sumOf(narrow).toFixed(4)} at 390 px`,
    );
    for (const moved of [wide, narrow])
      if (sumOf(moved) >= SHIFT_MAX) restless.push(`${name}: ${JSON.stringify(moved)}`);
  }
  assert.deepEqual(restless, []);
});
