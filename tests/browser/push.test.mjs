// Push messages in the browser: states and switches of the settings, the question after a move and
// a challenge, and the notifications of the service worker. The headless browser has no permission
// for notifications and no push service: the tests replace these parts of it, with the endpoint of
// a service that the server knows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { User, Server, startServerAndBrowser, waitUntil } from "./support/server.mjs";
import { assertNoErrors } from "./support/no-errors.mjs";
import { openWithServiceWorker } from "./support/service-worker.mjs";
import { PHONE, horizontalOverflow, screenshot } from "./support/viewports.mjs";

const SERVICE = "http://127.0.0.1:9";

const { server, browser } = await startServerAndBrowser("--push-service", SERVICE);

const SWITCH = '.settings-page .switch:has-text("when I\'m not on Sprong")';
const STATE = `${SWITCH} + p`;
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15";

/** Gives the page a permission, and a subscription with keys of its own, as other browsers do. */
const simulatePush = async (endpoint) => {
  let permission = "default";
  Object.defineProperty(Notification, "permission", { get: () => permission });
  Notification.requestPermission = async () => {
    permission = "granted";
    return permission;
  };
  const encode = (bytes) =>
    btoa(String.fromCharCode(...new Uint8Array(bytes)))
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replaceAll("=", "");
  const subscription = {
    endpoint,
    toJSON: () => ({ endpoint, expirationTime: null, keys: subscription.keys }),
    unsubscribe: async () => {
      sessionStorage.removeItem("subscribed");
      return true;
    },
  };
  PushManager.prototype.getSubscription = async () =>
    sessionStorage.getItem("subscribed") ? subscription : null;
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    const curve = { name: "ECDH", namedCurve: "P-256" };
    const { publicKey } = await crypto.subtle.generateKey(curve, true, ["deriveBits"]);
    subscription.keys = {
      p256dh: encode(await crypto.subtle.exportKey("raw", publicKey)),
      auth: encode(crypto.getRandomValues(new Uint8Array(16))),
    };
    sessionStorage.setItem("subscribed", applicationServerKey);
    return subscription;
  };
};

/** Makes the service worker keep its notifications, and focus tabs without a click. */
const simulateNotifications = () => {
  const shown = new Map();
  const { prototype } = ServiceWorkerRegistration;
  prototype.showNotification = async (title, { tag, body, data }) => {
    shown.set(tag, { title, tag, body, data, close: () => shown.delete(tag) });
  };
  prototype.getNotifications = async () => [...shown.values()];
  self.WindowClient.prototype.focus = async function focus() {
    return this;
  };
};

/** Opens a page whose browser can show notifications. */
const openWithPush = async (options = {}) => {
  const user = await openWithServiceWorker(browser, server, options);
  const endpoint = `${SERVICE}/${options.name ?? "guest"}`;
  await user.page.addInitScript(simulatePush, endpoint);
  return user;
};

const stateText = async (page, expected) => {
  await page.locator(STATE, { hasText: expected }).waitFor();
  return page.locator(SWITCH).getAttribute("aria-checked");
};

test("a browser without push messages says what to do", async () => {
  for (const [options, prepare, text] of [
    [{}, () => delete window.PushManager, "Try another browser"],
    [{ userAgent: IPHONE }, () => delete window.PushManager, "add Sprong to the Home Screen"],
    [{}, () => {}, "Your browser blocks notifications"],
  ]) {
    const user = await User.open(browser, server, options, null);
    await user.page.addInitScript(prepare);
    await user.visit("/settings", SWITCH);
    assert.equal(await stateText(user.page, text), "false");
    assert.equal(await user.page.locator(SWITCH).getAttribute("aria-disabled"), "true");
    assertNoErrors(server, [user]);
  }
});

test("a server without push messages says so", async (context) => {
  const silent = await Server.start("--no-push");
  context.after(() => silent.stop());
  const user = await User.open(browser, silent, {}, null);
  await user.page.addInitScript(simulatePush, SERVICE);
  await user.visit("/settings", SWITCH);
  await stateText(user.page, "This server does not send notifications.");
  assertNoErrors(silent, [user]);
});

