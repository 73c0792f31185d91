// Page of live games (/live): boards, clocks, filters, paging, and reconnection, in real browsers
// against a real server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { User, startServerAndBrowser } from "./support/server.mjs";
import { CLOCK, Player } from "./support/player.mjs";
import { assertNoPageErrors } from "./support/no-errors.mjs";
import { PHONE, screenshot, horizontalOverflow } from "./support/viewports.mjs";
import { VARIANTS } from "./support/game.mjs";

const { server, browser } = await startServerAndBrowser();

const openLive = async (options = {}, path = "/live") => {
  const user = await User.open(browser, server, options, path);
  await user.page.waitForSelector(".watch-boards li, .watch-page .watch-empty:not([hidden])");
  return user;
};

const cardIds = ({ page }) =>
  page.$$eval(".watch-boards li", (items) => items.map(({ dataset }) => dataset.id));

const waitForCards = ({ page }, count) =>
  page.waitForFunction(
    (expected) => document.querySelectorAll(".watch-boards li").length === expected,
    count,
  );

const capture = async ({ page }, name) => {
  assert.equal(await horizontalOverflow(page), 0, `${name} is too wide`);
  await screenshot(page, `live-${name}`);
};

const NARROW = { viewport: PHONE.viewport };
const VIEWPORTS = {
  desktop: {},
  "desktop-dark": { colorScheme: "dark" },
  phone: NARROW,
  "phone-dark": { ...NARROW, colorScheme: "dark" },
};

test("without games the page links to the lobby", async () => {
  for (const [name, options] of Object.entries(VIEWPORTS)) {
    const eve = await openLive(options);
    assert.match(
      await eve.page.textContent(".watch-page .watch-empty"),
      /Nobody is playing right now/,
    );
    assert.equal(await eve.page.locator(".watch-empty a.btn").getAttribute("href"), "/lobby");
    assert.equal(
      await eve.page.locator(".site-header nav a[aria-current=page]").textContent(),
      "Watch",
    );
    await capture(eve, `empty-${name}`);
    assertNoPageErrors([eve]);
    await eve.page.context().close();
  }
});

