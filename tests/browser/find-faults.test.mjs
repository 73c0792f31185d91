// Search for an opponent at awkward moments: cancellation during a request, a game that is found
// while the player gives up, restarts of the server, and rated and casual games.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Server, User, startServerAndBrowser, waitUntil } from "./support/server.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { PHONE, screenshot } from "./support/viewports.mjs";

const { server, browser } = await startServerAndBrowser();

const LOOKING = ".find-stage >> text=Looking for an opponent";

const openUser = (name, options = {}, ownServer = server) =>
  User.open(browser, ownServer, { name, ...options }, "/find");

/** Presses exactly these chips, and begins a search. */
const look = async ({ page }, values, { waits = true } = {}) => {
  await page.waitForSelector(".find-sheet");
  const set = async (isWanted) => {
    for (const chip of await page.locator(".find-chips button").all()) {
      const isChosen = values.includes(await chip.getAttribute("data-value"));
      const isPressed = (await chip.getAttribute("aria-pressed")) === "true";
      if (isChosen === isWanted && isPressed !== isWanted) await chip.click();
    }
  };
  await set(true);
  await set(false);
  await page.click(".find-look");
  if (waits) await page.waitForSelector(LOOKING);
};

/** Begins a search, and waits until the page has the response of the server. */
const begin = async (user, values) => {
  const response = user.page.waitForResponse("**/api/find");
  await look(user, values);
  await (await response).finished();
};

const openChallenges = async (user) => (await user.request("/api/challenge")).body.out;

const waitForKinds = (user, kinds) =>
  waitUntil(`${user.name} has ${kinds}`, async () => {
    const open = await openChallenges(user);
    return open.map(({ kind }) => kind).join() === kinds.join();
  });

/** Returns the id of the game that all users have opened. */
const commonGame = async (...users) => {
  await Promise.all(users.map(({ page }) => page.waitForSelector(".board-svg.is-interactive")));
  const ids = users.map(({ page }) => new URL(page.url()).pathname.slice(1));
  assert.equal(new Set(ids).size, 1, `${ids}`);
  return ids[0];
};

/** Holds the requests to a path until the returned function is called. */
const hold = async ({ page }, path) => {
  let release;
  const released = new Promise((done) => (release = done));
  await page.route(`**${path}`, async (route) => {
    await released;
    await route.continue();
  });
  return release;
};

test("a cancellation during the request is kept", async () => {
  const ann = await openUser("EarlyAnn", PHONE);
  const { page } = ann;
  const release = await hold(ann, "/api/find");
  const isCanceled = page.waitForResponse(/\/api\/find\/cancel/);
  await look(ann, ["hogga", "10", "rated"]);
  await page.click(".find-cancel");
  await page.waitForSelector("text=Search canceled");
  const response = page.waitForResponse(/\/api\/find$/);
  release();
  assert.equal((await response).status(), 201);
  await isCanceled;
  await waitForKinds(ann, []);
  await page.waitForSelector("text=Search canceled");
  assert.equal(await page.locator(LOOKING).count(), 0);
  // A new search begins after both.
  await page.click("text=Look again");
  await look(ann, ["hogga", "10", "rated"]);
  await waitForKinds(ann, ["seek"]);
  await page.click(".find-cancel");
  await waitForKinds(ann, []);
  assertNoErrors(server, [ann]);
});

test("a game that is found is not left in the lobby", async () => {
  const [ann, mats] = [await openUser("LeaveAnn"), await openUser("LeaveMats")];
  const { page } = ann;
  await page.clock.install();
  await look(ann, ["hogga", "10", "rated"]);
  await waitForKinds(ann, ["seek"]);
  const release = await hold(ann, "/api/find/cancel");
  const clicked = page.waitForRequest(/\/api\/find\/cancel/);
  // The next answer of the server corrects the clock of the page.
  await waitUntil("the button is clicked", async () => {
    await page.clock.runFor(121000);
    const button = page.locator(".find-page button:visible", { hasText: "Leave it open" });
    if ((await button.count()) === 0) return false;
    await button.click({ timeout: 1000 }).catch(() => {});
    return page.locator(".find-page .is-busy").count();
  });
  await clicked;
  await look(mats, ["hogga", "10", "rated"], { waits: false });
  await mats.page.waitForSelector(".board-svg.is-interactive");
  release();
  await commonGame(ann, mats);
  assert.deepEqual(await openChallenges(ann), []);
  assertNoErrors(server, [ann, mats]);
});

