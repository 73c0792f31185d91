// Home page while no game is in progress: an empty board, then the replay of a finished game with
// its label and link, the example, pause, reduced motion, and games that begin.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Server, User, startServerAndBrowser } from "./support/server.mjs";
import { Player } from "./support/player.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { recordLayoutShifts, takeLayoutShifts, totalShift } from "./support/layout-shift.mjs";
import { DESKTOP, SMALL_PHONE, screenshot, screenshotAll } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();
const MOTION = { reducedMotion: "no-preference" };

/** Opens the home page of a server and scrolls to the games in progress. */
const openHome = async (options = {}, site = server) => {
  const user = await User.open(browser, site, options, null);
  const { page } = user;
  await page.addInitScript(recordLayoutShifts);
  await user.visit("/", ".lobby");
  await page.evaluate(() =>
    document.querySelector(".live-games").scrollIntoView({ block: "center" }),
  );
  await takeLayoutShifts(page);
  await page.waitForSelector(".classic");
  return user;
};

/** Returns the number of moves that the board of the replay has shown. */
const countShownMoves = ({ page }) =>
  page.evaluate(() => {
    window.shownMoves = 0;
    new MutationObserver(() => {
      window.shownMoves += 1;
    }).observe(document.querySelector(".classic .board-svg"), { childList: true, subtree: true });
  });

test("section without games has a board, a sentence and a button", async () => {
  const user = await User.open(browser, server, {}, null);
  const { page } = user;
  // The replay never arrives.
  await page.route("**/lobby/classic.js", (route) => route.abort());
  for (const viewport of [DESKTOP.viewport, SMALL_PHONE.viewport]) {
    await page.setViewportSize(viewport);
    await user.visit("/", ".lobby");
    const section = page.locator(".live-games");
    await section.scrollIntoViewIfNeeded();
    await section.getByText("Nobody is playing right now.").waitFor();
    assert.equal(await section.locator(".board-svg").count(), 1);
    assert.equal(await section.getByText("Watch all games").isVisible(), false);
    const [board, button] = await Promise.all(
      [".board-svg", ".btn:visible"].map((selector) => section.locator(selector).boundingBox()),
    );
    assert.ok(board.x + board.width < button.x, "the button is beside the board");
    await screenshot(page, `live-games-quiet-${viewport.width}`);
  }
  await page.locator(".live-games .btn:visible").click();
  await page.waitForURL("**/find");
  assertNoErrors(server, [user], /ERR_FAILED/);
});

test("example is replayed, paused and resumed", async () => {
  const user = await openHome(MOTION);
  const { page } = user;
  assert.equal(await page.textContent(".classic b"), "Example game");
  assert.equal(await page.getAttribute(".classic a", "href"), "/learn/kopfOderKnopf");
  assert.equal(totalShift(await takeLayoutShifts(page)), 0);
  await countShownMoves(user);
  await page.waitForFunction(() => window.shownMoves > 0);
  await page.waitForSelector(".classic .board-last-move", { state: "attached" });
  await page.click(".classic button");
  assert.equal(await page.textContent(".classic button"), "Resume");
  await page.click(".classic button");
  assert.equal(await page.textContent(".classic button"), "Pause");
  await countShownMoves(user);
  await page.waitForFunction(() => window.shownMoves > 0);
  await screenshotAll(page, "classic-example", { fullPage: true });
  assertNoErrors(server, [user]);
});

test("reduced motion shows the end of the game", async () => {
  const user = await openHome();
  const { page } = user;
  assert.equal(await page.locator(".classic button").isVisible(), false);
  assert.ok(await page.locator(".classic .board-removed").count(), "the last move is not marked");
  assertNoErrors(server, [user]);
});

test("game that the rules refuse is replaced by the example", async () => {
  const user = await User.open(browser, server, {}, null);
  const { page } = user;
  const refused = { variant: { key: "caterpillarWar" }, options: {}, start: "nonsense", moves: [] };
  await page.route("**/api/games/classic", (route) => route.fulfill({ json: { game: refused } }));
  await user.visit("/", ".lobby");
  await page.evaluate(() =>
    document.querySelector(".live-games").scrollIntoView({ block: "center" }),
  );
  await page.waitForSelector(".classic");
  assert.equal(await page.textContent(".classic b"), "Example game");
  // The server refuses the game, which the browser logs.
  assertNoErrors(server, [user], /status of 4\d\d/);
});

test("finished game is named until a game begins", async (context) => {
  const site = await Server.start();
  context.after(() => site.stop());
  const [anke, mats] = [await Player.create(site, "Anke"), await Player.create(site, "Mats")];
  const record = readFileSync(join(import.meta.dirname, "../games/caterpillarWar.txt"), "utf8");
  const moves = record.split("\n")[1].split(" ");
  const id = await anke.startGame(mats, "caterpillarWar", { days: 3 });
  for (const [ply, u] of moves.entries()) await (ply % 2 ? mats : anke).play(id, u);
  const user = await openHome(MOTION, site);
  const { page } = user;
  const label = await page.textContent(".classic b");
  assert.match(label, /^A finished game · Anke – Mats · \d+ \w+$/);
  assert.equal(await page.textContent(".classic b + span"), "Caterpillar War");
  assert.equal(await page.getAttribute(".classic a", "href"), `/${id}`);
  await screenshotAll(page, "classic-finished", { fullPage: true });
  await takeLayoutShifts(page);
  const next = await anke.startGame(mats, "hogga", { days: 3 });
  await page.waitForSelector(`.live-games li[data-id="${next}"]`);
  assert.equal(await page.locator(".classic").isVisible(), false);
  assertNoErrors(site, [user]);
});
