// Content of the status line and of the tab title on the page of a game. Priority: an open
// question, then a transient text, then the content from `words()`. Created by `page.js`;
// components call `say()` after each change.
import { afterSeen, Hint } from "../common/status-line.js";
import { overWords, resultText } from "../common/result.js";
import { say, variantName } from "../lib/i18n.js";

/** Default duration of a transient text. */
const TOLD_MS = 2500;

/** Selects the content of the status line. */
export class Prompt {
  /** @type {import("./page.js").Play} */ play;
  /** @type {boolean} */ question;
  /** @type {number | false} */ passing;
  /** @type {(() => void) | undefined} */ cancel;

  /** @param {import("./page.js").Play} play */
  constructor(play) {
    Object.assign(this, { play, question: false, passing: false });
  }

  /**
   * Shows a transient text. An open question remains; then the text is only announced.
   * @param {string} text
   * @param {number} [ms]
   */
  tell(text, ms = TOLD_MS) {
    if (this.question) return Hint.announce(text);
    const { hint } = this.play;
    hint.show(text);
    this.cancel?.();
    this.passing = ms;
    this.cancel = afterSeen(
      () =>
        hint.meanwhile(() => {
          this.passing = false;
          this.say();
        }),
      ms,
    );
    return undefined;
  }

  /**
   * Ends a transient text before an event is shown, except for one of more than the default
   * duration.
   */
  pass() {
    if (Number(this.passing) <= TOLD_MS) this.passing = false;
  }

  /**
   * Shows an act of another player. Buttons that wait for an answer remain; then it is only
   * announced.
   * @param {string} text
   * @param {number} [ms]
   */
  mention(text, ms) {
    const { turn, offers, premove } = this.play;
    if (this.question || turn.isOpen() || offers.incoming) Hint.announce(text);
    else if (!premove.beside(text, ms ?? TOLD_MS)) this.tell(text, ms);
  }

  /**
   * Rejects a click on a cell.
   * @param {string} cell
   * @param {string} why
   */
  refuse(cell, why) {
    this.tell(why);
    this.play.board.shake(cell);
  }

  /**
   * Asks for confirmation of an irreversible action.
   * @param {string} question key of the question
   * @param {string} does key of the label of the action
   * @param {() => unknown} deed
   */
  ask(question, does, deed) {
    this.passing = false;
    this.question = true;
    this.play.hint.ask(say(question), say("hint.keep"), say(does), deed, () => this.drop());
  }

  /** Closes an open question. Returns false if there was none. */
  drop() {
    const was = this.question;
    this.question = false;
    if (was) this.say();
    return was;
  }

  /** Updates texts that contain seconds. */
  beat() {
    const { game, presence } = this.play;
    presence.draw();
    if (game.startBy || presence.opponent) this.say();
  }

  /** Updates the status line, the tab title, the player bars and the buttons of the offers. */
  say() {
    const { play } = this;
    const { game } = play;
    const over = Boolean(game.end);
    const turn = over ? say("game.over") : say("game.tomove", { side: play.sideName(game.turn) });
    play.info.told(turn);
    const what = over
      ? resultText(game, /** @type {End} */ (game.end), play.you)[0]
      : play.you === game.turn
        ? say("hint.yours")
        : turn;
    document.title = `${what} · ${variantName(play.variant)} · Sprong`;
    play.offers.keep();
    play.bars.keep();
    if (!this.question && !this.passing) play.hint.show(...this.words(over));
  }

  /**
   * Returns the content of the status line.
   * @param {boolean} over
   * @returns {HintWords}
   */
  words(over) {
    const { play } = this;
    const { game, course, offers, turn } = play;
    const going = play.tv?.words();
    if (going) return going;
    // A move in progress keeps its buttons; an offer is mentioned beside it.
    if (turn.isOpen()) {
      const [bold, plain, buttons] = turn.words();
      return [bold, [offers.short(), plain].filter(Boolean).join(" "), buttons];
    }
    if (offers.incoming) return offers.asked();
    if (!course.isNow())
      return [
        say("hint.past", { n: course.ply, of: course.end }),
        "",
        [[say("hint.tonow"), () => course.go(course.end)]],
      ];
    if (over)
      return overWords(
        game,
        play.you,
        /** @type {Parameters<typeof overWords>[2]} */ (play.rematch ?? play.again),
      );
    if (!play.you)
      return [say("game.tomove", { side: play.sideName(game.turn) }), say("hint.watch")];
    if (turn.sent) return [say("hint.sent", { u: turn.sent.u })];
    if (play.premove.chosen.length) return play.premove.words();
    // An offer must not hide the buttons of moves without cells, such as a pass.
    const mine = turn.isMine();
    const made = mine && turn.clicks.buttons().length ? null : offers.made();
    return play.presence.words() ?? made ?? (mine ? turn.words() : play.premove.words());
  }
}
