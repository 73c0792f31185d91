// Games against the computer: start dialog, thinking indicator, hints, rematch.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellsOf } from "../../static/model/notation.js";
import { computerGameStarter, waitForTurn } from "./support/computer.mjs";
import { User, Server, startServerAndBrowser, waitUntil } from "./support/server.mjs";
import { assertNoPageErrors, assertNoErrors } from "./support/no-errors.mjs";
import { DESKTOP, PHONE, screenshotAll, horizontalOverflow } from "./support/viewports.mjs";
import { VARIANTS, waitForStatus, statusAfter, statusButton, makeMove } from "./support/game.mjs";

const { server, browser } = await startServerAndBrowser();
const startGame = computerGameStarter({ server, browser });

test("computer game starts in two clicks, keeps its settings", async () => {
  const ann = await User.open(browser, server);
  const { page } = ann;
  await page.click(".hero >> text=Play the computer");
  const level = (n) => page.locator(`dialog .ai-levels [data-value="${n}"]`);
  await level(8).waitFor();
  assert.equal(await page.locator("dialog .ai-levels [role=radio]").count(), 8);
  assert.equal(
    await page.evaluate(() => document.activeElement.textContent),
    "Play",
    "the Play button has the focus",
  );
  await page.click("dialog >> text='Play'");
  await page.waitForURL(/\/\w{8}$/);
  await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  assert.equal(await page.textContent(".game-player.is-top .is-bot"), "BOT 2");
  assert.equal(
    await page.getAttribute(".game-player.is-top .is-bot", "title"),
    "The computer, level 2",
  );
  assert.equal(await page.locator(".game-player.is-bottom .is-bot").count(), 0);
  const first = (await ann.request(`/api/game/${page.url().slice(-8)}`)).body;
  assert.deepEqual(
    [first.rated, first.clock ?? null, first.variant.key],
    [false, null, VARIANTS[0]],
  );

  // The game is listed in the lobby, and the empty lobby offers another one.
  await page.goto(server.url);
  assert.match(await page.textContent(".my-games li"), /Sprong-2BOT/);
  await page.click(".challenge-list-empty >> text=Play the computer");
  await page.click("dialog .game-choice [data-value=hogga]");
  await page.selectOption("dialog select[name=points]", "true");
  await page.click("dialog .segmented [data-value=second]");
  for (const [n, label] of [
    [1, "first steps"],
    [8, "expert"],
    [5, "strong"],
  ]) {
    await level(n).click();
    assert.equal(
      await page.textContent("dialog fieldset:has(.ai-levels) legend"),
      `Level ${n}: ${label}`,
    );
    assert.equal(await level(n).getAttribute("aria-label"), `Level ${n}: ${label}`);
  }
  await page.keyboard.press("ArrowLeft");
  assert.equal(await level(4).getAttribute("aria-checked"), "true");
  await page.click("dialog .segmented [data-value='10+5']");
  await screenshotAll(ann.page, "computer-choice");
  await page.setViewportSize(PHONE.viewport);
  for (let n = 1; n <= 8; n += 1) {
    const { width, height } = await level(n).boundingBox();
    assert.ok(width >= 44 && height >= 44, `touch target of ${width} × ${height}`);
  }
  await page.setViewportSize(DESKTOP.viewport);
  await page.click("dialog >> text='Play'");
  await page.waitForURL((url) => /\/\w{8}$/.test(url) && !url.href.endsWith(first.id));
  await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  const second = (await ann.request(`/api/game/${page.url().slice(-8)}`)).body;
  assert.deepEqual(
    [
      second.variant.key,
      second.options.points,
      second.you,
      second.first.level,
      second.clock.initial,
    ],
    ["hogga", true, "second", 4, 600000],
  );

  await page.goto(server.url);
  await page.click(".hero >> text=Play the computer");
  await page.waitForSelector("dialog .game-choice [data-value=hogga][aria-checked=true]");
  assert.equal(await page.inputValue("dialog select[name=points]"), "true");
  for (const selector of ["[data-value=second]", "[data-value='10+5']"])
    assert.equal(await page.getAttribute(`dialog .segmented ${selector}`, "aria-checked"), "true");
  assert.equal(await level(4).getAttribute("aria-checked"), "true");
  await page.keyboard.press("Escape");
  await screenshotAll(ann.page, "computer-lobby");
  assertNoErrors(server, [ann]);
});

