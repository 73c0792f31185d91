// The service worker: rules pages and analysis board without a network, and everything else as if it
// were not there.
//
// The server writes two lines before these: BUILD, a word for what it serves, and FILES, the
// addresses of all that its pages are made of. Nothing is kept but what was asked for without
// cookies, so that it is the same for everybody; it is asked for once, when the worker is installed.
// Where data is to be saved only that is kept which somebody has come to.
//
// A newer worker waits until no page of an older build is open, because such a page may still need
// a module that only the older worker has. Pages come from the network as long as there is one: the
// next one is of the new build whoever hands it on, and tells the waiting worker so.
/* global BUILD, FILES */

/** Each build has its own; those of others go when this worker takes over. */
const KEPT = `sprong-${BUILD}`;

const OFFLINE = "/offline";
const CATALOGUE = "/api/variants";

/** So long the network may take for what is kept as well, and as long as it is still silent since. */
const STALLED_MS = 4000;
const SILENT_MS = 500;

/** The pages that work alone: each as it is, and once for every variant. */
const ALONE = ["/rules", "/analysis"];

/** What a browser goes to as if it were a page, and is none. */
const NO_PAGE = /^\/(api\/(?!docs$)|(picture|ws|game\/export)\/)/;

/** Asks as somebody whom nobody knows, past what the browser remembers. */
const fresh = (path) => fetch(path, { credentials: "omit", cache: "no-cache" });

const ask = async (path) => {
  const answer = await fresh(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer;
};

const kept = (path) =>
  caches.match(path, { cacheName: KEPT, ignoreVary: true }).catch(() => undefined);

const keep = async (path, answer) => (await caches.open(KEPT)).put(path, answer);

/** Whether somebody pays for what is fetched, or waits long for it. */
const saves = () => Boolean(navigator.connection?.saveData);

const isAlone = (path) => ALONE.some((one) => path === one || path.startsWith(`${one}/`));

/** A file never changes under its address: what the browser has of it is right. */
const asFile = (path) => new Request(path, { credentials: "omit" });

const keepFiles = async (paths) => (await caches.open(KEPT)).addAll(paths.map(asFile));

/** Keeps a page, if it is of this build, and answers which files it names. */
const keepPage = async (path) => {
  const answer = await ask(path);
  const files = (await answer.clone().text()).match(new RegExp(`/_/${BUILD}/[^"]+`, "g")) ?? [];
  if (files.length) await keep(path, answer);
  return files;
};

/** Keeps a page that somebody comes to, if not all of them were kept before. */
const keepVisited = async (path) => isAlone(path) && !(await kept(path)) && keepPage(path);

/** Keeps what is open now, for which the browser has the files, and the page that says that there is no network. */
const keepLittle = async () => {
  const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const paths = open.map(({ url }) => new URL(url).pathname).filter(isAlone);
  const files = await Promise.all([
    keepPage(OFFLINE),
    ...[...new Set(paths)].map((path) => keepPage(path).catch(() => [])),
  ]);
  return keepFiles([...new Set(files.flat())]);
};

/** Keeps all that works without a network. If any of it cannot be had, the next page tries again. */
const install = async () => {
  const catalogue = await ask(CATALOGUE);
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

/** Takes over at once if the one page that is open is of this build already. */
const takeOver = async () => {
  const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (open.length === 1) await self.skipWaiting();
};

/** A file as it is kept; one that was not, is from now on. */
const file = async (request) => {
  const known = await kept(request.url);
  if (known || !request.url.includes(`/_/${BUILD}/`)) return known ?? fetch(request);
  const answer = await fetch(asFile(request.url));
  if (answer.ok) await keep(request.url, answer.clone()).catch(() => {});
  return answer;
};

let patience = STALLED_MS;

/** What the network answers; what is kept, if it cannot now or takes too long. What is not kept is waited for. */
const either = async (asked, path) => {
  const answered = asked
    .catch(() => null)
    .then((answer) => {
      patience = STALLED_MS;
      return answer;
    });
  const soon = await Promise.race([answered, new Promise((done) => setTimeout(done, patience))]);
  if (soon === undefined) patience = SILENT_MS;
  if (soon && soon.status !== 429 && soon.status < 500) return soon;
  return (await kept(path)) ?? answered;
};

const catalogue = async () => {
  const asked = fresh(CATALOGUE).then(async (answer) => {
    // It is answered on a disk that is full as well.
    if (answer.ok) await keep(CATALOGUE, answer.clone()).catch(() => {});
    return answer;
  });
  return (await either(asked, CATALOGUE)) ?? Response.error();
};

/** A page from the network; without one, what was kept. */
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
