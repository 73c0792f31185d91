// Board of a game on one device: names the player to move, reports the last move, and shows past
// positions and the result. Created by device-game.js.
import { LocalBoard } from "../common/local-board.js";
import { slotAt } from "../common/side-counts.js";
import { REFUSAL_MS } from "../board/refusal-query.js";
import { t } from "../lib/i18n.js";

/** Board of a game on one device. */
export class DeviceBoard extends LocalBoard {
  /** @type {import("./device-game.js").DeviceGame} */ game;
  /** @type {string} */ report;
  /** @type {number | undefined} */ reportTimer;

  /**
   * @param {Variant} variant
   * @param {import("./device-game.js").DeviceGame} game
   */
  constructor(variant, game) {
    super(variant, (u) => game.play(u), {
      slotOf: (side, at) => slotAt(game.view.bars[side], at),
    });
    Object.assign(this, { game, report: "" });
  }

  close() {
    super.close();
    clearTimeout(this.reportTimer);
  }

  /** @param {import("../common/local-board.js").ShownPosition} shown */
  showPosition(shown) {
    this.report = "";
    super.showPosition(shown);
  }

  /**
   * Shows a report of the last move beside the prompt, until the next input or for a few seconds.
   * @param {string} text
   */
  showReport(text) {
    clearTimeout(this.reportTimer);
    this.report = text;
    this.reportTimer = setTimeout(() => this.endReport(), REFUSAL_MS);
    this.drawStatus();
  }

  endReport() {
    if (!this.report) return;
    this.report = "";
    this.drawStatus();
  }

  /**
   * Continues the move, or returns to the latest position.
   * @param {string} cell
   */
  click(cell) {
    const { moveHistory } = this.game;
    this.endReport();
    if (!moveHistory.isLatest()) return void moveHistory.go(moveHistory.latestPly);
    return this.game.isOver() || this.game.isSending ? undefined : super.click(cell);
  }

  turnText() {
    return t("game.tomove", { side: this.game.name(this.turn) });
  }

  ownMoves() {
    return this.game.moveHistory.ownMoves(this.turn);
  }

  /**
   * @returns {StatusContent | null}
   */
  outcomeStatus() {
    const { moveHistory } = this.game;
    if (!moveHistory.isLatest())
      return [
        t("hint.past", { n: moveHistory.ply, of: moveHistory.latestPly }),
        "",
        [[t("hint.tonow"), () => moveHistory.go(moveHistory.latestPly)]],
      ];
    return this.game.isOver() ? this.game.resultTexts() : null;
  }

  /**
   * @returns {StatusContent}
   */
  statusContent() {
    const content = super.statusContent();
    const isPrompt = !this.transientMessage && !this.clicks.chosen.length && !this.outcomeStatus();
    return this.report && isPrompt ? [content[0], this.report, content[2], "plain"] : content;
  }
}
