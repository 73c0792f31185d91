// The page of the games in play, in real browsers against a real server.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Person, Server, launch } from "./house.mjs";

const VARIANTS = ["caterpillarWar", "knightFight", "hogga", "kopfOderKnopf", "wieNietWegIs"];

let server;
let browser;
before(async () => {
  server = await Server.start();
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** A player without a page. */
class Player {
  static async register(name) {
    const player = new Player();
    await player.ask("/api/register", { username: name, password: "correct-horse" });
    return player;
  }

  async ask(path, body) {
    const headers = { "content-type": "application/json", ...(this.cookie && { cookie: this.cookie }) };
    const response = await fetch(server.url + path, body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) });
    this.cookie = response.headers.get("set-cookie")?.split(";")[0] ?? this.cookie;
    assert.ok(response.ok, `${path}: ${response.status}`);
    return response.json();
  }

  /** A game against somebody in which this player is first. */
  async begin(other, variant, fields = {}) {
    const { id } = await this.ask("/api/challenge", { variant, color: "first", rated: true, "clock.limit": 600, ...fields });
    const accepted = await other.ask(`/api/challenge/${id}/accept`, {});
    if (accepted.ready === false) await this.ask(`/api/challenge/${id}/ready`, { answer: "yes" });
    return id;
  }

  /** Makes a move somewhere in the middle of those that are legal. */
  async play(id) {
    const { legal } = await this.ask(`/api/game/${id}`);
    await this.ask(`/api/board/game/${id}/move/${encodeURIComponent(legal[Math.floor(legal.length / 2)])}`, {});
  }

  resign(id) {
    return this.ask(`/api/board/game/${id}/resign`, {});
  }
}

const visit = async (options = {}, path = "/live") => {
  const person = await Person.open(browser, server, options, path);
  await person.page.waitForSelector(".boards li, .watch .empty:not([hidden])");
  return person;
};

const cards = ({ page }) => page.$$eval(".boards li", (items) => items.map(({ dataset }) => dataset.id));

const shows = ({ page }, count) => page.waitForFunction((wanted) => document.querySelectorAll(".boards li").length === wanted, count);

const wasQuiet = (...persons) => {
  for (const { errors } of persons) assert.deepEqual(errors, []);
};

const picture = async ({ page }, name) => {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(wide, 0, `${name} is ${wide} px too wide`);
  await page.screenshot({ path: `tests/browser/shots/live-${name}.png` });
};

/** The same in high contrast. */
const contrast = ({ page }) => page.evaluate(() => {
  while (sprongTheme.next() !== "contrast");
});

const LOOKS = { desk: {}, "desk-dark": { colorScheme: "dark" }, phone: { viewport: { width: 390, height: 844 } }, "phone-dark": { viewport: { width: 390, height: 844 }, colorScheme: "dark" } };

test("a page that asks too often is told to wait, and comes up by itself", async (context) => {
  const own = await Server.start("--looks", "5");
  context.after(() => own.stop());
  const eve = await Person.open(browser, own, {}, null);
  let refused = 0;
  eve.page.on("response", (response) => {
    refused += response.status() === 429 ? 1 : 0;
  });
  // The page itself is there: it is what it asks for that is too much.
  const body = await (await fetch(`${own.url}/live`)).text();
  await eve.page.route(`${own.url}/live`, (route) => route.fulfill({ contentType: "text/html", body }));
  for (let times = 0; times < 3; times += 1) {
    await eve.page.goto(`${own.url}/live`);
    await eve.page.waitForResponse((response) => response.url().endsWith("/api/variants"));
  }
  await eve.page.waitForSelector(".watch .empty:not([hidden])");
  assert.ok(refused > 0, "there was a limit");
});

test("nobody plays: an empty table, a sentence and a way to play", async () => {
  for (const [name, look] of Object.entries(LOOKS)) {
    const eve = await visit(look);
    assert.match(await eve.page.textContent(".watch .empty"), /Nobody is playing just now/);
    assert.equal(await eve.page.locator(".empty a.btn").getAttribute("href"), "/");
    assert.equal(await eve.page.locator(".top nav a[aria-current=page]").textContent(), "Watch");
    await picture(eve, `empty-${name}`);
    wasQuiet(eve);
    await eve.page.context().close();
  }
});

