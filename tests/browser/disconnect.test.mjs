// Absent players, lost connections and server outages: messages, claims, and no lost moves.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Person, Server, house, until } from "./support/server.mjs";
import { Proxy } from "./support/proxy.mjs";
import { pagesWereQuiet } from "./support/no-errors.mjs";
import { DESK, PHONE, shot } from "./support/viewports.mjs";
import { hint, hintAfter, hintButton, plies, tableIn } from "./support/game.mjs";

const { server, browser } = await house();
const game = tableIn({ server, browser });

test("moves arrive once over a delayed, silent and closed connection", async (context) => {
  const proxy = await Proxy.open(server.port);
  context.after(() => proxy.close());
  const [sue, tom] = await game({}, [{}, {}], [proxy, server]);
  proxy.delay = 150;
  await sue.move(["h5", "g5"], 1, [sue, tom]);
  // Silent connection without a close frame, as after a lost NAT entry.
  proxy.mute();
  await tom.move(["a4", "b4"], 2, [tom]);
  await sue.page.evaluate(() => dispatchEvent(new Event("offline")));
  await sue.sees(2);
  // Closed connection; reconnects fail for a while.
  proxy.away = true;
  proxy.cut();
  for (const cell of ["g5", "f5"]) await sue.cell(cell);
  await sue.page.waitForSelector(".board-layer-marks .is-unsent", { state: "attached" });
  await sue.page.waitForSelector(".connection-banner >> text=Your moves are safe");
  await sue.page.keyboard.press("Home");
  await hint(sue, "Move 0 of 2");
  await sue.page.keyboard.press("End");
  proxy.away = false;
  for (const person of [sue, tom]) await person.sees(3);
  await sue.page.waitForSelector(".connection-banner", { state: "detached" });
  for (const person of [sue, tom]) assert.equal(await plies(person), 3);
  assert.deepEqual(
    sue.errors.filter((error) => !/ERR_/.test(error)),
    [],
  );
  pagesWereQuiet([tom]);
});

test("absent player can return; later the opponent can claim the win", async (context) => {
  // Announces the absence after 2 s and permits the claim 8 s later, instead of 5 s and 20 s.
  const own = await Server.start("--claim-after-ms", "12000");
  context.after(() => own.stop());
  const proxy = await Proxy.open(own.port);
  const [wim, xia, id] = await game(
    { "clock.limit": 60, "clock.increment": 0 },
    [PHONE, {}],
    [own, proxy],
  );
  await hintButton(wim, "No").click();
  await wim.move(["h5", "g5"], 1, [wim, xia]);
  await xia.play(id, "a4-b4");
  await wim.move(["g5", "f5"], 3, [wim, xia]);
  proxy.away = true;
  proxy.cut();
  await hint(wim, "left.");
  await wim.page.waitForSelector(".game-player.is-gone .game-player-absence >> text=gone 0:");
  await shot(wim.page, "live-gone-phone-light");
  proxy.away = false;
  await wim.page.waitForSelector(".game-player.is-gone", { state: "detached" });
  await hint(wim, "is to move");
  proxy.close();
  await hint(wim, "You may claim the win in");
  await hintButton(wim, "Wait").waitFor({ timeout: 40000 });
  await shot(wim.page, "live-claim-phone-light");
  await wim.page.setViewportSize(DESK.viewport);
  await wim.page.emulateMedia({ colorScheme: "dark" });
  await shot(wim.page, "live-claim-desk-dark");
  await hintButton(wim, "Wait").click();
  await wim.page.click(".game-player .game-player-absence:not(:disabled)");
  await hintButton(wim, "Claim the win").click();
  await wim.page.waitForSelector(".game-result >> text=left the game");
  assert.equal(await wim.page.textContent(".game-result h2"), "You won");
  pagesWereQuiet([wim]);
});

