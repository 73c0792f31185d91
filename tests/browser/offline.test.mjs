// Without a network: the rules pages and the analysis board go on, the others say what is wrong.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Front } from "./front.mjs";
import { Person, Server, launch } from "./house.mjs";
import { Proxy } from "./proxy.mjs";

let server;
let browser;
before(async () => {
  server = await Server.start();
  browser = await launch();
});
after(async () => {
  await browser.close();
  await server.stop();
});

const SHOTS = `${import.meta.dirname}/shots`;
const ALLOW = { serviceWorkers: "allow" };
const LANGUAGES = [["en", "You are offline"], ["nl", "Je bent offline"], ["sv", "Du är offline"]];

/** Waits until the worker has kept everything, and answers for this page. */
const ready = ({ page }) => page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");

/** Somebody whose worker is ready; what fails for want of a network is no fault of the page. */
const settled = async (where = server, options = {}) => {
  const person = await Person.open(browser, where, { ...ALLOW, ...options });
  await ready(person);
  return person;
};

const faults = ({ errors }) => errors.filter((error) => !/Failed to load resource|ERR_INTERNET_DISCONNECTED/.test(error));

const goOffline = async ({ page }) => {
  await page.context().setOffline(true);
  const reached = await page.evaluate(() => fetch("/healthz").then(() => true, () => false));
  assert.equal(reached, false, "there is no network");
};

/** All that is kept: the address of each with its text, by the name of its cache. */
const kept = ({ page }) => page.evaluate(async () => {
  const found = {};
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    const entries = (await cache.keys()).map(async ({ url }) => [new URL(url).pathname, await (await cache.match(url)).text()]);
    found[name] = await Promise.all(entries);
  }
  return found;
});