test("thinking indicator causes no shift and no announcement", async () => {
  const [bea, id] = await startGame({
    variant: "caterpillarWar",
    level: 8,
    "clock.limit": 600,
    "clock.increment": 5,
  });
  const { page } = bea;
  const boxes = () =>
    page.$$eval(
      ".game-player, .game-player .game-player-name, .game-player .game-player-details, .game-status, .game-board, .game-actions",
      (parts) => parts.map((part) => Object.values(part.getBoundingClientRect().toJSON())),
    );
  assert.equal(
    await page.locator(".game-player-thinking.is-hidden").count(),
    1,
    "the indicator is off on the player's turn",
  );
  assert.equal(await page.locator(".chat-panel, .chat-button").count(), 0);
  assert.equal(
    await page.locator(".game-player .game-player-more-time").count(),
    0,
    "the computer cannot be given time",
  );
  const boxesBefore = await boxes();
  await makeMove(bea, (await bea.legalMoves(id))[0]);
  await page.waitForSelector(".game-player.is-top .game-player-thinking:not(.is-hidden)");
  await waitForStatus(bea, "Sprong-8 is thinking");
  assert.equal(await page.textContent(".visually-hidden[role=status]"), "");
  assert.deepEqual(await boxes(), boxesBefore);
  assert.ok(
    await page.$eval(
      ".game-player.is-top .game-player-name > span",
      (name) => name.scrollWidth <= name.clientWidth,
    ),
    "the name is not cut off beside the clock",
  );
  const dotAnimation = () =>
    page.$eval(".game-player.is-top .game-player-thinking", (indicator) => {
      // The computer may have moved by now.
      indicator.classList.remove("is-hidden");
      return getComputedStyle(indicator.querySelector("i")).animationName;
    });
  await page.emulateMedia({ reducedMotion: "no-preference" });
  assert.notEqual(await dotAnimation(), "none");
  await page.emulateMedia({ reducedMotion: "reduce" });
  assert.equal(await dotAnimation(), "none");
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await screenshotAll(bea.page, "computer-thinking");
  await bea.waitForPly(2);
  await page.waitForSelector(".game-player.is-top .game-player-thinking.is-hidden", {
    state: "attached",
  });
  assert.match(await page.textContent(".visually-hidden[role=status]"), /^Your move/);
  assertNoErrors(server, [bea]);
});

