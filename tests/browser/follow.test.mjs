// Looking on: from a link to a move, and from one game to the next; and boards that cannot be had.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Person, Server, house, until } from "./house.mjs";
import { pagesWereQuiet } from "./quiet.mjs";
import { hint, hintAfter, hintButton, tableIn } from "./table.mjs";

const { server, browser } = await house();
const game = tableIn({ server, browser });

test("a link to a ply opens there and is followed, but never takes a player's own move away", async () => {
  const [mia, ned, id] = await game({});
  await mia.move(["h5", "g5"], 1, [mia, ned]);
  await ned.move(["a4", "b4"], 2, [mia, ned]);
  const eve = await Person.open(browser, server, {}, `/${id}#1`);
  await hint(eve, "Move 1 of 2");
  await eve.page.evaluate(() => {
    location.hash = "#0";
  });
  await hint(eve, "Move 0 of 2");
  await eve.page.click("[aria-label='Copy a link to this move']");
  await eve.page.waitForSelector(`.toast >> text=/Link to move 0|#0/`);
  await mia.page.goto("about:blank");
  await mia.page.goto(`${server.url}/${id}#1`);
  await mia.page.waitForSelector(".bd.live rect.hit");
  await hint(mia, "Your move");
  // The page itself asks what the last move did; its marks show that this was answered.
  await mia.page.waitForSelector(".last .last-tick", { state: "attached" });
  pagesWereQuiet([mia, ned, eve]);
  // What is asked only to show what might be is no matter: refused, it is not asked again, and nobody is told.
  const asked = [];
  await mia.page.route("**/api/position", (route) => {
    asked.push(route.request().postDataJSON());
    return route.fulfill({
      status: 429,
      headers: { "retry-after": "1" },
      json: { reason: "tooFast" },
    });
  });
  const refused = mia.page.waitForResponse(/position/);
  await mia.cell("g5");
  await (await refused).finished();
  // A toast would come, and the question be asked again, within two seconds.
  await mia.page.waitForTimeout(2500);
  assert.equal(await mia.page.locator(".toast").count(), 0);
  assert.equal(asked.length, 1, JSON.stringify(asked));
});

test("the whole game, sent again by every connection, asks for no position that is known", async () => {
  const [mia, ned, id] = await game({});
  await mia.move(["h5", "g5"], 1, [mia, ned]);
  await ned.move(["a4", "b4"], 2, [mia, ned]);
  const eve = await Person.open(browser, server, {}, null);
  const { page } = eve;
  let asked = 0;
  await page.route("**/api/position", (route) => {
    asked += 1;
    return route.continue();
  });
  const lines = [];
  let wholes = 0;
  await page.routeWebSocket(/\/ws\/game\//, (line) => {
    const far = line.connectToServer();
    far.onMessage(async (text) => {
      // A slow line: the whole game comes when the page has long been shown.
      if (text.includes('"t":"full"')) {
        await page.waitForSelector(".last .last-tick", { state: "attached" });
        wholes += 1;
      }
      line.send(text);
    });
    lines.push(line);
  });
  await page.goto(`${server.url}/${id}`);
  await until("the whole game was sent", () => wholes > 0);
  await ned.page.waitForTimeout(500);
  await mia.move(["g5", "f5"], 3, [mia, ned, eve]);
  assert.equal(asked, 1);
  pagesWereQuiet([mia, ned, eve]);
});

test("who follows the best game is taken to the next, or stays", async () => {
  const [yan, zoe, id] = await game({ variant: "hogga" });
  const eve = await Person.open(browser, server, {}, null);
  await eve.page.clock.install();
  await eve.page.goto(`${server.url}/${id}?tv=hogga`);
  await hint(eve, "You are watching");
  const next = await game({ variant: "hogga" });
  // A game that is no better takes the place of one that is over; the page looks as soon as it is.
  await hintAfter(eve, "The next game in", () => yan.abort(id));
  await hintButton(eve, "Stay").click();
  await eve.page.clock.fastForward(10000);
  await hint(eve, "Aborted");
  assert.equal(eve.page.url(), `${server.url}/${id}?tv=hogga`);
  const last = await game({ variant: "hogga" });
  await next[0].abort(next[2]);
  // From here it looks every ten seconds, which are set forward, and says five before it goes.
  const there = `${server.url}/${last[2]}?tv=hogga`;
  await until("the page has gone to the next game", async () => {
    if (eve.page.url() === there) return true;
    await eve.page.clock.fastForward(10000);
    return eve.page.waitForURL(there, { timeout: 1000 }).then(
      () => true,
      () => false,
    );
  });
  pagesWereQuiet([yan, zoe, eve, ...next.slice(0, 2), ...last.slice(0, 2)]);
});

test("boards on the tables that cannot be had are told of once, and come when they can", async () => {
  const own = await Server.start();
  after(() => own.stop());
  const play = tableIn({ server: own, browser });
  const eve = await Person.open(browser, own);
  const { page } = eve;
  // What a page needs at once is there: only what is loaded later is missing.
  await page.route("**/*.js", (route) => route.abort());
  await page.evaluate(() => {
    window.toasts = 0;
    new MutationObserver((changes) => {
      window.toasts += changes
        .flatMap(({ addedNodes }) => [...addedNodes])
        .filter((node) => node.matches?.(".toast")).length;
    }).observe(document.body, { childList: true, subtree: true });
  });
  const people = await play({});
  await page.locator(".tables").scrollIntoViewIfNeeded();
  await page.waitForSelector(".toast >> text=The server cannot be reached.");
  // The next game asks for them again.
  const again = page.waitForEvent("requestfailed");
  people.push(...(await play({})));
  await again;
  await page.evaluate(() => new Promise(requestAnimationFrame));
  assert.equal(await page.evaluate(() => window.toasts), 1);
  await page.unroute("**/*.js");
  people.push(...(await play({})));
  await page.waitForFunction(() => document.querySelectorAll(".tables .live-tile").length === 3);
  pagesWereQuiet([eve, ...people.filter((one) => one.errors)], /ERR_FAILED/);
});
