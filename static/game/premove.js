// A move chosen before it is one's turn. It is kept here, and sent once it has become possible.
import { post } from "../lib/http.js";
import { Hint } from "../common/status-line.js";
import { Clicks, cellsOf, partsOf, sameMove, tokensOf, turnedOf } from "../model/notation.js";
import { wish } from "../lib/settings.js";
import { say } from "../lib/i18n.js";

/** Whether this player chooses ahead at all. */
export const aheadWish = wish("premove", true);

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
   * `play` is the page of the game; `own(cell)` says whether a cell holds a piece of one's own.
   * @param {import("./page.js").Play} play
   * @param {(cell: string, tokens?: Tokens) => boolean} own
   */
  constructor(play, own) {
    Object.assign(this, { play, own, asked: null });
    this.drop();
  }

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

  /** Whether one may choose ahead now: not over days, where nobody waits for it. */
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

  /** Takes a click while the other is to move. */
  async click(cell) {
    // One tap drops what stands; the next chooses anew.
    if (this.u) return this.clear();
    const ply = this.play.course.end;
    await this.know();
    // The opponent's move came before the answer: the click counts as the first one of this turn.
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

  /** Takes back all that is chosen ahead; says whether there was anything. */
  clear() {
    if (!this.chosen.length) return false;
    this.drop();
    this.play.show();
    return true;
  }

  /** What could be chosen if it were one's turn already: the rules tell, the page knows none. */
  know() {
    const { course } = this.play;
    const now = course.text(course.end);
    if (this.asked !== now) this.asking = this.ask(now);
    return this.asking;
  }

  async ask(now) {
    this.asked = now;
    this.clicks = null;
    const legal = await this.ahead(now).catch(() => null);
    if (this.asked !== now) return;
    // Without an answer the next click asks again.
    if (!legal) this.asked = null;
    else Object.assign(this, { legal, clicks: new Clicks(legal, this.own) });
  }

  async ahead(text) {
    const { course, you, them, glyph } = this.play;
    const ask = async (start) =>
      (await post("/api/position", { ...course.setup(), start })).legal ?? [];
    const places = (side) => Boolean(glyph.asks?.({ ...partsOf(text), side }));
    if (!places(you) && !places(them)) return ask(turnedOf(text));
    // While pieces are still being placed the turn is part of the position: a place that is free for
    // the other now may be free later.
    const tokens = tokensOf(partsOf(text).cells);
    return places(you)
      ? (await ask(text)).filter(
          (u) => cellsOf(u).length === 1 && tokens.get(cellsOf(u)[0]) === ".",
        )
      : [];
  }

  /** The turn has come: answers the move to send and the cells to leave chosen, and forgets both. */
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

  /** What the board shows of it. */
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

  /** Says something else for a moment beside what may be or is chosen ahead; answers false where none of that stands. */
  beside(text, ms) {
    const { offers, presence, course } = this.play;
    // Who looks at a past move is told there.
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

  /** What the hint says of it: a bold sentence, a plain one, buttons. */
  words() {
    const [bold, plain, ...rest] = this.stands();
    return [bold, this.aside ?? plain, ...rest];
  }

  stands() {
    const { play } = this;
    const computer = play.isComputer(play.game.turn);
    const whose = say(computer ? "hint.thinking" : "hint.theirs", {
      name: play.name(play.game.turn),
    });
    const clear = [say("hint.drop"), () => this.clear()];
    if (this.u) return [say("hint.ahead", { u: this.u }), say("hint.aheadsent"), [clear]];
    // It answers so soon that nobody needs to hear of it at every move.
    if (!this.chosen.length) return [whose, this.may() ? say("hint.mayahead") : "", [], computer];
    const complete = this.clicks?.complete();
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
      [stand, clear].filter(Boolean),
    ];
  }
}