test("hint is shown on the board and as text until the move", async () => {
  const [cas, id] = await startGame({ variant: "hogga", level: 2 });
  const { page } = cas;
  const button = await statusButton(cas, "Hint").boundingBox();
  assert.ok(button.height >= 44 && button.width >= 44);
  // On a slow machine the engine can be busy and refuse the request: repeats it.
  let response;
  await waitUntil("the engine has answered", async () => {
    const responsePromise = page.waitForResponse(/\/hint$/);
    await statusButton(cas, "Hint").click();
    response = await responsePromise;
    return response.ok();
  });
  const { u } = await response.json();
  await waitForStatus(cas, `Hint: ${u}.`);
  await page.waitForSelector(".board-layer-marks .board-hint", { state: "attached" });
  assert.match(
    await page.textContent(".game-status p"),
    /(Even position|better|worse|Wins in|at once|Loses in)/,
  );
  assert.equal(await page.locator(".board-layer-marks .board-hint").count(), cellsOf(u).length);
  for (const cell of cellsOf(u))
    assert.match(
      await page.getAttribute(`[data-cell="${cell}"]`, "aria-label"),
      /part of the hint/,
    );
  assert.equal(await statusButton(cas, "Hint").count(), 0, "the hint button disappears");
  await screenshotAll(cas.page, "computer-hint");
  await page.setViewportSize(PHONE.viewport);
  assert.equal(await horizontalOverflow(page), 0);
  await page.setViewportSize(DESKTOP.viewport);
  // A selection replaces the hint; clearing the selection restores it.
  const [from, ...rest] = cellsOf(u);
  await cas.clickCell(from);
  await statusButton(cas, "Clear").click();
  await waitForStatus(cas, `Hint: ${u}.`);
  for (const cell of [from, ...rest]) await cas.clickCell(cell);
  await page.waitForFunction(() => !document.querySelector(".board-hint"));
  // The button of the hint is back once the computer has answered.
  const [status, plies] = await page.evaluate(() => [
    document.querySelector(".game-status").textContent,
    document.querySelectorAll(".game-moves button[data-ply]").length,
  ]);
  assert.doesNotMatch(status, plies % 2 ? /Hint/ : /Hint: /);
  await waitForTurn(cas);
  await statusButton(cas, "Hint").waitFor();
  await screenshotAll(cas.page, "computer-turn");
  assert.equal(
    await page.locator(".board-hint").count(),
    0,
    "the previous hint is not shown on the next turn",
  );
  assertNoErrors(server, [cas], /status of 503/);

  // The rate limit shows a message, and the button returns.
  const { request } = page.context();
  const requestHint = async () => {
    const response = await request.post(`${server.url}/api/game/${id}/hint`, { timeout: 5000 });
    assert.equal(response.status(), 429);
    return {
      status: 429,
      headers: { "retry-after": response.headers()["retry-after"] },
      json: await response.json(),
    };
  };
  const requests = Array.from({ length: 60 }, requestHint);
  const rejection = await Promise.any(requests);
  // Waits for the accepted requests: they keep the engine busy, and the next tests need it.
  await Promise.allSettled(requests);
  // Replays the refusal: on a slow machine the limit could permit another hint by now.
  await page.route(/\/hint$/, (route) => route.fulfill(rejection));
  await statusAfter(cas, "Too many requests", () => statusButton(cas, "Hint").click());
  await waitForStatus(cas, "Your move");
  await statusButton(cas, "Hint").waitFor();
});

test("rematch button starts another computer game immediately", async () => {
  const [dan, id] = await startGame({});
  const { page } = dan;
  await makeMove(dan, (await dan.legalMoves(id))[0]);
  await dan.waitForPly(2);
  await page.click(".game-actions >> text=Resign");
  await page.click(".game-status .btn >> text=Resign");
  await page.waitForSelector(".game-result");
  await page.click(".game-rematch .btn:not(.is-held) >> text=Rematch");
  await page.waitForURL((url) => /\/\w{8}$/.test(url) && !url.href.endsWith(id));
  await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  const rematch = (await dan.request(`/api/game/${page.url().slice(-8)}`)).body;
  assert.deepEqual([rematch.you, rematch.first.level, rematch.rated], ["second", 1, false]);
  // The computer makes the first move.
  assert.ok(await waitForTurn(dan));
  assert.equal(rematch.id, page.url().slice(-8));
  await page.goto(`${server.url}/@/Sprong-1`);
  assert.equal(await page.textContent("h1 .is-bot"), "BOT 1");
  await page.waitForSelector(".game-row");
  assertNoErrors(server, [dan]);
});

test("rated computer game has no hints", async () => {
  const ratedServer = await Server.start("--bots-rated");
  try {
    const [eva, id] = await startGame(
      { rated: true, "clock.limit": 300, "clock.increment": 3 },
      { name: "Eva" },
      ratedServer,
    );
    await waitForStatus(eva, "Your move");
    assert.equal(await statusButton(eva, "Hint").count(), 0);
    assert.match(
      await eva.page.textContent(".game-player.is-top .game-player-details"),
      /BOT 1.*\d{3,4}/,
    );
    const rejected = await eva.request(`/api/game/${id}/hint`, {});
    assert.deepEqual([rejected.status, rejected.body.reason], [403, "noHint"]);
    assertNoPageErrors([eva]);
  } finally {
    await ratedServer.stop();
  }
});
