// Animations of a drawn move: animated properties, interruption by input or by the next move, and
// reduced motion.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cellsOf } from "../../static/model/notation.js";
import { counters, stands } from "./support/pointer.mjs";
import { house } from "./support/server.mjs";
import { catchMotion } from "./support/animation.mjs";
import { wasQuiet } from "./support/no-errors.mjs";
import { VARIANTS, tableIn } from "./support/game.mjs";

const { server, browser } = await house();
const game = tableIn({ server, browser }, counters);

/**
 * Returns the number and the properties of the running animations, and the number of temporary
 * pieces.
 */
const moving = ({ page }) =>
  page.evaluate(() => {
    const all = document
      .querySelector(".board-svg.is-interactive")
      .getAnimations({ subtree: true });
    const rest = new Set(["offset", "computedOffset", "easing", "composite"]);
    const names = new Set(
      all.flatMap(({ effect }) =>
        effect
          .getKeyframes()
          .flatMap((frame) => Object.keys(frame).filter((name) => !rest.has(name))),
      ),
    );
    return {
      count: all.length,
      names: [...names].sort(),
      strays: document.querySelectorAll(".board-effect").length,
    };
  });

test("only transform and opacity animate; clicks and reduced motion end it", async () => {
  for (const variant of VARIANTS) {
    const [kim, lea, id] = await game({ variant }, [{}, { reducedMotion: "reduce" }]);
    const u = (await kim.legal(id)).sort((one, two) => two.length - one.length)[0];
    await catchMotion(kim);
    await lea.page.evaluate(() => {
      window.moved = 0;
      const look = () => {
        window.moved +=
          document.querySelector(".board-svg.is-interactive").getAnimations({ subtree: true })
            .length + document.querySelectorAll(".board-effect").length;
        requestAnimationFrame(look);
      };
      look();
    });
    await kim.play(id, u);
    assert.ok((await kim.page.evaluate(() => window.caught)) > 0, variant);
    const { names, strays } = await moving(kim);
    assert.ok(
      names.every((name) => ["opacity", "transform"].includes(name)),
      `${variant}: ${names}`,
    );
    assert.ok(strays > 0, variant);
    await kim.page.mouse.click(...(await kim.middle(cellsOf(u)[0])));
    const states = await kim.page.evaluate(() =>
      window.caughtAll.map(({ playState }) => playState),
    );
    assert.deepEqual(
      [[...new Set(states)], (await moving(kim)).strays],
      [["finished"], 0],
      variant,
    );
    await lea.sees(1);
    await lea.page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    assert.equal(await lea.page.evaluate(() => window.moved), 0, variant);
    wasQuiet(server, [kim, lea]);
    for (const person of [kim, lea]) await person.page.context().close();
  }
});

test("a next move, a flip and a takeback leave no temporary pieces", async () => {
  const [mia, ned, id] = await game({});
  const moves = ["h5(d1)d5", "a4(d7)d4", "h4-g4"];
  for (const [ply, u] of moves.entries()) {
    await catchMotion(mia);
    await (ply % 2 ? ned : mia).play(id, u);
    await mia.page.evaluate(() => window.caught);
    // Paused animations last until the next move ends them.
    assert.ok((await moving(mia)).strays > 0, u);
    if (ply === 1) {
      await mia.page.keyboard.press("f");
      const { count, strays } = await moving(mia);
      assert.deepEqual([count, strays], [0, 0]);
    }
  }
  await stands(ned, "g4");
  await catchMotion(ned);
  await mia.page.click(".game-actions >> text=Takeback");
  // A double click sends a single answer.
  await ned.page.waitForSelector(".game-status .btn.btn-primary:has-text('Yes'):not(.is-held)");
  await ned.page.$eval(".game-status .btn.btn-primary", (button) =>
    [1, 2].forEach((detail) =>
      button.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail })),
    ),
  );
  await ned.page.evaluate(() => window.caught);
  assert.equal(
    await ned.page.evaluate(() => window.sent.filter((text) => text.includes('"accept"')).length),
    1,
  );
  assert.ok(
    await ned.page.evaluate(() =>
      window.caughtAll.every(({ playbackRate }) => playbackRate === -2),
    ),
    "the takeback runs backward at double speed",
  );
  await ned.page.evaluate(() => window.caughtAll.forEach((animation) => animation.play()));
  await stands(ned, "h4");
  const tokens = ({ page }) =>
    page.$$eval(".board-layer-pieces > g", (spots) => spots.map((spot) => spot.childElementCount));
  await stands(mia, "h4");
  assert.deepEqual(await tokens(mia), await tokens(ned));
  assert.deepEqual((await moving(ned)).strays, 0);
  wasQuiet(server, [mia, ned]);
});
