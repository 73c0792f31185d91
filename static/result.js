// How a game ended, in words.
import { h } from "./dom.js";
import { say } from "./words.js";

const sideName = (game, side) => say(`side.${game.sides[side === "first" ? 0 : 1]}`);

/** What a result means to somebody on that side: a title and why. */
export const resultText = (game, { status, winner, reason }, you) => {
  const loser = winner && (winner === "first" ? "second" : "first");
  if (status === "aborted" || status === "noStart") return [say("end.void"), say(`end.${status}`)];
  if (!winner) return [say("end.draw"), say(reason ? `end.${reason}` : "end.equal")];
  const title = you ? say(you === winner ? "end.won" : "end.lost") : say("end.side", { side: sideName(game, winner) });
  return [title, say(`end.${status}`, { side: sideName(game, loser) })];
};

/** How a game ended, and whether it goes on with another, as the hint says it. */
export const overWords = (game, you, rematch) => {
  const [title, why] = resultText(game, game.end, you);
  const [said, buttons] = rematch?.words() ?? [];
  return [title, said || why, buttons];
};

/** The card that takes the place of the moves; `again` is what there is of a rematch, `look` puts it away. */
export const resultCard = (game, end, you, again, look) => {
  const [title, why] = resultText(game, end, you);
  const rating = you && end.ratingDiff && end.ratingDiff[you];
  const from = you && game[you].rating;
  return h("div", { class: "result", role: "group", tabindex: -1, "aria-label": title }, h("h2", {}, title), h("p", { class: "soft" }, why),
    end.ratingDiff && you && h("p", { class: `num ${rating < 0 ? "down" : "up"}` }, `${say("end.rating", { from, to: from + rating })} (${rating < 0 ? "−" : "+"}${Math.abs(rating)})`),
    again, h("span", { class: "leave" }, h("a", { class: "btn", href: `/${game.id}/analysis` }, say("analysis.title")), h("a", { class: you ? "btn" : "btn main", href: "/" }, say("end.lobby")), h("button", { class: "btn quiet", type: "button", onclick: look }, say("end.look"))));
};
