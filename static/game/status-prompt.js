// Content of the status line and of the tab title on the page of a game. Priority: an open
// question, then a transient text, then the content from `statusContent()`. A report of the last
// move (`eventText`) replaces a prompt only, never a move in progress, an offer or a question.
// Created by `page.js`; components call `update()` after each change.
import { afterPaint, StatusLine } from "../common/status-line.js";
import { resultSummary, resultText } from "../common/result.js";
import { t, variantName } from "../lib/i18n.js";

/** Default duration of a transient text. */
const TRANSIENT_MS = 2500;

/** Duration of a report of a move, and longest duration of a transient text that a message ends. */
const EVENT_MS = 4000;

/** Longest duration of the text about an inspected cell, which ends with the look. */
const INSPECTION_MS = 60000;

/** Selects the content of the status line. */
export class StatusPrompt {
  /** @type {import("./page.js").GamePage} */ page;
  /** @type {boolean} */ hasQuestion;
  /** @type {number | false} */ transientMs;
  /** @type {(() => void) | undefined} */ cancel;
  /** @type {string} */ eventText;
  /** @type {(() => void) | undefined} */ cancelEvent;
  /** @type {boolean} */ isDeferred;
  /** @type {boolean} */ isStale;

  /** @param {import("./page.js").GamePage} page */
  constructor(page) {
    Object.assign(this, {
      page,
      hasQuestion: false,
      transientMs: false,
      eventText: "",
      isDeferred: false,
      isStale: false,
    });
  }

  /**
   * Shows a transient text. An open question remains; then the text is only announced.
   * @param {string} text
   * @param {number} [ms]
   * @param {StatusButton[]} [buttons]
   */
  showTransient(text, ms = TRANSIENT_MS, buttons) {
    if (this.hasQuestion) return StatusLine.announce(text);
    const { statusLine } = this.page;
    statusLine.show(text, "", buttons);
    this.cancel?.();
    this.transientMs = ms;
    this.cancel = afterPaint(
      () =>
        statusLine.runRemote(() => {
          this.transientMs = false;
          this.update();
        }),
      ms,
    );
    return undefined;
  }

  /** Ends a transient text before a message is shown, except for one that lasts longer. */
  clearTransient() {
    if (Number(this.transientMs) <= EVENT_MS) this.transientMs = false;
  }

  /**
   * Shows a report of the last move beside the prompt, until the next input or for `EVENT_MS`. It
   * is not announced, as the announcement of the move contains it.
   * @param {string} text "" ends the previous one
   */
  report(text) {
    this.cancelEvent?.();
    this.eventText = text;
    if (text)
      this.cancelEvent = afterPaint(
        () => this.page.statusLine.runRemote(() => this.endReport()),
        EVENT_MS,
      );
    this.update();
  }

  /** Ends a report. */
  endReport() {
    if (!this.eventText) return;
    this.cancelEvent?.();
    this.eventText = "";
    this.update();
  }

  /** Shows that a move waits for a second tap, or no longer does. */
  showHeld() {
    this.endReport();
    this.dropQuestion();
    this.dropTransient();
    this.update();
  }

  /**
   * Shows the text about an inspected cell until the look ends. The buttons remain.
   * @param {string} text "" when the look ends
   */
  showInspection(text) {
    const [, , buttons] = this.statusContent(Boolean(this.page.game.end));
    if (text) return this.showTransient(text, INSPECTION_MS, buttons);
    if (this.transientMs === INSPECTION_MS) {
      this.dropTransient();
      this.update();
    }
    return undefined;
  }

  /** Ends a transient text; the next update replaces it. */
  dropTransient() {
    this.transientMs = false;
  }

  /** Whether the status line waits for an answer: to a question, or to an offer of the opponent. */
  isAsking() {
    return this.hasQuestion || Boolean(this.page.offers.incoming);
  }

  /** Ends an open question; the next update replaces it. */
  dropQuestion() {
    this.hasQuestion = false;
  }

  /**
   * Shows an act of another player. Buttons that wait for an answer remain; then it is only
   * announced.
   * @param {string} text
   * @param {number} [ms]
   */
  mention(text, ms) {
    const { moveInput, offers, premove } = this.page;
    if (this.hasQuestion || moveInput.isInProgress() || offers.incoming) StatusLine.announce(text);
    else if (!premove.showTransient(text, ms ?? TRANSIENT_MS)) this.showTransient(text, ms);
  }

  /**
   * Rejects a click on a cell.
   * @param {string} cell
   * @param {string} explanation
   */
  refuse(cell, explanation) {
    this.showTransient(explanation);
    this.page.board.shake(cell);
  }

