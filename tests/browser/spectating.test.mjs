// Spectating: links to a ply, position requests, following the best game, boards in the lobby.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Person, Server, house, until } from "./support/server.mjs";
import { pagesWereQuiet } from "./support/no-errors.mjs";
import { hint, hintAfter, hintButton, tableIn } from "./support/game.mjs";

const { server, browser } = await house();
const game = tableIn({ server, browser });

test("ply link opens at that ply for spectators, but not for players", async () => {
  const [mia, ned, id] = await game({});
  await mia.move(["h5", "g5"], 1, [mia, ned]);
  await ned.move(["a4", "b4"], 2, [mia, ned]);
  const eve = await Person.open(browser, server, {}, `/${id}#1`);
  await hint(eve, "Move 1 of 2");
  await eve.page.evaluate(() => {
    location.hash = "#0";
  });
  await hint(eve, "Move 0 of 2");
  await eve.page.click("[aria-label='Copy a link to this move']");
  await eve.page.waitForSelector(`.toast >> text=/Link to move 0|#0/`);
  await mia.page.goto("about:blank");
  await mia.page.goto(`${server.url}/${id}#1`);
  await mia.page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  await hint(mia, "Your move");
  // The page requests the effect of the last move; its marks show that the response arrived.
  await mia.page.waitForSelector(".board-layer-lastMove .board-last-move", { state: "attached" });
  pagesWereQuiet([mia, ned, eve]);
  // A refused preview request is neither repeated nor reported.
  const asked = [];
  await mia.page.route("**/api/position", (route) => {
    asked.push(route.request().postDataJSON());
    return route.fulfill({
      status: 429,
      headers: { "retry-after": "1" },
      json: { reason: "tooFast" },
    });
  });
  const refused = mia.page.waitForResponse(/position/);
  await mia.cell("g5");
  await (await refused).finished();
  // A toast or a repeated request would appear within two seconds.
  await mia.page.waitForTimeout(2500);
  assert.equal(await mia.page.locator(".toast").count(), 0);
  assert.equal(asked.length, 1, JSON.stringify(asked));
});

test("full game state does not cause requests for known positions", async () => {
  const [mia, ned, id] = await game({});
  await mia.move(["h5", "g5"], 1, [mia, ned]);
  await ned.move(["a4", "b4"], 2, [mia, ned]);
  const eve = await Person.open(browser, server, {}, null);
  const { page } = eve;
  let asked = 0;
  await page.route("**/api/position", (route) => {
    asked += 1;
    return route.continue();
  });
  const lines = [];
  let wholes = 0;
  await page.routeWebSocket(/\/ws\/game\//, (line) => {
    const far = line.connectToServer();
    far.onMessage(async (text) => {
      // Slow connection: the full game state arrives after the page is complete.
      if (text.includes('"t":"full"')) {
        await page.waitForSelector(".board-layer-lastMove .board-last-move", { state: "attached" });
        wholes += 1;
      }
      line.send(text);
    });
    lines.push(line);
  });
  await page.goto(`${server.url}/${id}`);
  await until("the full game state was sent", () => wholes > 0);
  await ned.page.waitForTimeout(500);
  await mia.move(["g5", "f5"], 3, [mia, ned, eve]);
  assert.equal(asked, 1);
  pagesWereQuiet([mia, ned, eve]);
});

test("spectator of the best game is taken to the next one, or stays", async () => {
  const [yan, zoe, id] = await game({ variant: "hogga" });
  const eve = await Person.open(browser, server, {}, null);
  await eve.page.clock.install();
  await eve.page.goto(`${server.url}/${id}?tv=hogga`);
  await hint(eve, "You are watching");
  const next = await game({ variant: "hogga" });
  // Any game replaces one that has ended; the page checks as soon as it ends.
  await hintAfter(eve, "The next game in", () => yan.abort(id));
  await hintButton(eve, "Stay").click();
  await eve.page.clock.fastForward(10000);
  await hint(eve, "Aborted");
  assert.equal(eve.page.url(), `${server.url}/${id}?tv=hogga`);
  const last = await game({ variant: "hogga" });
  await next[0].abort(next[2]);
  // The page checks every ten seconds and counts down five; the test advances its clock.
  const there = `${server.url}/${last[2]}?tv=hogga`;
  await until("the page shows the next game", async () => {
    if (eve.page.url() === there) return true;
    await eve.page.clock.fastForward(10000);
    return eve.page.waitForURL(there, { timeout: 1000 }).then(
      () => true,
      () => false,
    );
  });
  pagesWereQuiet([yan, zoe, eve, ...next.slice(0, 2), ...last.slice(0, 2)]);
});

test("failure to load lobby boards is reported once, and they load later", async () => {
  const own = await Server.start();
  after(() => own.stop());
  const play = tableIn({ server: own, browser });
  const eve = await Person.open(browser, own);
  const { page } = eve;
  // Blocks modules that load later; the initial ones are already loaded.
  await page.route("**/*.js", (route) => route.abort());
  await page.evaluate(() => {
    window.toasts = 0;
    new MutationObserver((changes) => {
      window.toasts += changes
        .flatMap(({ addedNodes }) => [...addedNodes])
        .filter((node) => node.matches?.(".toast")).length;
    }).observe(document.body, { childList: true, subtree: true });
  });
  const people = await play({});
  await page.locator(".live-games").scrollIntoViewIfNeeded();
  await page.waitForSelector(".toast >> text=The server cannot be reached.");
  // The next game requests the modules again.
  const again = page.waitForEvent("requestfailed");
  people.push(...(await play({})));
  await again;
  await page.evaluate(() => new Promise(requestAnimationFrame));
  assert.equal(await page.evaluate(() => window.toasts), 1);
  await page.unroute("**/*.js");
  people.push(...(await play({})));
  await page.waitForFunction(
    () => document.querySelectorAll(".live-games .board-tile").length === 3,
  );
  pagesWereQuiet([eve, ...people.filter((one) => one.errors)], /ERR_FAILED/);
});