test("push messages are switched on and off, with their kinds", async () => {
  const user = await openWithPush({ name: "Pushanna" });
  const { page } = user;
  await user.visit("/settings", SWITCH);
  assert.equal(await stateText(page, "Off in this browser."), "false");
  const kind = page.locator(".settings-page .switch:has-text('Somebody challenges me')");
  assert.equal(await kind.isVisible(), false);
  await page.click(SWITCH);
  assert.equal(await stateText(page, "On in this browser"), "true");
  const { publicKey, ...push } = (await user.request("/api/push")).body;
  assert.deepEqual(push.endpoints, [`${SERVICE}/Pushanna`]);
  assert.equal(await page.evaluate(() => sessionStorage.getItem("subscribed")), publicKey);
  await kind.click();
  await waitUntil("the kinds are stored", async () => {
    const { kinds } = (await user.request("/api/push")).body;
    return kinds.myTurn && !kinds.challenge && kinds.gameStart;
  });
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    assert.equal(await horizontalOverflow(page), 0, `${width}`);
    await screenshot(page, `push-settings-${width}`, { fullPage: true });
  }
  await page.reload();
  assert.equal(await stateText(page, "On in this browser"), "true");
  await page.click(SWITCH);
  assert.equal(await stateText(page, "Off in this browser."), "false");
  assert.deepEqual((await user.request("/api/push")).body.endpoints, []);
  assert.equal(await page.evaluate(() => sessionStorage.getItem("subscribed")), null);
  assertNoErrors(server, [user]);
});

test("a move in a game with days asks once, over the panel", async () => {
  const ann = await openWithPush({ ...PHONE, name: "Pushask" });
  const bob = await User.open(browser, server, { name: "Pushmats" }, "/rules");
  const { page } = ann;
  const question = page.locator(".push-question");
  const move = async (ply) => {
    const { body } = await ann.request(`/api/game/${id}`);
    await ann.request(`/api/board/game/${id}/move/${encodeURIComponent(body.legal[0])}`, {});
    await ann.waitForPly(ply);
  };
  const id = await ann.startGame(bob, "hogga", { days: 3 });
  await ann.visit(`/${id}`, ".game-board");
  assert.equal(await question.count(), 0, "not before a move");
  await move(1);
  await question.waitFor();
  await screenshot(page, "push-question-phone");
  assert.match(await question.textContent(), /Tell you when Pushmats moves\?/);
  const [box, board] = [
    await question.boundingBox(),
    await page.locator(".game-board").boundingBox(),
  ];
  assert.ok(box.y >= board.y + board.height - 1, "the board is covered");
  await question.getByRole("button", { name: "Notify me" }).click();
  await question.waitFor({ state: "detached" });
  await waitUntil("the browser is subscribed", async () => {
    const { endpoints } = (await ann.request("/api/push")).body;
    return endpoints.length === 1;
  });
  assert.equal(await page.evaluate(() => localStorage.getItem("pushAnswered")), "yes");
  assertNoErrors(server, [ann, bob]);
});

test("a challenge that stays open asks, and Not now is kept", async () => {
  const user = await openWithPush();
  const { page } = user;
  const question = page.locator(".push-question");
  const open = async (minutes) => {
    const expiresAt = Date.now() + minutes * 60000;
    const terms = { variant: "hogga", days: 3, rated: false, kind: "link", expiresAt };
    const { body } = await user.request("/api/challenge", terms);
    await user.visit(`/${body.id}`, ".challenge-page .btn");
    await page.waitForLoadState("networkidle");
    return body.id;
  };
  await open(5);
  assert.equal(await question.count(), 0, "not for a short one");
  await open(600);
  await question.waitFor();
  await screenshot(page, "push-question-challenge");
  await question.getByRole("button", { name: "Not now" }).click();
  await question.waitFor({ state: "detached" });
  await open(600);
  assert.equal(await question.count(), 0, "never again");
  assertNoErrors(server, [user]);
});

