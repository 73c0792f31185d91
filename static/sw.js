// Service worker: makes the rules pages and the analysis board work offline and passes all other
// requests to the network.
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
const KEPT = `sprong-${BUILD}`;

const OFFLINE = "/offline";
const CATALOGUE = "/api/variants";

/** Network timeout for cached content, and the same after a timeout without any response since. */
const STALLED_MS = 4000;
const SILENT_MS = 500;

/** Pages that work offline; each exists with and without a variant. */
const ALONE = ["/rules", "/analysis"];

/** Addresses that browsers navigate to but that are not pages. */
const NO_PAGE = /^\/(api\/(?!docs$)|(picture|ws|game\/export)\/)/;

/**
 * Requests a path without cookies and revalidates the HTTP cache.
 * @param {string} path
 */
const fresh = (path) => fetch(path, { credentials: "omit", cache: "no-cache" });

/**
 * Requests a path; throws unless the status is 2xx.
 * @param {string} path
 */
const ask = async (path) => {
  const answer = await fresh(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer;
};

/**
 * Returns the cached response. Without access to the storage nothing is cached.
 * @param {string} path
 */
const kept = (path) =>
  caches.match(path, { cacheName: KEPT, ignoreVary: true }).catch(() => undefined);

/**
 * @param {string} path
 * @param {Response} answer
 */
const keep = async (path, answer) => (await caches.open(KEPT)).put(path, answer);

/** Whether the browser's data saver is on. */
const saves = () => Boolean(navigator.connection?.saveData);

/** @param {string} path */
const isAlone = (path) => ALONE.some((one) => path === one || path.startsWith(`${one}/`));

/**
 * Returns the request of a static file, without cookies. Its address contains the build, so a
 * response in the HTTP cache is valid.
 * @param {string} path
 */
const asFile = (path) => new Request(path, { credentials: "omit" });

/** @param {string[]} paths */
const keepFiles = async (paths) => (await caches.open(KEPT)).addAll(paths.map(asFile));

/**
 * Caches a page if it is of this build, and returns the addresses of its files.
 * @param {string} path
 */
const keepPage = async (path) => {
  const answer = await ask(path);
  const files = (await answer.clone().text()).match(new RegExp(`/_/${BUILD}/[^"]+`, "g")) ?? [];
  if (files.length) await keep(path, answer);
  return files;
};

/**
 * Caches a visited page that works offline, unless it is cached already.
 * @param {string} path
 */
const keepVisited = async (path) => isAlone(path) && !(await kept(path)) && keepPage(path);

/** Caches the offline page and the open pages, whose files are in the HTTP cache. */
const keepLittle = async () => {
  const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const paths = open.map(({ url }) => new URL(url).pathname).filter(isAlone);
  const files = await Promise.all([
    keepPage(OFFLINE),
    ...[...new Set(paths)].map((path) => keepPage(path).catch(() => /** @type {string[]} */ ([]))),
  ]);
  return keepFiles([...new Set(files.flat())]);
};

/**
 * Caches everything that works offline. On failure the browser retries with the next registration.
 */
const install = async () => {
  const catalogue = await ask(CATALOGUE);
  /** @type {{ key: string }[]} */
  const variants = await catalogue.clone().json();
  await keep(CATALOGUE, catalogue);
  if (saves()) return keepLittle();
  const pages = ALONE.flatMap((path) => [path, ...variants.map(({ key }) => `${path}/${key}`)]);
  await Promise.all([OFFLINE, ...pages].map(async (path) => keep(path, await ask(path))));
  return keepFiles(FILES);
};

const activate = async () => {
  const names = await caches.keys();
  await Promise.all(
    names
      .filter((name) => name.startsWith("sprong-") && name !== KEPT)
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
const file = async (request) => {
  const known = await kept(request.url);
  if (known || !request.url.includes(`/_/${BUILD}/`)) return known ?? fetch(request);
  const answer = await fetch(asFile(request.url));
  if (answer.ok) await keep(request.url, answer.clone()).catch(() => {});
  return answer;
};

let patience = STALLED_MS;

/**
 * Returns the response of the network, or the cached one if the network fails, answers 429 or 5xx,
 * or exceeds the timeout. Without a cached one it waits for the network; null if that fails.
 * @param {Promise<Response>} asked
 * @param {string} path
 */
const either = async (asked, path) => {
  const answered = asked
    .catch(() => null)
    .then((answer) => {
      patience = STALLED_MS;
      return answer;
    });
  const soon = await Promise.race([
    answered,
    /** @type {Promise<undefined>} */ (new Promise((done) => setTimeout(done, patience))),
  ]);
  if (soon === undefined) patience = SILENT_MS;
  if (soon && soon.status !== 429 && soon.status < 500) return soon;
  return (await kept(path)) ?? answered;
};

const catalogue = async () => {
  const asked = fresh(CATALOGUE).then(async (answer) => {
    // A full disk must not fail the request.
    if (answer.ok) await keep(CATALOGUE, answer.clone()).catch(() => {});
    return answer;
  });
  return (await either(asked, CATALOGUE)) ?? Response.error();
};

/**
 * Returns a page from the network, else from the cache, else the offline page.
 * @param {Request} request
 * @param {string} path
 */
const page = async (request, path) =>
  (await either(fetch(request), path)) ?? (await kept(OFFLINE)) ?? Response.error();

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", (event) => {
  if (event.data === BUILD) event.waitUntil(takeOver());
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (pathname.startsWith("/_/")) event.respondWith(file(request));
  else if (pathname === CATALOGUE) event.respondWith(catalogue());
  else if (request.mode === "navigate" && !NO_PAGE.test(pathname)) {
    event.respondWith(page(request, pathname));
    event.waitUntil(keepVisited(pathname).catch(() => {}));
  }
});
