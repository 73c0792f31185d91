// What happened between two players: the points, overall and by game.
import { h } from "./dom.js";
import { icon } from "./glyphs/index.js";
import { say, variantName } from "./words.js";

/** Points with their halves: 3½. */
const points = (value) => `${Math.floor(value) || (value % 1 ? "" : 0)}${value % 1 ? "½" : ""}`;

const score = (users, me, who) => `${points(users[me.id] ?? 0)} – ${points(users[who.id] ?? 0)}`;

/**
 * The card between `me` and `who`.
 * @param {{ users: Record<string, number>, nbGames: number, variants: Record<string, Record<string, number>> }} between
 * @param {Account} me
 * @param {User} who
 * @param {Catalogue} catalogue
 */
export const crosstable = ({ users, nbGames, variants }, me, who, catalogue) => {
  const rows = [...catalogue.values()].filter(({ key }) => variants[key]?.nb).map((variant) =>
    h("tr", {}, h("th", { scope: "row" }, h("span", { class: "glyph" }, icon(variant.key)), variantName(variant)),
      h("td", { class: "num strong" }, score(variants[variant.key], me, who)), h("td", { class: "num soft small" }, say("games.total", { n: variants[variant.key].nb }))));
  return h("section", {}, h("h2", {}, say("player.between")),
    h("div", { class: "card between" }, h("p", { class: "score num" }, h("span", {}, say("player.you")), h("b", {}, score(users, me, who)), h("span", {}, who.username)),
      h("p", { class: "small soft num" }, say("games.total", { n: nbGames })),
      rows.length > 0 && h("table", {}, h("caption", { class: "unseen" }, say("player.byGame")), h("tbody", {}, ...rows))));
};
