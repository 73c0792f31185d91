// Page of live games (/live): boards, clocks, filters, paging, and reconnection, in real browsers
// against a real server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Person, house } from "./support/server.mjs";
import { CLOCK, Player } from "./support/player.mjs";
import { pagesWereQuiet } from "./support/no-errors.mjs";
import { PHONE, shot, sideways } from "./support/viewports.mjs";
import { VARIANTS } from "./support/game.mjs";

const { server, browser } = await house();

const visit = async (options = {}, path = "/live") => {
  const person = await Person.open(browser, server, options, path);
  await person.page.waitForSelector(".watch-boards li, .watch-page .watch-empty:not([hidden])");
  return person;
};

const cards = ({ page }) =>
  page.$$eval(".watch-boards li", (items) => items.map(({ dataset }) => dataset.id));

const shows = ({ page }, count) =>
  page.waitForFunction(
    (wanted) => document.querySelectorAll(".watch-boards li").length === wanted,
    count,
  );

const picture = async ({ page }, name) => {
  assert.equal(await sideways(page), 0, `${name} is too wide`);
  await shot(page, `live-${name}`);
};

const NARROW = { viewport: PHONE.viewport };
const LOOKS = {
  desk: {},
  "desk-dark": { colorScheme: "dark" },
  phone: NARROW,
  "phone-dark": { ...NARROW, colorScheme: "dark" },
};

test("without games the page shows a notice and a link to the lobby", async () => {
  for (const [name, look] of Object.entries(LOOKS)) {
    const eve = await visit(look);
    assert.match(
      await eve.page.textContent(".watch-page .watch-empty"),
      /Nobody is playing right now/,
    );
    assert.equal(await eve.page.locator(".watch-empty a.btn").getAttribute("href"), "/lobby");
    assert.equal(
      await eve.page.locator(".site-header nav a[aria-current=page]").textContent(),
      "Watch",
    );
    await picture(eve, `empty-${name}`);
    pagesWereQuiet([eve]);
    await eve.page.context().close();
  }
});

