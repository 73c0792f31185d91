// Caches of the service worker and the web app manifest: cached pages contain no user data, caches
// belong to one build, and `saveData` limits them to visited pages.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Front } from "./support/build-proxy.mjs";
import { Person, house, until } from "./support/server.mjs";
import { pagesWereQuiet } from "./support/no-errors.mjs";
import { CUT_OFF, goOffline, settled } from "./support/service-worker.mjs";

const { server, browser } = await house();

/** Returns all cached texts as [path, text] pairs, by name of the cache. */
const kept = ({ page }) =>
  page.evaluate(async () => {
    const found = {};
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      const entries = (await cache.keys()).map(async ({ url }) => [
        new URL(url).pathname,
        await (await cache.match(url)).text(),
      ]);
      found[name] = await Promise.all(entries);
    }
    return found;
  });

test("the service worker caches no page with user data", async () => {
  const person = await settled(browser, server, { name: "Nobodyelse" });
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
  const alone = ["/rules", "/analysis"].flatMap((path) => [
    path,
    ...keys.map((key) => `${path}/${key}`),
  ]);
  assert.deepEqual(paths.sort(), ["/api/variants", "/offline", ...alone].sort());
  for (const [path, text] of entries) assert.ok(!text.includes("Nobodyelse"), path);
  // A full disk does not prevent answers.
  const disk = await page.context().newCDPSession(page);
  await disk.send("Storage.overrideQuotaForOrigin", { origin: server.url, quotaSize: 1 });
  assert.equal(await page.evaluate(() => fetch("/api/variants").then(({ status }) => status)), 200);
  pagesWereQuiet([person]);
});

test("a new build loads at once, its worker activates when old pages close", async () => {
  const front = await Front.open(server.port);
  try {
    const person = await settled(browser, front);
    const { page } = person;
    const older = await page.context().newPage();
    await older.goto(`${front.url}/rules`);
    await older.waitForSelector(".rules-index li");
    front.renew();
    const build = () =>
      page.$eval("script[type=module]", (script) => script.src.match(/\/_\/(\w+)\//)[1]);
    await page.reload();
    await page.waitForSelector("header .header-brand");
    assert.equal(await build(), front.build, "pages come from the network");
    await until("a newer worker waits", () =>
      page.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration()).waiting)),
    );
    // The older page may still import a module that the server no longer has.
    const names = Object.keys(await kept(person));
    assert.deepEqual(names.sort(), [`sprong-${front.own}`, `sprong-${front.build}`].sort());
    await older.evaluate((path) => import(path), `/_/${front.own}/lobby/live-games.js`);
    await older.close();
    await page.reload();
    await until("only one build is kept", () =>
      page.evaluate(async () => (await caches.keys()).length === 1),
    );
    assert.deepEqual(Object.keys(await kept(person)), [`sprong-${front.build}`]);
    await goOffline(person);
    await page.goto(`${front.url}/analysis/hogga`);
    await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
    assert.equal(await build(), front.build);
  } finally {
    front.close();
  }
});

test("the manifest is installable and all its icons and shortcuts exist", async () => {
  const person = await Person.open(browser, server);
  // The headless browser reports parse errors only, no other obstacles to installation.
  const line = await person.page.context().newCDPSession(person.page);
  const { url: read, errors } = await line.send("Page.getAppManifest");
  assert.deepEqual([read, errors], [`${server.url}/manifest.webmanifest`, []]);
  const response = await person.page.request.get(`${server.url}/manifest.webmanifest`);
  assert.equal(response.headers()["content-type"], "application/manifest+json");
  const manifest = await response.json();
  assert.ok(manifest.name && manifest.short_name && manifest.start_url);
  assert.equal(manifest.display, "standalone");
  for (const size of ["192x192", "512x512"])
    assert.ok(
      manifest.icons.some(
        ({ sizes, type, purpose }) => sizes === size && type === "image/png" && !purpose,
      ),
      size,
    );
  for (const { src, type } of manifest.icons) {
    const icon = await person.page.request.get(server.url + src);
    assert.equal(icon.status(), 200, src);
    assert.equal(icon.headers()["content-type"], type, src);
  }
  for (const { url } of manifest.shortcuts)
    assert.equal((await person.page.request.get(server.url + url)).status(), 200, url);
});

test("with saveData only visited pages are cached", async (context) => {
  const front = await Front.open(server.port);
  context.after(() => front.close());
  front.before = 'Object.defineProperty(navigator, "connection", { value: { saveData: true } });\n';
  const person = await settled(browser, front, {}, "/rules/hogga");
  const { page } = person;
  const paths = async () =>
    Object.values(await kept(person))
      .flat()
      .map(([path]) => path.replace(`/_/${front.own}`, ""));
  const first = await paths();
  assert.deepEqual(
    first
      .filter((path) =>
        /^\/(api\/|analysis$|analysis\/|offline$|rules$|rules\/(?!.*\.js$))/.test(path),
      )
      .sort(),
    ["/api/variants", "/offline", "/rules/hogga"],
  );
  for (const [path, is] of [
    ["/rules/rules.js", true],
    ["/i18n/en.js", true],
    ["/lobby/lobby.js", false],
    ["/rules.wasm", false],
  ])
    assert.equal(first.includes(path), is, path);
  await page.goto(`${front.url}/rules/knightFight`);
  await page.waitForSelector(".rules-example");
  await until("what was visited is kept", async () => {
    const now = await paths();
    return ["/rules/knightFight", "/guide/en/knightFight.json"].every((path) => now.includes(path));
  });
  await goOffline(person);
  await page.reload();
  await page.waitForSelector(".rules-example");
  await page.goto(`${front.url}/rules/kopfOderKnopf`);
  await page.locator("h1", { hasText: "You are offline" }).waitFor();
  pagesWereQuiet([person], CUT_OFF);
});