test("the service worker shows messages, several games as one", async () => {
  const user = await openWithPush();
  const { page } = user;
  const worker = page.context().serviceWorkers()[0];
  await worker.evaluate(simulateNotifications);
  const session = await page.context().newCDPSession(page);
  const registrationId = new Promise((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      if (registrations.length) resolve(registrations[0].registrationId);
    });
  });
  await session.send("ServiceWorker.enable");
  const deliver = async (message) =>
    session.send("ServiceWorker.deliverPushMessage", {
      origin: server.url,
      registrationId: await registrationId,
      data: JSON.stringify({ kind: "myTurn", title: "Your turn", ...message }),
    });
  const shown = () =>
    worker.evaluate(async () =>
      (await self.registration.getNotifications()).map(({ body, tag, data }) => [body, tag, data]),
    );
  const game = (id) => ({ body: `Mats moved: ${id}`, path: `/${id}`, tag: `game-${id}` });
  // The user looks at a page of the site: this one is not among those shown below.
  await deliver(game("aaaaaaaa"));
  assert.deepEqual(await shown(), []);
  await page.goto("about:blank");
  await deliver(game("bbbbbbbb"));
  await waitUntil("a message is shown", async () => (await shown()).length === 1);
  await deliver(game("cccccccc"));
  await waitUntil("two messages are shown", async () => (await shown()).length === 2);
  await deliver({ ...game("bbbbbbbb"), body: "Mats moved again" });
  await waitUntil("a newer message replaces an older one", async () =>
    (await shown()).some(([body]) => body === "Mats moved again"),
  );
  assert.equal((await shown()).length, 2);
  await deliver({ body: "2 games wait for you", path: "/", tag: "turns" });
  await waitUntil("one message is shown", async () => (await shown()).length === 1);
  assert.deepEqual(await shown(), [["2 games wait for you", "turns", "/"]]);
  // A click on it leads an open tab to the page.
  await page.goto(`${server.url}/rules`);
  await worker.evaluate(async () => {
    const [notification] = await self.registration.getNotifications();
    self.dispatchEvent(
      Object.assign(new self.ExtendableEvent("notificationclick"), { notification }),
    );
  });
  await page.waitForURL(`${server.url}/`);
  assert.deepEqual(await shown(), []);
  // Deadlines and starts of game nights are shown also to those who look at another page.
  await deliver({ ...game("dddddddd"), kind: "deadline" });
  await waitUntil("the reminder is shown", async () => (await shown()).length === 1);
  await deliver({ kind: "eventStart", body: "Hogga: on now.", path: "/events", tag: "event-1" });
  await waitUntil("the start is shown", async () => (await shown()).length === 2);
  assertNoErrors(server, [user]);
});

test("a click on a notification leaves tabs with games alone", async () => {
  const { page } = await openWithPush();
  const [worker] = page.context().serviceWorkers();
  await worker.evaluate(simulateNotifications);
  const other = await page.context().newPage();
  for (const tab of [page, other]) await tab.goto(`${server.url}/zzzzzzzz`);
  await worker.evaluate(() => {
    self.Clients.prototype.openWindow = async (href) => void (self.openedWindow = href);
    const notification = { close: () => {}, data: "/aaaaaaaa" };
    self.dispatchEvent(
      Object.assign(new self.ExtendableEvent("notificationclick"), { notification }),
    );
  });
  await waitUntil(
    "a window is opened",
    async () => (await worker.evaluate(() => self.openedWindow)) === `${server.url}/aaaaaaaa`,
  );
  for (const tab of [page, other]) assert.equal(tab.url(), `${server.url}/zzzzzzzz`);
});

test("an ended subscription is renewed with the key of the server", async () => {
  const { page } = await openWithPush({ name: "Renate" });
  const [worker] = page.context().serviceWorkers();
  await worker.evaluate(() => {
    self.PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      self.usedKey = applicationServerKey;
      return { toJSON: () => ({ endpoint: "", keys: {} }) };
    };
    self.dispatchEvent(
      Object.assign(new self.ExtendableEvent("pushsubscriptionchange"), { oldSubscription: null }),
    );
  });
  const key = await page.evaluate(async () => (await (await fetch("/api/push")).json()).publicKey);
  await waitUntil(
    "the browser subscribes",
    async () => (await worker.evaluate(() => self.usedKey)) === key,
  );
});