  /**
   * Explains a click of a viewer who cannot move: a spectator, or any viewer after the end. The
   * buttons of the status line remain.
   */
  explainIdleClick() {
    const { game, you } = this.page;
    if (this.hasQuestion) return;
    const [, , buttons] = this.statusContent(Boolean(game.end));
    this.showTransient(t(game.end || you ? "error.over" : "hint.spectator"), TRANSIENT_MS, buttons);
  }

  /**
   * Asks for confirmation of an irreversible action.
   * @param {string} question key of the question
   * @param {string} actionKey key of the label of the action
   * @param {() => unknown} action
   */
  confirm(question, actionKey, action) {
    this.transientMs = false;
    this.hasQuestion = true;
    this.page.confirmationQuestion.update();
    this.page.statusLine.confirm(t(question), t("hint.keep"), t(actionKey), action, () =>
      this.cancelQuestion(),
    );
  }

  /** Closes an open question. Returns false if there was none. */
  cancelQuestion() {
    const wasOpen = this.hasQuestion;
    this.hasQuestion = false;
    if (wasOpen) this.update();
    return wasOpen;
  }

  /** Updates texts that contain seconds. */
  refresh() {
    const { game, absence } = this.page;
    absence.draw();
    if (game.startBy || absence.opponent) this.update();
  }

  /**
   * Runs an action, and updates after it once if the action calls for updates.
   * @param {() => unknown} action
   */
  updateOnce(action) {
    const { isDeferred } = this;
    this.isDeferred = true;
    try {
      action();
    } finally {
      this.isDeferred = isDeferred;
      if (this.isStale) this.update();
    }
  }

  /** Updates the status line, the tab title, the player bars and the buttons of the offers. */
  update() {
    this.isStale = this.isDeferred;
    if (this.isDeferred) return;
    const { page } = this;
    const { game } = page;
    const over = Boolean(game.end);
    const turn = over ? t("game.over") : t("game.tomove", { side: page.sideName(game.turn) });
    page.info.setTurn(turn);
    // No news covers the board or the status line while the player's own clock runs.
    document.body.classList.toggle("is-clock-game", page.isBusy());
    const headline = over
      ? resultText(game, /** @type {End} */ (game.end), page.you)[0]
      : page.you === game.turn
        ? t("hint.yours")
        : turn;
    document.title = `${headline} · ${variantName(page.variant)} · Sprong`;
    page.offers.updateButtons();
    page.bars.update();
    page.confirmationQuestion.update();
    if (!this.hasQuestion && !this.transientMs) page.statusLine.show(...this.statusContent(over));
  }

  /**
   * Returns the content of the status line.
   * @param {boolean} over
   * @returns {StatusContent}
   */
  statusContent(over) {
    const { page } = this;
    const { game, moveHistory, offers, moveInput } = page;
    const tvStatus = page.tv?.statusContent();
    if (tvStatus) return tvStatus;
    // A move in progress keeps its buttons; an offer is mentioned beside it.
    if (moveInput.isInProgress()) {
      const [bold, plain, buttons] = moveInput.statusContent();
      return [bold, [offers.summary(), plain].filter(Boolean).join(" "), buttons];
    }
    if (offers.incoming) return offers.incomingStatus();
    if (!moveHistory.isLatest())
      return [
        t("hint.past", { n: moveHistory.ply, of: moveHistory.latestPly }),
        "",
        [[t("hint.tonow"), () => moveHistory.go(moveHistory.latestPly)]],
      ];
    if (over)
      return resultSummary(
        game,
        page.you,
        /** @type {Parameters<typeof resultSummary>[2]} */ (page.rematch ?? page.nextGame),
      );
    if (!page.you)
      return [
        t("game.tomove", { side: page.sideName(game.turn) }),
        this.eventText || t("hint.watch"),
        [],
        this.eventText ? "plain" : false,
      ];
    if (moveInput.sent) return [t("hint.sent", { u: moveInput.sent.u })];
    if (page.premove.chosen.length) return page.premove.statusContent();
    // An offer must not hide the buttons of moves without cells, such as a pass.
    const canMove = moveInput.canMove();
    const outgoing =
      canMove && moveInput.clicks.buttonMoves().length ? null : offers.outgoingStatus();
    return (
      page.absence.statusContent() ??
      outgoing ??
      (canMove ? moveInput.statusContent() : page.nextTurn.addTo(page.premove.statusContent()))
    );
  }
}
