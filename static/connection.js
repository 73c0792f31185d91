// Says that the connection is away: calmly, and never in the way of the board.
import { h } from "./dom.js";
import { say } from "./words.js";

/** How long it may be away before that is said, and before it is said louder. */
const AWAY_MS = 1500;
const LOST_MS = 10000;

export class Connection {
  constructor() {
    this.note = h("div", { class: "net", role: "status" });
    this.timers = [];
  }

  /** Takes what the socket says of itself: open, closed or restart. */
  told(word) {
    if (word === "open") {
      this.timers.forEach(clearTimeout);
      this.timers = [];
      this.note.remove();
      return;
    }
    // Each try that fails says so again; the time away is counted from the first.
    if (this.timers.length) return;
    this.timers = word === "restart"
      ? [this.later("net.restart", AWAY_MS)]
      : [this.later("net.safe", AWAY_MS), this.later("net.lost", LOST_MS)];
  }

  later(key, ms) {
    return setTimeout(() => {
      this.note.textContent = say(key);
      document.body.append(this.note);
    }, ms);
  }
}
