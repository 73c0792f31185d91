// Animations of a drawn move: animated properties, interruption by input or by the next move, and
// reduced motion.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellsOf } from "../../static/model/notation.js";
import { recordTonesAndMessages, waitForPieceAt } from "./support/pointer.mjs";
import { startServerAndBrowser } from "./support/server.mjs";
import { captureAnimations } from "./support/animation.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { VARIANTS, gameStarter } from "./support/game.mjs";

const { server, browser } = await startServerAndBrowser();
const startGame = gameStarter({ server, browser }, recordTonesAndMessages);

/**
 * Returns the number and the properties of the running animations, and the number of temporary
 * pieces.
 */
const runningAnimations = ({ page }) =>
  page.evaluate(() => {
    const animations = document
      .querySelector(".board-svg.is-interactive")
      .getAnimations({ subtree: true });
    const standardKeys = new Set(["offset", "computedOffset", "easing", "composite"]);
    const names = new Set(
      animations.flatMap(({ effect }) =>
        effect
          .getKeyframes()
          .flatMap((frame) => Object.keys(frame).filter((name) => !standardKeys.has(name))),
      ),
    );
    return {
      count: animations.length,
      names: [...names].sort(),
      effects: document.querySelectorAll(".board-effect").length,
    };
  });

test("only transform and opacity animate, a click ends them", async () => {
  for (const variant of VARIANTS) {
    const [kim, lea, id] = await startGame({ variant }, [{}, { reducedMotion: "reduce" }]);
    const u = (await kim.legalMoves(id)).sort((a, b) => b.length - a.length)[0];
    await captureAnimations(kim);
    await lea.page.evaluate(() => {
      window.movedCount = 0;
      const poll = () => {
        window.movedCount +=
          document.querySelector(".board-svg.is-interactive").getAnimations({ subtree: true })
            .length + document.querySelectorAll(".board-effect").length;
        requestAnimationFrame(poll);
      };
      poll();
    });
    await kim.play(id, u);
    assert.ok((await kim.page.evaluate(() => window.animationsCaptured)) > 0, variant);
    const { names, effects } = await runningAnimations(kim);
    assert.ok(
      names.every((name) => ["opacity", "transform"].includes(name)),
      `${variant}: ${names}`,
    );
    assert.ok(effects > 0, variant);
    await kim.page.mouse.click(...(await kim.cellCenter(cellsOf(u)[0])));
    const states = await kim.page.evaluate(() =>
      window.capturedAnimations.map(({ playState }) => playState),
    );
    assert.deepEqual(
      [[...new Set(states)], (await runningAnimations(kim)).effects],
      [["finished"], 0],
      variant,
    );
    await lea.waitForPly(1);
    await lea.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
    assert.equal(await lea.page.evaluate(() => window.movedCount), 0, variant);
    assertNoErrors(server, [kim, lea]);
    for (const user of [kim, lea]) await user.page.context().close();
  }
});

test("a next move, a flip and a takeback leave no temporary pieces", async () => {
  const [mia, ned, id] = await startGame({});
  const moves = ["h5(d1)d5", "a4(d7)d4", "h4-g4"];
  for (const [ply, u] of moves.entries()) {
    await captureAnimations(mia);
    await (ply % 2 ? ned : mia).play(id, u);
    await mia.page.evaluate(() => window.animationsCaptured);
    // Paused animations last until the next move ends them.
    assert.ok((await runningAnimations(mia)).effects > 0, u);
    if (ply === 1) {
      await mia.page.keyboard.press("f");
      const { count, effects } = await runningAnimations(mia);
      assert.deepEqual([count, effects], [0, 0]);
    }
  }
  await waitForPieceAt(ned, "g4");
  await captureAnimations(ned);
  await mia.page.click(".game-actions >> text=Takeback");
  // A double click sends a single answer.
  await ned.page.waitForSelector(".game-status .btn.btn-primary:has-text('Yes'):not(.is-held)");
  await ned.page.$eval(".game-status .btn.btn-primary", (button) =>
    [1, 2].forEach((detail) =>
      button.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail })),
    ),
  );
  await ned.page.evaluate(() => window.animationsCaptured);
  assert.equal(
    await ned.page.evaluate(() => window.sent.filter((text) => text.includes('"accept"')).length),
    1,
  );
  assert.ok(
    await ned.page.evaluate(() =>
      window.capturedAnimations.every(({ playbackRate }) => playbackRate === -2),
    ),
    "the takeback runs backward at double speed",
  );
  await ned.page.evaluate(() => window.capturedAnimations.forEach((animation) => animation.play()));
  await waitForPieceAt(ned, "h4");
  const pieceCounts = ({ page }) =>
    page.$$eval(".board-layer-pieces > g", (groups) =>
      groups.map((group) => group.childElementCount),
    );
  await waitForPieceAt(mia, "h4");
  assert.deepEqual(await pieceCounts(mia), await pieceCounts(ned));
  assert.deepEqual((await runningAnimations(ned)).effects, 0);
  assertNoErrors(server, [mia, ned]);
});