test("games move on one page, over one socket", async () => {
  const [ann, bob, cas, dan] = await Promise.all(["Annemarijke", "Bob", "Casper", "Dan"].map((name) => Player.register(name)));
  const pairs = [[ann, bob], [cas, dan], [bob, cas], [dan, ann], [cas, ann]];
  const ids = [];
  for (const [at, variant] of VARIANTS.entries()) ids.push(await pairs[at][0].begin(pairs[at][1], variant));
  const slow = await bob.begin(dan, "hogga", { "clock.limit": undefined, rated: false });
  const eve = await visit();
  const { page } = eve;
  await shows(eve, 6);
  assert.deepEqual((await cards(eve)).sort(), [...ids, slow].sort());
  // Television: a link for each game, which the game's page follows to the next.
  await page.waitForFunction(() => document.querySelectorAll(".tv a").length === 5);
  const links = await page.$$eval(".tv a", (all) => all.map((link) => link.getAttribute("href")));
  assert.deepEqual(links, VARIANTS.map((key, at) => `/${ids[at]}?tv=${key}`));

  // Every move is seen at once, with its marks; nothing is loaded for it.
  let asked = 0;
  page.on("request", (request) => {
    if (request.url().includes("/api/games/live")) asked += 1;
  });
  for (let ply = 1; ply <= 4; ply += 1) {
    for (const [at, id] of ids.entries()) await pairs[at][(ply + 1) % 2].play(id);
    for (const id of ids) await page.waitForFunction(([wanted, text]) => document.querySelector(`[data-id="${wanted}"] .about`).textContent.includes(text), [id, `move ${Math.floor(ply / 2) + 1}`], { timeout: 2000 });
  }
  assert.ok(asked <= 3, `${asked} lists were asked for`);
  for (const id of ids) {
    const card = page.locator(`[data-id="${id}"]`);
    assert.ok(await card.locator(".last .last-tick").count() > 0, id);
    assert.equal(await card.locator(".time.run").count(), 1, id);
  }
  assert.equal(await page.locator(`[data-id="${slow}"] .time:not([hidden])`).count(), 0);
  const [time, later] = [await page.textContent(`[data-id="${ids[0]}"] .time.run`), await page.waitForTimeout(1300).then(() => page.textContent(`[data-id="${ids[0]}"] .time.run`))];
  assert.notEqual(time, later, "the clock runs");

  // A card is a link that says a sentence, and is come to by keys.
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
    await other.page.waitForSelector(".tv a");
    await picture(other, name);
    await other.page.evaluate(() => document.querySelector(".boards").scrollIntoView());
    await picture(other, `boards-${name}`);
    wasQuiet(other);
    await other.page.context().close();
  }

  const tablet = await visit({ viewport: { width: 768, height: 1024 } });
  await shows(tablet, 6);
  await contrast(tablet);
  await picture(tablet, "tablet-contrast");
  await tablet.page.goto(server.url);
  await tablet.page.waitForSelector(".tables li");
  await tablet.page.evaluate(() => document.querySelector(".tables").scrollIntoView());
  await picture(tablet, "lobby");
  await tablet.page.context().close();

  // Who watches is counted, and whoever looks on from here is not.
  const fan = await visit({}, `/live`);
  assert.equal((await page.textContent(`[data-id="${ids[1]}"] .about`)).includes("watching"), false);
  await fan.page.goto(`${server.url}/${ids[1]}`);
  await page.waitForSelector(`[data-id="${ids[1]}"] .about >> text=1 watching`);
  await fan.page.context().close();

  // Filters stand in the address; Back works.
  await page.click(".filters [data-key=hogga]");
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
  // What cannot be is said, by hand or in an address, and what to do about it.
  await page.fill("[name=high]", "");
  await page.fill("[name=low]", "-5");
  await page.press("[name=low]", "Tab");
  assert.match(await page.textContent("#live-wrong"), /from 0 to 4000\. Change it/);
  await page.fill("[name=low]", "1700");
  await page.press("[name=low]", "Tab");
  await page.waitForSelector(".empty:not([hidden]) >> text=No game like that");
  assert.match(page.url(), /rating=1700-/);
  await picture(eve, "nonesuch");
  for (const [rating, says] of [["-5-", "from 0 to 4000"], ["1700-1600", "above the highest"], ["high", "from 0 to 4000"]]) {
    await page.goto(`${server.url}/live?rating=${rating}`);
    await page.waitForSelector(`#live-wrong >> text=${says}`);
    await page.waitForSelector("text=Show all games");
    assert.equal(await page.locator(".empty p").textContent(), await page.textContent("#live-wrong"));
  }
  await page.click("text=Show all games");
  await shows(eve, 6);

  // The lobby leads here.
  await page.goto(server.url);
  await page.click(".tables >> text=Watch all games");
  await page.waitForURL(`${server.url}/live`);
  await shows(eve, 6);

  // The server goes and comes back: that is said calmly, and the boards go on.
  await server.kill();
  await page.waitForSelector(".watch .away >> text=Reconnecting");
  await picture(eve, "away");
  await server.up();
  await page.waitForFunction(() => document.querySelector(".watch .away").textContent === "", null, { timeout: 20000 });
  await pairs[0][0].play(ids[0]);
  await page.waitForFunction((id) => document.querySelector(`[data-id="${id}"] .about`).textContent.includes("move 3"), ids[0]);
  const mine = await Promise.all([...ids, slow].map((id, at) => (at < 5 ? pairs[at][0] : bob).ask(`/api/board/game/${id}/${at < 5 ? "resign" : "abort"}`, {})));
  assert.equal(mine.length, 6);
  await page.waitForFunction(() => document.querySelectorAll(".verdict:not([hidden])").length > 0);
  await page.waitForSelector(".watch .empty:not([hidden])");
  assert.deepEqual(eve.errors.filter((error) => !/Failed to load resource/.test(error)), []);
  await page.context().close();
});

