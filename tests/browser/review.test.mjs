// Review of a finished game: chances, turning points, and branches in the move tree.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Person, house, until } from "./support/server.mjs";
import { wasQuiet } from "./support/no-errors.mjs";
import { shots } from "./support/viewports.mjs";
import { plain } from "./support/game.mjs";
import { legal, list, openIn, play } from "./support/analysis.mjs";

const { server, browser } = await house("--analysis-limit", "100000");
const open = openIn({ server, browser });

/**
 * Plays up to `plies` plies of a game in which the first side plays badly; returns its id and
 * moves.
 */
const badGame = async (one, two, plies) => {
  const id = await one.begin(two, "caterpillarWar", { rated: false });
  const moves = [];
  for (let ply = 0; ply < plies; ply += 1) {
    const question = { variant: "caterpillarWar", moves };
    const known = await legal(one, question);
    if (!known.length) break;
    const best = async () => {
      let answer;
      // A busy server may refuse: analysis has the lowest priority.
      await until("the engine has answered", async () => {
        answer = await one.ask("/api/analysis", { ...question, nodes: 2000, lines: 1 });
        return answer.status !== 503;
      });
      assert.equal(answer.status, 200);
      return answer.body.lines[0].moves[0];
    };
    const u = ply % 2 ? await best() : known.at(-1);
    await (ply % 2 ? two : one).play(id, u);
    moves.push(u);
  }
  return { id, moves };
};

test("a review shows chances and turning points with links to their moves", async () => {
  const [one, two] = await Promise.all(
    ["Anna", "Bert"].map((name) => Person.open(browser, server, { name }, null)),
  );
  const { id, moves } = await badGame(one, two, 12);
  const { page } = one;
  await page.goto(`${server.url}/${id}/analysis`);
  await page.waitForSelector(".page-message >> text=not over");
  await two.resign(id);
  await page.goto(`${server.url}/${id}`);
  await page.click(".game-result >> text=Analysis");
  await page.waitForSelector(".move-tree button");
  assert.equal(await page.locator(".move-tree button").count(), moves.length);
  // A viewer may be redirected to a started game; a user who has tried a move may not.
  const atWork = () =>
    page.evaluate(async () =>
      (
        await import(
          document
            .querySelector("script[src$='analysis.js']")
            .src.replace(/analysis\/analysis\.js$/, "common/navigation.js")
        )
      ).isBusy(),
    );
  assert.equal(await atWork(), false);
  assert.equal(await page.locator(".analysis-review").isVisible(), true);
  await page.click("text=Review this game");
  await page.waitForSelector(".review-mistakes button");
  const told = (await (await fetch(`${server.url}/api/game/${id}/review`)).text())
    .split("\n")
    .filter(Boolean)
    .map((text) => JSON.parse(text));
  const expected = told.slice(1).flatMap(({ chance }, at) => {
    const lost = (at % 2 ? -1 : 1) * (told[at].chance - chance);
    return lost >= 0.15 && told[at].best !== told[at].played
      ? [`${at + 1} ${lost < 0.3 ? "?" : "??"}`]
      : [];
  });
  assert.ok(expected.length > 0, "the game has no turning points");
  const signs = await page.$$eval(".move-tree .move-annotation", (all) =>
    all.map((sign) => `${sign.closest("button").dataset.ply} ${sign.firstChild.textContent}`),
  );
  assert.deepEqual(signs, expected);
  assert.deepEqual(
    await page.$$eval(".chance-plot .chance-plot-mistake text", (all) =>
      all.map((sign) => sign.textContent),
    ),
    expected.map((sign) => sign.split(" ")[1]),
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
  const other = plain(
    await legal(one, { variant: "caterpillarWar", moves: moves.slice(0, ply - 1) }),
  ).find((u) => u !== moves[ply - 1]);
  await play(one, other);
  assert.equal(await page.locator(".move-tree .move-tree-variation").count(), 1);
  assert.equal(await atWork(), true);
  const again = await open(new URL(page.url()).pathname + new URL(page.url()).hash);
  assert.deepEqual(
    await list(again),
    (await list(one)).map((row) => row.replace(/\?+ a (mistake|blunder)/g, "")),
  );
  await page.click(".engine .switch");
  await page.waitForSelector(".engine-lines li");
  await shots(page, "analysis-review", { fullPage: true });
  assert.equal(await page.getAttribute(".analysis-share a", "href"), `/game/export/${id}?as=text`);
  wasQuiet(server, [one]);
});
