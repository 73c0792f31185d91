// Engine hint: a good move on request, in casual games against the computer.
import { post } from "../lib/http.js";
import { cellsOf } from "../model/notation.js";
import { say } from "../lib/i18n.js";

/** Minimum scores, in engine points, for "better" and "much better". */
const BETTER = 70;
const MUCH_BETTER = 300;

/**
 * Returns the number of moves of the side to move within a number of plies.
 * @type {(plies: number) => number}
 */
const movesIn = (plies) => Math.max(1, Math.ceil(plies / 2));

/**
 * Describes a score from the view of the side to move.
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

/** Engine hint for the current position. */
export class Advice {
  /** @type {import("./page.js").Play} */ play;
  /** @type {{ at: string, u: string, score: Score } | null} */ given;
  /** @type {string | null} */ asked;

  /** @param {import("./page.js").Play} play */
  constructor(play) {
    Object.assign(this, { play, given: null, asked: null });
  }

  /** Latest position. A hint is valid for its position only. */
  get now() {
    const { course } = this.play;
    return course.text(course.end);
  }

  /** Whether a hint can be requested now. */
  may() {
    const { game, them, turn } = this.play;
    return Boolean(them && game[them].level) && !game.rated && turn.isMine();
  }

  /** Hint for the latest position, null if none was requested. */
  get stands() {
    return this.may() && this.given?.at === this.now ? this.given : null;
  }

  /** Requests a hint. */
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

  /** Returns the cells of the hinted move, in click order. */
  cells() {
    return this.stands ? cellsOf(this.stands.u) : [];
  }

  /**
   * Returns two sentences about the hint for the status line, null without a hint.
   * @returns {[bold: string, plain: string] | null}
   */
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

  /**
   * Returns the button that requests a hint, if allowed.
   * @returns {HintButton[]}
   */
  buttons() {
    return this.may() ? [[say("advice.ask"), () => this.ask()]] : [];
  }
}
