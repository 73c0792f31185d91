// Service worker: makes the rules pages, the lessons, the analysis board and games on one device
// work offline and passes all other requests to the network. Shows push messages.
//
// The server prepends two lines: BUILD, the hash of the build, and FILES, the addresses of its
// static files. Cached responses are requested without cookies, so that they contain no user data.
// They are requested once, at installation; with the browser's data saver only visited pages are
// cached.
//
// A new worker waits until no page of an older build is open, because such a page may need a module
// that only the cache of the old worker has. Pages come from the network while it is up, so the
// next page is of the new build whichever worker serves it; connection-banner.js then sends its
// build to the waiting worker, which takes over if that page is the only one.
//
// Types: a program of its own with the `webworker` library, in which `self` is a
// `ServiceWorkerGlobalScope`, and BUILD and FILES are declared as `string` and `string[]`.
/* global BUILD, FILES */

/** Cache of this build; activation deletes the caches of other builds. */
const CACHE = `sprong-${BUILD}`;

const OFFLINE = "/offline";
const ICON = "/picture/icon-192.png";
const CATALOG = "/api/variants";

/** Network timeout for cached content, and the same after a timeout without any response since. */
const NETWORK_TIMEOUT_MS = 4000;
const NETWORK_DOWN_TIMEOUT_MS = 500;

/** Pages that work offline with a variant; all but the lessons exist without one, too. */
const OFFLINE_PAGES = ["/rules", "/analysis", "/pass-and-play", "/learn"];
const LESSONS = "/learn";

/** Kinds of push messages that are shown also to users who look at a page of the site. */
const KINDS_SHOWN = ["deadline", "eventStart"];

/** Addresses that browsers navigate to but that are not pages. */
const NON_PAGE = /^\/(api\/(?!docs$)|(picture|ws|game\/export)\/)/;

/**
 * Requests a path without cookies and revalidates the HTTP cache.
 * @param {string} path
 */
const fetchAnonymous = (path) => fetch(path, { credentials: "omit", cache: "no-cache" });

/**
 * Requests a path; throws unless the status is 2xx.
 * @param {string} path
 */
const fetchOk = async (path) => {
  const answer = await fetchAnonymous(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer;
};

/**
 * Returns the cached response. Without access to the storage nothing is cached.
 * @param {string} path
 */
const fromCache = (path) =>
  caches.match(path, { cacheName: CACHE, ignoreVary: true }).catch(() => undefined);

/**
 * @param {string} path
 * @param {Response} answer
 */
const toCache = async (path, answer) => (await caches.open(CACHE)).put(path, answer);

/** Returns whether the browser's data saver is on. */
const savesData = () => Boolean(navigator.connection?.saveData);

/** @param {string} path */
const isOfflinePage = (path) =>
  OFFLINE_PAGES.some((one) => (path === one && one !== LESSONS) || path.startsWith(`${one}/`));

/**
 * Returns the request of a static file, without cookies. Its address contains the build, so a
 * response in the HTTP cache is valid.
 * @param {string} path
 */
const fileRequest = (path) => new Request(path, { credentials: "omit" });

/** @param {string[]} paths */
const cacheFiles = async (paths) => (await caches.open(CACHE)).addAll(paths.map(fileRequest));

/**
 * Caches a page if it is of this build, and returns the addresses of its files.
 * @param {string} path
 */
const cachePage = async (path) => {
  const answer = await fetchOk(path);
  const files = (await answer.clone().text()).match(new RegExp(`/_/${BUILD}/[^"]+`, "g")) ?? [];
  if (files.length) await toCache(path, answer);
  return files;
};

/**
 * Caches a visited page that works offline, unless it is cached already.
 * @param {string} path
 */
const cacheVisited = async (path) =>
  isOfflinePage(path) && !(await fromCache(path)) && cachePage(path);

/** Caches the offline page and the open pages, whose files are in the HTTP cache. */
const cacheMinimum = async () => {
  const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const paths = open.map(({ url }) => new URL(url).pathname).filter(isOfflinePage);
  const files = await Promise.all([
    cachePage(OFFLINE),
    ...[...new Set(paths)].map((path) => cachePage(path).catch(() => /** @type {string[]} */ ([]))),
  ]);
  return cacheFiles([...new Set(files.flat())]);
};

/**
 * Caches everything that works offline. On failure the browser retries with the next registration.
 */
const install = async () => {
  const catalog = await fetchOk(CATALOG);
  /** @type {{ key: string }[]} */
  const variants = await catalog.clone().json();
  await toCache(CATALOG, catalog);
  if (savesData()) return cacheMinimum();
  const pages = OFFLINE_PAGES.flatMap((path) => [
    ...(path === LESSONS ? [] : [path]),
    ...variants.map(({ key }) => `${path}/${key}`),
  ]);
  await Promise.all([OFFLINE, ...pages].map(async (path) => toCache(path, await fetchOk(path))));
  return cacheFiles(FILES);
};

const activate = async () => {
  const names = await caches.keys();
  await Promise.all(
    names
      .filter((name) => name.startsWith("sprong-") && name !== CACHE)
      .map((name) => caches.delete(name)),
  );
  await self.clients.claim();
};

/** Activates immediately if only one page is open; that page has reported this build. */
const takeOver = async () => {
  const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (open.length === 1) await self.skipWaiting();
};

/**
 * Returns a static file from the cache; caches one that is missing.
 * @param {Request} request
 */
const respondFile = async (request) => {
  const cachedFile = await fromCache(request.url);
  if (cachedFile || !request.url.includes(`/_/${BUILD}/`)) return cachedFile ?? fetch(request);
  const answer = await fetch(fileRequest(request.url));
  if (answer.ok) await toCache(request.url, answer.clone()).catch(() => {});
  return answer;
};

let timeoutMs = NETWORK_TIMEOUT_MS;

/**
 * Returns the response of the network, or the cached one if the network fails, answers 429 or 5xx,
 * or exceeds the timeout. Without a cached one it waits for the network; null if that fails.
 * @param {Promise<Response>} request
 * @param {string} path
 */
const networkOrCache = async (request, path) => {
  const response = request
    .catch(() => null)
    .then((answer) => {
      timeoutMs = NETWORK_TIMEOUT_MS;
      return answer;
    });
  const first = await Promise.race([
    response,
    /** @type {Promise<undefined>} */ (new Promise((done) => setTimeout(done, timeoutMs))),
  ]);
  if (first === undefined) timeoutMs = NETWORK_DOWN_TIMEOUT_MS;
  if (first && first.status !== 429 && first.status < 500) return first;
  return (await fromCache(path)) ?? response;
};

const respondCatalog = async () => {
  const request = fetchAnonymous(CATALOG).then(async (answer) => {
    // A full disk must not fail the request.
    if (answer.ok) await toCache(CATALOG, answer.clone()).catch(() => {});
    return answer;
  });
  return (await networkOrCache(request, CATALOG)) ?? Response.error();
};

/**
 * Returns a page from the network, else from the cache, else the offline page.
 * @param {Request} request
 * @param {string} path
 */
const respondPage = async (request, path) =>
  (await networkOrCache(fetch(request), path)) ?? (await fromCache(OFFLINE)) ?? Response.error();

/**
 * Text of a push message, as the server encrypts it.
 * @typedef {{ kind: string, title: string, body: string, path: string, tag: string }} PushText
 */

const openPages = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });

