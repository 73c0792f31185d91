// Preview of a move: effects of the next click, and their description.
//
// The client contains no rules. It queries `POST /api/position` and caches the answers until the
// position changes. Used by the move input of the game page and of the analysis board.
import { postOnce } from "../lib/http.js";
import { say } from "../lib/i18n.js";

/** @param {Iterable<string | undefined>} cells */
const list = (cells) => [...cells].join(", ");

/**
 * Describes the effects of a preview; returns "" if there are none.
 * @param {Partial<Trace> | null | undefined} preview
 * @param {PieceSet} glyph
 * @returns {string}
 */
export const previewText = (preview, glyph) => {
  const { paths = [], removed = [], strikes = [], groups = [] } = preview ?? {};
  const struck = new Set(strikes.map((cells) => cells.at(-1)));
  const taken = removed.filter((cell) => !struck.has(cell));
  const path = glyph.countsHops && paths.find(({ length }) => length > 2);
  return [
    path && say("hint.hops", { n: path.length - 1, cell: path.at(-1) }),
    taken.length > 0 && say(glyph.removesKey ?? "hint.takes", { cells: list(taken) }),
    struck.size > 0 && say("hint.strikes", { cells: list(struck) }),
    groups.length > 0 && taken.length === 0 && say("hint.crowd"),
  ]
    .filter(Boolean)
    .join(" ");
};

/**
 * Returns the prompt for the next click.
 * @param {import("../model/notation.js").ClickPath} clicks
 * @param {PieceSet} glyph
 * @returns {string}
 */
export const nextText = (clicks, glyph) =>
  say(clicks.needsPiece() ? "hint.next" : (glyph.continueKey ?? "hint.where"));

/** Minimum pause after a failed query. */
const RETRY_DELAY_MS = 5000;

/** Delay before a query, so that a pointer passing over a cell causes none. */
const HOVER_DELAY_MS = 60;

/** Preview of the selected and hovered cells, with a cache for the current position. */
export class MovePreview {
  /** @type {(preview: Trace | null) => unknown} */ show;
  /** @type {Trace | null} */ seen;
  /** @type {string | null} */ pointed;
  /** @type {string[]} */ chosen;
  /** @type {object | null} */ question;
  /** @type {string | null} */ wanted;
  /** @type {Map<string, Trace | null>} */ known;
  /** @type {number} */ rest;
  /** @type {number} */ timer;

  /**
   * `show` receives the certain effects of the latest clicks, or null while they are unknown.
   * @param {(preview: Trace | null) => unknown} show
   */
  constructor(show) {
    Object.assign(this, {
      show,
      seen: null,
      pointed: null,
      chosen: [],
      question: null,
      wanted: null,
      known: new Map(),
      rest: 0,
    });
  }

  /**
   * Sets the position (null for none) and the selected cells. The hovered cell is included while it
   * is a target.
   * @param {object | null} question body for `POST /api/position`, without clicks
   * @param {string[]} chosen
   * @param {Set<string>} offered
   */
  setPosition(question, chosen, offered) {
    this.chosen = chosen;
    if (JSON.stringify(question) !== JSON.stringify(this.question)) {
      this.question = question;
      this.known.clear();
    }
    this.setHovered(this.pointed && offered.has(this.pointed) ? this.pointed : null);
  }

  /**
   * Sets the hovered cell.
   * @param {string | null} cell
   */
  setHovered(cell) {
    this.pointed = cell;
    this.request([...this.chosen, ...(cell && !this.chosen.includes(cell) ? [cell] : [])]);
  }

  /**
   * Shows the cached effects of clicks, or queries them after `WAIT_MS`.
   * @param {string[]} clicks
   */
  request(clicks) {
    clearTimeout(this.timer);
    const key = clicks.join();
    this.wanted = key;
    const known = this.question ? this.known.get(key) : null;
    this.update(known ?? null);
    if (this.question && known === undefined && Date.now() > this.rest)
      this.timer = setTimeout(() => this.query(clicks, key), HOVER_DELAY_MS);
  }

  /**
   * Queries the effects of clicks and caches the answer.
   * @param {string[]} clicks
   * @param {string} key
   */
  async query(clicks, key) {
    const { question } = this;
    // A preview is optional, so a failure is not reported.
    const answer = await postOnce("/api/position", { ...question, clicks }).catch(
      ({ wait = 0 }) => {
        this.rest = Date.now() + Math.max(RETRY_DELAY_MS, 1000 * wait);
      },
    );
    if (!answer || question !== this.question) return;
    this.known.set(key, answer.preview ?? null);
    if (this.wanted === key) this.update(answer.preview ?? null);
  }

  /** @param {Trace | null} preview */
  update(preview) {
    this.seen = preview;
    this.show(preview);
  }
}
