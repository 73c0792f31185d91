// One game in a list, from the view of one of its players.
import { timeText } from "./terms.js";
import { dayText, momentText } from "./dates.js";
import { h } from "./dom.js";
import { icon } from "./glyphs/index.js";
import { diffOf, isGuest, nameLink, ratingText } from "./person.js";
import { resultText } from "./result.js";
import { say, variantName } from "./words.js";

/**
 * How a game came out for that side: win, loss, draw, void or playing.
 * @param {{ status: string, winner?: Side | null }} game
 * @param {Side} side
 */
export const outcomeOf = ({ status, winner }, side) => {
  if (status === "started") return "playing";
  if (status === "aborted" || status === "noStart") return "void";
  if (!winner) return "draw";
  return winner === side ? "win" : "loss";
};

const rating = (player) => h("span", { class: "num soft" }, isGuest(player) ? say("card.guest") : ratingText(player), " ", diffOf(player.diff));

/**
 * A row; `who` is the player whose list it is.
 * @param {Summary} game
 * @param {User} who
 * @param {Variant} variant
 */
export const gameRow = (game, who, variant) => {
  const side = game.first.id === who.id ? "first" : "second";
  const [own, other] = side === "first" ? [game.first, game.second] : [game.second, game.first];
  const outcome = outcomeOf(game, side);
  const why = outcome === "playing" ? say("live.move", { n: Math.ceil(((game.plies ?? 0) + 1) / 2) }) : resultText({ sides: variant.sides }, game, null)[1];
  const when = game.endedAt ?? game.createdAt;
  const kind = [timeText(game.timeControl), say(game.rated ? "card.rated" : "card.casual")].join(" · ");
  return h("li", { class: "card game-row" },
    h("span", { class: "glyph" }, icon(variant.key)),
    h("span", { class: "against" }, h("b", {}, variantName(variant), " ", h("span", { class: "small soft" }, say(`side.${variant.sides[side === "first" ? 0 : 1]}`))),
      h("span", { class: "small" }, rating(own), " ", say("games.against"), " ", nameLink(other), " ", rating(other))),
    h("span", { class: "how" }, h("a", { class: `outcome ${outcome}`, href: `/${game.id}`, "aria-label": `${say(`games.${outcome}`)}: ${variantName(variant)}, ${other.name}` }, say(`games.${outcome}`)), h("span", { class: "small soft" }, why)),
    h("span", { class: "when small soft num" }, h("span", {}, kind), h("time", { datetime: new Date(when).toISOString(), title: momentText(when) }, dayText(when))));
};
