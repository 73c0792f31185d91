// First visit and rare states of the site: empty lobby, scroll positions, silent or restarting
// server, rate limits, and modules that fail to load, in real browsers against a real server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { User, Server, startServerAndBrowser } from "./support/server.mjs";
import { CLOCK } from "./support/player.mjs";
import { assertNoPageErrors } from "./support/no-errors.mjs";
import { PHONE, horizontalOverflow } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1H0z"/></svg>';

/** Opens a page for a new user; `script` runs in each page before its own scripts. */
const openUser = async (path, { script, ...options } = {}) => {
  const user = await User.open(browser, server, options, null);
  if (script) await user.page.addInitScript(script);
  if (path) await user.page.goto(server.url + path);
  return user;
};

/** Records layout shifts without user input. */
const recordShifts = () => {
  globalThis.layoutShifts = [];
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value, sources } of list.getEntries())
      if (!hadRecentInput) globalThis.layoutShifts.push([value, sources[0]?.node?.className]);
  }).observe({ type: "layout-shift", buffered: true });
};

/** Starts a clock game between two users without open pages and plays two plies; returns its id. */
const startGame = async (first, second, variant) => {
  const id = await first.startGame(second, variant, CLOCK);
  for (const user of [first, second]) await user.play(id);
  return id;
};

const openUsers = (...names) => Promise.all(names.map((name) => openUser(null, { name })));
const waitForText = (page, selector, text) => page.waitForSelector(`${selector} >> text=${text}`);

test("/lobby has an address; a user's engine games share one tile", async () => {
  const guest = await openUser("/");
  const { page } = guest;
  await page.waitForSelector(".live-games-quiet");
  assert.equal(await page.locator(".challenge-list-empty .board-svg").count(), 1);
  await page.click("nav >> text=Lobby");
  await page.waitForFunction(
    () => location.pathname === "/lobby" && !document.querySelector(".hero").checkVisibility(),
  );
  // The skip link keeps the path.
  await page.locator(".skip-link").press("Enter");
  assert.deepEqual(await page.evaluate(() => [document.activeElement.id, location.pathname]), [
    "main",
    "/lobby",
  ]);
  assert.match(await page.title(), /^Lobby/);
  assert.equal(await page.textContent(".site-header [aria-current=page] span"), "Lobby");
  await page.goBack();
  await page.waitForFunction(() => document.querySelector(".hero").checkVisibility());
  await page.setViewportSize(PHONE.viewport);
  await page.click("nav >> text=Lobby");
  await page.click(".lobby-create");
  await page.waitForSelector("dialog.form-dialog form.challenge-form");
  const visitor = await openUser("/rules");
  await visitor.page.waitForSelector(".site-header .header-self");
  const ids = [];
  for (let n = 0; n < 3; n += 1)
    ids.push(
      (
        await visitor.request("/api/challenge/ai", {
          level: 1,
          variant: "hogga",
          color: "first",
          "clock.limit": 600,
          "clock.increment": 0,
        })
      ).body.id,
    );
  await page.goto(`${server.url}/rules`);
  await page.goto(server.url);
  await page.locator(".live-games").scrollIntoViewIfNeeded();
  await page.waitForSelector(".live-games .board-tile");
  assert.equal(await page.locator(".live-games .board-tile").count(), 1);
  for (const id of ids) await visitor.abort(id);
});

test("Back restores the scroll position, links start at the top", async () => {
  const { page } = await openUser("/", PHONE);
  await page.waitForSelector(".lobby");
  const scrollTop = () => page.evaluate(() => Math.round(scrollY));
  const waitForScroll = (y) =>
    page.waitForFunction((expected) => Math.abs(scrollY - expected) < 2, y);
  await page.evaluate(() => scrollTo(0, 500));
  await waitForScroll(500);
  await page.tap("nav >> text=Lobby");
  await page.waitForFunction(() => location.pathname === "/lobby");
  await waitForScroll(0);
  await page.goBack();
  await page.waitForFunction(() => location.pathname === "/");
  await waitForScroll(500);
  await page.goForward();
  await page.waitForFunction(() => location.pathname === "/lobby");
  await waitForScroll(0);
  await page.tap("nav a[href='/']");
  await page.waitForFunction(
    () => location.pathname === "/" && document.querySelector(".hero").checkVisibility(),
  );
  assert.equal(await scrollTop(), 0);
});

