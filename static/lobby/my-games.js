// The viewer's games in progress, in the order of the server: games in which it is the viewer's
// turn come first. Loaded by lobby.js with the first game, and called after each change.
import { BoardSvg } from "../board/render.js";
import { h, restoreFocus } from "../lib/dom.js";
import { parsePosition } from "../model/notation.js";
import { botBadge } from "../common/user-link.js";
import { timeControlText } from "../common/challenge-text.js";
import { daysText } from "../lib/format-time.js";
import { t, variantName } from "../lib/i18n.js";

/**
 * Returns whether a color is the second side of a variant. The API reports the sides of a game
 * either by the variant's own names or, as lichess does, as white and black.
 * @param {Variant} variant
 * @param {string} color
 */
const isSecond = ({ sides }, color) =>
  sides.includes(color) ? sides[1] === color : color === "black";

/** Section of the viewer's games in progress; hidden while there are none. */
export class MyGames {
  /** @type {HTMLElement} */ element;
  /** @type {Catalog} */ catalog;

  /**
   * `element` is the empty section.
   * @param {HTMLElement} element
   * @param {Catalog} catalog
   */
  constructor(element, catalog) {
    Object.assign(this, { element, catalog });
    this.list = h("ul", { tabindex: -1 });
    this.title = h("h2", {});
    element.append(this.title, this.list);
  }

  /** @param {import("./state.js").LobbyState} state */
  draw({ ownGames }) {
    // The computer does not wait.
    const turns = ownGames.filter(
      ({ isMyTurn, opponent }) => isMyTurn && opponent.ai === undefined,
    ).length;
    this.element.hidden = ownGames.length === 0;
    const turnBadge =
      turns > 0 ? [h("span", { class: "my-games-count num" }, t("own.turns", { n: turns }))] : [];
    this.title.replaceChildren(t("own.title"), ...turnBadge);
    restoreFocus(this.list, () =>
      this.list.replaceChildren(...ownGames.map((game) => this.item(game))),
    );
  }

  /** @param {OwnGame} game */
  item(game) {
    const { gameId, color, fen, isMyTurn, opponent, secondsLeft, speed, timeControl } = game;
    const { key } = game.variant;
    const variant = this.catalog.get(key);
    const name = variantName(variant);
    const board = new BoardSvg(key, {
      board: variant.board,
      label: `${name}: ${opponent.username}`,
      live: false,
      flipped: isSecond(variant, color),
    });
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
            botBadge({ ...opponent, level: opponent.ai }),
          ),
          h("span", { class: "soft small" }, name),
          h("span", { class: "soft small num" }, time),
        ),
      ),
    );
  }
}