const shots = async ({ page }, name) => {
  for (const [look, width, height] of [["desktop", 1280, 800], ["phone", 390, 844]]) {
    for (const colorScheme of ["light", "dark"]) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${SHOTS}/offline-${name}-${look}-${colorScheme}.png` });
    }
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(over <= 0, `${name} scrolls sideways at ${width}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
};

/** Asks again and again until it is so. */
const until = async (what, isSo) => {
  for (let tries = 0; tries < 400; tries += 1) {
    if (await isSo()) return;
    await new Promise((next) => setTimeout(next, 25));
  }
  throw new Error(`it never came to this: ${what}`);
};

/** A move of one cell or two. */
const plain = (legal) => legal.find((u) => /^[a-z]\d+(-[a-z]\d+)?$/.test(u));

/** The clicks that make it: what might go on waits for another on its last cell. */
const clicksOf = (u, legal) => {
  const cells = u.match(/[a-z]\d+/g);
  return legal.some((other) => other !== u && other.startsWith(u)) ? [...cells, cells.at(-1)] : cells;
};

test("a rules page shows its examples without a network, in each language", async () => {
  const person = await settled();
  const { page } = person;
  await goOffline(person);
  for (const language of ["en", "nl", "sv"]) {
    await page.evaluate((tag) => localStorage.setItem("language", tag), language);
    await page.goto(`${server.url}/rules/hogga`);
    const figure = page.locator(".part:not(.first) .example").first();
    await figure.locator("text=/^0 \\/ \\d+$/").waitFor();
    const before = await figure.locator("svg .pieces").innerHTML();
    await figure.locator(".steps button").last().click();
    await figure.locator("text=/ 1 \\/ \\d+$/").waitFor();
    assert.notEqual(await figure.locator("svg .pieces").innerHTML(), before);
    assert.equal(await page.locator("html").getAttribute("lang"), language);
  }
  await shots(person, "rules");
  await page.goto(`${server.url}/rules`);
  assert.equal(await page.locator(".shelf li").count(), 5);
  assert.deepEqual(faults(person), []);
});

test("the analysis board plays every variant without a network, and says that the engine cannot", async () => {
  const person = await settled();
  const { page } = person;
  const catalogue = (await person.ask("/api/variants")).body;
  await goOffline(person);
  for (const { key } of catalogue) {
    await page.goto(`${server.url}/analysis/${key}`);
    await page.waitForSelector(".bd.live rect.hit");
    await page.waitForFunction(() => location.hash.includes("variant="));
    const start = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("start");
    const moves = [];
    for (let ply = 0; ply < 4; ply += 1) {
      // The server itself is still there for whoever asks it past the page.
      const { body: { legal } } = await person.ask("/api/position", { variant: key, moves, ...(start && { start }) });
      const u = plain(legal);
      for (const cell of clicksOf(u, legal)) await person.cell(cell);
      moves.push(u);
      await page.waitForFunction((words) => new URLSearchParams(location.hash.slice(1)).get("moves") === words, moves.join(" "));
    }
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    assert.ok((await page.textContent(".tree [aria-current]")).startsWith(moves[1]), key);
    await page.keyboard.press("End");
    assert.ok((await page.textContent(".tree [aria-current]")).startsWith(moves[3]), key);
  }
  assert.equal(await page.textContent("header [role=status]"), "Works offline");
  await page.click(".engine .switch");
  await page.locator(".thought [role=status] >> text=needs a network").waitFor();
  await shots(person, "analysis");
  // With the network the engine comes back by itself, and so does the name of whoever is here.
  await page.context().setOffline(false);
  await page.waitForSelector(".lines li");
  await page.waitForSelector("header .self", { state: "attached" });
  assert.equal(await page.textContent("header [role=status]"), "");
  assert.deepEqual(faults(person), []);
});

test("a link to an analysis is opened without a network, and a bad position is refused in words", async () => {
  const person = await settled();
  const { page } = person;
  await goOffline(person);
  await page.goto(`${server.url}/analysis#variant=hogga&moves=${encodeURIComponent("c13-c9 j1-j5")}`);
  await page.waitForSelector('.tree [aria-current] >> text="j1-j5"');
  await page.fill("[name=position]", "nonsense");
  await page.click("text=Set up");
  await page.locator("text=This is no position of this game").waitFor();
  assert.deepEqual(faults(person), []);
});

test("other pages say that there is no network, and come back with it", async () => {
  const person = await settled();
  const { page } = person;
  await goOffline(person);
  for (const [language, title] of LANGUAGES) {
    await page.evaluate((tag) => localStorage.setItem("language", tag), language);
    await page.goto(`${server.url}/`);
    await page.locator("h1", { hasText: title }).waitFor();
    if (language === "nl") await shots(person, "page");
  }
  await page.evaluate(() => localStorage.setItem("language", "en"));
  await page.goto(`${server.url}/players`);
  await page.click("text=Try again");
  await page.locator("h1", { hasText: "You are offline" }).waitFor();
  await page.click("main >> text='Analysis'");
  await page.waitForSelector(".bd.live rect.hit");
  await page.goBack();
  await page.locator("h1", { hasText: "You are offline" }).waitFor();
  await page.context().setOffline(false);
  await page.waitForSelector("script[src$='/players.js']", { state: "attached" });
  await page.waitForSelector("header .self", { state: "attached" });
  assert.deepEqual(faults(person), []);
});

test("a server that is away, or silent, is like no network until it is back", async (context) => {
  const line = await Proxy.open(server.port);
  context.after(() => line.close());
  const person = await settled(line);
  const { page } = person;
  const note = (text) => page.waitForFunction((words) => document.querySelector("header [role=status]")?.textContent === words, text);
  await page.goto(`${line.url}/analysis/caterpillarWar`);
  await page.waitForSelector(".bd.live rect.hit");
  const { body: { legal } } = await person.ask("/api/position", { variant: "caterpillarWar" });
  const u = plain(legal);
  line.away = true;
  line.cut();
  for (const cell of clicksOf(u, legal)) await person.cell(cell);
  await page.waitForSelector(`.tree [aria-current] >> text="${u}"`);
  await note("Works offline");
  // It is looked for: nobody need press anything.
  line.away = false;
  await note("");
  // Nothing is refused now, and nothing answered.
  line.silent = true;
  line.mute();
  await page.goto(`${line.url}/analysis/hogga`);
  await page.waitForSelector(".bd.live rect.hit");
  await note("Works offline");
  assert.deepEqual(faults(person), []);
});

test("nothing that is somebody's own is kept", async () => {
  const person = await settled(server, { name: "Nobodyelse" });
  const { page } = person;
  for (const path of ["/account", "/rules/hogga", "/analysis/hogga", "/@/Nobodyelse", "/"]) {
    await page.goto(server.url + path);
    await page.locator("header >> text=Nobodyelse").first().waitFor({ state: "attached" });
  }
  const caches = Object.values(await kept(person));
  assert.equal(caches.length, 1);
  const [entries] = caches;
  const paths = entries.map(([path]) => path).filter((path) => !path.startsWith("/_/"));
  const keys = (await person.ask("/api/variants")).body.map(({ key }) => key);
  const alone = ["/rules", "/analysis"].flatMap((path) => [path, ...keys.map((key) => `${path}/${key}`)]);
  assert.deepEqual(paths.sort(), ["/api/variants", "/offline", ...alone].sort());
  for (const [path, text] of entries) assert.ok(!text.includes("Nobodyelse"), path);
  // A disk that is full takes no answer away.
  const disk = await page.context().newCDPSession(page);
  await disk.send("Storage.overrideQuotaForOrigin", { origin: server.url, quotaSize: 1 });
  assert.equal(await page.evaluate(() => fetch("/api/variants").then(({ status }) => status)), 200);
  assert.deepEqual(person.errors, []);
});

test("a newer build is shown at the next load, and takes over when no older page is open", async () => {
  const front = await Front.open(server.port);
  try {
    const person = await settled(front);
    const { page } = person;
    const older = await page.context().newPage();
    await older.goto(`${front.url}/rules`);
    await older.waitForSelector(".shelf li");
    front.renew();
    const build = () => page.$eval("script[type=module]", (script) => script.src.match(/\/_\/(\w+)\//)[1]);
    await page.reload();
    await page.waitForSelector("header .brand");
    assert.equal(await build(), front.build, "pages come from the network");
    await until("a newer worker waits", () => page.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration()).waiting)));
    // The older page may still want a module that the server has no more.
    const names = Object.keys(await kept(person));
    assert.deepEqual(names.sort(), [`sprong-${front.own}`, `sprong-${front.build}`].sort());
    await older.evaluate((path) => import(path), `/_/${front.own}/tables.js`);
    await older.close();
    await page.reload();
    await until("only one build is kept", () => page.evaluate(async () => (await caches.keys()).length === 1));
    assert.deepEqual(Object.keys(await kept(person)), [`sprong-${front.build}`]);
    await goOffline(person);
    await page.goto(`${front.url}/analysis/hogga`);
    await page.waitForSelector(".bd.live rect.hit");
    assert.equal(await build(), front.build);
  } finally {
    front.close();
  }
});

test("the manifest names what there is", async () => {
  const person = await Person.open(browser, server);
  const response = await person.page.request.get(`${server.url}/manifest.webmanifest`);
  assert.equal(response.headers()["content-type"], "application/manifest+json");
  const manifest = await response.json();
  for (const { src, type } of manifest.icons) {
    const icon = await person.page.request.get(server.url + src);
    assert.equal(icon.status(), 200, src);
    assert.equal(icon.headers()["content-type"], type, src);
  }
  for (const { url } of manifest.shortcuts) assert.equal((await person.page.request.get(server.url + url)).status(), 200, url);
});
