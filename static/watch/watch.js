// Entry point of the page of games in progress (/live): TV channels, filter, and a paged list of
// mini-boards that follow their games over one socket (/ws/live). A reload keeps shown boards in
// their positions; new games fill free positions or replace finished games. Only the answer to the
// latest request is applied.
import { get, variants } from "../lib/http.js";
import { h } from "../lib/dom.js";
import { MiniBoard } from "../common/mini-board.js";
import { LiveFilter } from "./filter.js";
import { Pager, TvChannels } from "./tv.js";
import { subscribe } from "../common/notifications.js";
import { loadFailed } from "../common/error-page.js";
import "../lib/i18n-more.js";
import { emptyBoard } from "../common/variant-cards.js";
import { Socket } from "../lib/socket.js";
import { initHeader } from "../common/header.js";
import { t } from "../lib/i18n.js";

/** Games per page; also the maximum that the socket follows. */
const PAGE_SIZE = 16;
/**
 * Time for which a finished game stays, reload interval of the list, and redraw interval of clocks.
 */
const FINISHED_MS = 2000;
const POLL_INTERVAL_MS = 5000;
const TICK_MS = 200;
/** Delay before a lost connection is reported. */
const OFFLINE_DELAY_MS = 1500;

/** Page of games in progress. */
class LivePage {
  /** @type {Catalogue} */ catalogue;
  /** @type {Map<string, MiniBoard>} */ cards;
  /** @type {number} */ lastRequest;
  /** @type {number} */ lastRefreshAt;
  /** @type {boolean} */ isReload;
  /** @type {string} */ drawnKey;
  /** @type {number | null} */ offlineTimer;

  /** @param {Catalogue} catalogue */
  constructor(catalogue) {
    Object.assign(this, { catalogue, cards: new Map(), lastRequest: 0, lastRefreshAt: 0 });
    this.filter = new LiveFilter(catalogue, () => this.reload());
    this.tv = new TvChannels(catalogue);
    this.count = h("p", { class: "small soft num", role: "status" });
    this.offlineNote = h("p", { class: "watch-offline", role: "status" });
    this.head = h("h2", { tabindex: -1 }, t("live.all"));
    this.list = h("ul", { class: "watch-boards" });
    this.empty = h("div", { class: "watch-empty", hidden: true });
    this.pager = new Pager(
      (page) => this.filter.address({ page }),
      () => this.reload().then(() => this.head.focus()),
    );
    this.socket = new Socket("/ws/live", {
      onMessage: (message) => this.handle(message),
      onState: (state) => this.onSocketState(state),
    });
    setInterval(() => this.tick(), TICK_MS);
    this.reload();
  }

  elements() {
    const head = h("div", { class: "watch-head" }, h("h1", {}, t("live.title")), this.offlineNote);
    const list = h(
      "section",
      {},
      h("div", { class: "watch-head" }, this.head, this.count),
      this.filter.element,
      this.list,
      this.empty,
      this.pager.element,
    );
    return [h("div", { class: "watch-page" }, head, this.tv.element, list)];
  }

  /** Loads a new list, after a change of filter or page; discards the shown boards. */
  async reload() {
    this.list.setAttribute("aria-busy", "true");
    this.isReload = true;
    await this.refresh();
  }

  /** Reloads the list. */
  async refresh() {
    const request = ++this.lastRequest;
    // Invalid rating bounds are not sent; the filter shows the error.
    if (this.filter.ratingError) {
      if (this.isReload) this.showError({ message: this.filter.ratingError });
      return;
    }
    this.lastRefreshAt = Date.now();
    const query = this.filter.query;
    query.set("max", PAGE_SIZE);
    try {
      const answer = await get(`/api/games/live?${query}`);
      if (request === this.lastRequest) this.apply(answer);
    } catch (refused) {
      if (request === this.lastRequest && this.isReload) this.showError(refused);
    }
  }

  /**
   * Shows an error in place of the list.
   * @param {{ message: string }} refused
   */
  showError({ message }) {
    this.clear();
    this.count.textContent = "";
    this.toggleEmpty(message);
  }

  clear() {
    this.isReload = false;
    this.cards.clear();
    this.list.replaceChildren();
    this.list.removeAttribute("aria-busy");
  }

