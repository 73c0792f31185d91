// The viewer's games in progress, in the order of the server: games in which it is the viewer's
// turn come first. Created by lobby.js.
import { get } from "../lib/http.js";
import { BoardSvg } from "../board/render.js";
import { h, restoreFocus, toast } from "../lib/dom.js";
import { parsePosition } from "../model/notation.js";
import { botBadge } from "../common/user-link.js";
import { timeControlText } from "../common/challenge-text.js";
import { daysText } from "../lib/format-time.js";
import { t, variantName } from "../lib/i18n.js";

const SHOWN_MAX = 50;

/**
 * Returns whether a color is the second side of a variant. The API reports the sides of a game
 * either by the variant's own names or, as lichess does, as white and black.
 * @param {Variant} variant
 * @param {string} color
 */
const isSecond = ({ sides }, color) =>
  sides.includes(color) ? sides[1] === color : color === "black";

/**
 * Fetches the viewer's games in progress; null on failure.
 * @returns {Promise<{ nowPlaying: OwnGame[] } | null>}
 */
export const fetchNowPlaying = () => get(`/api/account/playing?nb=${SHOWN_MAX}`).catch(() => null);

/** Section of the viewer's games in progress; hidden while there are none. */
export class MyGames {
  /** @type {Catalogue} */ catalogue;
  /** @type {(id: string) => number | undefined} */ levelIn;
  /** @type {boolean} */ isStale;
  /** @type {boolean} */ isLoading;

  /**
   * `levelIn(id)` returns the level of the computer in a game, if one plays.
   * @param {Catalogue} catalogue
   * @param {(id: string) => number | undefined} levelIn
   */
  constructor(catalogue, levelIn = () => undefined) {
    Object.assign(this, { catalogue, levelIn });
    this.list = h("ul", { tabindex: -1 });
    this.title = h("h2", {});
    this.element = h("section", { class: "card my-games", hidden: true }, this.title, this.list);
  }

  /** Reloads the games. A call during a reload causes one more reload after it. */
  async refresh() {
    this.isStale = true;
    if (this.isLoading) return;
    this.isLoading = true;
    while (this.isStale) {
      this.isStale = false;
      const answer = await fetchNowPlaying();
      if (answer) this.draw(answer.nowPlaying);
    }
    this.isLoading = false;
  }

  /** Announces a new correspondence game, which is not opened automatically. */
  announceStart() {
    toast(t("own.begun"));
    return this.refresh();
  }

  /** @param {OwnGame[]} games */
  draw(games) {
    const turns = games.filter(({ isMyTurn }) => isMyTurn).length;
    this.element.hidden = games.length === 0;
    const turnBadge =
      turns > 0 ? [h("span", { class: "my-games-count num" }, t("own.turns", { n: turns }))] : [];
    this.title.replaceChildren(t("own.title"), ...turnBadge);
    restoreFocus(this.list, () =>
      this.list.replaceChildren(...games.map((game) => this.item(game))),
    );
  }

  /** @param {OwnGame} game */
  item({
    gameId,
    color,
    fen,
    isMyTurn,
    opponent,
    secondsLeft,
    speed,
    timeControl,
    variant: { key },
  }) {
    const variant = this.catalogue.get(key);
    const name = variantName(variant);
    const board = new BoardSvg(key, {
      board: variant.board,
      label: `${name}: ${opponent.username}`,
      live: false,
    });
    if (isSecond(variant, color)) {
      board.flipped = true;
      board.drawCoords();
    }
    board.drawTokens({ cells: parsePosition(fen).cells });
    const left =
      speed === "correspondence" &&
      Number.isFinite(secondsLeft) &&
      daysText(1000 * /** @type {number} */ (secondsLeft));
    const time = left ? t("own.left", { left }) : timeControlText(timeControl);
    const turn = isMyTurn ? t("own.turn") : t("own.waiting");
    return h(
      "li",
      { class: isMyTurn ? "is-my-turn" : undefined, "data-id": gameId },
      h(
        "a",
        { href: `/${gameId}` },
        board.svg,
        h(
          "span",
          { class: "my-game-info" },
          h("span", { class: "my-game-turn small" }, turn),
          h(
            "b",
            { class: "my-game-opponent" },
            h("span", {}, opponent.username),
            botBadge({ ...opponent, level: this.levelIn(gameId) }),
          ),
          h("span", { class: "soft small" }, name),
          h("span", { class: "soft small num" }, time),
        ),
      ),
    );
  }
}
