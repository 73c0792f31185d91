// Settings of the game page: one dialog with all of them, zen mode, sounds that are off by default,
// and spoken clocks.
import assert from "node:assert/strict";
import { test } from "node:test";
import { selectionCount, recordTonesAndMessages } from "./support/pointer.mjs";
import { startServerAndBrowser } from "./support/server.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { PHONE, screenshot } from "./support/viewports.mjs";
import { waitForStatus, waitForGame, gameStarter } from "./support/game.mjs";

const { server, browser } = await startServerAndBrowser();
const startGame = gameStarter({ server, browser }, recordTonesAndMessages);

test("all settings are in one dialog and persist", async () => {
  const [gil, hal] = await startGame({}, [{}, PHONE]);
  const { page } = gil;
  const isVisible = (selector) => page.locator(selector).first().isVisible();
  const box = () => page.locator(".game-board").boundingBox();
  const boxBefore = await box();
  await page.keyboard.press("z");
  for (const selector of [
    ".game-moves",
    ".game-actions",
    ".chat-panel",
    ".game-info",
    ".site-header",
    ".game-player .game-player-name",
  ])
    assert.equal(
      await isVisible(selector === ".site-header" ? ".site-header nav" : selector),
      false,
      selector,
    );
  for (const selector of [".game-board", ".game-clock", ".game-status"])
    assert.equal(await isVisible(selector), true, selector);
  assert.deepEqual(await box(), boxBefore, "zen mode moves the board");
  await screenshot(gil.page, "settings-zen-desktop-light");
  await page.reload();
  await page.waitForSelector("body.is-zen .board-svg.is-interactive rect.board-cell");
  // Escape undoes clicks before it leaves zen mode.
  await gil.clickCell("h5");
  await page.keyboard.press("Escape");
  assert.equal(await selectionCount(gil), 0);
  assert.equal(await isVisible(".game-actions"), false);
  await page.keyboard.press("Escape");
  assert.equal(await isVisible(".game-actions"), true);
  const a1 = await page.locator("[data-cell=a1]").boundingBox();
  // A held key counts once.
  for (const press of ["down", "down", "up"]) await page.keyboard[press]("f");
  assert.ok((await page.locator("[data-cell=a1]").boundingBox()).y < a1.y, "f turns the board");
  await page.keyboard.press("f");
  await page.focus(".chat-panel input");
  await page.keyboard.type("fizz");
  assert.deepEqual(
    await page.locator("[data-cell=a1]").boundingBox(),
    a1,
    "typed letters trigger a shortcut",
  );
  assert.equal(await page.inputValue(".chat-panel input"), "fizz");

  await gil.clickCell("h5");
  await page.click(".game-info .game-settings .btn");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  assert.equal(await selectionCount(gil), 1, "Escape in a dialog reaches the board");
  await page.keyboard.press("Escape");
  assert.equal(await selectionCount(gil), 0);
  await page.click(".game-info .game-settings .btn");
  const names = ["Confirm each move", "Premoves", "Sound", "Coordinates", "Zen"];
  for (const name of names)
    assert.equal(await page.locator(`dialog .switch:has-text("${name}")`).count(), 1, name);
  await screenshot(gil.page, "settings-dialog-desktop-light");
  await page.click("dialog .switch:has-text('Coordinates')");
  assert.equal(await isVisible(".board-coordinates"), false);
  await page.click("dialog >> text=Flip the board");
  assert.ok((await page.locator("[data-cell=a1]").boundingBox()).y < a1.y);
  await page.keyboard.press("Escape");
  await page.reload();
  await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  assert.equal(await isVisible(".board-coordinates"), false, "the setting is not stored");

  const phone = hal.page;
  await phone.tap(".game-title .icon[title=Settings]");
  for (const name of names)
    assert.equal(await phone.locator(`dialog .switch:has-text("${name}")`).count(), 1, name);
  await screenshot(hal.page, "settings-dialog-phone-light");
  await phone.tap("dialog .switch:has-text('Premoves')");
  await phone.tap("dialog .icon");
  await phone.touchscreen.tap(...(await hal.cellCenter("a4")));
  await waitForStatus(hal, "is to move");
  assert.equal(await selectionCount(hal), 0, "premoves are still on");
  await phone.tap(".game-title .icon[title=Settings]");
  await phone.tap("dialog .switch:has-text('Zen')");
  await phone.waitForSelector("dialog", { state: "detached" });
  assert.equal(await phone.locator(".game-actions").isVisible(), false);
  await screenshot(hal.page, "settings-zen-phone-light");
  await phone.tap(".zen-leave");
  assert.equal(await phone.locator(".game-actions").isVisible(), true);
  assertNoErrors(server, [gil, hal]);
});

/** Returns the number of tones started in a page. */
const toneCount = ({ page }) => page.evaluate(() => window.tones.length);

/** Turns sound on in the settings dialog. */
const enableSound = async ({ page }) => {
  await page.click(".game-info .game-settings .btn");
  await page.click("dialog .switch:has-text('Sound')");
  await page.keyboard.press("Escape");
};