test("sixteen at a time, pages beyond, and no change under a hand", async () => {
  const [flo, gus] = await Promise.all(["Flo", "Gus"].map((name) => Player.register(name)));
  const ids = [];
  for (let at = 0; at < 18; at += 1) ids.push(await flo.begin(gus, VARIANTS[at % 5], { rated: false, "clock.limit": undefined }));
  const eve = await visit();
  const { page } = eve;
  await shows(eve, 16);
  await page.waitForSelector("text=Page 1 of 2");
  // The newest first: the two oldest stand on the next page.
  await page.click(".pager >> text=More games");
  await shows(eve, 2);
  assert.deepEqual((await cards(eve)).sort(), ids.slice(0, 2).sort());
  await page.goBack();
  await shows(eve, 16);

  const order = await cards(eve);
  const [hovered, other] = [order[1], order[5]];
  await page.hover(`[data-id="${hovered}"]`);
  for (const id of [hovered, other]) await flo.ask(`/api/board/game/${id}/abort`, {});
  await page.waitForSelector(`[data-id="${other}"] .verdict >> text=Called off`);
  await picture(eve, "over");
  // The one is replaced where it stood; the one under the pointer stays as long as it is there.
  await page.waitForFunction((id) => !document.querySelector(`[data-id="${id}"]`), other);
  await page.waitForTimeout(2500);
  const now = await cards(eve);
  assert.deepEqual([now[1], now.length], [hovered, 16]);
  assert.ok(ids.slice(0, 2).includes(now[5]));
  assert.deepEqual(now.filter((id, at) => at !== 5), order.filter((id, at) => at !== 5));
  await page.mouse.move(2, 2);
  await page.waitForFunction((id) => !document.querySelector(`[data-id="${id}"]`), hovered);
  await shows(eve, 16);
  // A newcomer moves on the board that took its place.
  await flo.play(now[5]);
  await page.waitForSelector(`[data-id="${now[5]}"] .last-tick`, { state: "attached" });
  wasQuiet(eve);
});
