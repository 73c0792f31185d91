// Transfer size of the first page, and layout shifts of all pages while they load.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { Server, startServerAndBrowser, TIMEOUT_MS, waitUntil } from "./support/server.mjs";
import { pairs } from "./support/all-cases.mjs";
import { populate } from "./support/fixtures.mjs";
import { TcpProxy } from "./support/proxy.mjs";
import { recordLayoutShifts, takeLayoutShifts, totalShift } from "./support/layout-shift.mjs";

/**
 * Limit of the first page in bytes: all files as transferred, with headers; and the addition for
 * boards of games in progress.
 */
const WEIGHT_MAX = 60000;
const BOARDS_MAX = 4000;
/** Limit of the cumulative layout shift while a page loads. */
const SHIFT_MAX = 0.02;
/** Delay per direction in milliseconds; makes API responses arrive after the first paint. */
const DELAY_MS = 40;

const { server, browser } = await startServerAndBrowser();
let populated;
before(async () => {
  populated = await populate(server);
});

/** Opens a page with an empty cache and records its responses: type, path, encoding, bytes. */
const freshPage = async (options = {}) => {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: "en-GB",
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  const session = await context.newCDPSession(page);
  const responses = new Map();
  await session.send("Network.enable");
  session.on("Network.responseReceived", ({ requestId, type, response }) =>
    responses.set(requestId, {
      type,
      path: new URL(response.url).pathname,
      encoding: response.headers["content-encoding"],
      bytes: 0,
      headerBytes: response.encodedDataLength,
    }),
  );
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const entry = responses.get(requestId);
    if (entry)
      Object.assign(entry, { bytes: encodedDataLength - entry.headerBytes, isComplete: true });
  });
  session.on("Network.loadingFailed", ({ requestId }) =>
    Object.assign(responses.get(requestId) ?? {}, { isComplete: true }),
  );
  return { context, page, sent: responses };
};

/** Returns the bytes transferred for the first page of a server, without API responses. */
const measureFirstPage = async (url) => {
  const { context, page, sent: responses } = await freshPage();
  await page.goto(url, { waitUntil: "networkidle" });
  await page.waitForSelector(".variant-list");
  // The DevTools protocol reports finished transfers with a delay.
  await waitUntil("all transfers have finished", () =>
    [...responses.values()].every(({ isComplete }) => isComplete),
  );
  const sorted = [...responses.values()].sort((a, b) => b.bytes - a.bytes);
  const isApiResponse = ({ type, path }) =>
    (type === "Fetch" || type === "XHR") && path.startsWith("/api/");
  const [files, apiResponses] = [
    sorted.filter((entry) => !isApiResponse(entry)),
    sorted.filter(isApiResponse),
  ];
  const sum = (list) => list.reduce((total, { bytes }) => total + bytes, 0);
  const headerTotal = files.reduce((total, { headerBytes }) => total + headerBytes, 0);
  for (const { bytes, encoding, path } of files.slice(0, 12))
    console.log(`  ${String(bytes).padStart(6)} ${encoding ?? "plain"} ${path}`);
  console.log(
    `  first page: ${sum(files)} bytes in ${files.length} files, their heads ${headerTotal}; answers of the server: ${sum(apiResponses)} bytes`,
  );
  await context.close();
  assert.ok(files.length > 10, "too few files are counted");
  assert.deepEqual(
    files.filter(({ bytes, encoding }) => bytes > 1500 && !encoding).map(({ path }) => path),
    [],
    "files without compression",
  );
  return sum(files) + headerTotal;
};

test("first page stays below the size limit", async (context) => {
  const emptyServer = await Server.start();
  context.after(() => emptyServer.stop());
  for (const [label, { url }, max] of [
    ["without games", emptyServer, WEIGHT_MAX],
    ["with games in progress", server, WEIGHT_MAX + BOARDS_MAX],
  ]) {
    const bytes = await measureFirstPage(url);
    context.diagnostic(`${label}: ${bytes} bytes`);
    assert.ok(bytes < max, `${label}: ${bytes} bytes`);
  }
});

const PAGES = {
  home: [() => "/", ".variant-list"],
  lobby: [() => "/lobby", ".challenge-card"],
  find: [() => "/find", ".find-sheet"],
  challenge: [() => `/${populated.challenge}`, ".challenge-page .btn"],
  about: [() => "/about", "main h1"],
  api: [() => "/api/docs", "#shapes"],
  login: [() => "/login", "form"],
  settings: [() => "/settings", ".settings-section"],
  game: [() => `/${populated.game}`, ".game-board svg"],
  "game over": [() => `/${populated.finishedGame}`, ".game-board svg"],
  live: [() => "/live", ".watch-boards li"],
  rules: [() => "/rules", "main h1"],
  "rules of a game": [() => "/rules/hogga", "main svg.board-svg"],
  lesson: [() => "/learn/hogga", ".learn .board-svg rect.board-cell"],
  "pass and play": [() => "/pass-and-play/hogga", ".pass-form"],
  analysis: [() => "/analysis/hogga", ".game-board svg"],
  "analysis of a game": [() => `/${populated.finishedGame}/analysis`, ".game-board svg"],
  players: [() => "/players", ".leaderboard-frame > *"],
  player: [() => "/@/Ann", ".game-row"],
};

/** Widths of a desktop and a phone. */
const WIDTHS = [1280, 390];

/** Pages without any shift: a button that moves could be hit by mistake. */
const STILL = ["find", "lobby", "challenge"];

const loadingShifts = async (url, width, path, ready) => {
  const { context, page } = await freshPage({
    viewport: { width, height: width < 600 ? 844 : 800 },
    hasTouch: width < 600,
  });
  await page.addInitScript(recordLayoutShifts);
  await page.goto(url + path);
  await page.waitForSelector(ready);
  // Late content can shift as well. The time it takes is not checked here.
  await page.waitForLoadState("networkidle", { timeout: 5000 }).catch(() => {});
  // Ignores shifts that the browser attributes to user input: this test makes none.
  const shifts = (await takeLayoutShifts(page)).filter(({ hadRecentInput }) => !hadRecentInput);
  await context.close();
  return shifts;
};

test("pages have no layout shift while loading", async (context) => {
  // A proxy delays responses: the browser's own throttling sometimes stalls.
  const proxy = await TcpProxy.open(server.port);
  proxy.delay = DELAY_MS;
  context.after(() => proxy.close());
  const failures = [];
  for (const [name, width] of pairs(Object.keys(PAGES), WIDTHS)) {
    const [path, ready] = PAGES[name];
    const shifts = await loadingShifts(proxy.url, width, path(), ready);
    console.log(`  ${name}: ${totalShift(shifts).toFixed(4)} at ${width} px`);
    if (totalShift(shifts) >= (STILL.includes(name) ? Number.MIN_VALUE : SHIFT_MAX))
      failures.push(`${name} at ${width} px: ${JSON.stringify(shifts)}`);
  }
  assert.deepEqual(failures, []);
});
