// The games in play, as miniature boards that move: those between people first.
import { sayWhy } from "../lib/dialog.js";
import { h } from "../lib/dom.js";
import { peopleIn } from "../common/user-link.js";
import { Socket } from "../lib/socket.js";
import { say } from "../lib/i18n.js";

/** Boards shown at one time, how long a finished one stays, and how often clocks are drawn. */
const SHOWN_MAX = 8;
const OVER_MS = 4000;
const TICK_MS = 250;

/**
 * Which games are shown: those between people, then of those with a program at most one for each of its people,
 * so that nobody fills the tables alone. The viewer's own stand elsewhere.
 * @param {any[]} games
 * @param {string} me
 * @returns {any[]}
 */
const chosenOf = (games, me) => {
  const rank = (game) => 2 - peopleIn(game).length;
  const seen = new Set();
  const alone = (game) => {
    const people = peopleIn(game);
    if (people.length === 2) return true;
    const name = people[0] ?? "";
    const first = !seen.has(name);
    seen.add(name);
    return first;
  };
  return games
    .filter((game) => !peopleIn(game).includes(me))
    .filter(alone)
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, SHOWN_MAX);
};

export class Tables {
  /** @type {Catalogue} */ variants;
  /** @type {string} */ me;
  /** @type {(games: any[]) => unknown} */ counted;
  /** @type {Map<string, any>} */ games;
  /** @type {Map<string, any>} */ cards;
  /** @type {number} */ due;
  /** @type {Socket | undefined} */ socket;
  /** @type {boolean | undefined} */ inSight;
  /** @type {boolean | undefined} */ isMissed;
  /** @type {typeof import("../common/mini-board.js").LiveBoard | undefined} */ Live;

  /**
   * `counted(games)` is told of all games in play.
   * @param {Catalogue} variants
   * @param {string} me
   * @param {(games: any[]) => unknown} counted
   */
  constructor(variants, me, counted) {
    Object.assign(this, { variants, me, counted, games: new Map(), cards: new Map(), due: 0 });
    this.list = h("ul", { tabindex: 0, "aria-label": say("lobby.tables") });
    this.quiet = h("p", { class: "no-tables" }, say("lobby.quiet"));
    this.element = h(
      "section",
      { class: "tables" },
      h(
        "div",
        { class: "tables-head" },
        h("h2", {}, say("lobby.tables")),
        h("a", { class: "btn quiet", href: "/live" }, say("live.more")),
      ),
      this.quiet,
      this.list,
    );
    this.draw();
    new IntersectionObserver(
      (seen) => this.seen(seen.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: "100px" },
    ).observe(this.element);
    setInterval(() => document.hidden || this.tick(), TICK_MS);
  }

  /** The level of the computer in a game, if it is known. */
  levelIn(id) {
    const { first, second } = this.games.get(id) ?? {};
    return first?.level ?? second?.level;
  }

  set(games) {
    this.games = new Map(games.map((game) => [game.id, game]));
    this.arrange();
  }

  show(game) {
    const known = this.games.has(game.id);
    this.games = known ? this.games.set(game.id, game) : new Map([[game.id, game], ...this.games]);
    const card = this.cards.get(game.id);
    // Who follows the game hears of each move sooner and in full.
    if (card && !card.follows && !card.gone) card.show(game);
    if (!known) this.arrange();
  }

  remove(id) {
    this.games.delete(id);
    const card = this.cards.get(id);
    if (!card) return this.counted([...this.games.values()]);
    if (!card.follows) card.end({}, this.socket?.now() ?? Date.now());
    card.until ??= Date.now() + OVER_MS;
    setTimeout(() => this.arrange(), OVER_MS + 1);
    return undefined;
  }

  /** What is shown keeps its place; others come at the end. */
  arrange() {
    const chosen = chosenOf([...this.games.values()], this.me);
    const before = [...this.cards.keys()].join();
    this.due = chosen.length;
    for (const [id, { element, until }] of this.cards) {
      if (chosen.some((game) => game.id === id) || until > Date.now()) continue;
      element.remove();
      this.cards.delete(id);
    }
    for (const game of chosen) if (!this.cards.has(game.id)) this.add(game);
    if ([...this.cards.keys()].join() !== before) this.watch();
    this.counted([...this.games.values()]);
    this.draw();
    this.load();
  }

  add(game) {
    if (!this.Live) return;
    const card = new this.Live(game, this.variants.get(game.variant.key));
    this.cards.set(game.id, card);
    this.list.append(card.element);
  }

  draw() {
    const any = this.cards.size > 0 || this.due > 0;
    this.quiet.hidden = any;
    this.list.hidden = !any;
    // Games there are, but only such as stand elsewhere on the page.
    this.element.hidden = !any && this.games.size > 0;
  }

  seen(inSight) {
    this.inSight = inSight;
    if (!inSight) return;
    this.arrange();
    this.watch();
  }

  /**
   * Boards that nobody sees, or on which nothing stands, are not loaded, and need no connection. If they cannot be had
   * that is said once; with the next game they are asked for again.
   */
  async load() {
    if (this.Live || !this.inSight || !this.due) return;
    try {
      this.Live = (await import("../common/mini-board.js")).LiveBoard;
    } catch (failed) {
      if (!this.isMissed) sayWhy(failed);
      this.isMissed = true;
      return;
    }
    this.arrange();
    this.watch();
  }

  /** Follows the games that are shown, from the first time they are in sight. */
  watch() {
    const ids = [...this.cards.values()].filter(({ gone }) => !gone).map(({ id }) => id);
    if (!this.socket && (!this.inSight || ids.length === 0)) return;
    this.socket ??= new Socket("/ws/live", {
      hear: (message) => this.hear(message),
      state: (word) => word === "open" && this.watch(),
    });
    this.socket.command("watch", { ids });
  }

  hear({ t, d }) {
    const card = this.cards.get(d?.id);
    if (!card || card.gone || !this.socket) return;
    if (t === "live") {
      card.follows = true;
      card.show(d);
    }
    if (t === "liveGone") {
      card.end(d, this.socket.now());
      this.remove(d.id);
    }
    card.tick(this.socket.now());
  }

  tick() {
    const now = this.socket?.now();
    if (now) for (const card of this.cards.values()) if (card.follows) card.tick(now);
  }
}
