// Says that the connection is away: calmly, and never in the way of the board. And has the service worker keep what works without
// a network: see sw.js.
import { h } from "../lib/dom.js";
import { isThere, onReach } from "../lib/connectivity.js";
import { say } from "../lib/i18n.js";

/** How long it may be away before that is said, and before it is said louder. */
const AWAY_MS = 1500;
const LOST_MS = 10000;

/** What is said, and after how long, of each word of the socket. */
const STAGES = {
  closed: [
    ["net.safe", AWAY_MS],
    ["net.lost", LOST_MS],
  ],
  restart: [["net.restart", AWAY_MS]],
  tooMany: [["net.tooMany", 0]],
  signedOut: [["net.signedOut", 0]],
};

/** What is said instead where nobody plays. */
const LOBBY = { "net.safe": "net.away", "net.lost": "net.away" };

export class Connection {
  /** `lobby` if no game is at stake here: then nothing is said of moves and clocks. */
  constructor(place = "game") {
    this.place = place;
    this.note = h("div", { class: "net" });
    // What is said in a place that has just come is not heard: this one is there from the beginning.
    this.region = h("div", { role: "status" });
    document.body.append(this.region);
    this.timers = [];
    this.word = "open";
  }

  /** Takes what the socket says of itself. */
  told(word) {
    // Each try that fails says so again; the time away is counted from the first.
    if (word === this.word || (word === "closed" && this.word !== "open")) return;
    this.timers.forEach(clearTimeout);
    this.word = word;
    if (word === "open") this.note.remove();
    this.timers = (STAGES[word] ?? []).map(([key, ms]) => setTimeout(() => this.show(key), ms));
  }

  show(key) {
    this.note.textContent = say(this.place === "lobby" ? (LOBBY[key] ?? key) : key);
    this.region.append(this.note);
  }
}

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
