// Premove: a move entered during the turn of the opponent. It exists in the client only and is sent
// when the opponent has moved, if it is legal then. The candidates are the legal moves of the same
// position with the player to move, from `/api/position`. A complete premove is dropped by the next
// click. Created by `page.js`; `message-handler.js` calls `come()` at the start of the turn.
import { post } from "../lib/http.js";
import { Hint } from "../common/status-line.js";
import { Clicks, cellsOf, partsOf, sameMove, tokensOf, turnedOf } from "../model/notation.js";
import { wish } from "../lib/settings.js";
import { say } from "../lib/i18n.js";

/** Setting: premoves enabled. */
export const aheadWish = wish("premove", true);

/** Premove of the player. */
export class Premove {
  /** @type {import("./page.js").Play} */ play;
  /** @type {(cell: string, tokens?: Tokens) => boolean} */ own;
  /** @type {string | null} */ asked;
  /** @type {Promise<void>} */ asking;
  /** @type {string[]} */ legal;
  /** @type {Clicks | null} */ clicks;
  /** @type {string | null} */ u;
  /** @type {number | null} */ ply;
  /** @type {string | null} */ aside;
  /** @type {number} */ fading;

  /**
   * `own(cell)` returns whether a cell holds a piece of the player.
   * @param {import("./page.js").Play} play
   * @param {(cell: string, tokens?: Tokens) => boolean} own
   */
  constructor(play, own) {
    Object.assign(this, { play, own, asked: null });
    this.drop();
  }

  /** Drops the premove without a redraw. */
  drop() {
    Object.assign(this, {
      clicks: this.clicks && new Clicks(this.legal, this.own),
      u: null,
      ply: null,
    });
  }

  get chosen() {
    return this.clicks?.chosen ?? [];
  }

  /** Whether a premove can be entered now. Correspondence games have no premoves. */
  may() {
    const { game, you, course, turn } = this.play;
    return (
      Boolean(you) &&
      aheadWish.is() &&
      !game.end &&
      !game.daysPerTurn &&
      game.turn !== you &&
      course.isNow() &&
      !turn.sent
    );
  }

  /**
   * Handles a click during the turn of the opponent.
   * @param {string} cell
   */
  async click(cell) {
    // With a complete premove, the first click drops it and the next one starts another.
    if (this.u) return this.clear();
    const ply = this.play.course.end;
    await this.know();
    // The opponent moved during the request: the click becomes the first one of the turn.
    if (this.play.turn.isMine() && this.play.course.end === ply + 1) return this.play.click(cell);
    if (!this.may() || !this.clicks) return undefined;
    const came = this.clicks.click(cell);
    this.ply = this.play.course.end;
    if (came === "illegal")
      return this.play.prompt.refuse(
        cell,
        say("hint.opponent", { name: this.play.name(this.play.game.turn) }),
      );
    if (came === "move") this.u = this.clicks.complete();
    return this.play.show();
  }

  /** Cancels the premove. Returns false if there was none. */
  clear() {
    if (!this.chosen.length) return false;
    this.drop();
    this.play.show();
    return true;
  }

  /** Loads the candidate moves. Calls for the same position share one request. */
  know() {
    const { course } = this.play;
    const now = course.text(course.end);
    if (this.asked !== now) this.asking = this.ask(now);
    return this.asking;
  }

  /**
   * Requests the candidate moves of a position.
   * @param {string} now
   */
  async ask(now) {
    this.asked = now;
    this.clicks = null;
    const legal = await this.ahead(now).catch(() => null);
    if (this.asked !== now) return;
    // After a failure, the next click repeats the request.
    if (!legal) this.asked = null;
    else Object.assign(this, { legal, clicks: new Clicks(legal, this.own) });
  }

