// What the page of a game says of what is to be done now: in its hint, and in the title of its tab.
import { afterSeen, Hint } from "../common/status-line.js";
import { overWords, resultText } from "../common/result.js";
import { say, variantName } from "../lib/i18n.js";

/** How long a refusal stands in the hint. */
const TOLD_MS = 2500;

export class Prompt {
  /** @type {import("./page.js").Play} */ play;
  /** @type {boolean} */ question;
  /** @type {number | false} */ passing;
  /** @type {(() => void) | undefined} */ cancel;

  /**
   * `play` is the page of the game.
   * @param {import("./page.js").Play} play
   */
  constructor(play) {
    Object.assign(this, { play, question: false, passing: false });
  }

  /** Says something in the hint for a moment; an open question is left to stand. */
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

  /** What was said for a moment gives way to what happens; what concerns both clocks stays its time. */
  pass() {
    if (Number(this.passing) <= TOLD_MS) this.passing = false;
  }

  /** Says what another has done; whoever is about to answer something hears it, and keeps the buttons. */
  mention(text, ms) {
    const { turn, offers, premove } = this.play;
    if (this.question || turn.isOpen() || offers.incoming) Hint.announce(text);
    else if (!premove.beside(text, ms ?? TOLD_MS)) this.tell(text, ms);
  }

  /** Says no to a click. */
  refuse(cell, why) {
    this.tell(why);
    this.play.board.shake(cell);
  }

  /** Asks before something that cannot be taken back. */
  ask(question, does, deed) {
    this.passing = false;
    this.question = true;
    this.play.hint.ask(say(question), say("hint.keep"), say(does), deed, () => this.drop());
  }

  /** An open question is not asked any more; answers whether there was one. */
  drop() {
    const was = this.question;
    this.question = false;
    if (was) this.say();
    return was;
  }

  /** What changes by the second is said anew. */
  beat() {
    const { game, presence } = this.play;
    presence.draw();
    if (game.startBy || presence.opponent) this.say();
  }

  /** Says what is to be done now, and keeps everything that says it in step. */
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

  /** What stands in the hint: a bold sentence, a plain one, buttons. */
  words(over) {
    const { play } = this;
    const { game, course, offers, turn } = play;
    const going = play.tv?.words();
    if (going) return going;
    // What the player is about to answer stays; an offer waits, and is told beside it.
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
    if (over) return overWords(game, play.you, play.rematch ?? play.again);
    if (!play.you)
      return [say("game.tomove", { side: play.sideName(game.turn) }), say("hint.watch")];
    if (turn.sent) return [say("hint.sent", { u: turn.sent.u })];
    if (play.premove.chosen.length) return play.premove.words();
    // A move that is made with a button must not be hidden.
    const mine = turn.isMine();
    const made = mine && turn.clicks.buttons().length ? null : offers.made();
    return play.presence.words() ?? made ?? (mine ? turn.words() : play.premove.words());
  }
}
