// Reason why a click is refused: the rule, from `POST /api/position` or from the rules in the
// browser. Used by the move input of the game page and of the analysis board.
import { postOnce } from "../lib/http.js";
import { t } from "../lib/i18n.js";
import { refusalText } from "./refusal-text.js";

/** Duration for which a rule is shown. */
export const REFUSAL_MS = 4000;

/** Queries about refused clicks. A later query, or `cancel`, drops the answers of earlier ones. */
export class RefusalQuery {
  /** @type {number} */ latest = 0;

  /** Drops the answers of all queries. */
  cancel() {
    this.latest += 1;
  }

  /**
   * Returns the rule that refuses the last of the clicks, null if the answer is not needed any
   * more. Without an answer, the text points to the highlighted cells.
   * @param {PositionQuery} position body for `POST /api/position`, without clicks
   * @param {string[]} clicks
   * @returns {Promise<string | null>}
   */
  async explain(position, clicks) {
    this.latest += 1;
    const query = this.latest;
    /** @type {{ refusal?: Parameters<typeof refusalText>[0] } | null} */
    const answer = await postOnce("/api/position", { ...position, clicks }).catch(() => null);
    if (query !== this.latest) return null;
    if (answer?.refusal) return refusalText(answer.refusal);
    return t(clicks.length > 1 ? "hint.targets" : "hint.movable");
  }
}