/**
 * Shows a push message, unless the user looks at a page of the site: a focused page shows all but
 * the kinds of KINDS_SHOWN. A message about several games replaces those about single games.
 * @param {PushText} text
 */
const showPush = async ({ kind, title, body, path, tag }) => {
  if (!KINDS_SHOWN.includes(kind) && (await openPages()).some(({ focused }) => focused)) return;
  const replaced = { turns: "game-", deadlines: "deadline-" }[tag];
  if (replaced)
    for (const shown of await self.registration.getNotifications())
      if (shown.tag.startsWith(replaced)) shown.close();
  /** @type {NotificationOptions & { renotify: boolean }} */
  const options = { body, tag, icon: ICON, data: path, renotify: true };
  await self.registration.showNotification(title, options);
};

/**
 * Returns whether a tab shows a challenge or a game, which the user may be playing.
 * @param {WindowClient} tab
 */
const isGame = ({ url }) => /^\/(?!settings$|analysis$)[A-Za-z0-9]{8}$/.test(new URL(url).pathname);

/**
 * Shows a page in an open tab of the site, or in a new one. Leaves tabs with games as they are.
 * @param {string} path
 */
const openPath = async (path) => {
  const { href } = new URL(path, location.origin);
  const open = await openPages();
  const shown = open.find(({ url }) => url === href);
  if (shown) return shown.focus();
  try {
    const focused = await open.filter((tab) => !isGame(tab))[0].focus();
    return await focused.navigate(href);
  } catch {
    // There is no such tab, or this worker does not control it.
    return self.clients.openWindow(href);
  }
};

/**
 * Replaces a subscription that the push service has ended; some browsers do not tell which.
 * @param {PushSubscription | null} ended
 */
const renewSubscription = async (ended) => {
  const ownKey = async () => (await (await fetch("/api/push")).json()).publicKey;
  const applicationServerKey = ended?.options.applicationServerKey ?? (await ownKey());
  const renewed = await self.registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey,
  });
  const { endpoint, keys } = renewed.toJSON();
  await fetch("/api/push/subscribe", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ endpoint, ...keys }),
  });
};

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", (event) => {
  if (event.data === BUILD) event.waitUntil(takeOver());
});
self.addEventListener("push", (event) => {
  if (event.data) event.waitUntil(showPush(event.data.json()));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPath(event.notification.data));
});
self.addEventListener("pushsubscriptionchange", (event) =>
  event.waitUntil(renewSubscription(event.oldSubscription)),
);
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith("/_/")) event.respondWith(respondFile(request));
  else if (pathname === CATALOG) event.respondWith(respondCatalog());
  else if (request.mode === "navigate" && !NON_PAGE.test(pathname)) {
    event.respondWith(respondPage(request, pathname));
    event.waitUntil(cacheVisited(pathname).catch(() => {}));
  }
});
