// Engine hint: a good move on request, in casual games against the computer.
import { post } from "../lib/http.js";
import { cellsOf } from "../model/notation.js";
import { t } from "../lib/i18n.js";

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
  if (win !== undefined) return t("advice.win", { n: movesIn(win) });
  if (loss !== undefined) return t("advice.loss", { n: movesIn(loss) });
  if (Math.abs(points) < BETTER) return t("advice.even");
  const much = Math.abs(points) >= MUCH_BETTER;
  if (points > 0) return t(much ? "advice.muchBetter" : "advice.better");
  return t(much ? "advice.muchWorse" : "advice.worse");
};

/** Engine hint for the current position. */
export class EngineHint {
  /** @type {import("./page.js").GamePage} */ page;
  /** @type {{ at: string, u: string, score: Score } | null} */ received;
  /** @type {string | null} */ requestedPosition;

  /** @param {import("./page.js").GamePage} page */
  constructor(page) {
    Object.assign(this, { page, received: null, requestedPosition: null });
  }

  /** Latest position. A hint is valid for its position only. */
  get position() {
    const { moveHistory } = this.page;
    return moveHistory.positionAt(moveHistory.latestPly);
  }

  /** Whether a hint can be requested now. */
  isAllowed() {
    const { game, them, moveInput } = this.page;
    return Boolean(them && game[them].level) && !game.rated && moveInput.canMove();
  }

  /** Hint for the latest position, null if none was requested. */
  get current() {
    return this.isAllowed() && this.received?.at === this.position ? this.received : null;
  }

  /** Requests a hint. */
  async request() {
    const { page } = this;
    const at = this.position;
    this.requestedPosition = at;
    page.prompt.dropTransient();
    page.prompt.update();
    try {
      const { u, score } = await post(`/api/game/${page.id}/hint`);
      this.received = { at, u, score };
    } catch (refused) {
      if (at === this.position) page.prompt.showTransient(refused.message);
    }
    if (this.requestedPosition === at) this.requestedPosition = null;
    page.show();
  }

  /** Returns the cells of the hinted move, in click order. */
  cells() {
    return this.current ? cellsOf(this.current.u) : [];
  }

  /**
   * Returns two sentences about the hint for the status line, null without a hint.
   * @returns {[bold: string, plain: string] | null}
   */
  statusContent() {
    if (this.requestedPosition !== null && this.requestedPosition === this.position)
      return [t("hint.yours"), t("advice.asking")];
    if (!this.current) return null;
    const { u, score } = this.current;
    return [t("advice.says", { u: cellsOf(u).length ? u : t(`button.${u}`) }), scoreText(score)];
  }

  /**
   * Returns the button that requests a hint, if allowed.
   * @returns {StatusButton[]}
   */
  buttons() {
    return this.isAllowed() ? [[t("advice.ask"), () => this.request()]] : [];
  }
}
