// Preview of a move: effects of the next click.
//
// The client contains no rules. It queries `POST /api/position` and caches the answers until the
// position changes. Used by the move input of the game page and of the analysis board.
import { postOnce } from "../lib/http.js";

/** Minimum pause after a failed query. */
const RETRY_DELAY_MS = 5000;

/** Delay before a query, so that a pointer passing over a cell causes none. */
const HOVER_DELAY_MS = 60;

/** Preview of the selected and hovered cells, with a cache for the current position. */
export class MovePreview {
  /** @type {(preview: Trace | null) => unknown} */ show;
  /** @type {Trace | null} */ preview;
  /** @type {string | null} */ hovered;
  /** @type {string[]} */ chosen;
  /** @type {PositionQuery | null} */ question;
  /** @type {string | null} */ requestedKey;
  /** @type {Map<string, Trace | null>} */ cache;
  /** @type {number} */ pausedUntil;
  /** @type {number} */ timer;

  /**
   * `show` receives the certain effects of the latest clicks, or null while they are unknown.
   * @param {(preview: Trace | null) => unknown} show
   */
  constructor(show) {
    Object.assign(this, {
      show,
      preview: null,
      hovered: null,
      chosen: [],
      question: null,
      requestedKey: null,
      cache: new Map(),
      pausedUntil: 0,
    });
  }

  /**
   * Sets the position (null for none) and the selected cells. The hovered cell is included while it
   * is a target.
   * @param {PositionQuery | null} question body for `POST /api/position`, without clicks
   * @param {string[]} chosen
   * @param {ReadonlySet<string>} targets
   */
  setPosition(question, chosen, targets) {
    this.chosen = chosen;
    if (JSON.stringify(question) !== JSON.stringify(this.question)) {
      this.question = question;
      this.cache.clear();
    }
    this.setHovered(this.hovered && targets.has(this.hovered) ? this.hovered : null);
  }

  /**
   * Sets the hovered cell.
   * @param {string | null} cell
   */
  setHovered(cell) {
    this.hovered = cell;
    this.request([...this.chosen, ...(cell && !this.chosen.includes(cell) ? [cell] : [])]);
  }

  /**
   * Shows the cached effects of clicks, or queries them after `HOVER_DELAY_MS`.
   * @param {string[]} clicks
   */
  request(clicks) {
    clearTimeout(this.timer);
    const key = clicks.join();
    this.requestedKey = key;
    const cached = this.question ? this.cache.get(key) : null;
    this.update(cached ?? null);
    if (this.question && cached === undefined && Date.now() > this.pausedUntil)
      this.timer = setTimeout(() => this.query(clicks, key), HOVER_DELAY_MS);
  }

  /**
   * Queries the effects of clicks and caches the answer.
   * @param {string[]} clicks
   * @param {string} key
   */
  async query(clicks, key) {
    const { question } = this;
    if (!question) return;
    // A preview is optional, so a failure is not reported.
    const answer = await postOnce("/api/position", { ...question, clicks }).catch(
      ({ wait = 0 }) => {
        this.pausedUntil = Date.now() + Math.max(RETRY_DELAY_MS, 1000 * wait);
      },
    );
    if (!answer || question !== this.question) return;
    this.cache.set(key, answer.preview ?? null);
    if (this.requestedKey === key) this.update(answer.preview ?? null);
  }

  /** @param {Trace | null} preview */
  update(preview) {
    this.preview = preview;
    this.show(preview);
  }
}
