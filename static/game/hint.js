// A hint: a good move, for whoever plays a casual game against the computer and asks for one.
import { post } from "../lib/http.js";
import { cellsOf } from "../model/notation.js";
import { say } from "../lib/i18n.js";

/** From so many points on one side is better, and much better. */
const BETTER = 70;
const MUCH_BETTER = 300;

/** The own moves that so many plies have in them, counted from one's own turn. */
const movesIn = (plies) => Math.max(1, Math.ceil(plies / 2));

/**
 * What a score means to the player whose turn it is, in words.
 * @param {Score} score
 * @returns {string}
 */
export const scoreText = ({ points = 0, win, loss }) => {
  if (win !== undefined) return say("advice.win", { n: movesIn(win) });
  if (loss !== undefined) return say("advice.loss", { n: movesIn(loss) });
  if (Math.abs(points) < BETTER) return say("advice.even");
  const much = Math.abs(points) >= MUCH_BETTER;
  if (points > 0) return say(much ? "advice.muchBetter" : "advice.better");
  return say(much ? "advice.muchWorse" : "advice.worse");
};

export class Advice {
  /** @type {import("./page.js").Play} */ play;
  /** @type {{ at: string, u: string, score: Score } | null} */ given;
  /** @type {string | null} */ asked;

  /**
   * `play` is the page of the game.
   * @param {import("./page.js").Play} play
   */
  constructor(play) {
    Object.assign(this, { play, given: null, asked: null });
  }

  /** What a hint is about: it holds as long as this stands. */
  get now() {
    const { course } = this.play;
    return course.text(course.end);
  }

  /** Whether one may ask now. */
  may() {
    const { game, them, turn } = this.play;
    return Boolean(them && game[them].level) && !game.rated && turn.isMine();
  }

  /** The hint for what stands now, if it was asked for. */
  get stands() {
    return this.may() && this.given?.at === this.now ? this.given : null;
  }

  async ask() {
    const { play } = this;
    const at = this.now;
    this.asked = at;
    play.prompt.passing = false;
    play.prompt.say();
    try {
      const { u, score } = await post(`/api/game/${play.id}/hint`);
      this.given = { at, u, score };
    } catch (refused) {
      if (at === this.now) play.prompt.tell(refused.message);
    }
    if (this.asked === at) this.asked = null;
    play.show();
  }

  /** The cells of the move, in the order in which they are clicked. */
  cells() {
    return this.stands ? cellsOf(this.stands.u) : [];
  }

  /** What the turn's hint says of it: a bold sentence and a plain one; null if there is nothing to say. */
  words() {
    if (this.asked !== null && this.asked === this.now)
      return [say("hint.yours"), say("advice.asking")];
    if (!this.stands) return null;
    const { u, score } = this.stands;
    return [
      say("advice.says", { u: cellsOf(u).length ? u : say(`button.${u}`) }),
      scoreText(score),
    ];
  }

  /** The button that asks, as long as nothing has been asked of this position. */
  buttons() {
    return this.may() ? [[say("advice.ask"), () => this.ask()]] : [];
  }
}