test("boards, filters and reconnection work over a single socket", async () => {
  const [ann, bob, cas, dan] = await Promise.all(
    ["Annemarijke", "Bob", "Casper", "Dan"].map((name) => Player.named(server, name)),
  );
  const pairs = [
    [ann, bob],
    [cas, dan],
    [bob, cas],
    [dan, ann],
    [cas, ann],
  ];
  const ids = [];
  for (const [at, variant] of VARIANTS.entries())
    ids.push(await pairs[at][0].begin(pairs[at][1], variant, { ...CLOCK, rated: true }));
  const slow = await bob.begin(dan, "hogga", { rated: false });
  const eve = await visit();
  const { page } = eve;
  await shows(eve, 6);
  assert.deepEqual((await cards(eve)).sort(), [...ids, slow].sort());
  // TV: one link per variant, which the game page updates to the next game.
  await page.waitForFunction(() => document.querySelectorAll(".tv-channels a").length === 5);
  const links = await page.$$eval(".tv-channels a", (all) =>
    all.map((link) => link.getAttribute("href")),
  );
  assert.deepEqual(
    links,
    VARIANTS.map((key, at) => `/${ids[at]}?tv=${key}`),
  );

  // Moves appear with their marks and without further requests.
  let asked = 0;
  page.on("request", (request) => {
    if (request.url().includes("/api/games/live")) asked += 1;
  });
  for (let ply = 1; ply <= 4; ply += 1) {
    for (const [at, id] of ids.entries()) await pairs[at][(ply + 1) % 2].play(id);
    for (const id of ids)
      await page.waitForFunction(
        ([wanted, text]) =>
          document
            .querySelector(`[data-id="${wanted}"] .board-tile-details`)
            .textContent.includes(text),
        [id, `move ${Math.floor(ply / 2) + 1}`],
      );
  }
  assert.ok(asked <= 3, `${asked} lists were requested`);
  for (const id of ids) {
    const card = page.locator(`[data-id="${id}"]`);
    assert.ok((await card.locator(".board-layer-lastMove .board-last-move").count()) > 0, id);
    assert.equal(await card.locator(".board-tile-clock.is-running").count(), 1, id);
  }
  assert.equal(
    await page.locator(`[data-id="${slow}"] .board-tile-clock:not([hidden])`).count(),
    0,
  );
  const time = await page.textContent(`[data-id="${ids[0]}"] .board-tile-clock.is-running`);
  await page.waitForFunction(
    ([id, was]) =>
      document.querySelector(`[data-id="${id}"] .board-tile-clock.is-running`).textContent !== was,
    [ids[0], time],
  );

  // A card is a link with a full description, reachable by keyboard.
  const says = await page.getAttribute(`[data-id="${ids[2]}"] a`, "aria-label");
  assert.match(says, /^Hogga, 10\+0, Rated: Bob 1500\? against Casper 1500\?\. move 3/);
  await page.locator(`[data-id="${ids[2]}"] a`).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(`${server.url}/${ids[2]}`);
  await page.goBack();
  await shows(eve, 6);

  for (const [name, look] of Object.entries(LOOKS)) {
    const other = await visit(look);
    await shows(other, 6);
    await other.page.waitForSelector(".tv-channels a");
    await picture(other, name);
    await other.page.evaluate(() => document.querySelector(".watch-boards").scrollIntoView());
    await picture(other, `boards-${name}`);
    pagesWereQuiet([other]);
    await other.page.context().close();
  }

  const tablet = await visit({ viewport: { width: 768, height: 1024 } });
  await shows(tablet, 6);
  await tablet.page.evaluate(() => window.sprongTheme.set("contrast"));
  await picture(tablet, "tablet-contrast");
  await tablet.page.goto(server.url);
  await tablet.page.waitForSelector(".live-games li");
  await tablet.page.evaluate(() => document.querySelector(".live-games").scrollIntoView());
  await picture(tablet, "lobby");
  await tablet.page.context().close();

  // Spectators are counted, visitors of this page are not.
  const fan = await visit({}, `/live`);
  assert.equal(
    (await page.textContent(`[data-id="${ids[1]}"] .board-tile-details`)).includes("watching"),
    false,
  );
  await fan.page.goto(`${server.url}/${ids[1]}`);
  await page.waitForSelector(`[data-id="${ids[1]}"] .board-tile-details >> text=1 watching`);
  await fan.page.context().close();

  // Filters are part of the address; Back restores them.
  await page.click(".watch-variants [data-key=hogga]");
  await page.waitForURL(/variant=hogga/);
  await shows(eve, 2);
  await page.selectOption("[name=rated]", "false");
  await shows(eve, 1);
  assert.deepEqual(await cards(eve), [slow]);
  await page.goBack();
  await shows(eve, 2);
  await page.goBack();
  await shows(eve, 6);
  await page.fill("[name=low]", "1700");
  await page.fill("[name=high]", "1600");
  await page.press("[name=high]", "Tab");
  assert.match(await page.textContent("#live-wrong"), /above the highest/);
  // Invalid ranges, typed or in the address, show an error with advice.
  await page.fill("[name=high]", "");
  await page.fill("[name=low]", "-5");
  await page.press("[name=low]", "Tab");
  assert.match(await page.textContent("#live-wrong"), /from 0 to 4000\. Change it/);
  await page.fill("[name=low]", "1700");
  await page.press("[name=low]", "Tab");
  await page.waitForSelector(".watch-empty:not([hidden]) >> text=No game in progress matches");
  assert.match(page.url(), /rating=1700-/);
  await picture(eve, "nonesuch");
  for (const [rating, says] of [
    ["-5-", "from 0 to 4000"],
    ["1700-1600", "above the highest"],
    ["high", "from 0 to 4000"],
  ]) {
    await page.goto(`${server.url}/live?rating=${rating}`);
    await page.waitForSelector(`#live-wrong >> text=${says}`);
    await page.waitForSelector("text=Show all games");
    assert.equal(
      await page.locator(".watch-empty p").textContent(),
      await page.textContent("#live-wrong"),
    );
  }
  await page.click("text=Show all games");
  await shows(eve, 6);

  // The lobby links to this page.
  await page.goto(server.url);
  await page.click(".live-games >> text=Watch all games");
  await page.waitForURL(`${server.url}/live`);
  await shows(eve, 6);

  // A server restart shows a notice, and the boards continue afterwards.
  await server.kill();
  await page.waitForSelector(".watch-page .watch-offline >> text=Reconnecting");
  await picture(eve, "away");
  await server.up();
  await page.waitForFunction(
    () => document.querySelector(".watch-page .watch-offline").textContent === "",
  );
  await pairs[0][0].play(ids[0]);
  await page.waitForFunction(
    (id) =>
      document
        .querySelector(`[data-id="${id}"] .board-tile-details`)
        .textContent.includes("move 3"),
    ids[0],
  );
  await Promise.all([...ids.map((id, at) => pairs[at][0].resign(id)), bob.abort(slow)]);
  await page.waitForFunction(
    () => document.querySelectorAll(".board-tile-result:not([hidden])").length > 0,
  );
  await page.waitForSelector(".watch-page .watch-empty:not([hidden])");
  pagesWereQuiet([eve], /Failed to load resource/);
  await page.context().close();
});

test("sixteen games fill a page; the board under the pointer is kept", async () => {
  const [flo, gus] = await Promise.all(["Flo", "Gus"].map((name) => Player.named(server, name)));
  const ids = [];
  for (let at = 0; at < 18; at += 1)
    ids.push(await flo.begin(gus, VARIANTS[at % 5], { rated: false }));
  const eve = await visit();
  const { page } = eve;
  await shows(eve, 16);
  await page.waitForSelector("text=Page 1 of 2");
  // Newest games come first: the two oldest are on the second page.
  await page.click(".pager >> text=More games");
  await shows(eve, 2);
  assert.deepEqual((await cards(eve)).sort(), ids.slice(0, 2).sort());
  await page.goBack();
  await shows(eve, 16);

  const order = await cards(eve);
  const [hovered, other] = [order[1], order[5]];
  await page.hover(`[data-id="${hovered}"]`);
  for (const id of [hovered, other]) await flo.abort(id);
  await page.waitForSelector(`[data-id="${other}"] .board-tile-result >> text=Aborted`);
  await picture(eve, "over");
  // One finished game is replaced in place; the one under the pointer stays until the pointer
  // leaves.
  await page.waitForFunction((id) => !document.querySelector(`[data-id="${id}"]`), other);
  await page.waitForTimeout(2500);
  const now = await cards(eve);
  assert.deepEqual([now[1], now.length], [hovered, 16]);
  assert.ok(ids.slice(0, 2).includes(now[5]));
  assert.deepEqual(
    now.filter((id, at) => at !== 5),
    order.filter((id, at) => at !== 5),
  );
  await page.mouse.move(2, 2);
  await page.waitForFunction((id) => !document.querySelector(`[data-id="${id}"]`), hovered);
  await shows(eve, 16);
  // The replacement shows its own moves.
  await flo.play(now[5]);
  await page.waitForSelector(`[data-id="${now[5]}"] .board-last-move`, { state: "attached" });
  pagesWereQuiet([eve]);
});
