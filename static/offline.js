// Has the service worker keep what works without a network: see sw.js. And says so, while there is none.
import { h } from "./dom.js";
import { isThere, onReach } from "./reach.js";
import { say } from "./words.js";

/** What the server was made of when it sent this page. */
const build = import.meta.url.match(/\/_\/([^/]+)\//)?.[1];

/** Tells a worker that waits that this page, at least, is of its build already. */
const offer = ({ waiting }) => build && waiting?.postMessage(build);

const watch = (registration) => {
  const { installing } = registration;
  installing?.addEventListener("statechange", () => offer(registration));
  offer(registration);
};

const register = async () => {
  const registration = await navigator.serviceWorker.register("/sw.js");
  if (!registration) return;
  registration.addEventListener("updatefound", () => watch(registration));
  watch(registration);
};

// Elsewhere browsers have no workers. The page itself comes first.
if (isSecureContext && navigator.serviceWorker) {
  const begin = () => register().catch(() => {});
  if (document.readyState === "complete") begin();
  else addEventListener("load", begin);
}

/**
 * Says that there is no network, where one can go on without.
 * @returns {HTMLElement}
 */
export const offlineNote = () => {
  const note = h("span", { class: "small soft", role: "status" });
  const show = (/** @type {boolean} */ there) => {
    note.textContent = there ? "" : say("offline.note");
  };
  onReach(show);
  show(isThere());
  return note;
};
