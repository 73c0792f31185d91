// How a game ended, in words, on a card, and in a list from the view of one of its players.
import { h } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { diffOf, isGuest, nameLink, ratingText } from "./user-link.js";
import { timeText } from "./challenge-text.js";
import { dayText, momentText } from "../lib/format-time.js";
import "../lib/i18n-more.js";
import { knows, say, sideName, variantName } from "../lib/i18n.js";

/**
 * What a result means to somebody on that side: a title and why.
 * @param {{ sides: string[] }} game
 * @param {{ status: string | null, winner?: Side | null, reason?: string | null, abortedBy?: Side | null }} end
 * @param {Side | null | undefined} you
 * @returns {string[]}
 */
export const resultText = (game, { status, winner, reason, abortedBy }, you) => {
  const loser = winner && (winner === "first" ? "second" : "first");
  if (status === "aborted" || status === "noStart") {
    const why = !abortedBy
      ? say(`end.${status}`)
      : you === abortedBy
        ? say(`end.you.${status}`)
        : say(`end.by.${status}`, { side: sideName(game, abortedBy) });
    return [say("end.void"), why];
  }
  if (!winner) return [say("end.draw"), say(reason ? `end.${reason}` : "end.equal")];
  const title = you
    ? say(you === winner ? "end.won" : "end.lost")
    : say("end.side", { side: sideName(game, winner) });
  // Whoever has lost is told what they did, not what their colour did.
  if (you === loser && knows(`end.you.${status}`)) return [title, say(`end.you.${status}`)];
  return [title, say(`end.${status}`, { side: sideName(game, loser) })];
};

/**
 * How a game ended, and whether it goes on with another, as the hint says it.
 * @param {Game} game
 * @param {Side | null | undefined} you
 * @param {{ words(): any[] } | null | undefined} rematch
 * @returns {HintWords}
 */
export const overWords = (game, you, rematch) => {
  const [title, why] = resultText(game, /** @type {End} */ (game.end), you);
  const [said, buttons] = rematch?.words() ?? [];
  return [title, said || why, buttons];
};

/**
 * The card that takes the place of the moves; `again` is what there is of a rematch, `look` puts it away.
 * @param {Game} game
 * @param {End} end
 * @param {Side | null | undefined} you
 * @param {Child} again
 * @param {() => unknown} look
 */
export const resultCard = (game, end, you, again, look) => {
  const [title, why] = resultText(game, end, you);
  const rating = (you && end.ratingDiff?.[you]) ?? 0;
  const from = you ? game[you].rating : 0;
  return h(
    "div",
    { class: "result", role: "group", tabindex: -1, "aria-label": title },
    h("h2", {}, title),
    h("p", { class: "soft" }, why),
    end.ratingDiff &&
      you &&
      h(
        "p",
        { class: `num ${rating < 0 ? "down" : "up"}` },
        `${say("end.rating", { from, to: from + rating })} (${rating < 0 ? "−" : "+"}${Math.abs(rating)})`,
      ),
    again,
    h(
      "span",
      { class: "leave" },
      h("a", { class: "btn", href: `/${game.id}/analysis` }, say("analysis.title")),
      h("a", { class: you ? "btn" : "btn main", href: "/lobby" }, say("end.lobby")),
      h("button", { class: "btn quiet", type: "button", onclick: look }, say("end.look")),
    ),
  );
};

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

const rating = (player) =>
  h(
    "span",
    { class: "num soft" },
    isGuest(player) ? say("card.guest") : ratingText(player),
    " ",
    diffOf(player.diff),
  );

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
  const why =
    outcome === "playing"
      ? say("live.move", { n: Math.ceil(((game.plies ?? 0) + 1) / 2) })
      : resultText({ sides: variant.sides }, game, null)[1];
  const when = game.endedAt ?? game.createdAt;
  const kind = [timeText(game.timeControl), say(game.rated ? "card.rated" : "card.casual")].join(
    " · ",
  );
  return h(
    "li",
    { class: "card game-row" },
    h("span", { class: "glyph" }, icon(variant.key)),
    h(
      "span",
      { class: "against" },
      h(
        "b",
        {},
        variantName(variant),
        " ",
        h("span", { class: "small soft" }, sideName(variant, side)),
      ),
      h(
        "span",
        { class: "small" },
        rating(own),
        " ",
        say("games.against"),
        " ",
        nameLink(other),
        " ",
        rating(other),
      ),
    ),
    h(
      "span",
      { class: "how" },
      h(
        "a",
        {
          class: `outcome ${outcome}`,
          href: `/${game.id}`,
          "aria-label": `${say(`games.${outcome}`)}: ${variantName(variant)}, ${other.name}`,
        },
        say(`games.${outcome}`),
      ),
      h("span", { class: "small soft" }, why),
    ),
    h(
      "span",
      { class: "when small soft num" },
      h("span", {}, kind),
      h("time", { datetime: new Date(when).toISOString(), title: momentText(when) }, dayText(when)),
    ),
  );
};
