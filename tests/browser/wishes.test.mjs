// What somebody wishes of the page of a game: all in one place, remembered, silence until sound is asked for and then each sound, and the clocks in words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chosen, counters } from "./hands.mjs";
import { house } from "./house.mjs";
import { wasQuiet } from "./quiet.mjs";
import { PHONE, shot } from "./sight.mjs";
import { hint, meet, tableIn } from "./table.mjs";

const { server, browser } = await house();
const game = tableIn({ server, browser }, counters);

test("all wishes are in one place, on a phone too: zen, coordinates, flip, sound, confirming, choosing ahead", async () => {
  const [gil, hal] = await game({}, [{}, PHONE]);
  const { page } = gil;
  const seen = (selector) => page.locator(selector).first().isVisible();
  const box = () => page.locator(".board").boundingBox();
  const stood = await box();
  await page.keyboard.press("z");
  for (const gone of [".moves", ".acts", ".chat", ".info", ".top", ".bar .name"])
    assert.equal(await seen(gone === ".top" ? ".top nav" : gone), false, gone);
  for (const kept of [".board", ".clock", ".hint"]) assert.equal(await seen(kept), true, kept);
  assert.deepEqual(await box(), stood, "the board keeps its place");
  await shot(gil.page, "hands-zen-desk-light");
  await page.reload();
  await page.waitForSelector("body.zen .bd.live rect.hit");
  // Escape takes clicks back before it leads out of zen.
  await gil.cell("h5");
  await page.keyboard.press("Escape");
  assert.equal(await chosen(gil), 0);
  assert.equal(await seen(".acts"), false);
  await page.keyboard.press("Escape");
  assert.equal(await seen(".acts"), true);
  const a1 = await page.locator("[data-cell=a1]").boundingBox();
  // A key that is held is pressed once.
  for (const press of ["down", "down", "up"]) await page.keyboard[press]("f");
  assert.ok((await page.locator("[data-cell=a1]").boundingBox()).y < a1.y, "f turns the board");
  await page.keyboard.press("f");
  await page.focus(".chat input");
  await page.keyboard.type("fizz");
  assert.deepEqual(
    await page.locator("[data-cell=a1]").boundingBox(),
    a1,
    "letters that are written are no keys",
  );
  assert.equal(await page.inputValue(".chat input"), "fizz");

  await gil.cell("h5");
  await page.click(".info .wishes .btn");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  assert.equal(await chosen(gil), 1, "what closes a dialog does nothing behind it");
  await page.keyboard.press("Escape");
  assert.equal(await chosen(gil), 0);
  await page.click(".info .wishes .btn");
  const names = ["Confirm each move", "Premoves", "Sound", "Coordinates", "Zen"];
  for (const name of names)
    assert.equal(await page.locator(`dialog .switch:has-text("${name}")`).count(), 1, name);
  await shot(gil.page, "hands-wishes-desk-light");
  await page.click("dialog .switch:has-text('Coordinates')");
  assert.equal(await seen(".coords"), false);
  await page.click("dialog >> text=Flip the board");
  assert.ok((await page.locator("[data-cell=a1]").boundingBox()).y < a1.y);
  await page.keyboard.press("Escape");
  await page.reload();
  await page.waitForSelector(".bd.live rect.hit");
  assert.equal(await seen(".coords"), false, "it is remembered");

  const phone = hal.page;
  await phone.tap(".title .icon[title=Settings]");
  for (const name of names)
    assert.equal(await phone.locator(`dialog .switch:has-text("${name}")`).count(), 1, name);
  await shot(hal.page, "hands-wishes-phone-light");
  await phone.tap("dialog .switch:has-text('Premoves')");
  await phone.tap("dialog .icon");
  await phone.touchscreen.tap(...(await hal.middle("a4")));
  await hint(hal, "is to move");
  assert.equal(await chosen(hal), 0, "nothing is chosen ahead any more");
  await phone.tap(".title .icon[title=Settings]");
  await phone.tap("dialog .switch:has-text('Zen')");
  await phone.waitForSelector("dialog", { state: "detached" });
  assert.equal(await phone.locator(".acts").isVisible(), false);
  await shot(hal.page, "hands-zen-phone-light");
  await phone.tap(".zen-leave");
  assert.equal(await phone.locator(".acts").isVisible(), true);
  wasQuiet(server, [gil, hal]);
});

/** How many tones were begun in a page. */
const heard = ({ page }) => page.evaluate(() => window.tones.length);

/** Switches the sound on. */
const listen = async ({ page }) => {
  await page.click(".info .wishes .btn");
  await page.click("dialog .switch:has-text('Sound')");
  await page.keyboard.press("Escape");
};

