// Absent players, lost connections and server outages: messages, claims, and no lost moves.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { User, Server, roundTrip, startServerAndBrowser, waitUntil } from "./support/server.mjs";
import { TcpProxy } from "./support/proxy.mjs";
import { assertNoPageErrors } from "./support/no-errors.mjs";
import { DESKTOP, PHONE, screenshot } from "./support/viewports.mjs";
import {
  waitForStatus,
  statusAfter,
  statusButton,
  countPlies,
  gameStarter,
} from "./support/game.mjs";

const { server, browser } = await startServerAndBrowser();
const startGame = gameStarter({ server, browser });

test("moves arrive once over a delayed, silent or closed socket", async (context) => {
  const proxy = await TcpProxy.open(server.port);
  context.after(() => proxy.close());
  const [sue, tom] = await startGame({}, [{}, {}], [proxy, server]);
  proxy.delay = 150;
  await sue.move(["h5", "g5"], 1, [sue, tom]);
  // Silent connection without a close frame, as after a lost NAT entry.
  proxy.mute();
  await tom.move(["a4", "b4"], 2, [tom]);
  await sue.page.evaluate(() => dispatchEvent(new Event("offline")));
  await sue.waitForPly(2);
  // Closed connection; reconnects fail for a while.
  proxy.isRefusing = true;
  proxy.closeConnections();
  for (const cell of ["g5", "f5"]) await sue.clickCell(cell);
  await sue.page.waitForSelector(".board-layer-marks .is-unsent", { state: "attached" });
  await sue.page.waitForSelector(".connection-banner >> text=Your moves are safe");
  await sue.page.keyboard.press("Home");
  await waitForStatus(sue, "Move 0 of 2");
  await sue.page.keyboard.press("End");
  proxy.isRefusing = false;
  for (const user of [sue, tom]) await user.waitForPly(3);
  await sue.page.waitForSelector(".connection-banner", { state: "detached" });
  for (const user of [sue, tom]) assert.equal(await countPlies(user), 3);
  assert.deepEqual(
    sue.errors.filter((error) => !/ERR_/.test(error)),
    [],
  );
  assertNoPageErrors([tom]);
});

/** Locks the database of a server for writers. Returns a function that unlocks it. */
const lockDatabase = async (lockedServer, context) => {
  const shell = spawn("sqlite3", [join(lockedServer.folder, "sprong.db")]);
  context.after(() => shell.kill());
  shell.stdin.write(".timeout 10000\nBEGIN IMMEDIATE;\nSELECT 'locked';\n");
  await once(shell.stdout, "data");
  return async () => {
    shell.stdin.end("COMMIT;\n");
    await once(shell, "close");
  };
};

test("moves wait for a locked database, and are stored once", async (context) => {
  const ownServer = await Server.start();
  context.after(() => ownServer.stop());
  const [sue, tom] = await startGame({}, [{}, PHONE], [ownServer, ownServer]);
  await sue.move(["h5", "g5"], 1, [sue, tom]);
  const unlock = await lockDatabase(ownServer, context);
  const lockedAt = Date.now();
  for (const cell of ["a4", "b4"]) await tom.clickCell(cell);
  await tom.page.waitForSelector(".board-layer-marks .is-unsent", { state: "attached" });
  await sleep(lockedAt + 6000 - Date.now());
  await unlock();
  for (const user of [sue, tom]) await user.waitForPly(2);
  await tom.page.waitForSelector(".connection-banner", { state: "detached" });
  await sue.move(["g5", "f5"], 3, [sue, tom]);
  for (const user of [sue, tom]) assert.equal(await countPlies(user), 3);
  assertNoPageErrors([sue, tom]);
});

