// Content of the status line and of the tab title on the page of a game. Priority: an open
// question, then a transient text, then the content from `words()`. Created by `page.js`;
// components call `say()` after each change.
import { afterPaint, StatusLine } from "../common/status-line.js";
import { resultSummary, resultText } from "../common/result.js";
import { say, variantName } from "../lib/i18n.js";

/** Default duration of a transient text. */
const TRANSIENT_MS = 2500;

/** Selects the content of the status line. */
export class StatusPrompt {
  /** @type {import("./page.js").GamePage} */ play;
  /** @type {boolean} */ hasQuestion;
  /** @type {number | false} */ transientMs;
  /** @type {(() => void) | undefined} */ cancel;

  /** @param {import("./page.js").GamePage} play */
  constructor(play) {
    Object.assign(this, { play, hasQuestion: false, transientMs: false });
  }

  /**
   * Shows a transient text. An open question remains; then the text is only announced.
   * @param {string} text
   * @param {number} [ms]
   */
  showTransient(text, ms = TRANSIENT_MS) {
    if (this.hasQuestion) return StatusLine.announce(text);
    const { statusLine } = this.play;
    statusLine.show(text);
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

  /**
   * Ends a transient text before an event is shown, except for one of more than the default
   * duration.
   */
  clearTransient() {
    if (Number(this.transientMs) <= TRANSIENT_MS) this.transientMs = false;
  }

  /**
   * Shows an act of another player. Buttons that wait for an answer remain; then it is only
   * announced.
   * @param {string} text
   * @param {number} [ms]
   */
  mention(text, ms) {
    const { moveInput, offers, premove } = this.play;
    if (this.hasQuestion || moveInput.isInProgress() || offers.incoming) StatusLine.announce(text);
    else if (!premove.showTransient(text, ms ?? TRANSIENT_MS)) this.showTransient(text, ms);
  }

  /**
   * Rejects a click on a cell.
   * @param {string} cell
   * @param {string} why
   */
  refuse(cell, why) {
    this.showTransient(why);
    this.play.board.shake(cell);
  }

  /**
   * Asks for confirmation of an irreversible action.
   * @param {string} question key of the question
   * @param {string} does key of the label of the action
   * @param {() => unknown} deed
   */
  ask(question, does, deed) {
    this.transientMs = false;
    this.hasQuestion = true;
    this.play.statusLine.confirm(say(question), say("hint.keep"), say(does), deed, () =>
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
    const { game, absence } = this.play;
    absence.draw();
    if (game.startBy || absence.opponent) this.update();
  }

  /** Updates the status line, the tab title, the player bars and the buttons of the offers. */
  update() {
    const { play } = this;
    const { game } = play;
    const over = Boolean(game.end);
    const turn = over ? say("game.over") : say("game.tomove", { side: play.sideName(game.turn) });
    play.info.setTurn(turn);
    const headline = over
      ? resultText(game, /** @type {End} */ (game.end), play.you)[0]
      : play.you === game.turn
        ? say("hint.yours")
        : turn;
    document.title = `${headline} · ${variantName(play.variant)} · Sprong`;
    play.offers.updateButtons();
    play.bars.update();
    if (!this.hasQuestion && !this.transientMs) play.statusLine.show(...this.words(over));
  }

  /**
   * Returns the content of the status line.
   * @param {boolean} over
   * @returns {StatusContent}
   */
  words(over) {
    const { play } = this;
    const { game, moveHistory, offers, moveInput } = play;
    const tvStatus = play.tv?.words();
    if (tvStatus) return tvStatus;
    // A move in progress keeps its buttons; an offer is mentioned beside it.
    if (moveInput.isInProgress()) {
      const [bold, plain, buttons] = moveInput.words();
      return [bold, [offers.summary(), plain].filter(Boolean).join(" "), buttons];
    }
    if (offers.incoming) return offers.incomingStatus();
    if (!moveHistory.isLatest())
      return [
        say("hint.past", { n: moveHistory.ply, of: moveHistory.latestPly }),
        "",
        [[say("hint.tonow"), () => moveHistory.go(moveHistory.latestPly)]],
      ];
    if (over)
      return resultSummary(
        game,
        play.you,
        /** @type {Parameters<typeof resultSummary>[2]} */ (play.rematch ?? play.nextGame),
      );
    if (!play.you)
      return [say("game.tomove", { side: play.sideName(game.turn) }), say("hint.watch")];
    if (moveInput.sent) return [say("hint.sent", { u: moveInput.sent.u })];
    if (play.premove.chosen.length) return play.premove.words();
    // An offer must not hide the buttons of moves without cells, such as a pass.
    const mine = moveInput.canMove();
    const outgoing = mine && moveInput.clicks.buttonMoves().length ? null : offers.outgoingStatus();
    return play.absence.words() ?? outgoing ?? (mine ? moveInput.words() : play.premove.words());
  }
}