test("nothing is heard until it is switched on; then a move is, and nothing is louder than -12 dB", async () => {
  const [ida, jon] = await game({});
  await ida.move(["h5", "g5"], 1, [ida, jon]);
  await jon.move(["a4", "b4"], 2, [ida, jon]);
  assert.deepEqual([await heard(ida), await heard(jon)], [0, 0]);
  await listen(ida);
  const switched = await heard(ida);
  assert.ok(switched > 0, "what is switched on is heard");
  await ida.move(["g5", "f5"], 3, [ida, jon]);
  const moved = await heard(ida);
  assert.ok(moved > switched, "the own move");
  await jon.move(["b4", "c4"], 4, [ida, jon]);
  assert.ok((await heard(ida)) > moved + 1, "the other's move, and that it is one's turn");
  assert.equal(await heard(jon), 0, "only who wants it hears it");
  await ida.page.reload();
  await ida.page.waitForSelector(".bd.live rect.hit");
  assert.equal(await heard(ida), 0, "nothing before the page is touched");
  await ida.move(["f5", "e5"], 5, [ida, jon]);
  assert.ok((await heard(ida)) > 0, "it is remembered");
  const peaks = await ida.page.evaluate(async () => {
    const { LOUDEST, outlet, voice } = await import(
      document.querySelector("script[src$='room.js']").src.replace(/room\.js$/, "board/sound.js")
    );
    const render = async (make) => {
      const context = new OfflineAudioContext(1, 44100, 44100);
      make(context, outlet(context));
      const samples = (await context.startRendering()).getChannelData(0);
      return Math.max(...samples.map(Math.abs));
    };
    const names = ["move", "second", "turn", "strike", "wipe", "yours", "accepted", "end", "low"];
    const single = await Promise.all(
      ["wood", "slate", "linen", "tile", "peg"].flatMap((material) =>
        names.map((what) =>
          render((context, out) => voice(context, out, what, 0.01, { material })),
        ),
      ),
    );
    const crowd = await render((context, out) =>
      Array.from({ length: 30 }, () => voice(context, out, "end", 0.01)),
    );
    return { LOUDEST, quietest: Math.min(...single), loudest: Math.max(...single, crowd) };
  });
  assert.ok(peaks.loudest <= peaks.LOUDEST + 1e-6 && peaks.LOUDEST < 0.2513, JSON.stringify(peaks));
  assert.ok(peaks.quietest > 0.01, `each can be heard: ${peaks.quietest}`);
  wasQuiet(server, [ida, jon]);
});

/** Tones by which sounds are known: on wood a move's first stone, and what it takes, which is lower. */
const TONES = {
  move: "sine 340",
  taken: "sine 231",
  yours: "sine 587",
  end: "sine 440",
  low: "square 1250",
};

test("a move, what is taken, the end and little time each have their sound, for whoever switched it on", async () => {
  const [ora, pim] = await game({ "options.step": "none" });
  await listen(ora);
  const sounds = async () => {
    const tones = await ora.page.evaluate(() => window.tones.splice(0));
    return Object.keys(TONES).filter((what) => tones.includes(TONES[what]));
  };
  assert.deepEqual(await sounds(), ["yours"], "what is switched on is heard");
  const moves = [
    ["h2", "h5", "e8"],
    ["a7", "a4", "d7"],
    ["h5", "e8", "b8"],
    ["b7", "b5", "d7"],
    ["b8", "e8", "b5"],
  ];
  const told = [];
  for (const [ply, cells] of moves.entries()) {
    await (ply % 2 ? pim : ora).move(cells, ply + 1, [ora, pim]);
    if (ply === 4) await ora.page.waitForSelector(".result");
    told.push(await sounds());
  }
  assert.deepEqual(told, [
    ["move", "taken"],
    ["move", "yours"],
    ["move", "taken"],
    ["move", "yours"],
    ["move", "taken", "end"],
  ]);
  assert.equal(await heard(pim), 0, "who has not switched it on hears nothing");
  // Whoever has switched it on hears it at the next board, too; little time is told of the own clock alone.
  const id = await ora.begin(pim, "caterpillarWar", { "clock.limit": 10 });
  await meet(id, ora, pim);
  await ora.move(["h5", "g5"], 1, [ora, pim]);
  await sounds();
  await pim.move(["a4", "b4"], 2, [ora, pim]);
  await ora.page.waitForFunction((low) => window.tones.includes(low), TONES.low);
  assert.equal(await heard(pim), 0);
  wasQuiet(server, [ora, pim]);
});

test("a key says both clocks: of a clock, and of days", async () => {
  const says = async ({ page }, ...clocks) => {
    const names = await page.$$eval(".bar .name", (found) =>
      found.map((name) => name.textContent).reverse(),
    );
    await page.keyboard.press("c");
    const said = names.map((name, at) => `${name} ${clocks[at]}`).join(", ");
    await page.waitForFunction(
      (wanted) =>
        new RegExp(`^${wanted}$`).test(
          document.querySelector("[aria-live=assertive]")?.textContent,
        ),
      said,
    );
  };
  const [kit, lou] = await game({});
  await says(kit, "10:00", "10:00");
  await kit.move(["h5", "g5"], 1, [kit, lou]);
  await lou.move(["a4", "b4"], 2, [kit, lou]);
  await kit.page.waitForSelector(".clock.run >> text=/^9:5/");
  await says(kit, "9:5\\d", "10:00");
  // Whose turn it is has a little less than the days that each turn has.
  const [max, noa] = await game({ "clock.limit": undefined, days: 3 });
  await says(max, "2 d 23 h", "3 d");
  await max.move(["h5", "g5"], 1, [max, noa]);
  await says(max, "3 d", "2 d 23 h");
  wasQuiet(server, [kit, lou, max, noa]);
});