test("absent player can return, later the win can be claimed", async (context) => {
  // Announces the absence after 2 s and permits the claim 8 s later, instead of 5 s and 20 s.
  const ownServer = await Server.start("--claim-after-ms", "12000");
  context.after(() => ownServer.stop());
  const proxy = await TcpProxy.open(ownServer.port);
  const [wim, xia, id] = await startGame(
    { "clock.limit": 60, "clock.increment": 0 },
    [PHONE, {}],
    [ownServer, proxy],
  );
  await wim.move(["h5", "g5"], 1, [wim, xia]);
  await xia.play(id, "a4-b4");
  await wim.move(["g5", "f5"], 3, [wim, xia]);
  proxy.isRefusing = true;
  proxy.closeConnections();
  const bar = wim.page.locator(".game-player.is-top");
  const { height } = await bar.boundingBox();
  await waitForStatus(wim, "left.");
  await wim.page.waitForSelector(".game-player.is-gone .game-player-absence >> text=gone 0:");
  assert.ok(await bar.locator(".game-player-count").isVisible(), "the count is hidden");
  assert.equal((await bar.boundingBox()).height, height, "the layout has moved");
  await screenshot(wim.page, "live-absent-phone-light");
  proxy.isRefusing = false;
  await wim.page.waitForSelector(".game-player.is-gone", { state: "detached" });
  await waitForStatus(wim, "is to move");
  proxy.close();
  await waitForStatus(wim, "You may claim the win in");
  await statusButton(wim, "Wait").waitFor({ timeout: 40000 });
  await screenshot(wim.page, "live-claim-phone-light");
  await wim.page.setViewportSize(DESKTOP.viewport);
  await wim.page.emulateMedia({ colorScheme: "dark" });
  await screenshot(wim.page, "live-claim-desktop-dark");
  await statusButton(wim, "Wait").click();
  await wim.page.click(".game-player .game-player-absence:not(:disabled)");
  await statusButton(wim, "Claim the win").click();
  await wim.page.waitForSelector(".game-result >> text=left the game");
  assert.equal(await wim.page.textContent(".game-result h2"), "You won");
  assertNoPageErrors([wim]);
});

test("closed connection is explained, rate limit backs off", async () => {
  const [abe, bea, id] = await startGame({});
  await abe.move(["h5", "g5"], 1, [abe, bea]);
  const eve = await User.open(browser, server, {}, null);
  await eve.page.clock.install();
  const sockets = [];
  await eve.page.routeWebSocket(/\/ws\/game\//, (socket) => {
    socket.connectToServer();
    sockets.push(socket);
  });
  await eve.page.goto(`${server.url}/${id}`);
  await eve.waitForPly(1);
  const closeSocket = async (code, text) => {
    const count = sockets.length;
    await sockets.at(-1).close({ code, reason: "" });
    await eve.page.waitForSelector(`.connection-banner >> text=${text}`);
    return count;
  };
  const countBefore = sockets.length;
  const closedAt = await eve.page.evaluate(() => {
    window.shownAt = [];
    new MutationObserver(
      () => document.querySelector(".connection-banner") && window.shownAt.push(Date.now()),
    ).observe(document.body, { childList: true, subtree: true });
    return Date.now();
  });
  await sockets.at(-1).close({ code: 1012, reason: "" });
  await waitUntil("the page has reconnected", () => sockets.length > countBefore);
  await eve.page.waitForSelector(".connection-banner", { state: "detached" });
  // The message appears only if reconnecting takes longer than 1.5 s, as on a slow machine.
  const [shownAt] = await eve.page.evaluate(() => window.shownAt);
  assert.ok(
    shownAt === undefined || shownAt - closedAt >= 1500,
    `message shown after ${shownAt - closedAt} ms`,
  );
  const countAtLimit = await closeSocket(1008, "Too many messages");
  // After a rate-limit close, the page does not reconnect at once.
  await eve.page.clock.fastForward(2000);
  await roundTrip(eve.page);
  assert.equal(sockets.length, countAtLimit, "no immediate reconnect");
  await eve.page.click(".game-moves [data-ply='1']");
  await eve.page.keyboard.press("Home");
  await waitForStatus(eve, "Move 0 of 1");
  await eve.page.clock.fastForward(13000);
  await eve.page.waitForSelector(".connection-banner", { state: "detached" });
  assert.equal(sockets.length, countAtLimit + 1);
  const countAtLogout = await closeSocket(4401, "You are logged out here");
  await eve.page.clock.fastForward(20000);
  await roundTrip(eve.page);
  assert.equal(sockets.length, countAtLogout, "no reconnect with an ended session");
  assertNoPageErrors([abe, bea, eve]);
});