test("a search goes on after a restart of the server", async (context) => {
  const ownServer = await Server.start();
  context.after(() => ownServer.stop());
  const ann = await openUser("BackAnn", PHONE, ownServer);
  const mats = await openUser("BackMats", {}, ownServer);
  await begin(ann, ["hogga", "10", "rated"]);
  const [before] = await openChallenges(ann);
  await ownServer.kill();
  await ann.page.waitForSelector(".find-progress >> text=Reconnecting");
  await screenshot(ann.page, "find-reconnecting-phone-light");
  await ownServer.startProcess();
  await ann.page.waitForSelector(".find-progress >> text=We ask everyone who is here");
  await waitForKinds(ann, ["seek"]);
  const [after] = await openChallenges(ann);
  assert.notEqual(after.id, before.id);
  await mats.page.reload();
  await look(mats, ["hogga", "10", "rated"], { waits: false });
  await commonGame(ann, mats);
  assert.deepEqual(
    [...ann.errors, ...mats.errors].filter((error) => !/ERR_/.test(error)),
    [],
  );
});

test("a search is repeated after a refusal of many requests", async (context) => {
  const ownServer = await Server.start();
  context.after(() => ownServer.stop());
  const ann = await openUser("BusyAnn", {}, ownServer);
  await begin(ann, ["hogga", "10", "rated"]);
  await ownServer.kill();
  await ann.page.waitForSelector(".find-progress >> text=Reconnecting");
  let refusals = 0;
  await ann.page.route("**/api/find", async (route) => {
    if (++refusals > 1) return route.continue();
    return route.fulfill({
      status: 429,
      headers: { "retry-after": "1", "content-type": "application/json" },
      body: JSON.stringify({ error: "Too many requests.", reason: "tooFast" }),
    });
  });
  await ownServer.startProcess();
  await waitForKinds(ann, ["seek"]);
  assert.ok(refusals > 1);
  await ann.page.waitForSelector(LOOKING);
});

test("rated and casual games are chosen by the player", async () => {
  const [ann, bob] = [await openUser("KindAnn"), await openUser("KindBob", PHONE)];
  const guest = await User.open(browser, server, {}, "/find");
  assert.equal(await ann.page.locator(".find-chips [aria-pressed=true]:visible").count(), 8);
  await screenshot(bob.page, "find-sheet-kinds-phone-light");
  assert.equal(await guest.page.locator("[data-value=rated]").count(), 0, "guests have no choice");
  await look(ann, ["hogga", "10", "rated"]);
  await ann.page.waitForSelector(".find-terms >> text=Hogga · 10+5 · Rated");
  await look(bob, ["hogga", "10", "casual"]);
  await bob.page.waitForSelector(".find-terms >> text=Hogga · 10+5 · Casual");
  await waitForKinds(ann, ["seek"]);
  await waitForKinds(bob, ["seek"]);
  // The guest fits the casual search, whichever of the two is tried first.
  await look(guest, ["hogga", "10"], { waits: false });
  const id = await commonGame(bob, guest);
  assert.equal((await guest.request(`/api/game/${id}`)).body.rated, false);
  await waitForKinds(ann, ["seek"]);
  // A player for whom both will do.
  const cleo = await openUser("KindCleo");
  await look(cleo, ["hogga", "10", "rated", "casual"], { waits: false });
  const other = await commonGame(ann, cleo);
  assert.equal((await cleo.request(`/api/game/${other}`)).body.rated, true);
  assertNoErrors(server, [ann, bob, guest, cleo]);
});

test("a player of a game with a clock is told to finish it", async () => {
  const [ann, bob] = [await openUser("PlayAnn"), await openUser("PlayBob")];
  await look(ann, ["hogga", "10", "rated"]);
  await look(bob, ["hogga", "10", "rated"], { waits: false });
  await commonGame(ann, bob);
  await ann.page.goto(`${server.url}/find`);
  await ann.page.click(".find-look");
  await ann.page.waitForSelector("text=You are playing a game with a clock. Finish it first.");
  await screenshot(ann.page, "find-already-playing-desktop-light");
  assert.equal((await openChallenges(ann)).length, 0);
  assertNoErrors(server, [ann, bob], /status of 409/);
});
