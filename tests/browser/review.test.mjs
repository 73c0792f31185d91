// Review of a finished game: chances, turning points, and branches in the move tree.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellsOf } from "../../static/model/notation.js";
import { User, startServerAndBrowser, waitUntil } from "./support/server.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { screenshotAll } from "./support/viewports.mjs";
import { twoCellMoves } from "./support/game.mjs";
import { legalMoves, treeRows, analysisOpener, playMove } from "./support/analysis.mjs";

const { server, browser } = await startServerAndBrowser("--analysis-limit", "100000");
const openAnalysis = analysisOpener({ server, browser });

/**
 * Plays up to `plies` plies of a game in which the first side plays badly; returns its id and
 * moves.
 */
const playBadGame = async (first, second, plies) => {
  const id = await first.startGame(second, "caterpillarWar", { rated: false });
  const moves = [];
  for (let ply = 0; ply < plies; ply += 1) {
    const position = { variant: "caterpillarWar", moves };
    const legal = await legalMoves(first, position);
    if (!legal.length) break;
    const bestMove = async () => {
      let response;
      // A busy server may refuse: analysis has the lowest priority.
      await waitUntil("the engine has answered", async () => {
        response = await first.request("/api/analysis", { ...position, nodes: 2000, lines: 1 });
        return response.status !== 503;
      });
      assert.equal(response.status, 200);
      return response.body.lines[0].moves[0];
    };
    const u = ply % 2 ? await bestMove() : legal.at(-1);
    await (ply % 2 ? second : first).play(id, u);
    moves.push(u);
  }
  return { id, moves };
};

/** Looks for a better move at the first turning point: the move of the game, then the engine's. */
const tryBetterMove = async (user, { ply, played, best }) => {
  const { page } = user;
  const status = (text) => page.waitForSelector(`.game-status >> text=${text}`);
  const mistakes = page.locator(".review-mistakes li");
  assert.doesNotMatch(await mistakes.first().textContent(), /was better/);
  await page.click(".review-mistakes li:first-child >> text=Try it");
  await status("Find a better move for White");
  const current = page.locator(".move-tree [aria-current]");
  await waitUntil("the position before the mistake is shown", async () => {
    const [before] = await current.evaluateAll((all) => all.map(({ dataset }) => dataset.ply));
    return Number(before ?? 0) === ply - 1;
  });
  assert.equal(await page.locator(".engine").isVisible(), false);
  const enter = async (u) => {
    for (const cell of cellsOf(u)) await user.clickCell(cell);
    // The same cells may begin a longer move; the button ends this one.
    const entered = page.locator(
      ".game-status >> text=/was the move of the game|is the best move|Play /",
    );
    await entered.first().waitFor();
    const end = page.locator(".game-status .btn-primary >> text=Play");
    if (await end.count()) await end.click();
  };
  await enter(played);
  await status("That was the move of the game");
  await page.click(".game-status >> text=Try again");
  await status("Find a better move");
  await enter(best);
  await status(`${best} is the best move`);
  assert.match(await mistakes.first().textContent(), /was better/);
  await screenshotAll(page, "analysis-better-move");
  await page.click(".game-status >> text=Done");
  assert.equal(await page.locator(".engine").isVisible(), true);
};

test("a review shows chances and links its turning points", async () => {
  const [first, second] = await Promise.all(
    ["Anna", "Bert"].map((name) => User.open(browser, server, { name }, null)),
  );
  const { id, moves } = await playBadGame(first, second, 12);
  const { page } = first;
  await page.goto(`${server.url}/${id}/analysis`);
  await page.waitForSelector(".page-message >> text=not over");
  await second.resign(id);
  await page.goto(`${server.url}/${id}`);
  await page.click(".game-result >> text=Review");
  await page.waitForSelector(".move-tree button");
  assert.equal(await page.locator(".move-tree button").count(), moves.length);
  // A viewer may be redirected to a started game; a user who has tried a move may not.
  const isBusy = () =>
    page.evaluate(async () =>
      (
        await import(
          document
            .querySelector("script[src$='analysis.js']")
            .src.replace(/analysis\/analysis\.js$/, "common/navigation.js")
        )
      ).isBusy(),
    );
  assert.equal(await isBusy(), false);
  assert.equal(await page.locator(".analysis-review").isVisible(), true);
  await page.click("text=Review this game");
  await page.waitForSelector(".review-mistakes button");
  const evaluations = (await (await fetch(`${server.url}/api/game/${id}/review`)).text())
    .split("\n")
    .filter(Boolean)
    .map((text) => JSON.parse(text));
  const expected = evaluations.slice(1).flatMap(({ chance }, index) => {
    const loss = (index % 2 ? -1 : 1) * (evaluations[index].chance - chance);
    return loss >= 0.15 && evaluations[index].best !== evaluations[index].played
      ? [`${index + 1} ${loss < 0.3 ? "?" : "??"}`]
      : [];
  });
  assert.ok(expected.length > 0, "the game has no turning points");
  const annotations = await page.$$eval(".move-tree .move-annotation", (elements) =>
    elements.map(
      (annotation) =>
        `${annotation.closest("button").dataset.ply} ${annotation.firstChild.textContent}`,
    ),
  );
  assert.deepEqual(annotations, expected);
  assert.deepEqual(
    await page.$$eval(".chance-plot .chance-plot-mistake text", (elements) =>
      elements.map((annotation) => annotation.textContent),
    ),
    expected.map((annotation) => annotation.split(" ")[1]),
  );
  assert.match(
    await page.getAttribute(".chance-plot", "aria-label"),
    new RegExp(`turning points: ${expected.length}`),
  );
  const box = await page.locator(".chance-plot").boundingBox();
  await page.mouse.click(box.x + box.width - 15, box.y + box.height / 2);
  await page.waitForSelector(`.move-tree [data-ply="${moves.length}"][aria-current]`);
  await page.click(".review-mistakes button");
  await page.waitForSelector(`.move-tree [data-ply="${expected[0].split(" ")[0]}"][aria-current]`);
  // A move that was not played becomes a branch, and the link contains both.
  const ply = Number(expected[0].split(" ")[0]);
  await page.keyboard.press("ArrowLeft");
  const other = twoCellMoves(
    await legalMoves(first, { variant: "caterpillarWar", moves: moves.slice(0, ply - 1) }),
  ).find((u) => u !== moves[ply - 1]);
  await playMove(first, other);
  assert.equal(await page.locator(".move-tree .move-tree-variation").count(), 1);
  assert.equal(await isBusy(), true);
  const reopened = await openAnalysis(new URL(page.url()).pathname + new URL(page.url()).hash);
  assert.deepEqual(
    await treeRows(reopened),
    (await treeRows(first)).map((row) => row.replace(/\?+ a (mistake|blunder)/g, "")),
  );
  await tryBetterMove(first, { ply, played: moves[ply - 1], best: evaluations[ply - 1].best });
  await page.click(".engine .switch");
  await page.waitForSelector(".engine-lines li");
  await screenshotAll(page, "analysis-review", { fullPage: true });
  assert.equal(await page.getAttribute(".analysis-share a", "href"), `/game/export/${id}?as=text`);
  assertNoErrors(server, [first]);
});
