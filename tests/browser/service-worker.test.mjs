// Caches of the service worker and the web app manifest: cached pages contain no user data, caches
// belong to one build, and `saveData` limits them to visited pages.
import assert from "node:assert/strict";
import { test } from "node:test";
import { BuildProxy } from "./support/build-proxy.mjs";
import { User, startServerAndBrowser, waitUntil } from "./support/server.mjs";
import { assertNoPageErrors } from "./support/no-errors.mjs";
import { OFFLINE_ERRORS, goOffline, openWithServiceWorker } from "./support/service-worker.mjs";

const { server, browser } = await startServerAndBrowser();

/** Returns all cached texts as [path, text] pairs, by name of the cache. */
const cachedTexts = ({ page }) =>
  page.evaluate(async () => {
    const texts = {};
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      const entries = (await cache.keys()).map(async ({ url }) => [
        new URL(url).pathname,
        await (await cache.match(url)).text(),
      ]);
      texts[name] = await Promise.all(entries);
    }
    return texts;
  });

test("the service worker caches no page with user data", async () => {
  const user = await openWithServiceWorker(browser, server, { name: "Nobodyelse" });
  const { page } = user;
  for (const path of ["/account", "/rules/hogga", "/analysis/hogga", "/@/Nobodyelse", "/"]) {
    await page.goto(server.url + path);
    await page.locator("header >> text=Nobodyelse").first().waitFor({ state: "attached" });
  }
  const caches = Object.values(await cachedTexts(user));
  assert.equal(caches.length, 1);
  const [entries] = caches;
  const paths = entries.map(([path]) => path).filter((path) => !path.startsWith("/_/"));
  const keys = (await user.request("/api/variants")).body.map(({ key }) => key);
  const expected = ["/rules", "/analysis", "/pass-and-play"].flatMap((path) => [
    path,
    ...keys.map((key) => `${path}/${key}`),
  ]);
  const lessons = keys.map((key) => `/learn/${key}`);
  assert.deepEqual(paths.sort(), ["/api/variants", "/offline", ...expected, ...lessons].sort());
  for (const [path, text] of entries) assert.ok(!text.includes("Nobodyelse"), path);
  // A full disk does not prevent answers.
  const session = await page.context().newCDPSession(page);
  await session.send("Storage.overrideQuotaForOrigin", { origin: server.url, quotaSize: 1 });
  assert.equal(await page.evaluate(() => fetch("/api/variants").then(({ status }) => status)), 200);
  assertNoPageErrors([user]);
});

test("a new build loads at once, its worker after old pages", async () => {
  const proxy = await BuildProxy.open(server.port);
  try {
    const user = await openWithServiceWorker(browser, proxy);
    const { page } = user;
    const oldPage = await page.context().newPage();
    await oldPage.goto(`${proxy.url}/rules`);
    await oldPage.waitForSelector(".rules-index li");
    proxy.simulateNewBuild();
    const build = () =>
      page.$eval("script[type=module]", (script) => script.src.match(/\/_\/(\w+)\//)[1]);
    await page.reload();
    await page.waitForSelector("header .header-brand");
    assert.equal(await build(), proxy.build, "pages come from the network");
    await waitUntil("a newer worker waits", () =>
      page.evaluate(async () => Boolean((await navigator.serviceWorker.getRegistration()).waiting)),
    );
    // The older page may still import a module that the server no longer has.
    const names = Object.keys(await cachedTexts(user));
    assert.deepEqual(names.sort(), [`sprong-${proxy.serverBuild}`, `sprong-${proxy.build}`].sort());
    await oldPage.evaluate((path) => import(path), `/_/${proxy.serverBuild}/lobby/live-games.js`);
    await oldPage.close();
    await page.reload();
    await waitUntil("only one build is kept", () =>
      page.evaluate(async () => (await caches.keys()).length === 1),
    );
    assert.deepEqual(Object.keys(await cachedTexts(user)), [`sprong-${proxy.build}`]);
    await goOffline(user);
    await page.goto(`${proxy.url}/analysis/hogga`);
    await page.waitForSelector(".board-svg.is-interactive rect.board-cell");
    assert.equal(await build(), proxy.build);
  } finally {
    proxy.close();
  }
});

test("the manifest is valid, its icons and shortcuts exist", async () => {
  const user = await User.open(browser, server);
  // The headless browser reports parse errors only, no other obstacles to installation.
  const session = await user.page.context().newCDPSession(user.page);
  const { url: manifestUrl, errors } = await session.send("Page.getAppManifest");
  assert.deepEqual([manifestUrl, errors], [`${server.url}/manifest.webmanifest`, []]);
  const response = await user.page.request.get(`${server.url}/manifest.webmanifest`);
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
    const icon = await user.page.request.get(server.url + src);
    assert.equal(icon.status(), 200, src);
    assert.equal(icon.headers()["content-type"], type, src);
  }
  for (const { url } of manifest.shortcuts)
    assert.equal((await user.page.request.get(server.url + url)).status(), 200, url);
});

test("with saveData only visited pages are cached", async (context) => {
  const proxy = await BuildProxy.open(server.port);
  context.after(() => proxy.close());
  proxy.workerPrefix =
    'Object.defineProperty(navigator, "connection", { value: { saveData: true } });\n';
  const user = await openWithServiceWorker(browser, proxy, {}, "/rules/hogga");
  const { page } = user;
  const paths = async () =>
    Object.values(await cachedTexts(user))
      .flat()
      .map(([path]) => path.replace(`/_/${proxy.serverBuild}`, ""));
  const first = await paths();
  assert.deepEqual(
    first
      .filter((path) =>
        /^\/(api\/|analysis$|analysis\/|offline$|rules$|rules\/(?!.*\.js$))/.test(path),
      )
      .sort(),
    ["/api/variants", "/offline", "/rules/hogga"],
  );
  for (const [path, isCached] of [
    ["/rules/rules.js", true],
    ["/i18n/en.js", true],
    ["/lobby/lobby.js", false],
    ["/rules.wasm", false],
  ])
    assert.equal(first.includes(path), isCached, path);
  await page.goto(`${proxy.url}/rules/knightFight`);
  await page.waitForSelector(".rules-example");
  await waitUntil("what was visited is kept", async () => {
    const current = await paths();
    return ["/rules/knightFight", "/guide/en/knightFight.json"].every((path) =>
      current.includes(path),
    );
  });
  await goOffline(user);
  await page.reload();
  await page.waitForSelector(".rules-example");
  await page.goto(`${proxy.url}/rules/kopfOderKnopf`);
  await page.locator("h1", { hasText: "You are offline" }).waitFor();
  assertNoPageErrors([user], OFFLINE_ERRORS);
});
