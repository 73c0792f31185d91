// First visit and rare states of the site: empty lobby, scroll positions, silent or restarting
// server, rate limits, and modules that fail to load, in real browsers against a real server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Person, Server, house } from "./support/server.mjs";
import { CLOCK } from "./support/player.mjs";
import { pagesWereQuiet } from "./support/no-errors.mjs";
import { PHONE, sideways } from "./support/viewports.mjs";

const { server, browser } = await house();

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1H0z"/></svg>';

/** Opens a page for a new user; `script` runs in each page before its own scripts. */
const visit = async (path, { script, ...options } = {}) => {
  const person = await Person.open(browser, server, options, null);
  if (script) await person.page.addInitScript(script);
  if (path) await person.page.goto(server.url + path);
  return person;
};

/** Records layout shifts without user input. */
const shifts = () => {
  globalThis.shifted = [];
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value, sources } of list.getEntries())
      if (!hadRecentInput) globalThis.shifted.push([value, sources[0]?.node?.className]);
  }).observe({ type: "layout-shift", buffered: true });
};

/** Starts a clock game between two users without open pages and plays two plies; returns its id. */
const begin = async (first, second, variant) => {
  const id = await first.begin(second, variant, CLOCK);
  for (const person of [first, second]) await person.play(id);
  return id;
};

const players = (...names) => Promise.all(names.map((name) => visit(null, { name })));
const shows = (page, selector, text) => page.waitForSelector(`${selector} >> text=${text}`);