  /**
   * Returns the candidate moves of the player in a position with the opponent to move.
   * @param {string} text
   * @returns {Promise<string[]>}
   */
  async ahead(text) {
    const { course, you, them, glyph } =
      /** @type {import("./page.js").Play & { you: Side, them: Side }} */ (this.play);
    /** @type {(start: string) => Promise<string[]>} */
    const ask = async (start) =>
      (await post("/api/position", { ...course.setup(), start })).legal ?? [];
    /** @type {(side: Side) => boolean} */
    const places = (side) => Boolean(glyph.asks?.({ ...partsOf(text), side }));
    if (!places(you) && !places(them)) return ask(turnedOf(text));
    // In the placement phase, the position cannot be turned to the other side. Candidates are the
    // cells that are legal for the opponent and empty.
    const tokens = tokensOf(partsOf(text).cells);
    return places(you)
      ? (await ask(text)).filter(
          (u) => cellsOf(u).length === 1 && tokens.get(cellsOf(u)[0]) === ".",
        )
      : [];
  }

  /**
   * Ends the premove at the start of the turn. Returns the move to send, if complete and legal, and
   * the clicks to restore.
   * @param {string[]} legal
   * @returns {{ u: string | null, chosen: string[] }}
   */
  come(legal) {
    const { u, chosen, ply } = this;
    const stood = chosen.length > 0 && ply === this.play.course.end - 1;
    this.asked = null;
    this.clicks = null;
    this.drop();
    if (!stood) return { u: null, chosen: [] };
    const found = u && sameMove(u, legal);
    if (u && !found) this.play.prompt.tell(say("hint.aheadgone", { u }));
    return { u: found || null, chosen: u && !found ? [] : chosen };
  }

  /**
   * Returns the marks of the premove for the board.
   * @param {string} cells
   * @returns {import("./page.js").InputMarks}
   */
  shown(cells) {
    if (!this.clicks || this.u || !this.chosen.length)
      return {
        chosen: this.chosen,
        offered: new Set(),
        movable: new Set(),
        also: new Set(),
        ahead: true,
      };
    const tokens = tokensOf(cells);
    const movable = new Set([...this.clicks.first()].filter((cell) => this.own(cell, tokens)));
    return {
      chosen: this.chosen,
      offered: this.clicks.next(),
      movable,
      also: this.clicks.also(),
      ahead: true,
    };
  }

  /**
   * Shows a transient text as the second sentence of the premove status. Returns false if the
   * status line shows something else.
   * @param {string} text
   * @param {number} ms
   */
  beside(text, ms) {
    const { offers, presence, course } = this.play;
    // The status of a past position has no second sentence.
    if (!course.isNow()) return false;
    if (!this.chosen.length && (!this.may() || presence.words() || offers.made())) return false;
    Hint.announce(text);
    this.aside = text;
    clearTimeout(this.fading);
    this.fading = setTimeout(() => {
      this.aside = null;
      this.play.prompt.say();
    }, ms);
    this.play.prompt.say();
    return true;
  }

  /**
   * Returns the content of the status line for the turn of the opponent, with a transient text if
   * any.
   * @returns {HintWords}
   */
  words() {
    const [bold, plain, ...rest] = this.stands();
    return [bold, this.aside ?? plain, ...rest];
  }

  /**
   * Returns the content of the status line without a transient text.
   * @returns {HintWords}
   */
  stands() {
    const { play } = this;
    const computer = play.isComputer(play.game.turn);
    const whose = say(computer ? "hint.thinking" : "hint.theirs", {
      name: play.name(play.game.turn),
    });
    /** @type {HintButton} */
    const clear = [say("hint.drop"), () => this.clear()];
    if (this.u) return [say("hint.ahead", { u: this.u }), say("hint.aheadsent"), [clear]];
    // Quiet: the computer answers fast, and announcing each of its turns would be noise.
    if (!this.chosen.length) return [whose, this.may() ? say("hint.mayahead") : "", [], computer];
    const complete = this.clicks?.complete();
    /** @type {HintButton | "" | null | undefined} */
    const stand = complete && [
      say("hint.leave", { u: complete }),
      () => {
        this.u = complete;
        play.show();
      },
    ];
    return [
      whose,
      say("hint.choosing", { cells: this.chosen.join(" → ") }),
      /** @type {HintButton[]} */ ([stand, clear].filter(Boolean)),
    ];
  }
}