test("page explains a closed connection and backs off when rate-limited", async () => {
  const [abe, bea, id] = await game({});
  await abe.move(["h5", "g5"], 1, [abe, bea]);
  const eve = await Person.open(browser, server, {}, null);
  await eve.page.clock.install();
  const lines = [];
  await eve.page.routeWebSocket(/\/ws\/game\//, (line) => {
    line.connectToServer();
    lines.push(line);
  });
  await eve.page.goto(`${server.url}/${id}`);
  await eve.sees(1);
  const ends = async (code, text) => {
    const before = lines.length;
    await lines.at(-1).close({ code, reason: "" });
    await eve.page.waitForSelector(`.connection-banner >> text=${text}`);
    return before;
  };
  const restarts = lines.length;
  const closed = await eve.page.evaluate(() => {
    window.shown = [];
    new MutationObserver(
      () => document.querySelector(".connection-banner") && window.shown.push(Date.now()),
    ).observe(document.body, { childList: true, subtree: true });
    return Date.now();
  });
  await lines.at(-1).close({ code: 1012, reason: "" });
  await until("the page has reconnected", () => lines.length > restarts);
  await eve.page.waitForSelector(".connection-banner", { state: "detached" });
  // The message appears only if reconnecting takes longer than 1.5 s, as on a slow machine.
  const [shown] = await eve.page.evaluate(() => window.shown);
  assert.ok(
    shown === undefined || shown - closed >= 1500,
    `message shown after ${shown - closed} ms`,
  );
  const eager = await ends(1008, "Too many messages");
  // After a rate-limit close, the page does not reconnect at once.
  await eve.page.waitForTimeout(2000);
  assert.equal(lines.length, eager, "no immediate reconnect");
  await eve.page.click(".game-moves [data-ply='1']");
  await eve.page.keyboard.press("Home");
  await hint(eve, "Move 0 of 1");
  await eve.page.clock.fastForward(13000);
  await eve.page.waitForSelector(".connection-banner", { state: "detached" });
  assert.equal(lines.length, eager + 1);
  const out = await ends(4401, "You are logged out here");
  await eve.page.clock.fastForward(20000);
  await eve.page.waitForTimeout(1200);
  assert.equal(lines.length, out, "no reconnect with an ended session");
  pagesWereQuiet([abe, bea, eve]);
});

test("server outage is reported and not deducted from the clocks", async (context) => {
  const own = await Server.start();
  context.after(() => own.stop());
  const [hal, ivy, id] = await game({ "clock.limit": 300 }, [{}, {}], [own, own]);
  await hal.move(["h5", "g5"], 1, [hal, ivy]);
  const begun = performance.now();
  await ivy.move(["a4", "b4"], 2, [hal, ivy]);
  own.process.kill("SIGSTOP");
  const stopped = performance.now();
  await hal.page.waitForTimeout(4000);
  const stood = performance.now() - stopped;
  await hintAfter(hal, "the clocks stopped", () => own.process.kill("SIGCONT"));
  await hal.move(["g5", "f5"], 3, [hal, ivy]);
  const taken = performance.now() - begun;
  const { clocks } = (await hal.ask(`/api/game/${id}`)).body;
  // Only the time in which the server runs is deducted. Outages are measured to half a second.
  const charged = 300000 - clocks.first;
  assert.ok(
    charged <= taken - stood + 500,
    `${charged} ms deducted of ${taken} ms, with an outage of ${stood} ms`,
  );
  pagesWereQuiet([hal, ivy]);
});

test("failed request for a language file is repeated", async () => {
  const { page } = await Person.open(browser, server, {}, null);
  let asked = 0;
  await page.route("**/i18n/en.more.js*", (route) => {
    asked += 1;
    return asked > 2 ? route.continue() : route.abort();
  });
  await page.goto(server.url);
  await page.click(".quick-play >> text=Play the computer");
  await page.waitForSelector("dialog[open] .ai-form");
  assert.equal(asked, 3);
  const text = await page.textContent("dialog[open] .ai-form");
  assert.doesNotMatch(text, /[a-z]+\.[a-z]+/i, "every phrase is translated");
});