test("boards, filters and reconnection work over a single socket", async () => {
  const [ann, bob, cas, dan] = await Promise.all(
    ["Annemarijke", "Bob", "Casper", "Dan"].map((name) => Player.create(server, name)),
  );
  const pairs = [
    [ann, bob],
    [cas, dan],
    [bob, cas],
    [dan, ann],
    [cas, ann],
  ];
  const ids = [];
  for (const [index, variant] of VARIANTS.entries())
    ids.push(await pairs[index][0].startGame(pairs[index][1], variant, { ...CLOCK, rated: true }));
  const untimed = await bob.startGame(dan, "hogga", { rated: false });
  const eve = await openLive();
  const { page } = eve;
  await waitForCards(eve, 6);
  assert.deepEqual((await cardIds(eve)).sort(), [...ids, untimed].sort());
  // TV: one link per variant, which the game page updates to the next game.
  await page.waitForFunction(() => document.querySelectorAll(".tv-channels a").length === 5);
  const links = await page.$$eval(".tv-channels a", (elements) =>
    elements.map((link) => link.getAttribute("href")),
  );
  assert.deepEqual(
    links,
    VARIANTS.map((key, index) => `/${ids[index]}?tv=${key}`),
  );

  // Moves appear with their marks and without further requests.
  let requests = 0;
  page.on("request", (request) => {
    if (request.url().includes("/api/games/live")) requests += 1;
  });
  for (let ply = 1; ply <= 4; ply += 1) {
    for (const [index, id] of ids.entries()) await pairs[index][(ply + 1) % 2].play(id);
    for (const id of ids)
      await page.waitForFunction(
        ([gameId, text]) =>
          document
            .querySelector(`[data-id="${gameId}"] .board-tile-details`)
            .textContent.includes(text),
        [id, `move ${Math.floor(ply / 2) + 1}`],
      );
  }
  assert.ok(requests <= 3, `${requests} lists were requested`);
  for (const id of ids) {
    const card = page.locator(`[data-id="${id}"]`);
    assert.ok((await card.locator(".board-layer-lastMove .board-last-move").count()) > 0, id);
    assert.equal(await card.locator(".board-tile-clock.is-running").count(), 1, id);
  }
  assert.equal(
    await page.locator(`[data-id="${untimed}"] .board-tile-clock:not([hidden])`).count(),
    0,
  );
  const time = await page.textContent(`[data-id="${ids[0]}"] .board-tile-clock.is-running`);
  await page.waitForFunction(
    ([id, previous]) =>
      document.querySelector(`[data-id="${id}"] .board-tile-clock.is-running`).textContent !==
      previous,
    [ids[0], time],
  );

  // A card is a link with a full description, reachable by keyboard.
  const label = await page.getAttribute(`[data-id="${ids[2]}"] a`, "aria-label");
  assert.match(label, /^Hogga, 10\+0, Rated: Bob 1500\? against Casper 1500\?\. move 3/);
  await page.locator(`[data-id="${ids[2]}"] a`).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(`${server.url}/${ids[2]}`);
  await page.goBack();
  await waitForCards(eve, 6);

  for (const [name, options] of Object.entries(VIEWPORTS)) {
    const other = await openLive(options);
    await waitForCards(other, 6);
    await other.page.waitForSelector(".tv-channels a");
    await capture(other, name);
    await other.page.evaluate(() => document.querySelector(".watch-boards").scrollIntoView());
    await capture(other, `boards-${name}`);
    assertNoPageErrors([other]);
    await other.page.context().close();
  }

  const tablet = await openLive({ viewport: { width: 768, height: 1024 } });
  await waitForCards(tablet, 6);
  await tablet.page.evaluate(() => localStorage.setItem("theme", "contrast"));
  await tablet.page.evaluate(() => window.sprongTheme.set("contrast"));
  await capture(tablet, "tablet-contrast");
  await tablet.page.goto(server.url);
  await tablet.page.waitForSelector(".live-games");
  // The boards load when they are in view.
  await tablet.page.evaluate(() => document.querySelector(".live-games").scrollIntoView());
  await tablet.page.waitForSelector(".live-games li");
  await capture(tablet, "lobby");
  await tablet.page.context().close();

  // Spectators are counted, visitors of this page are not.
  const spectator = await openLive({}, `/live`);
  assert.equal(
    (await page.textContent(`[data-id="${ids[1]}"] .board-tile-details`)).includes("watching"),
    false,
  );
  await spectator.page.goto(`${server.url}/${ids[1]}`);
  await page.waitForSelector(`[data-id="${ids[1]}"] .board-tile-details >> text=1 watching`);
  await spectator.page.context().close();

  // Filters are part of the address; Back restores them.
  await page.click(".watch-variants [data-key=hogga]");
  await page.waitForURL(/variant=hogga/);
  await waitForCards(eve, 2);
  await page.selectOption("[name=rated]", "false");
  await waitForCards(eve, 1);
  assert.deepEqual(await cardIds(eve), [untimed]);
  await page.goBack();
  await waitForCards(eve, 2);
  await page.goBack();
  await waitForCards(eve, 6);
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
  await capture(eve, "no-match");
  for (const [rating, message] of [
    ["-5-", "from 0 to 4000"],
    ["1700-1600", "above the highest"],
    ["high", "from 0 to 4000"],
  ]) {
    await page.goto(`${server.url}/live?rating=${rating}`);
    await page.waitForSelector(`#live-wrong >> text=${message}`);
    await page.waitForSelector("text=Show all games");
    assert.equal(
      await page.locator(".watch-empty p").textContent(),
      await page.textContent("#live-wrong"),
    );
  }
  await page.click("text=Show all games");
  await waitForCards(eve, 6);

  // The lobby links to this page.
  await page.goto(server.url);
  await page.click(".live-games >> text=Watch all games");
  await page.waitForURL(`${server.url}/live`);
  await waitForCards(eve, 6);

  // A server restart shows a notice, and the boards continue afterwards.
  await server.kill();
  await page.waitForSelector(".watch-page .watch-offline >> text=Reconnecting");
  await capture(eve, "reconnecting");
  await server.startProcess();
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
  await Promise.all([...ids.map((id, index) => pairs[index][0].resign(id)), bob.abort(untimed)]);
  await page.waitForFunction(
    () => document.querySelectorAll(".board-tile-result:not([hidden])").length > 0,
  );
  await page.waitForSelector(".watch-page .watch-empty:not([hidden])");
  assertNoPageErrors([eve], /Failed to load resource/);
  await page.context().close();
});

test("sixteen games fill a page, the hovered board is kept", async () => {
  const [flo, gus] = await Promise.all(["Flo", "Gus"].map((name) => Player.create(server, name)));
  const ids = [];
  for (let index = 0; index < 18; index += 1)
    ids.push(await flo.startGame(gus, VARIANTS[index % 5], { rated: false }));
  const eve = await openLive();
  const { page } = eve;
  await waitForCards(eve, 16);
  await page.waitForSelector("text=Page 1 of 2");
  // Newest games come first: the two oldest are on the second page.
  await page.click(".pager >> text=More games");
  await waitForCards(eve, 2);
  assert.deepEqual((await cardIds(eve)).sort(), ids.slice(0, 2).sort());
  await page.goBack();
  await waitForCards(eve, 16);

  const order = await cardIds(eve);
  const [hovered, other] = [order[1], order[5]];
  await page.hover(`[data-id="${hovered}"]`);
  for (const id of [hovered, other]) await flo.abort(id);
  await page.waitForSelector(`[data-id="${other}"] .board-tile-result >> text=Aborted`);
  await capture(eve, "over");
  // One finished game is replaced in place; the one under the pointer has ended before it and stays
  // until the pointer leaves.
  await page.waitForFunction((id) => !document.querySelector(`[data-id="${id}"]`), other);
  const now = await cardIds(eve);
  assert.deepEqual([now[1], now.length], [hovered, 16]);
  assert.ok(ids.slice(0, 2).includes(now[5]));
  assert.deepEqual(
    now.filter((id, index) => index !== 5),
    order.filter((id, index) => index !== 5),
  );
  await page.mouse.move(2, 2);
  await page.waitForFunction((id) => !document.querySelector(`[data-id="${id}"]`), hovered);
  await waitForCards(eve, 16);
  // The replacement shows its own moves.
  await flo.play(now[5]);
  await page.waitForSelector(`[data-id="${now[5]}"] .board-last-move`, { state: "attached" });
  assertNoPageErrors([eve]);
});
