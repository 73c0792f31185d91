// What a click would do, and the words for it. The page knows no rule: it asks the server, and remembers the answers for as long as
// the position stands.
import { postOnce } from "../lib/http.js";
import { say } from "../lib/i18n.js";

const list = (cells) => [...cells].join(", ");

/**
 * The sentences for what is foreseen; "" if that is nothing.
 * @param {Partial<Trace> | null | undefined} foreseen
 * @param {Glyph} glyph
 * @returns {string}
 */
export const effectText = (foreseen, glyph) => {
  const { paths = [], removed = [], strikes = [], groups = [] } = foreseen ?? {};
  const struck = new Set(strikes.map((cells) => cells.at(-1)));
  const taken = removed.filter((cell) => !struck.has(cell));
  const path = glyph.hops && paths.find(({ length }) => length > 2);
  return [
    path && say("hint.hops", { n: path.length - 1, cell: path.at(-1) }),
    taken.length > 0 && say(glyph.removes ?? "hint.takes", { cells: list(taken) }),
    struck.size > 0 && say("hint.strikes", { cells: list(struck) }),
    groups.length > 0 && taken.length === 0 && say("hint.crowd"),
  ]
    .filter(Boolean)
    .join(" ");
};

/**
 * What is to be chosen after the first click.
 * @param {import("../model/notation.js").Clicks} clicks
 * @param {Glyph} glyph
 * @returns {string}
 */
export const nextText = (clicks, glyph) =>
  say(clicks.wantsPiece() ? "hint.next" : (glyph.goesOn ?? "hint.where"));

/** After a refusal nothing is asked for so long. */
const REST_MS = 5000;

/** A pointer that only passes over a cell asks nothing. */
const WAIT_MS = 60;

export class Foresight {
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
   * `show(preview)` is told what is certain after the clicks wanted last; null if that is not known.
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
   * From now on it is about that position, or about none, after what is chosen there. What is pointed at counts
   * as long as it is offered.
   * @param {object | null} question
   * @param {string[]} chosen
   * @param {Set<string>} offered
   */
  stand(question, chosen, offered) {
    this.chosen = chosen;
    if (JSON.stringify(question) !== JSON.stringify(this.question)) {
      this.question = question;
      this.known.clear();
    }
    this.point(this.pointed && offered.has(this.pointed) ? this.pointed : null);
  }

  /** A cell is pointed at, or none: what would it do, after what is chosen? */
  point(cell) {
    this.pointed = cell;
    this.want([...this.chosen, ...(cell && !this.chosen.includes(cell) ? [cell] : [])]);
  }

  want(clicks) {
    clearTimeout(this.timer);
    const key = clicks.join();
    this.wanted = key;
    const known = this.question ? this.known.get(key) : null;
    this.tell(known ?? null);
    if (this.question && known === undefined && Date.now() > this.rest)
      this.timer = setTimeout(() => this.ask(clicks, key), WAIT_MS);
  }

  async ask(clicks, key) {
    const { question } = this;
    // Without an answer the game goes on as well: nothing is foreseen.
    const answer = await postOnce("/api/position", { ...question, clicks }).catch(
      ({ wait = 0 }) => {
        this.rest = Date.now() + Math.max(REST_MS, 1000 * wait);
      },
    );
    if (!answer || question !== this.question) return;
    this.known.set(key, answer.preview ?? null);
    if (this.wanted === key) this.tell(answer.preview ?? null);
  }

  tell(preview) {
    this.seen = preview;
    this.show(preview);
  }
}
