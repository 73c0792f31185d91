// Spectating: links to a ply, position requests, following the best game, boards in the lobby.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { User, Server, roundTrip, startServerAndBrowser, waitUntil } from "./support/server.mjs";
import { assertNoPageErrors } from "./support/no-errors.mjs";
import { waitForStatus, statusAfter, statusButton, gameStarter } from "./support/game.mjs";

const { server, browser } = await startServerAndBrowser();
const startGame = gameStarter({ server, browser });

test("ply link opens at that ply for spectators only", async () => {
  const [mia, ned, id] = await startGame({});
  await mia.move(["h5", "g5"], 1, [mia, ned]);
  await ned.move(["a4", "b4"], 2, [mia, ned]);
  const eve = await User.open(browser, server, {}, `/${id}#1`);
  await waitForStatus(eve, "Move 1 of 2");
  await eve.page.evaluate(() => {
    location.hash = "#0";
  });
  await waitForStatus(eve, "Move 0 of 2");
  await eve.page.click("[aria-label='Copy a link to this move']");
  await eve.page.waitForSelector(`.toast >> text=/Link to move 0|#0/`);
  await mia.page.goto("about:blank");
  // Request for the preview without clicks, which the page sends once it is ready.
  const previewPromise = mia.page.waitForResponse(
    (response) =>
      response.url().endsWith("/api/position") &&
      response.request().postDataJSON().clicks?.length === 0,
  );
  await mia.page.clock.install();
  await mia.page.goto(`${server.url}/${id}#1`);
  await mia.page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  await waitForStatus(mia, "Your move");
  // The page requests the effect of the last move; its marks show that the response arrived.
  await mia.page.waitForSelector(".board-layer-lastMove .board-last-move", { state: "attached" });
  await (await previewPromise).finished();
  assertNoPageErrors([mia, ned, eve]);
  // A refused preview request is neither repeated nor reported.
  const requests = [];
  await mia.page.route("**/api/position", (route) => {
    requests.push(route.request().postDataJSON());
    return route.fulfill({
      status: 429,
      headers: { "retry-after": "1" },
      json: { reason: "tooFast" },
    });
  });
  const responsePromise = mia.page.waitForResponse(/position/);
  await mia.clickCell("g5");
  await (await responsePromise).finished();
  // A toast or a repeated request would appear within two seconds.
  await roundTrip(mia.page);
  await mia.page.clock.fastForward(2500);
  await roundTrip(mia.page);
  assert.equal(await mia.page.locator(".toast").count(), 0);
  assert.equal(requests.length, 1, JSON.stringify(requests));
});

test("full game state does not cause requests for known positions", async () => {
  const [mia, ned, id] = await startGame({});
  await mia.move(["h5", "g5"], 1, [mia, ned]);
  await ned.move(["a4", "b4"], 2, [mia, ned]);
  const eve = await User.open(browser, server, {}, null);
  const { page } = eve;
  let requests = 0;
  await page.route("**/api/position", (route) => {
    requests += 1;
    return route.continue();
  });
  const sockets = [];
  let fullCount = 0;
  await page.routeWebSocket(/\/ws\/game\//, (socket) => {
    const upstream = socket.connectToServer();
    upstream.onMessage(async (text) => {
      // Slow connection: the full game state arrives after the page is complete.
      if (text.includes('"t":"full"')) {
        await page.waitForSelector(".board-layer-lastMove .board-last-move", { state: "attached" });
        fullCount += 1;
      }
      socket.send(text);
    });
    sockets.push(socket);
  });
  await page.goto(`${server.url}/${id}`);
  await waitUntil("the full game state was sent", () => fullCount > 0);
  await roundTrip(page);
  await mia.move(["g5", "f5"], 3, [mia, ned, eve]);
  assert.equal(requests, 1);
  assertNoPageErrors([mia, ned, eve]);
});

test("TV spectator is taken to the next game, or stays", async () => {
  const [yan, zoe, id] = await startGame({ variant: "hogga" });
  const eve = await User.open(browser, server, {}, null);
  await eve.page.clock.install();
  await eve.page.goto(`${server.url}/${id}?tv=hogga`);
  await waitForStatus(eve, "You are watching");
  const next = await startGame({ variant: "hogga" });
  // Any game replaces one that has ended; the page checks as soon as it ends.
  await statusAfter(eve, "The next game in", () => yan.abort(id));
  await statusButton(eve, "Stay").click();
  await eve.page.clock.fastForward(10000);
  await waitForStatus(eve, "Aborted");
  assert.equal(eve.page.url(), `${server.url}/${id}?tv=hogga`);
  const last = await startGame({ variant: "hogga" });
  await next[0].abort(next[2]);
  // The page checks every ten seconds and counts down five; the test advances its clock.
  const nextUrl = `${server.url}/${last[2]}?tv=hogga`;
  await waitUntil("the page shows the next game", async () => {
    if (eve.page.url() === nextUrl) return true;
    await eve.page.clock.fastForward(10000);
    return eve.page.waitForURL(nextUrl, { timeout: 1000 }).then(
      () => true,
      () => false,
    );
  });
  assertNoPageErrors([yan, zoe, eve, ...next.slice(0, 2), ...last.slice(0, 2)]);
});

test("lobby boards that fail to load are reported once", async () => {
  const ownServer = await Server.start();
  after(() => ownServer.stop());
  const startOwnGame = gameStarter({ server: ownServer, browser });
  const eve = await User.open(browser, ownServer);
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
  const players = await startOwnGame({});
  await page.locator(".live-games").scrollIntoViewIfNeeded();
  await page.waitForSelector(".toast >> text=The server cannot be reached.");
  // The next game requests the modules again.
  const failedRequest = page.waitForEvent("requestfailed");
  players.push(...(await startOwnGame({})));
  await failedRequest;
  await page.evaluate(() => new Promise(requestAnimationFrame));
  assert.equal(await page.evaluate(() => window.toasts), 1);
  await page.unroute("**/*.js");
  players.push(...(await startOwnGame({})));
  await page.waitForFunction(
    () => document.querySelectorAll(".live-games .board-tile").length === 3,
  );
  assertNoPageErrors([eve, ...players.filter((player) => player.errors)], /ERR_FAILED/);
});
