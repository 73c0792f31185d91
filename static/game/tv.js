// Navigation of spectators to another game: TV, which follows the game with the highest rating,
// and the link to the rematch of the players. Created by `page.js` for spectators only.
import { get } from "../lib/http.js";
import { goTo } from "../common/navigation.js";
import { h } from "../lib/dom.js";
import { settle } from "../common/status-line.js";
import { say } from "../lib/i18n.js";

const LOOK_MS = 10000;
const GO_MS = 5000;

/**
 * Returns the followed channel: the key of a variant, or "best" for all variants; null without TV.
 */
export const followed = () => new URLSearchParams(location.search).get("tv");

/**
 * A channel of `/api/tv/channels`.
 * @typedef {{ gameId: string, rating?: number }} Channel
 */

/** Follower of a TV channel. Changes to the next game after a countdown. */
export class Television {
  /** @type {string} */ key;
  /** @type {string} */ id;
  /** @type {() => unknown} */ changed;
  /** @type {string | null} */ next;
  /** @type {string | null} */ stays;
  /** @type {number} */ goAt;
  /** @type {number} */ ticks;

  /**
   * `key` is the channel, `id` the displayed game; `changed()` is called when the status changes.
   * @param {{ key: string, id: string, changed: () => unknown }} options
   */
  constructor({ key, id, changed }) {
    Object.assign(this, { key, id, changed, next: null, stays: null });
    this.timer = setInterval(() => this.look(), LOOK_MS);
  }

  /** Polls the channels. Starts or cancels the countdown if the game of the channel changed. */
  async look() {
    if (document.hidden) return;
    /** @type {Record<string, Channel> | null} */
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

  /** Cancels the change. Another game on the channel starts a new countdown. */
  stay() {
    this.stays = this.next;
    this.stop();
  }

  /** Cancels the countdown. */
  stop() {
    clearInterval(this.ticks);
    this.next = null;
    this.changed();
  }

  /**
   * Returns the content of the status line during the countdown, null otherwise.
   * @returns {HintWords | null}
   */
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

/** Link to the rematch of the watched players. */
export class Again {
  /** @type {() => unknown} */ changed;
  /** @type {string | null} */ id;

  /** @param {() => unknown} changed called when the link appears */
  constructor(changed) {
    Object.assign(this, { changed, id: null });
    this.element = h("p", { class: "again", role: "status" });
  }

  /**
   * Shows the link to the next game.
   * @param {string | undefined} id
   */
  take(id) {
    if (!id || id === this.id) return;
    this.id = id;
    const link = h("a", { class: "btn", href: `/${id}` }, say("rematch.watch"));
    this.element.replaceChildren(link);
    settle([link]);
    this.changed();
  }

  /**
   * Returns a sentence and buttons for the status line, empty without a next game.
   * @returns {[string, HintButton[]] | []}
   */
  words() {
    const { id } = this;
    return id ? [say("rematch.begun"), [[say("rematch.look"), () => goTo(id)]]] : [];
  }
}