test("/lobby has an address; a user's engine games share one tile", async () => {
  const guest = await visit("/");
  const { page } = guest;
  await page.waitForSelector(".live-games-empty");
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
  const loner = await visit("/rules");
  await loner.page.waitForSelector(".site-header .header-self");
  const ids = [];
  for (let n = 0; n < 3; n += 1)
    ids.push(
      (
        await loner.ask("/api/challenge/ai", {
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
  for (const id of ids) await loner.abort(id);
});

test("Back restores the scroll position, other navigation starts at the top", async () => {
  const { page } = await visit("/", PHONE);
  await page.waitForSelector(".lobby");
  const place = () => page.evaluate(() => Math.round(scrollY));
  const at = (y) => page.waitForFunction((wanted) => Math.abs(scrollY - wanted) < 2, y);
  await page.evaluate(() => scrollTo(0, 500));
  await at(500);
  await page.tap("nav >> text=Lobby");
  await page.waitForFunction(() => location.pathname === "/lobby");
  await at(0);
  await page.goBack();
  await page.waitForFunction(() => location.pathname === "/");
  await at(500);
  await page.goForward();
  await page.waitForFunction(() => location.pathname === "/lobby");
  await at(0);
  await page.tap("nav a[href='/']");
  await page.waitForFunction(
    () => location.pathname === "/" && document.querySelector(".hero").checkVisibility(),
  );
  assert.equal(await place(), 0);
});

test("the lobby of a silent server times out and offers a retry", async () => {
  const hasty = () => {
    const { timeout } = AbortSignal;
    AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms / 5);
  };
  const { page } = await visit(null, { script: hasty });
  let silent = true;
  await page.route("**/api/**", (route) => (silent ? undefined : route.continue()));
  await page.goto(`${server.url}/`);
  await shows(page, ".page-message", "Server not reachable");
  silent = false;
  await page.click(".page-message button");
  await page.waitForSelector(".lobby");
});

test("the lobby fills without layout shift and starts a game in two clicks", async () => {
  const [ann, bob] = await players("Ann", "Bob");
  const games = [await begin(ann, bob, "hogga"), await begin(ann, bob, "caterpillarWar")];
  for (const options of [{}, PHONE]) {
    const { page } = await visit("/", { ...options, script: shifts });
    await page.locator(".live-games").scrollIntoViewIfNeeded();
    await page.waitForFunction(
      () =>
        document.querySelectorAll(".variant-list .board-svg").length === 5 &&
        document.querySelectorAll(".live-games .board-tile").length === 2,
    );
    assert.deepEqual(await page.evaluate(() => globalThis.shifted), []);
    assert.equal(
      await page.locator(".variant-list li").filter({ hasText: "1 in progress" }).count(),
      2,
    );
    assert.equal(await sideways(page), 0, "no horizontal overflow");
    const buttons = await page.$$eval(".quick-play .btn.btn-large", (all) =>
      all.map((button) => button.getBoundingClientRect().bottom),
    );
    assert.ok(
      buttons.every((bottom) => bottom < 400),
      "the play buttons are visible without scrolling",
    );
  }
  const { page } = await visit("/");
  // Boards of games in progress update, and a result stays visible briefly.
  await page.locator(".live-games").scrollIntoViewIfNeeded();
  await page.waitForSelector(`[data-id="${games[0]}"] .board-tile-clock.is-running`);
  const before = await page.innerHTML(`[data-id="${games[0]}"] .board-layer-pieces`);
  await ann.play(games[0]);
  await page.waitForFunction(
    ([id, was]) =>
      document.querySelector(`[data-id="${id}"] .board-layer-pieces`).innerHTML !== was,
    [games[0], before],
  );
  await ann.resign(games[0]);
  await shows(page, `[data-id="${games[0]}"] .board-tile-result`, "Black resigned");
  await page.waitForSelector(`[data-id="${games[0]}"]`, { state: "detached" });

  // Against a person: the first player waits with a link, the next one is paired at once.
  await page.click(".variant-list [data-key=knightFight] button");
  await page.click("[data-road=person]");
  await page.waitForSelector(".challenge-page input[readonly]");
  const other = await visit("/");
  await shows(other.page, ".challenge-card", "Knight Fight");
  await other.page.click(".quick-play >> text=Find an opponent");
  await Promise.all(
    [page, other.page].map((each) => each.waitForSelector(".board-svg.is-interactive")),
  );
  await ann.resign(games[1]);
});

test("a new challenge has a link, a share button and an optional QR code", async () => {
  const share = () => {
    navigator.share = async (what) => {
      globalThis.shared = what;
    };
  };
  const person = await visit(null, { ...PHONE, script: share });
  const { page } = person;
  await page.route("**/picture/qr.svg*", (route) =>
    route.fulfill({ contentType: "image/svg+xml", body: SVG }),
  );
  await page.goto(server.url);
  await page.click(".quick-play >> text=Invite a friend");
  const code = page.locator(".share-qr img");
  await code.waitFor({ state: "visible" });
  const { pathname } = new URL(page.url());
  assert.deepEqual(
    await Promise.all(["src", "width", "height", "alt"].map((name) => code.getAttribute(name))),
    [`/picture/qr.svg?path=${encodeURIComponent(pathname)}`, "168", "168", "The link as a QR code"],
  );
  await page.click("text=Share");
  assert.equal(await page.evaluate(() => globalThis.shared.url), page.url());
  await page.unroute("**/picture/qr.svg*");
  await page.route("**/picture/qr.svg*", (route) => route.abort());
  await page.reload();
  await page.waitForSelector(".share-qr[hidden]", { state: "attached" });
  await page.waitForSelector(".challenge-page input[readonly]");
});

test("rate limits show the wait, a server restart shows a notice", async () => {
  const { page } = await visit("/");
  const slow = (route) =>
    route.fulfill({
      status: 429,
      headers: { "retry-after": "7" },
      json: { reason: "tooFast", error: "Too fast." },
    });
  await page.route("**/api/challenge", slow);
  await page.click(".quick-play >> text=Invite a friend");
  await shows(page, ".toasts[role=status] .toast", "Wait 7 s");
  await page.route("**/api/guest", slow);
  await page.reload();
  await shows(page, ".page-message", "A moment, please");
  assert.match(await page.textContent(".page-message button"), /^Try again in \d s$/);
  assert.equal(await page.getAttribute(".page-message button", "aria-disabled"), "true");
  await page.unroute("**/api/guest");
  await page.goto(`${server.url}/`);
  await page.waitForSelector(".lobby");
  // Live regions exist and are empty before the first announcement.
  const places = await page.$$eval("body > [role=status]", (all) =>
    all.map(({ textContent }) => textContent),
  );
  assert.ok(places.length > 1 && places.every((text) => text === ""), `${places}`);
  await server.kill("SIGTERM");
  await shows(
    page,
    "[role=status] > .connection-banner",
    "Back in a moment. Your game and clock are safe.",
  );
  await server.up();
  await page.waitForSelector(".connection-banner", { state: "detached" });
});

test("a page over the read limit waits and loads by itself", async (context) => {
  const own = await Server.start("--read-limit", "8");
  context.after(() => own.stop());
  const eve = await Person.open(browser, own, {}, null);
  const refused = [];
  eve.page.on("response", (response) => response.status() === 429 && refused.push(response.url()));
  // The page itself is served from a copy, so that only its API requests are limited.
  const body = await (await fetch(`${own.url}/live`)).text();
  await eve.page.route(`${own.url}/live`, (route) =>
    route.fulfill({ contentType: "text/html", body }),
  );
  // The limit refills with time: a slow machine needs more requests to exceed it.
  for (let times = 0; times < 3 || (refused.length === 0 && times < 30); times += 1) {
    await eve.page.goto(`${own.url}/live`);
    await eve.page.waitForResponse((response) => response.url().endsWith("/api/variants"));
  }
  // The wait is randomized.
  await eve.page.waitForSelector(".watch-page .watch-empty:not([hidden])", { timeout: 60000 });
  assert.ok(refused.length > 0, "no request was refused");
});

test("every button reports a module that fails to load", async () => {
  const guest = await visit("/", PHONE);
  const { page } = guest;
  for (const name of ["ai-dialog", "challenge-form"])
    await page.route(`**/${name}.js`, (route) => route.abort());
  const presses = [
    () => page.click(".quick-play >> text=Play the computer"),
    () =>
      page
        .click(".variant-list [data-key=hogga] button")
        .then(() => page.click("[data-road=computer]")),
    () => page.click(".challenge-list-empty >> text=Play the computer"),
    () => page.click(".lobby-create"),
  ];
  for (const press of presses) {
    await press();
    await shows(page, ".toast", "The server cannot be reached.");
    await page.evaluate(() => document.querySelector(".toast").remove());
  }
  assert.equal(await page.locator(".is-busy").count(), 0, "no button stays busy");
  pagesWereQuiet([guest], /ERR_FAILED/);
});

test("the resigning player reads the result in their own language", async () => {
  for (const [locale, text] of [
    ["en-GB", "You resigned"],
    ["nl-NL", "Je hebt opgegeven"],
    ["sv-SE", "Du gav upp"],
  ]) {
    const ann = await visit(null, { name: `Ann-${locale}`, locale });
    const bob = await visit(null, { name: `Bob-${locale}` });
    const id = await begin(ann, bob, "hogga");
    await ann.resign(id);
    await ann.page.goto(`${server.url}/${id}`);
    await shows(ann.page, ".game-result p", text);
  }
});