  /**
   * Applies a response: keeps shown boards, replaces finished ones, and fills free positions.
   * @param {{ games: LiveGame[], total: number, page: number }} answer
   */
  apply({ games, total, page }) {
    if (this.isReload) this.clear();
    const before = [...this.cards.keys()].join();
    const added = games.filter(({ id }) => !this.cards.has(id));
    for (const card of [...this.cards.values()])
      if (this.isReplaceable(card)) this.replace(card, added.shift());
    while (this.cards.size < PAGE_SIZE && added.length)
      this.list.append(this.add(/** @type {LiveGame} */ (added.shift())).element);
    if ([...this.cards.keys()].join() !== before) this.watch();
    const count = total ? t("live.total", { n: total }) : "";
    if (this.count.textContent !== count) this.count.textContent = count;
    this.toggleEmpty();
    this.pager.show(page, Math.max(1, Math.ceil(total / PAGE_SIZE)));
    this.tick();
  }

  /** @param {LiveGame} game */
  add(game) {
    const card = new MiniBoard(game, this.catalogue.get(game.variant.key));
    this.cards.set(game.id, card);
    return card;
  }

  /**
   * Replaces a board by that of another game, or removes it.
   * @param {MiniBoard} card
   * @param {LiveGame | undefined} game
   */
  replace(card, game) {
    this.cards.delete(card.id);
    if (game) card.element.replaceWith(this.add(game).element);
    else card.element.remove();
  }

  /**
   * Returns whether a finished game can be replaced: it was visible for `FINISHED_MS`, and neither the
   * pointer nor the focus is on it.
   * @param {MiniBoard} card
   */
  isReplaceable({ ended: result, element }) {
    return (
      result !== null &&
      Date.now() - result.at >= FINISHED_MS &&
      !element.matches(":hover, :focus-within")
    );
  }

  /**
   * Shows or hides the empty state.
   * @param {string} [errorText]  error message
   */
  toggleEmpty(errorText) {
    this.empty.hidden = this.cards.size > 0;
    if (!this.empty.hidden) this.drawEmpty(errorText);
  }

  /** @param {string} [errorText] */
  drawEmpty(errorText) {
    const variant =
      this.catalogue.get(this.filter.query.get("variant") ?? "") ??
      [...this.catalogue.values()].at(-1);
    const other = this.filter.isSet || this.filter.page > 1;
    const key = [variant.key, other, errorText].join();
    if (this.drawnKey === key) return;
    this.drawnKey = key;
    const button = other
      ? h(
          "button",
          { class: "btn btn-primary", type: "button", onclick: () => this.filter.reset() },
          t("live.reset"),
        )
      : h("a", { class: "btn btn-primary", href: "/lobby" }, t("live.post"));
    this.empty.replaceChildren(
      emptyBoard(variant),
      h("p", {}, errorText ?? t(other ? "live.nonesuch" : "live.none")),
      button,
    );
  }

  /** Subscribes to the shown games. */
  watch() {
    const ids = [...this.cards.values()].filter(({ ended: result }) => !result).map(({ id }) => id);
    this.socket.command("watch", { ids });
  }

  /**
   * Handles a frame of the live socket.
   * @param {Frame} frame
   */
  handle({ t: type, d: data }) {
    const card = this.cards.get(/** @type {{ id: string }} */ (data)?.id);
    if (!card || card.ended) return;
    if (type === "live") card.show(data);
    if (type === "liveGone") card.end(data, this.socket.now());
    if (type === "live" || type === "liveGone") card.tick(this.socket.now());
  }

  /**
   * Handles a state change of the socket.
   * @param {string} state  open, closed, restart, tooMany, signedOut or unknown
   */
  onSocketState(state) {
    if (state === "open") {
      clearTimeout(this.offlineTimer ?? undefined);
      this.offlineTimer = null;
      this.offlineNote.textContent = "";
      document.body.classList.remove("is-offline");
      if (this.cards.size) this.watch();
      return;
    }
    this.offlineTimer ??= setTimeout(() => {
      this.offlineNote.textContent = t("live.away");
      document.body.classList.add("is-offline");
    }, OFFLINE_DELAY_MS);
  }

  tick() {
    if (document.hidden) return;
    const now = this.socket.now();
    // Without a connection the clocks are unknown.
    if (!this.offlineNote.textContent) for (const card of this.cards.values()) card.tick(now);
    const hasReplaceable = [...this.cards.values()].some((card) => this.isReplaceable(card));
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
