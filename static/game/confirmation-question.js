// Question whether to confirm each move. Touch devices ask it once, after the player has made a few
// moves, unless a finger taps twice to move. It lies over the panel below or beside the board,
// never over the board, and goes away by itself; without an answer the next game asks again. It
// waits while another question is open in the status line. Created by `page.js`, updated by
// `status-prompt.js`.
import { h } from "../lib/dom.js";
import { StatusLine } from "../common/status-line.js";
import { tapsTwice } from "../board/tap-twice.js";
import { confirmationSetting } from "../lib/settings.js";
import { t } from "../lib/i18n.js";

/** Own moves in a game before the question. */
const MOVES = 3;

/** Time for which the question is shown, from its last appearance. */
const SHOWN_MS = 20000;

/** Question of one page. */
export class ConfirmationQuestion {
  /** @type {import("./page.js").GamePage} */ page;
  /** @type {HTMLElement | null} */ element;
  /** @type {boolean} */ wasAsked;
  /** @type {boolean} */ isOpen;
  /** @type {number | undefined} */ timer;

  /** @param {import("./page.js").GamePage} page */
  constructor(page) {
    Object.assign(this, { page, element: null, wasAsked: false, isOpen: false });
  }

  /** Asks after a move of the player, if it is time. */
  ask() {
    const { you, moveHistory, game } = this.page;
    if (
      this.wasAsked ||
      game.end ||
      confirmationSetting.isSet() ||
      tapsTwice(this.page.board) ||
      !matchMedia("(pointer: coarse)").matches ||
      moveHistory.ownMoves(/** @type {Side} */ (you)) < MOVES
    )
      return;
    this.wasAsked = true;
    this.isOpen = true;
    this.update();
  }

  /** Shows the open question, or hides it while another one waits for an answer. */
  update() {
    if (!this.isOpen) return;
    if (this.page.prompt.isAsking()) this.hide();
    else if (!this.element) this.show();
  }

  show() {
    const question = t("hint.askconfirm");
    const button = (/** @type {string} */ key, /** @type {boolean} */ on) =>
      h("button", { type: "button", class: "btn", onclick: () => this.answer(on) }, t(key));
    this.element = h(
      "div",
      { class: "confirmation-question", role: "group", "aria-label": question },
      h("span", {}, question),
      button("hint.no", false),
      button("hint.agree", true),
    );
    this.page.layout.panel.append(this.element);
    StatusLine.announce(question);
    this.timer = setTimeout(() => this.close(), SHOWN_MS);
  }

  /** @param {boolean} on */
  answer(on) {
    confirmationSetting.set(on);
    this.close();
    this.page.info.draw();
    this.page.prompt.update();
  }

  /** Closes the question. */
  close() {
    this.isOpen = false;
    this.hide();
  }

  hide() {
    clearTimeout(this.timer);
    this.element?.remove();
    this.element = null;
  }
}
