// Entry point of the page of games in progress (/live): TV channels, filter, and a paged list of
// mini-boards that follow their games over one socket (/ws/live). A reload keeps shown boards in
// their positions; new games fill free positions or replace finished games. Only the answer to the
// latest request is applied. The page holds the state of the list (`state.js`).
import { get, variants } from "../lib/http.js";
import { h } from "../lib/dom.js";
import { BoardList } from "./board-list.js";
import { LiveFilter } from "./filter.js";
import { TvChannels } from "./tv.js";
import { subscribe } from "../common/notifications.js";
import { loadFailed } from "../common/error-page.js";
import "../lib/i18n-more.js";
import { runEffects } from "../lib/dispatch.js";
import { Socket } from "../lib/socket.js";
import {
  apply,
  followedIds,
  initialState,
  onList,
  onListError,
  onNewList,
  PAGE_SIZE,
} from "./state.js";
import { initHeader } from "../common/header.js";
import { t } from "../lib/i18n.js";

/** Reload interval of the list, and redraw interval of clocks. */
const POLL_INTERVAL_MS = 5000;
const TICK_MS = 200;
/** Delay before a lost connection is reported. */
const OFFLINE_DELAY_MS = 1500;

/** @typedef {import("./state.js").WatchState} WatchState */

/** Page of games in progress. */
class LivePage {
  /** @type {WatchState} */ state;
  /** @type {number} */ lastRequest;
  /** @type {number} */ lastRefreshAt;
  /** @type {boolean} */ isReload;
  /** @type {number | null} */ offlineTimer;

  /** @param {Catalog} catalog */
  constructor(catalog) {
    Object.assign(this, { state: initialState(), lastRequest: 0, lastRefreshAt: 0 });
    this.filter = new LiveFilter(catalog, () => this.reload());
    this.tv = new TvChannels(catalog);
    this.offlineNote = h("p", { class: "watch-offline", role: "status" });
    this.boards = new BoardList(catalog, this.filter, {
      now: () => this.socket.now(),
      reload: () => this.reload(),
    });
    this.socket = new Socket("/ws/live", {
      onMessage: (message) => this.change((state) => apply(state, message)),
      onState: (state) => this.onSocketState(state),
    });
    setInterval(() => this.tick(), TICK_MS);
    this.reload();
  }

  elements() {
    const head = h(
      "div",
      { class: "watch-head" },
      h("h1", {}, t("live.title")),
      this.offlineNote,
      h("a", { class: "btn btn-quiet", href: "/events" }, t("events.link")),
    );
    return [h("div", { class: "watch-page" }, head, this.tv.element, this.boards.element)];
  }

  /**
   * Shows the state after a transition, and executes its effects.
   * @param {(state: WatchState) => import("./state.js").Transition} transition
   */
  change(transition) {
    const previous = this.state;
    const { state, effects } = transition(previous);
    this.state = state;
    this.boards.show(state, previous);
    runEffects(effects, { follow: ({ ids }) => this.follow(ids) });
  }

  /** Loads a new list, after a change of filter or page; discards the shown boards. */
  async reload() {
    this.boards.setBusy();
    this.isReload = true;
    await this.refresh();
  }

  /** Reloads the list. */
  async refresh() {
    const request = ++this.lastRequest;
    // Invalid rating bounds are not sent; the filter shows the error.
    if (this.filter.ratingError) {
      if (this.isReload) this.showError(this.filter.ratingError);
      return;
    }
    this.lastRefreshAt = Date.now();
    const query = this.filter.query;
    query.set("max", PAGE_SIZE);
    try {
      const answer = await get(`/api/games/live?${query}`);
      if (request === this.lastRequest) this.showList(answer);
    } catch (refused) {
      if (request === this.lastRequest && this.isReload) this.showError(refused.message);
    }
  }

  /** @param {import("./state.js").LiveAnswer} answer */
  showList(answer) {
    const { isReload } = this;
    this.isReload = false;
    this.change((state) =>
      isReload ? onNewList(state, answer) : onList(state, answer, this.boards.replaceableIds()),
    );
    this.tick();
  }

  /** @param {string} message */
  showError(message) {
    this.isReload = false;
    this.change((state) => onListError(state, message));
  }

  /**
   * Subscribes to games.
   * @param {string[]} ids
   */
  follow(ids) {
    this.socket.command("watch", { ids });
  }

  /**
   * Handles a state change of the socket.
   * @param {string} status  open, closed, restart, tooMany, signedOut or unknown
   */
  onSocketState(status) {
    if (status === "open") {
      clearTimeout(this.offlineTimer ?? undefined);
      this.offlineTimer = null;
      this.offlineNote.textContent = "";
      document.body.classList.remove("is-offline");
      if (this.state.boards.length) this.follow(followedIds(this.state));
      return;
    }
    this.offlineTimer ??= setTimeout(() => {
      this.offlineNote.textContent = t("live.away");
      document.body.classList.add("is-offline");
    }, OFFLINE_DELAY_MS);
  }

  tick() {
    if (document.hidden) return;
    // Without a connection the clocks are unknown.
    if (!this.offlineNote.textContent) this.boards.tick();
    const hasReplaceable = this.boards.replaceableIds().length > 0;
    const since = Date.now() - this.lastRefreshAt;
    if (since > POLL_INTERVAL_MS || (hasReplaceable && since > 1000)) this.refresh();
  }
}

initHeader("/live");
subscribe();
document.title = `${t("live.title")} · Sprong`;
try {
  const page = new LivePage(await variants());
  // The channels are above the list: loading them first avoids a layout shift.
  await page.tv.ready;
  document.querySelector("main").append(...page.elements());
} catch (refused) {
  document.querySelector("main").append(loadFailed(refused));
}