test("sound is off by default and never louder than -12 dB", async () => {
  const [ida, jon] = await startGame({});
  await ida.move(["h5", "g5"], 1, [ida, jon]);
  await jon.move(["a4", "b4"], 2, [ida, jon]);
  assert.deepEqual([await toneCount(ida), await toneCount(jon)], [0, 0]);
  await enableSound(ida);
  const afterEnabling = await toneCount(ida);
  assert.ok(afterEnabling > 0, "turning sound on plays a sample");
  await ida.move(["g5", "f5"], 3, [ida, jon]);
  const afterMove = await toneCount(ida);
  assert.ok(afterMove > afterEnabling, "no sound of the own move");
  await jon.move(["b4", "c4"], 4, [ida, jon]);
  // The sounds of the opponent's move and of the turn follow the animation.
  await ida.page.waitForFunction((count) => window.tones.length > count, afterMove + 1);
  assert.equal(await toneCount(jon), 0, "sound is on for the opponent");
  await ida.page.reload();
  await ida.page.waitForSelector(".board-svg.is-interactive rect.board-cell");
  assert.equal(await toneCount(ida), 0, "a sound before the first input");
  await ida.move(["f5", "e5"], 5, [ida, jon]);
  assert.ok((await toneCount(ida)) > 0, "the setting is not stored");
  const peaks = await ida.page.evaluate(async () => {
    const { PEAK_AMPLITUDE, createOutput, scheduleSound } = await import(
      document.querySelector("script[src$='room.js']").src.replace(/room\.js$/, "board/sound.js")
    );
    const render = async (start) => {
      const context = new OfflineAudioContext(1, 44100, 44100);
      start(context, createOutput(context));
      const samples = (await context.startRendering()).getChannelData(0);
      return Math.max(...samples.map(Math.abs));
    };
    const names = ["move", "second", "turn", "strike", "wipe", "yours", "accepted", "end", "low"];
    const single = await Promise.all(
      ["wood", "slate", "linen", "tile", "peg"].flatMap((material) =>
        names.map((name) =>
          render((context, output) => scheduleSound(context, output, name, 0.01, { material })),
        ),
      ),
    );
    const chord = await render((context, output) =>
      Array.from({ length: 30 }, () => scheduleSound(context, output, "end", 0.01)),
    );
    return { PEAK_AMPLITUDE, quietest: Math.min(...single), loudest: Math.max(...single, chord) };
  });
  assert.ok(
    peaks.loudest <= peaks.PEAK_AMPLITUDE + 1e-6 && peaks.PEAK_AMPLITUDE < 0.2513,
    JSON.stringify(peaks),
  );
  assert.ok(peaks.quietest > 0.01, `a sound is too quiet: ${peaks.quietest}`);
  assertNoErrors(server, [ida, jon]);
});

/** First tones that identify the sounds: on wood, a move and its lower capture. */
const TONES = {
  move: "sine 340",
  taken: "sine 231",
  yours: "sine 587",
  end: "sine 440",
  low: "square 1250",
};

test("move, capture, turn, end and low time sound different", async () => {
  const [ora, pim] = await startGame({ "options.step": "none" });
  await enableSound(ora);
  const takeSounds = async () => {
    const tones = await ora.page.evaluate(() => window.tones.splice(0));
    return Object.keys(TONES).filter((name) => tones.includes(TONES[name]));
  };
  assert.deepEqual(await takeSounds(), ["yours"], "turning sound on plays a sample");
  const moves = [
    [
      ["h2", "h5", "e8"],
      ["move", "taken"],
    ],
    [
      ["a7", "a4", "d7"],
      ["move", "yours"],
    ],
    [
      ["h5", "e8", "b8"],
      ["move", "taken"],
    ],
    [
      ["b7", "b5", "d7"],
      ["move", "yours"],
    ],
    [
      ["b8", "e8", "b5"],
      ["move", "taken", "end"],
    ],
  ];
  for (const [ply, [cells, sounds]] of moves.entries()) {
    await (ply % 2 ? pim : ora).move(cells, ply + 1, [ora, pim]);
    // An answer is heard when the move before it has been seen.
    await ora.page.waitForFunction(
      (tones) => tones.every((tone) => window.tones.includes(tone)),
      sounds.map((name) => TONES[name]),
    );
    assert.deepEqual(await takeSounds(), sounds, `ply ${ply + 1}`);
  }
  assert.equal(await toneCount(pim), 0, "sound is on for the opponent");
  // The setting also holds in the next game; low time sounds for the own clock only.
  const id = await ora.startGame(pim, "caterpillarWar", { "clock.limit": 10 });
  await waitForGame(id, ora, pim);
  await ora.move(["h5", "g5"], 1, [ora, pim]);
  await takeSounds();
  await pim.move(["a4", "b4"], 2, [ora, pim]);
  await ora.page.waitForFunction((tone) => window.tones.includes(tone), TONES.low);
  assert.equal(await toneCount(pim), 0);
  assertNoErrors(server, [ora, pim]);
});

test("the c key announces both clocks, live and correspondence", async () => {
  const waitForClocks = async ({ page }, ...clocks) => {
    const names = await page.$$eval(".game-player .game-player-name", (elements) =>
      elements.map((name) => name.textContent).reverse(),
    );
    await page.keyboard.press("c");
    const expected = names.map((name, index) => `${name} ${clocks[index]}`).join(", ");
    await page.waitForFunction(
      (pattern) =>
        new RegExp(`^${pattern}$`).test(
          document.querySelector("[aria-live=assertive]")?.textContent,
        ),
      expected,
    );
  };
  const [kit, lou] = await startGame({});
  await waitForClocks(kit, "10:00", "10:00");
  await kit.move(["h5", "g5"], 1, [kit, lou]);
  await lou.move(["a4", "b4"], 2, [kit, lou]);
  await kit.page.waitForSelector(".game-clock.is-running >> text=/^9:5/");
  await waitForClocks(kit, "9:5\\d", "10:00");
  // The side to move has slightly less than its days per turn.
  const [max, noa] = await startGame({ "clock.limit": undefined, days: 3 });
  await waitForClocks(max, "2 d 23 h", "3 d");
  await max.move(["h5", "g5"], 1, [max, noa]);
  await waitForClocks(max, "3 d", "2 d 23 h");
  assertNoErrors(server, [kit, lou, max, noa]);
});