test("the lobby of a silent server times out and offers a retry", async () => {
  const shortenTimeouts = () => {
    const { timeout } = AbortSignal;
    AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms / 5);
  };
  const { page } = await openUser(null, { script: shortenTimeouts });
  let isSilent = true;
  await page.route("**/api/**", (route) => (isSilent ? undefined : route.continue()));
  await page.goto(`${server.url}/`);
  await waitForText(page, ".page-message", "Server not reachable");
  isSilent = false;
  await page.click(".page-message button");
  await page.waitForSelector(".lobby");
});

test("the lobby loads without shifts, starts a game in two clicks", async () => {
  const [ann, bob] = await openUsers("Ann", "Bob");
  const games = [await startGame(ann, bob, "hogga"), await startGame(ann, bob, "caterpillarWar")];
  for (const options of [{}, PHONE]) {
    const { page } = await openUser("/", { ...options, script: recordShifts });
    await page.locator(".live-games").scrollIntoViewIfNeeded();
    await page.waitForFunction(
      () =>
        document.querySelectorAll(".variant-list .board-svg").length === 5 &&
        document.querySelectorAll(".live-games .board-tile").length === 2,
    );
    assert.deepEqual(await page.evaluate(() => globalThis.layoutShifts), []);
    assert.equal(
      await page.locator(".variant-list li").filter({ hasText: "1 in progress" }).count(),
      2,
    );
    assert.equal(await horizontalOverflow(page), 0, "no horizontal overflow");
    const buttons = await page.$$eval(".quick-play .btn.btn-large", (elements) =>
      elements.map((button) => button.getBoundingClientRect().bottom),
    );
    assert.ok(
      buttons.every((bottom) => bottom < 400),
      "the play buttons are visible without scrolling",
    );
  }
  const { page } = await openUser("/");
  // Boards of games in progress update, and a result stays visible briefly.
  await page.locator(".live-games").scrollIntoViewIfNeeded();
  await page.waitForSelector(`[data-id="${games[0]}"] .board-tile-clock.is-running`);
  const before = await page.innerHTML(`[data-id="${games[0]}"] .board-layer-pieces`);
  await ann.play(games[0]);
  await page.waitForFunction(
    ([id, previous]) =>
      document.querySelector(`[data-id="${id}"] .board-layer-pieces`).innerHTML !== previous,
    [games[0], before],
  );
  await ann.resign(games[0]);
  await waitForText(page, `[data-id="${games[0]}"] .board-tile-result`, "Black resigned");
  await page.waitForSelector(`[data-id="${games[0]}"]`, { state: "detached" });

  // Against a person: the first player waits, the next one is paired at once.
  await page.click(".variant-list [data-key=knightFight] button");
  await page.click("[data-opponent=person]");
  await page.click(".find-look");
  await waitForText(page, ".find-stage h1", "Looking for an opponent");
  const other = await openUser("/");
  await waitForText(other.page, ".challenge-card", "Knight Fight");
  await other.page.click(".quick-play >> text=Find an opponent");
  await other.page.click(".find-look");
  await Promise.all(
    [page, other.page].map((each) =>
      each.waitForSelector(".board-svg.is-interactive").catch(async (cause) => {
        throw new Error(`no game at ${each.url()}: ${await each.innerText("main")}`, { cause });
      }),
    ),
  );
  await ann.resign(games[1]);
});

test("a new challenge has a link, a share button and a QR code", async () => {
  const stubShare = () => {
    navigator.share = async (data) => {
      globalThis.sharedData = data;
    };
  };
  const user = await openUser(null, { ...PHONE, script: stubShare });
  const { page } = user;
  await page.route("**/picture/qr.svg*", (route) =>
    route.fulfill({ contentType: "image/svg+xml", body: SVG }),
  );
  await page.goto(server.url);
  await page.click(".quick-play >> text=Invite a friend");
  await page.click("dialog >> text=Make the link");
  const qrCode = page.locator(".share-qr img");
  await qrCode.waitFor({ state: "visible" });
  const { pathname } = new URL(page.url());
  assert.deepEqual(
    await Promise.all(["src", "width", "height", "alt"].map((name) => qrCode.getAttribute(name))),
    [`/picture/qr.svg?path=${encodeURIComponent(pathname)}`, "168", "168", "The link as a QR code"],
  );
  await page.click("text=Share");
  assert.equal(await page.evaluate(() => globalThis.sharedData.url), page.url());
  await page.unroute("**/picture/qr.svg*");
  await page.route("**/picture/qr.svg*", (route) => route.abort());
  await page.reload();
  await page.waitForSelector(".share-qr[hidden]", { state: "attached" });
  await page.waitForSelector(".challenge-page input[readonly]");
});

