// Offer of the next game after a move in a game without a clock: which game it opens, that nothing
// moves, and when nothing is offered.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { User, startServerAndBrowser } from "./support/server.mjs";
import { CLOCK, Player } from "./support/player.mjs";
import { makeMove, twoCellMoves, waitForGame } from "./support/game.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { recordLayoutShifts, takeLayoutShifts, totalShift } from "./support/layout-shift.mjs";
import { DESKTOP, PHONE, SMALL_PHONE, screenshot } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();
const DAILY = { days: 3 };
const NEXT = ".game-status .next-game";

let opponents;
before(async () => {
  opponents = [];
  for (const name of ["Bram", "Sanna", "Dirk-with-long-name"])
    opponents.push(await Player.create(server, name));
});

/** Opens a player with correspondence games in which they are to move; returns the ids, too. */
const openPlayer = async (name, options, number) => {
  const user = await User.open(browser, server, { name, ...options }, null);
  const ids = [];
  for (const opponent of opponents.slice(0, number))
    ids.push(await user.startGame(opponent, "caterpillarWar", DAILY));
  await user.page.addInitScript(recordLayoutShifts);
  return [user, ids];
};

const openGame = (user, id) => user.visit(`/${id}`, "rect.board-cell.is-selectable");

/** Makes a move by clicks, and waits until the page has asked for the games of the player. */
const moveAndAsk = async (user, id) => {
  const [u] = twoCellMoves(await user.legalMoves(id));
  const asked = user.page.waitForResponse(/\/api\/account\/playing/);
  await makeMove(user, u);
  await asked;
};

/** Waits for a frame after all pending callbacks of the page. */
const settle = ({ page }) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));

for (const [device, options] of Object.entries({ DESKTOP, PHONE, SMALL_PHONE }))
  test(`moves lead from game to game on ${device.toLowerCase()}`, async () => {
    const [user, ids] = await openPlayer(`Ada-${device.slice(0, 5)}`, options, 3);
    const { page } = user;
    await openGame(user, ids[0]);
    const box = () => page.locator(".game-board").boundingBox();
    const before = await box();
    await takeLayoutShifts(page);
    await moveAndAsk(user, ids[0]);
    await page.waitForSelector(NEXT);
    assert.equal(await page.textContent(NEXT), "Next: your move against Sanna →");
    assert.deepEqual(await box(), before, "the board has moved");
    const shifts = await takeLayoutShifts(page);
    assert.equal(totalShift(shifts), 0, JSON.stringify(shifts));
    const [line, button] = await Promise.all(
      [".game-status", NEXT].map((selector) => page.locator(selector).boundingBox()),
    );
    assert.ok(button.height >= 44 && button.x >= 0, JSON.stringify(button));
    assert.ok(
      button.x + button.width <= line.x + line.width &&
        button.y + button.height <= line.y + line.height,
      JSON.stringify({ line, button }),
    );
    assert.ok(
      await page.$eval(".game-status p", (text) => text.scrollHeight <= text.clientHeight),
      "the text is cut",
    );
    await screenshot(page, `next-game-${device.toLowerCase()}`);
    // By keyboard.
    await page.waitForSelector(`${NEXT}:not([aria-disabled=true])`);
    await page.focus(NEXT);
    await page.keyboard.press("Enter");
    await waitForGame(ids[1], user);
    await moveAndAsk(user, ids[1]);
    await page.waitForSelector(`${NEXT} >> text=Dirk-with-long-name`);
    await screenshot(page, `next-game-long-name-${device.toLowerCase()}`);
    await page.click(`${NEXT}:not([aria-disabled=true])`);
    await waitForGame(ids[2], user);
    await moveAndAsk(user, ids[2]);
    await settle(user);
    assert.equal(await page.locator(NEXT).count(), 0, "there is no game left");
    assertNoErrors(server, [user]);
  });

test("offer disappears in the own turn and follows new games", async () => {
  const [user, ids] = await openPlayer("Ella", DESKTOP, 1);
  const { page } = user;
  const other = await user.startGame(opponents[1], "hogga", DAILY);
  await user.play(other);
  await openGame(user, ids[0]);
  await moveAndAsk(user, ids[0]);
  await settle(user);
  assert.equal(await page.locator(NEXT).count(), 0);
  // Another opponent moves while the page is open.
  await opponents[1].play(other);
  await page.waitForSelector(`${NEXT} >> text=Sanna`);
  await opponents[0].play(ids[0]);
  await page.waitForSelector("rect.board-cell.is-selectable");
  assert.equal(await page.locator(NEXT).count(), 0);
  assertNoErrors(server, [user]);
});

test("no game is offered while the player has a clock", async () => {
  const [user, ids] = await openPlayer("Fenna", DESKTOP, 2);
  await user.startGame(opponents[2], "hogga", CLOCK);
  await openGame(user, ids[0]);
  await moveAndAsk(user, ids[0]);
  await settle(user);
  assert.equal(await user.page.locator(NEXT).count(), 0);
  assertNoErrors(server, [user]);
});
