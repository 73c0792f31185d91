// Navigation of spectators to another game: TV, which follows the game with the highest rating,
// and the link to the rematch of the players. Created by `page.js` for spectators only.
import { get } from "../lib/http.js";
import { goToGame } from "../common/navigation.js";
import { h } from "../lib/dom.js";
import { holdButtons } from "../common/status-line.js";
import { t } from "../lib/i18n.js";

const POLL_INTERVAL_MS = 10000;
const COUNTDOWN_MS = 5000;

/**
 * Returns the followed channel: the key of a variant, or "best" for all variants; null without TV.
 */
export const tvChannel = () => new URLSearchParams(location.search).get("tv");

/**
 * A channel of `/api/tv/channels`.
 * @typedef {{ gameId: string, rating?: number, game?: AnyGame }} Channel
 */

/**
 * Returns the order of two channels: games between people first, then the higher rating.
 * @param {Channel} a
 * @param {Channel} b
 */
const compareChannels = (a, b) => {
  const people = (/** @type {Channel} */ { game }) =>
    Number(!game?.first.title && !game?.second.title);
  return people(b) - people(a) || (b.rating ?? 0) - (a.rating ?? 0);
};

/** Follower of a TV channel. Changes to the next game after a countdown. */
export class TvFollower {
  /** @type {string} */ key;
  /** @type {string} */ id;
  /** @type {() => unknown} */ changed;
  /** @type {string | null} */ next;
  /** @type {string | null} */ declined;
  /** @type {number} */ goAt;
  /** @type {number} */ countdownTimer;

  /**
   * `key` is the channel, `id` the displayed game; `changed()` is called when the status changes.
   * @param {{ key: string, id: string, changed: () => unknown }} options
   */
  constructor({ key, id, changed }) {
    Object.assign(this, { key, id, changed, next: null, declined: null });
    this.timer = setInterval(() => this.poll(), POLL_INTERVAL_MS);
  }

  /** Polls the channels. Starts or cancels the countdown if the game of the channel changed. */
  async poll() {
    if (document.hidden) return;
    /** @type {Record<string, Channel> | null} */
    const channels = await get("/api/tv/channels").catch(() => null);
    if (!channels) return;
    const channel =
      this.key === "best" ? Object.values(channels).sort(compareChannels)[0] : channels[this.key];
    const next = channel?.gameId;
    if (!next || next === this.id || next === this.declined) {
      if (this.next) this.stop();
      return;
    }
    if (next === this.next) return;
    this.next = next;
    this.goAt = Date.now() + COUNTDOWN_MS;
    clearInterval(this.countdownTimer);
    this.countdownTimer = setInterval(() => this.tick(), 250);
    this.changed();
  }

  tick() {
    if (Date.now() >= this.goAt) this.go();
    else this.changed();
  }

  go() {
    clearInterval(this.countdownTimer);
    location.replace(`/${this.next}?tv=${encodeURIComponent(this.key)}`);
  }

  /** Cancels the change. Another game on the channel starts a new countdown. */
  stay() {
    this.declined = this.next;
    this.stop();
  }

  /** Cancels the countdown. */
  stop() {
    clearInterval(this.countdownTimer);
    this.next = null;
    this.changed();
  }

  /**
   * Returns the content of the status line during the countdown, null otherwise.
   * @returns {StatusContent | null}
   */
  statusContent() {
    if (!this.next) return null;
    const n = Math.max(1, Math.ceil((this.goAt - Date.now()) / 1000));
    return [
      t("game.tvnext", { n }),
      "",
      [
        [t("game.tvstay"), () => this.stay()],
        [t("game.tvgo"), () => this.go(), "btn-primary"],
      ],
    ];
  }
}

/** Link to the rematch of the watched players. */
export class NextGame {
  /** @type {() => unknown} */ changed;
  /** @type {string | null} */ id;

  /** @param {() => unknown} changed called when the link appears */
  constructor(changed) {
    Object.assign(this, { changed, id: null });
    this.element = h("p", { class: "game-next", role: "status" });
  }

  /**
   * Shows the link to the next game, which is undefined before it begins.
   * @param {string | undefined} id
   */
  show(id) {
    if (!id || id === this.id) return;
    this.id = id;
    const link = h("a", { class: "btn", href: `/${id}` }, t("rematch.watch"));
    this.element.replaceChildren(link);
    holdButtons([link]);
    this.changed();
  }

  /**
   * Returns a sentence and buttons for the status line, empty without a next game.
   * @returns {[string, StatusButton[]] | []}
   */
  statusContent() {
    const { id } = this;
    return id ? [t("rematch.begun"), [[t("rematch.look"), () => goToGame(id)]]] : [];
  }
}