test("server outage is reported and not deducted from the clocks", async (context) => {
  const ownServer = await Server.start();
  context.after(() => ownServer.stop());
  const [hal, ivy, id] = await startGame({ "clock.limit": 300 }, [{}, {}], [ownServer, ownServer]);
  await hal.move(["h5", "g5"], 1, [hal, ivy]);
  const startedAt = performance.now();
  await ivy.move(["a4", "b4"], 2, [hal, ivy]);
  ownServer.process.kill("SIGSTOP");
  const stoppedAt = performance.now();
  // Duration of the outage: a stopped process has no state that could be awaited.
  await hal.page.waitForTimeout(4000);
  const outageMs = performance.now() - stoppedAt;
  await statusAfter(hal, "the clocks stopped", () => ownServer.process.kill("SIGCONT"));
  await hal.move(["g5", "f5"], 3, [hal, ivy]);
  const elapsedMs = performance.now() - startedAt;
  const { clocks } = (await hal.request(`/api/game/${id}`)).body;
  // Only the time in which the server runs is deducted. Outages are measured to half a second.
  const deductedMs = 300000 - clocks.first;
  assert.ok(
    deductedMs <= elapsedMs - outageMs + 500,
    `${deductedMs} ms deducted of ${elapsedMs} ms, with an outage of ${outageMs} ms`,
  );
  assertNoPageErrors([hal, ivy]);
});

test("failed request for a language file is repeated", async () => {
  const { page } = await User.open(browser, server, {}, null);
  let requests = 0;
  await page.route("**/i18n/en.more.js*", (route) => {
    requests += 1;
    return requests > 2 ? route.continue() : route.abort();
  });
  await page.goto(server.url);
  await page.click(".quick-play >> text=Play the computer");
  await page.waitForSelector("dialog[open] .ai-form");
  assert.equal(requests, 3);
  const text = await page.textContent("dialog[open] .ai-form");
  assert.doesNotMatch(text, /[a-z]+\.[a-z]+/i, "every phrase is translated");
});

test("clocks stand still during an outage, which is told after it", async (context) => {
  const ownServer = await Server.start();
  context.after(() => ownServer.stop());
  const [ann, bob] = await startGame({}, [PHONE, {}], [ownServer, ownServer]);
  for (const [ply, cells] of [
    ["h5", "g5"],
    ["a4", "b4"],
  ].entries())
    await [ann, bob][ply].move(cells, ply + 1, [ann, bob]);
  await ann.page.waitForSelector(".game-clock.is-running");
  await ownServer.kill();
  for (const { page } of [ann, bob]) await page.waitForSelector(".game-clock.is-suspended");
  await screenshot(ann.page, "live-outage-phone-light");
  const readClocks = () =>
    Promise.all([ann, bob].map(({ page }) => page.locator(".game-clock").allTextContents()));
  const times = await readClocks();
  // The second message of the banner comes ten seconds after the first.
  for (const { page } of [ann, bob])
    await page.waitForSelector(".connection-banner >> text=No connection");
  assert.deepEqual(await readClocks(), times, "the clocks stand still on both pages");
  await ownServer.startProcess();
  for (const { page } of [ann, bob])
    await page.waitForFunction(
      () =>
        /The server was down for \d+\ss; the clocks stopped/.test(
          document.querySelector(".game-status").textContent,
        ) && !document.querySelector(".is-suspended"),
    );
  assert.deepEqual(
    [...ann.errors, ...bob.errors].filter((error) => !/ERR_/.test(error)),
    [],
  );
});
