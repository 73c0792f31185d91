// Result of a game: as text, and as a row in a player's list of games. Texts depend on the viewer's
// side: the loser reads "You resigned", others "White resigned". Loaded by the game page, by the
// list of games and, with the first result to show, by live cards.
import { h } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { ratingDiffText, isGuest, nameLink, ratingText } from "./user-link.js";
import { timeControlText } from "./challenge-text.js";
import { dayText, dateTimeText } from "../lib/format-time.js";
import { otherSide } from "../model/notation.js";
import { endingText } from "./ending-text.js";
import "../lib/i18n-more.js";
import { hasPhrase, t, sideName, variantName } from "../lib/i18n.js";

/**
 * Describes a result to a player of the side `you`, or to a spectator: title and reason.
 * @param {{ sides: string[] }} game
 * @param {Partial<Omit<End, "status">> & { status?: string | null, ending?: Ending | null }} end
 * @param {Side | null | undefined} you
 * @returns {string[]}
 */
export const resultText = (game, end, you) => {
  const [title, explanation] = countedResult(game, end, you);
  return [title, end.voided ? `${explanation} · ${t("end.voided")}` : explanation];
};

/** @type {typeof resultText} */
const countedResult = (game, { status, winner, reason, abortedBy, ending }, you) => {
  const loser = winner && otherSide(winner);
  if (status === "aborted" || status === "noStart") {
    const explanation = !abortedBy
      ? t(`end.${status}`)
      : you === abortedBy
        ? t(`end.you.${status}`)
        : t(`end.by.${status}`, { side: sideName(game, abortedBy) });
    return [t("end.void"), explanation];
  }
  const reached = endingText(game, { winner, ending }, you);
  if (!winner) return [t("end.draw"), reached || t(reason ? `end.${reason}` : "end.equal")];
  const title = you
    ? t(you === winner ? "end.won" : "end.lost")
    : t("end.side", { side: sideName(game, winner) });
  if (reached) return [title, reached];
  // The loser's text says "you" in place of the name of the side.
  if (you === loser && hasPhrase(`end.you.${status}`)) return [title, t(`end.you.${status}`)];
  return [title, t(`end.${status}`, { side: sideName(game, loser) })];
};

/**
 * Returns the content of the status line after the end: title, reason or state of the rematch, and
 * the buttons of the rematch.
 * @param {Game} game
 * @param {Side | null | undefined} you
 * @param {{ statusContent(): [text: string, buttons?: StatusButton[]] } | null | undefined} rematch
 * @returns {StatusContent}
 */
export const resultSummary = (game, you, rematch) => {
  const [title, explanation] = resultText(game, /** @type {End} */ (game.end), you);
  const [status, buttons] = rematch?.statusContent() ?? [];
  return [title, status || explanation, buttons];
};

/**
 * Returns the outcome for that side: win, loss, draw, void or playing.
 * @param {{ status: string, winner?: Side | null }} game
 * @param {Side} side
 */
export const outcomeFor = ({ status, winner }, side) => {
  if (status === "started") return "playing";
  if (status === "aborted" || status === "noStart") return "void";
  if (!winner) return "draw";
  return winner === side ? "win" : "loss";
};

/** @param {Player & { diff: number | null }} player */
const rating = (player) =>
  h(
    "span",
    { class: "num soft" },
    isGuest(player) ? t("card.guest") : ratingText(player),
    " ",
    ratingDiffText(player.diff),
  );

/**
 * Draws a row in the list of a player.
 * @param {Summary} game
 * @param {User} user
 * @param {Variant} variant
 */
export const gameRow = (game, user, variant) => {
  const side = game.first.id === user.id ? "first" : "second";
  const [own, other] = side === "first" ? [game.first, game.second] : [game.second, game.first];
  const outcome = outcomeFor(game, side);
  const explanation =
    outcome === "playing"
      ? t("live.move", { n: Math.ceil(((game.plies ?? 0) + 1) / 2) })
      : resultText({ sides: variant.sides }, game, null)[1];
  const when = game.endedAt ?? game.createdAt;
  const kind = [
    timeControlText(game.timeControl),
    t(game.rated ? "card.rated" : "card.casual"),
  ].join(" · ");
  return h(
    "li",
    { class: "card game-row" },
    h("span", { class: "variant-icon" }, icon(variant.key)),
    h(
      "span",
      { class: "game-row-players" },
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
        t("games.against"),
        " ",
        nameLink(other),
        " ",
        rating(other),
      ),
    ),
    h(
      "span",
      { class: "game-row-result" },
      h(
        "a",
        {
          class: `game-row-outcome is-${outcome}`,
          href: `/${game.id}`,
          "aria-label": `${t(`games.${outcome}`)}: ${variantName(variant)}, ${other.name}`,
        },
        t(`games.${outcome}`),
      ),
      h("span", { class: "small soft" }, explanation),
    ),
    h(
      "span",
      { class: "game-row-date small soft num" },
      h("span", {}, kind),
      h(
        "time",
        { datetime: new Date(when).toISOString(), title: dateTimeText(when) },
        dayText(when),
      ),
    ),
  );
};