test("rate limits show the wait, a server restart shows a notice", async () => {
  const { page } = await openUser("/");
  const rejectWithWait = (route) =>
    route.fulfill({
      status: 429,
      headers: { "retry-after": "7" },
      json: { reason: "tooFast", error: "Too fast." },
    });
  await page.route("**/api/challenge", rejectWithWait);
  await page.click(".quick-play >> text=Invite a friend");
  await page.click("dialog >> text=Make the link");
  await waitForText(page, "dialog [role=alert]", "Wait 7\u00a0s");
  await page.route("**/api/guest", rejectWithWait);
  await page.reload();
  await waitForText(page, ".page-message", "A moment, please");
  assert.match(await page.textContent(".page-message button"), /^Try again in \d\ss$/);
  assert.equal(await page.getAttribute(".page-message button", "aria-disabled"), "true");
  await page.unroute("**/api/guest");
  await page.goto(`${server.url}/`);
  await page.waitForSelector(".lobby");
  // Live regions exist and are empty before the first announcement.
  const regions = await page.$$eval("body > [role=status]", (elements) =>
    elements.map(({ textContent }) => textContent),
  );
  assert.ok(regions.length > 1 && regions.every((text) => text === ""), `${regions}`);
  await server.kill("SIGTERM");
  await waitForText(
    page,
    "[role=status] > .connection-banner",
    "Back in a moment. Your game and clock are safe.",
  );
  await server.startProcess();
  await page.waitForSelector(".connection-banner", { state: "detached" });
});

test("a page over the read limit waits and loads by itself", async (context) => {
  const ownServer = await Server.start("--read-limit", "8");
  context.after(() => ownServer.stop());
  const eve = await User.open(browser, ownServer, {}, null);
  const rejected = [];
  eve.page.on("response", (response) => response.status() === 429 && rejected.push(response.url()));
  // The page itself is served from a copy, so that only its API requests are limited.
  const body = await (await fetch(`${ownServer.url}/live`)).text();
  await eve.page.route(`${ownServer.url}/live`, (route) =>
    route.fulfill({ contentType: "text/html", body }),
  );
  // The limit refills with time: a slow machine needs more requests to exceed it.
  for (let attempt = 0; attempt < 3 || (rejected.length === 0 && attempt < 30); attempt += 1) {
    await eve.page.goto(`${ownServer.url}/live`);
    await eve.page.waitForResponse((response) => response.url().endsWith("/api/variants"));
  }
  // The wait is randomized.
  await eve.page.waitForSelector(".watch-page .watch-empty:not([hidden])", { timeout: 60000 });
  assert.ok(rejected.length > 0, "no request was refused");
});

test("every button reports a module that fails to load", async () => {
  const guest = await openUser("/", PHONE);
  const { page } = guest;
  for (const name of ["ai-dialog", "challenge-form"])
    await page.route(`**/${name}.js`, (route) => route.abort());
  const actions = [
    () => page.click(".quick-play >> text=Play the computer"),
    () =>
      page
        .click(".variant-list [data-key=hogga] button")
        .then(() => page.click("[data-opponent=computer]")),
    () => page.click(".challenge-list-empty >> text=Play the computer"),
    () => page.click(".lobby-create"),
  ];
  for (const action of actions) {
    await action();
    await waitForText(page, ".toast", "The server cannot be reached.");
    await page.evaluate(() => document.querySelector(".toast").remove());
  }
  assert.equal(await page.locator(".is-busy").count(), 0, "no button stays busy");
  assertNoPageErrors([guest], /ERR_FAILED/);
});

test("the resigning player reads the result in their own language", async () => {
  for (const [locale, text] of [
    ["en-GB", "You resigned"],
    ["nl-NL", "Je hebt opgegeven"],
    ["sv-SE", "Du gav upp"],
  ]) {
    const ann = await openUser(null, { name: `Ann-${locale}`, locale });
    const bob = await openUser(null, { name: `Bob-${locale}` });
    const id = await startGame(ann, bob, "hogga");
    await ann.resign(id);
    await ann.page.goto(`${server.url}/${id}`);
    await waitForText(ann.page, ".game-result p", text);
  }
});
