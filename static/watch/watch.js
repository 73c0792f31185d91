// The games in play: sixteen small boards at a time over one socket, and what is on air.
import { get, variants } from "../lib/http.js";
import { h } from "../lib/dom.js";
import { LiveBoard } from "../common/mini-board.js";
import { LiveFilter } from "./filter.js";
import { LivePager, LiveTv } from "./tv.js";
import { listen } from "../common/notifications.js";
import { trouble } from "../common/error-page.js";
import "../lib/i18n-more.js";
import { emptyBoard } from "../common/variant-cards.js";
import { Socket } from "../lib/socket.js";
import { top } from "../common/header.js";
import { say } from "../lib/i18n.js";

/** Games of a page, and the most that the socket follows. */
const PAGE = 16;
/** How long a finished game stays, how often the list is looked at anew, and how often clocks are drawn. */
const OVER_MS = 2000;
const LOOK_MS = 5000;
const TICK_MS = 200;
/** How long the connection may be away before that is said. */
const AWAY_MS = 1500;

class LivePage {
  /** @type {Catalogue} */ catalogue;
  /** @type {Map<string, LiveBoard>} */ cards;
  /** @type {number} */ asked;
  /** @type {number} */ looked;
  /** @type {boolean} */ isFresh;
  /** @type {string} */ drawn;
  /** @type {number | null} */ late;

  constructor(catalogue) {
    Object.assign(this, { catalogue, cards: new Map(), asked: 0, looked: 0 });
    this.filter = new LiveFilter(catalogue, () => this.fresh());
    this.tv = new LiveTv(catalogue);
    this.count = h("p", { class: "small soft num", role: "status" });
    this.away = h("p", { class: "away", role: "status" });
    this.head = h("h2", { tabindex: -1 }, say("live.all"));
    this.list = h("ul", { class: "boards" });
    this.empty = h("div", { class: "empty", hidden: true });
    this.pager = new LivePager(
      (page) => this.filter.address({ page }),
      () => this.fresh().then(() => this.head.focus()),
    );
    this.socket = new Socket("/ws/live", {
      hear: (message) => this.hear(message),
      state: (word) => this.told(word),
    });
    setInterval(() => this.tick(), TICK_MS);
    this.fresh();
  }

  elements() {
    const head = h("div", { class: "live-head" }, h("h1", {}, say("live.title")), this.away);
    const list = h(
      "section",
      {},
      h("div", { class: "live-head" }, this.head, this.count),
      this.filter.element,
      this.list,
      this.empty,
      this.pager.element,
    );
    return [h("div", { class: "watch" }, head, this.tv.element, list)];
  }

  /** Another list is asked for: all of it is new. */
  async fresh() {
    this.list.setAttribute("aria-busy", "true");
    this.isFresh = true;
    await this.look();
  }

  async look() {
    const turn = ++this.asked;
    // Bounds that make no sense are not asked for: what to change stands under them.
    if (this.filter.mistake) {
      if (this.isFresh) this.refuse({ message: this.filter.mistake });
      return;
    }
    this.looked = Date.now();
    const query = this.filter.query;
    query.set("max", PAGE);
    try {
      const answer = await get(`/api/games/live?${query}`);
      if (turn === this.asked) this.take(answer);
    } catch (refused) {
      if (turn === this.asked && this.isFresh) this.refuse(refused);
    }
  }

  refuse({ message }) {
    this.clear();
    this.count.textContent = "";
    this.nothing(message);
  }

  clear() {
    this.isFresh = false;
    this.cards.clear();
    this.list.replaceChildren();
    this.list.removeAttribute("aria-busy");
  }

  /** What is shown keeps its place; others come where a game is over or a place is free. */
  take({ games, total, page }) {
    if (this.isFresh) this.clear();
    const before = [...this.cards.keys()].join();
    const fresh = games.filter(({ id }) => !this.cards.has(id));
    for (const card of [...this.cards.values()])
      if (this.isDue(card)) this.replace(card, fresh.shift());
    while (this.cards.size < PAGE && fresh.length)
      this.list.append(this.add(fresh.shift()).element);
    if ([...this.cards.keys()].join() !== before) this.watch();
    const count = total ? say("live.total", { n: total }) : "";
    if (this.count.textContent !== count) this.count.textContent = count;
    this.nothing();
    this.pager.show(page, Math.max(1, Math.ceil(total / PAGE)));
    this.tick();
  }

  add(game) {
    const card = new LiveBoard(game, this.catalogue.get(game.variant.key));
    this.cards.set(game.id, card);
    return card;
  }

  replace(card, game) {
    this.cards.delete(card.id);
    if (game) card.element.replaceWith(this.add(game).element);
    else card.element.remove();
  }

  /** Whether a game that is over was seen long enough, and nobody points at it. */
  isDue({ gone, element }) {
    return (
      gone !== null && Date.now() - gone.at >= OVER_MS && !element.matches(":hover, :focus-within")
    );
  }

  /** An empty table, one sentence and one button, when there is no game. */
  nothing(wrong) {
    this.empty.hidden = this.cards.size > 0;
    if (!this.empty.hidden) this.drawEmpty(wrong);
  }

  drawEmpty(wrong) {
    const variant =
      this.catalogue.get(this.filter.query.get("variant") ?? "") ??
      [...this.catalogue.values()].at(-1);
    const other = this.filter.isSet || this.filter.page > 1;
    const key = [variant.key, other, wrong].join();
    if (this.drawn === key) return;
    this.drawn = key;
    const button = other
      ? h(
          "button",
          { class: "btn main", type: "button", onclick: () => this.filter.reset() },
          say("live.reset"),
        )
      : h("a", { class: "btn main", href: "/lobby" }, say("live.post"));
    this.empty.replaceChildren(
      emptyBoard(variant),
      h("p", {}, wrong ?? say(other ? "live.nonesuch" : "live.none")),
      button,
    );
  }

  /** Tells the socket which games are shown. */
  watch() {
    const ids = [...this.cards.values()].filter(({ gone }) => !gone).map(({ id }) => id);
    this.socket.command("watch", { ids });
  }

  hear({ t, d }) {
    const card = this.cards.get(d?.id);
    if (!card || card.gone) return;
    if (t === "live") card.show(d);
    if (t === "liveGone") card.end(d, this.socket.now());
    if (t === "live" || t === "liveGone") card.tick(this.socket.now());
  }

  /** What the socket says of itself: open, closed or restart. */
  told(word) {
    if (word === "open") {
      clearTimeout(this.late ?? undefined);
      this.late = null;
      this.away.textContent = "";
      document.body.classList.remove("away");
      if (this.cards.size) this.watch();
      return;
    }
    this.late ??= setTimeout(() => {
      this.away.textContent = say("live.away");
      document.body.classList.add("away");
    }, AWAY_MS);
  }

  tick() {
    if (document.hidden) return;
    const now = this.socket.now();
    // While the connection is away nobody knows what the clocks show.
    if (!this.away.textContent) for (const card of this.cards.values()) card.tick(now);
    const due = [...this.cards.values()].some((card) => this.isDue(card));
    const since = Date.now() - this.looked;
    if (since > LOOK_MS || (due && since > 1000)) this.look();
  }
}

top("/live");
listen();
document.title = `${say("live.title")} · Sprong`;
try {
  const page = new LivePage(await variants());
  // What is on air stands above the list: whoever sees the list must not have it pushed away.
  await page.tv.known;
  document.querySelector("main").append(...page.elements());
} catch (refused) {
  document.querySelector("main").append(trouble(refused));
}
