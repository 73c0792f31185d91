// Banner for a lost connection, and registration of the service worker (see sw.js).
import { h } from "../lib/dom.js";
import { isReachable, onReachabilityChange } from "../lib/connectivity.js";
import { t } from "../lib/i18n.js";

/** Delays of the two messages about a closed connection. */
const CLOSED_MS = 1500;
const LOST_MS = 10000;

/**
 * Messages of each socket state, with their delays.
 * @type {Record<string, [key: string, ms: number][]>}
 */
const MESSAGES = {
  closed: [
    ["net.safe", CLOSED_MS],
    ["net.lost", LOST_MS],
  ],
  restart: [["net.restart", CLOSED_MS]],
  tooMany: [["net.tooMany", 0]],
  signedOut: [["net.signedOut", 0]],
  unsaved: [["net.unsaved", 0]],
};

/**
 * Replacements for pages without a game.
 * @type {Record<string, string>}
 */
const LOBBY_MESSAGES = { "net.safe": "net.away", "net.lost": "net.away" };

/** Banner that follows the state of a socket. */
export class ConnectionBanner {
  /**
   * With `lobby` the messages do not mention moves and clocks.
   * @param {"game" | "lobby"} [page]
   */
  constructor(page = "game") {
    this.place = page;
    this.note = h("div", { class: "connection-banner" });
    // Screen readers ignore text in a live region that has just been added, so it is added here.
    this.region = h("div", { role: "status" });
    document.body.append(this.region);
    /** @type {number[]} */
    this.timers = [];
    this.state = "open";
  }

  /**
   * Handles a state change of the socket.
   * @param {string} state
   */
  setState(state) {
    // Each failed attempt reports `closed` again; the delays count from the first.
    const isLate = state === "closed" && !["open", "unsaved"].includes(this.state);
    if (state === this.state || isLate) return;
    this.timers.forEach(clearTimeout);
    this.state = state;
    if (state === "open") this.note.remove();
    this.timers = (MESSAGES[state] ?? []).map(([key, ms]) => setTimeout(() => this.show(key), ms));
  }

  /** @param {string} key */
  show(key) {
    this.note.textContent = t(this.place === "lobby" ? (LOBBY_MESSAGES[key] ?? key) : key);
    this.region.append(this.note);
  }
}

/** Build that this page was served from. */
const build = import.meta.url.match(/\/_\/([^/]+)\//)?.[1];

/**
 * Sends this page's build to a waiting worker, which activates if its own build is the same.
 * @param {ServiceWorkerRegistration} registration
 */
const reportBuild = ({ waiting }) => build && waiting?.postMessage(build);

/** @param {ServiceWorkerRegistration} registration */
const watch = (registration) => {
  const { installing } = registration;
  installing?.addEventListener("statechange", () => reportBuild(registration));
  reportBuild(registration);
};

const register = async () => {
  const registration = await navigator.serviceWorker.register("/sw.js");
  if (!registration) return;
  registration.addEventListener("updatefound", () => watch(registration));
  watch(registration);
};

// Service workers require a secure context. Registration waits until the page has loaded.
if (isSecureContext && navigator.serviceWorker) {
  const registerWhenLoaded = () => register().catch(() => {});
  if (document.readyState === "complete") registerWhenLoaded();
  else addEventListener("load", registerWhenLoaded);
}

/**
 * Returns a note, shown while the server is unreachable, for pages that work offline.
 * @returns {HTMLElement}
 */
export const offlineNote = () => {
  const note = h("span", { class: "small soft", role: "status" });
  const show = (/** @type {boolean} */ isOnline) => {
    note.textContent = isOnline ? "" : t("offline.note");
  };
  onReachabilityChange(show);
  show(isReachable());
  return note;
};
