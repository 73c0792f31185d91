// Layout of the page of a game: board, player bars, moves and chat. No element moves during play,
// except when the board is flipped. Created by `page.js`.
import { ratioOf } from "../board/board.js";
import { h } from "../lib/dom.js";
import { FLIP } from "../lib/icons.js";
import { actionButton } from "../common/game-actions.js";
import { coverPanel, uncoverPanel } from "../common/panel-card.js";
import { variantName } from "../lib/i18n.js";

/** Elements of the page of a game and their arrangement. */
export class Layout {
  /** @type {import("./player-bars.js").PlayerBars} */ bars;
  /** @type {import("../board/board.js").Board} */ board;
  /** @type {import("./chat.js").Chat} */ chat;
  /** @type {boolean} */ silent;
  /** @type {import("./result-card.js").ResultCard | null} */ card;
  /** @type {HTMLElement} */ chatButton;

  /**
   * Fills `main` with the page of a game.
   * @param {import("./page.js").GamePage} page
   * @param {import("../common/moves.js").MoveList} list
   * @param {HTMLElement} main
   */
  constructor(page, list, main) {
    const { bars, board, chat, statusLine, info, variant } = page;
    // No chat with the computer; spectators always have their own chat.
    const silent = page.isComputer(page.them);
    Object.assign(this, { bars, board, chat, silent });
    document.body.classList.add("game-page");
    document.querySelector("header.site-header").append(info.title);
    main.className = "game-layout";
    main.style.setProperty("--ratio", ratioOf(variant.board));
    this.panel = h(
      "section",
      { class: "card game-panel" },
      page.keys.typed?.element ?? false,
      list.list,
      list.steps,
      statusLine.element,
      this.buttonRow(page),
    );
    this.left = h("div", { class: "game-layout-left" }, info.element, !silent && chat.element);
    // The card with the name of the variant is hidden on small screens, so a heading is needed.
    main.replaceChildren(
      h("h1", { class: "visually-hidden" }, variantName(variant)),
      this.left,
      h("div", { class: "game-layout-center" }, h("div", { class: "game-board" }, board.svg)),
      h("div", { class: "game-layout-right" }, bars.topBar, this.panel, bars.bottomBar),
    );
    bars.updatePositions();
  }

  /**
   * Builds the row of buttons under the moves.
   * @param {import("./page.js").GamePage} page
   */
  buttonRow({ you, offers }) {
    this.chatButton = actionButton(
      "game.chat",
      "M4 5h16v11H10l-5 4v-4H4z",
      () => this.chat.toggle(),
      "chat-button",
    );
    const flip = actionButton("game.flip", FLIP, () => this.flip());
    return h(
      "div",
      { class: "game-actions" },
      ...(you ? offers.buttons : []),
      flip,
      !this.silent && this.chatButton,
    );
  }

  /**
   * Shows the number of unread chat lines.
   * @param {number} count
   */
  setUnread(count) {
    this.chatButton.classList.toggle("is-unread", count > 0);
    this.chatButton.dataset.new = /** @type {string} */ (/** @type {unknown} */ (count));
    this.card?.setUnread(count);
  }

  /**
   * Opens or closes the overlay with the game information on small screens.
   * @param {boolean} [open] default: toggles
   */
  toggleInfo(open) {
    this.left.classList.toggle("is-info-open", open);
  }

  /**
   * Covers moves, status line and buttons with a card and makes them inert.
   * @param {import("./result-card.js").ResultCard} card
   */
  cover(card) {
    this.uncover();
    const { panel, board } = this;
    coverPanel(panel, card.element, board.svg);
    this.card = card;
    card.setUnread(this.chat.unread);
  }

  /** Removes the card; the focus goes to the board. */
  uncover() {
    const { card, panel, board } = this;
    if (!card) return;
    this.card = null;
    uncoverPanel(panel, card.element, board.svg);
  }

  flip() {
    const { bars, board, panel } = this;
    bars.flip();
    board.flip();
    panel.before(bars.topBar);
    panel.after(bars.bottomBar);
    bars.updatePositions();
  }
}
