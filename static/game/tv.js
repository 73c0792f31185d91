// For those who watch: following the best game, where another takes its place, and two who play once more.
import { get } from "../lib/http.js";
import { goTo } from "../common/navigation.js";
import { h } from "../lib/dom.js";
import { settle } from "../common/status-line.js";
import { say } from "../lib/i18n.js";

const LOOK_MS = 10000;
const GO_MS = 5000;

/** What is followed: the key of a variant, or "best" of all; null if nothing is. */
export const followed = () => new URLSearchParams(location.search).get("tv");

export class Television {
  /** @type {string} */ key;
  /** @type {string} */ id;
  /** @type {() => unknown} */ changed;
  /** @type {string | null} */ next;
  /** @type {string | null} */ stays;
  /** @type {number} */ goAt;
  /** @type {number} */ ticks;

  /**
   * `key` is followed from the game of that id; `changed()` is told when there is something else to say.
   * @param {{ key: string, id: string, changed: () => unknown }} how
   */
  constructor({ key, id, changed }) {
    Object.assign(this, { key, id, changed, next: null, stays: null });
    this.timer = setInterval(() => this.look(), LOOK_MS);
  }

  /** Looks which game is the best now. */
  async look() {
    if (document.hidden) return;
    const channels = await get("/api/tv/channels").catch(() => null);
    if (!channels) return;
    const found =
      this.key === "best"
        ? Object.values(channels).sort((a, b) => (b.rating ?? 0) - (a.rating ?? 0))[0]
        : channels[this.key];
    const next = found?.gameId;
    if (!next || next === this.id || next === this.stays) {
      if (this.next) this.stop();
      return;
    }
    if (next === this.next) return;
    this.next = next;
    this.goAt = Date.now() + GO_MS;
    clearInterval(this.ticks);
    this.ticks = setInterval(() => this.tick(), 250);
    this.changed();
  }

  tick() {
    if (Date.now() >= this.goAt) this.go();
    else this.changed();
  }

  go() {
    clearInterval(this.ticks);
    location.replace(`/${this.next}?tv=${encodeURIComponent(this.key)}`);
  }

  /** Stays here; asks again when yet another game has become the best. */
  stay() {
    this.stays = this.next;
    this.stop();
  }

  stop() {
    clearInterval(this.ticks);
    this.next = null;
    this.changed();
  }

  /** What the hint says when it is time to go; null if it is not. */
  words() {
    if (!this.next) return null;
    const n = Math.max(1, Math.ceil((this.goAt - Date.now()) / 1000));
    return [
      say("game.tvnext", { n }),
      "",
      [
        [say("game.tvstay"), () => this.stay()],
        [say("game.tvgo"), () => this.go(), "main"],
      ],
    ];
  }
}

export class Again {
  /** @type {() => unknown} */ changed;
  /** @type {string | null} */ id;

  /**
   * `changed()` is told when there is something else to say.
   * @param {() => unknown} changed
   */
  constructor(changed) {
    Object.assign(this, { changed, id: null });
    this.element = h("p", { class: "again", role: "status" });
  }

  /** Takes the id of the next game, if there is one. */
  take(id) {
    if (!id || id === this.id) return;
    this.id = id;
    const link = h("a", { class: "btn", href: `/${id}` }, say("rematch.watch"));
    this.element.replaceChildren(link);
    settle([link]);
    this.changed();
  }

  /** What is to be said and pressed, as the hint has it. */
  words() {
    const { id } = this;
    return id ? [say("rematch.begun"), [[say("rematch.look"), () => goTo(id)]]] : [];
  }
}
