// Conditional moves in games with days per move, on the analysis page of a game in progress.
import assert from "node:assert/strict";
import { test } from "node:test";
import { User, startServerAndBrowser } from "./support/server.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { legalMoves, playMove } from "./support/analysis.mjs";
import { screenshotAll } from "./support/viewports.mjs";
import { twoCellMoves } from "./support/game.mjs";

const { server, browser } = await startServerAndBrowser();
const setup = { variant: "caterpillarWar" };

const play = (user, game, u) => user.request(`/api/board/game/${game}/move/${u}`, {});

/** Starts a game and makes its first move, so that the second player can plan. */
const startGame = async (suffix, pace) => {
  const [ann, bob] = [
    await User.open(browser, server, { name: `CondAnn${suffix}` }, null),
    await User.open(browser, server, { name: `CondBob${suffix}` }, null),
  ];
  const game = await ann.startGame(bob, setup.variant, pace);
  const [first] = twoCellMoves(await legalMoves(ann, setup));
  assert.equal((await play(ann, game, first)).status, 200);
  return { ann, bob, game, first };
};

test("the server replies with the lines of a player", async () => {
  const { ann, bob, game, first } = await startGame("One", { days: 3 });
  const { page } = ann;
  await ann.visit(`/${game}`, ".game-info >> text=Conditional moves");
  await page.click(".game-info >> text=Conditional moves");
  await page.waitForSelector(".conditional >> text=when CondBobOne makes the first move");
  assert.equal(await page.locator(".engine").count(), 0, "no engine in a game in progress");

  await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  await page.click("text=Add this line");
  await page.waitForSelector("text=Play a move of CondBobOne on the board, then your reply.");
  const moves = [first];
  for (let ply = 0; ply < 2; ply += 1) {
    const [u] = twoCellMoves(await legalMoves(ann, { ...setup, moves }));
    await playMove(ann, u);
    moves.push(u);
  }
  await page.click("text=Add this line");
  const line = moves.slice(1).join(" ");
  await page.waitForSelector(`.conditional-line >> text=${line}`);
  // Another reply to the same move is refused with the reason.
  await page.keyboard.press("ArrowLeft");
  const other = twoCellMoves(await legalMoves(ann, { ...setup, moves: moves.slice(0, 2) }))[1];
  await playMove(ann, other);
  await page.click("text=Add this line");
  await page.waitForSelector("text=Another line has a different reply");
  await screenshotAll(page, "conditional-moves", { fullPage: true });

  await page.reload();
  await page.click(`.conditional-line >> text=${line}`);
  await page.waitForSelector(`.move-tree [aria-current] >> text="${moves[2]}"`);
  await bob.visit(`/${game}`, ".game-status");
  assert.equal((await play(bob, game, moves[1])).status, 200);
  await bob.waitForPly(3);
  // The page is older than the game now.
  await page.click("text=Add this line");
  await page.waitForSelector("text=The game has gone on.");
  await page.reload();
  await page.waitForSelector(".conditional");
  assert.equal(await page.locator(".conditional-line").count(), 0);
  assertNoErrors(server, [ann, bob], /400/);
});

test("a line is removed", async () => {
  const { ann, bob, game, first } = await startGame("Two", { days: 1 });
  const moves = [first];
  for (let ply = 0; ply < 2; ply += 1) moves.push((await legalMoves(ann, { ...setup, moves }))[0]);
  const lines = [moves.slice(1).join(" ")];
  const set = await ann.request(`/api/game/${game}/conditional`, { ply: 1, lines });
  assert.equal(set.status, 200);
  await ann.visit(`/${game}/analysis`, ".conditional-line");
  await ann.page.click(`[aria-label="Remove the line ${lines[0]}"]`);
  await ann.page.waitForSelector("text=Line removed.");
  assert.equal(await ann.page.locator(".conditional-line").count(), 0);
  assert.deepEqual((await ann.request(`/api/game/${game}/conditional`)).body.lines, []);
  assertNoErrors(server, [ann, bob]);
});

test("only the player who waits plans moves", async () => {
  const { ann, bob, game } = await startGame("Three", { days: 2 });
  await bob.visit(`/${game}/analysis`, "text=It is your turn. Make your move in the game first.");
  assert.equal(await bob.page.locator("text=Add this line").count(), 0);
  const visitor = await User.open(browser, server, {}, null);
  await visitor.visit(`/${game}/analysis`, "text=This game is not over yet.");
  await visitor.visit(`/${game}`, ".game-status");
  assert.equal(await visitor.page.locator("text=Conditional moves").isVisible(), false);
  assertNoErrors(server, [ann, bob, visitor]);
});
