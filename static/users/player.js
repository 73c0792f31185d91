// Entry point of a player's page (/@/{name}): header, ratings (a card per variant and the history
// of the selected one), crosstable with the viewer, and games. A closed account shows its games
// only, for its former opponents.
import { account, get, variants } from "../lib/http.js";
import { scrollToCenter, choiceGroup, h } from "../lib/dom.js";
import { GameList } from "../common/game-list.js";
import { icon } from "../variants/index.js";
import { subscribe } from "../common/notifications.js";
import { loadFailed } from "../common/error-page.js";
import "../lib/i18n-more.js";
import { ratingDiffText, userHandle, ratingText } from "../common/user-link.js";
import { crosstable, playerHead } from "./player-head.js";
import { ratingPlot, sparkline } from "./rating-plot.js";
import { dateTimeText } from "../lib/format-time.js";
import { initHeader } from "../common/header.js";
import { t, variantName } from "../lib/i18n.js";

/** Section of the current ratings, with the history of the selected variant as plot and table. */
class Ratings {
  /** @type {Catalog} */ catalog;
  /** @type {Record<string, Perf>} */ perfs;
  /** @type {Record<string, RatingPoint[]>} */ histories;
  /** @type {string} */ key;
  /** @type {number} */ width;

  /**
   * @param {Catalog} catalog
   * @param {Record<string, Perf>} perfs  current ratings by variant
   * @param {Record<string, RatingPoint[]>} histories  rated games by variant, oldest first
   */
  constructor(catalog, perfs, histories) {
    Object.assign(this, { catalog, perfs, histories });
    const mostPlayed = [...catalog.keys()].reduce((best, key) =>
      perfs[key].games > perfs[best].games ? key : best,
    );
    this.plot = h("div", { class: "rating-plot-frame" });
    this.table = h(
      "details",
      {},
      h("summary", {}, t("player.table")),
      h("div", {
        class: "rating-history",
        tabindex: 0,
        role: "region",
        "aria-label": t("player.table"),
      }),
    );
    this.table.addEventListener("toggle", () => this.drawTable());
    this.panel = h("div", { class: "card rating-panel" }, this.plot, this.table);
    const cards = [...catalog.values()].map((variant) => [variant.key, this.card(variant)]);
    this.element = h(
      "section",
      {},
      h("h2", {}, t("player.ratings")),
      choiceGroup("rating-list", t("player.ratings"), cards, mostPlayed, (key) => this.show(key)),
      this.panel,
    );
    new ResizeObserver(() => this.draw()).observe(this.plot);
    this.show(mostPlayed);
    // On small viewports the cards scroll sideways.
    requestAnimationFrame(() => scrollToCenter(this.element.querySelector(".rating-list")));
  }

  /**
   * Returns the content of a variant's card.
   * @param {Variant} variant
   */
  card(variant) {
    const { key } = variant;
    const perf = this.perfs[key];
    const points = this.histories[key] ?? [];
    const games = h("span", { class: "small soft num" }, t("player.rated", { n: perf.games }));
    return [
      h("span", { class: "variant-icon" }, icon(key)),
      h("span", { class: "rating-list-name" }, variantName(variant)),
      h(
        "span",
        { class: perf.games ? "rating-list-value num" : "rating-list-value num is-empty" },
        ratingText(perf),
        perf.games > 0 && perf.prog !== 0 && ratingDiffText(perf.prog),
      ),
      h("span", { class: "small weak num" }, `± ${Math.round(perf.rd)}`),
      games,
      sparkline(points),
    ];
  }

  /**
   * Shows the history of a variant.
   * @param {string} key
   */
  show(key) {
    this.key = key;
    this.width = 0;
    this.panel.hidden = this.points.length === 0;
    this.draw();
    this.drawTable();
  }

  get points() {
    return this.histories[this.key] ?? [];
  }

  /** Draws the plot in pixels of its current width, so that its labels keep their size. */
  draw() {
    const width = Math.round(this.plot.clientWidth);
    if (!this.points.length || !width || width === this.width) return;
    this.width = width;
    this.plot.replaceChildren(
      ratingPlot(this.points, width, variantName(this.catalog.get(this.key))),
    );
  }

  /** Builds the table of the history if it is open. */
  drawTable() {
    if (!this.table.open) return;
    const heading = (/** @type {string} */ key) => h("th", { scope: "col" }, t(key));
    /** @type {(point: RatingPoint) => HTMLElement} */
    const row = ([ms, rating, rd, game]) =>
      h(
        "tr",
        {},
        h("td", {}, h("a", { href: `/${game}` }, dateTimeText(ms))),
        h("td", { class: "num" }, Math.round(rating)),
        h("td", { class: "num" }, `± ${Math.round(rd)}`),
      );
    this.table.children[1].replaceChildren(
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h("tr", {}, heading("games.date"), heading("players.rating"), heading("player.rd")),
        ),
        h("tbody", {}, ...[...this.points].reverse().map(row)),
      ),
    );
  }
}

const main = document.querySelector("main");

const show = async () => {
  const name = decodeURIComponent(location.pathname.split("/")[2]);
  const [catalog, me, user] = await Promise.all([
    variants(),
    account(),
    get(`/api/user/${encodeURIComponent(name)}`),
  ]);
  document.title = `${user.username} · Sprong`;
  const other = user.id !== me.id;
  const page = h("div", { class: "users-page" }, playerHead(user, me));
  main.replaceChildren(page);
  // The games of a closed account stay available to its opponents.
  if (!user.closed) {
    const histories = await get(`/api/user/${userHandle(user)}/ratings`);
    page.append(new Ratings(catalog, user.perfs, histories).element);
  }
  if (other) {
    const scores = await get(`/api/crosstable/${userHandle(me)}/${userHandle(user)}`);
    if (scores.nbGames) page.append(crosstable(scores, me, user, catalog));
  }
  page.append(new GameList(catalog, user).element);
};

initHeader("/players");
subscribe();
show().catch((refused) => main.replaceChildren(loadFailed(refused)));
