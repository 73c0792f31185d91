// Draw and takeback offers, resign and abort: their buttons and their content of the status line.
// `game.draw` and `game.takeback` hold the side of an open offer. Created by `page.js`.
import { h, line } from "../lib/dom.js";
import { Hint, once, settle } from "../common/status-line.js";
import { say } from "../lib/i18n.js";

/** @type {(key: string, d: string, deed: () => unknown) => HTMLButtonElement} */
const act = (key, d, deed) =>
  h("button", { type: "button", onclick: once(deed) }, line(d), h("span", {}, say(key)));

/** @typedef {"draw" | "takeback"} OfferKind */

/** Offers between the players, and the buttons to make them. */
export class Offers {
  /** @type {import("./page.js").Play} */ play;
  /** @type {() => unknown} */ waits;
  /** @type {boolean} */ withdrawn;
  /** @type {boolean | undefined} */ aborts;

  /**
   * `waits()` returns whether the player has already won while the game continues for points
   * (Hogga).
   * @param {import("./page.js").Play} play
   * @param {() => unknown} waits
   */
  constructor(play, waits) {
    Object.assign(this, { play, waits, drawn: {} });
    this.takeback = act("game.takeback", "M9 14l-4-4 4-4M5 10h9a5 5 0 0 1 0 10h-3", () =>
      this.askTakeback(),
    );
    this.draw = act("game.draw", "M4 9h16M4 15h16", () => this.askDraw());
    this.resign = act("game.resign", "M6 21V4h11l-2 4 2 4H6", () => this.askResign());
    this.abort = act("game.abort", "M6 6l12 12M18 6L6 18", () => this.askAbort());
    this.keys = [this.takeback, this.draw, this.resign, this.abort];
  }

  /**
   * Sets the side of an open offer.
   * @param {OfferKind} kind
   * @param {Side | null} by null: no open offer
   */
  set(kind, by) {
    const { play } = this;
    const came = by && by !== play.game[kind];
    play.game[kind] = by;
    // The status line may show the offer later; screen readers announce it immediately.
    if (came && play.you && by !== play.you) Hint.announce(this.text(kind));
  }

  /** @param {OfferKind} kind */
  text(kind) {
    const { play } = this;
    return say(kind === "draw" ? "hint.offered" : "hint.asksback", { name: play.name(play.them) });
  }

  /**
   * Open offer of the opponent, if any.
   * @returns {OfferKind | null}
   */
  get incoming() {
    const { game, you, them } = this.play;
    return you && !game.end
      ? (/** @type {OfferKind[]} */ (["takeback", "draw"]).find((kind) => game[kind] === them) ??
          null)
      : null;
  }

  /** Returns a sentence about the offer of the opponent, "" without one. */
  short() {
    return this.incoming ? this.text(this.incoming) : "";
  }

  /**
   * Makes, accepts, declines or withdraws an offer.
   * @param {OfferKind} kind
   * @param {"offer" | "accept" | "no"} answer "no" declines or withdraws
   */
  answer(kind, answer) {
    this.withdrawn = answer === "no" && this.play.game[kind] === this.play.you;
    // An offer or acceptance is valid for its position only; a refusal is always valid.
    this.play.socket.command(
      kind,
      answer === "no" ? { answer } : { answer, ply: this.play.course.end },
    );
  }

  /**
   * Returns the content of the status line for the offer of the opponent. Requires an open offer.
   * @returns {HintWords}
   */
  asked() {
    const kind = /** @type {OfferKind} */ (this.incoming);
    return [
      this.text(kind),
      "",
      [
        [say("hint.no"), () => this.answer(kind, "no")],
        [
          say(kind === "draw" ? "hint.yes" : "hint.agree"),
          () => this.answer(kind, "accept"),
          "main",
        ],
      ],
    ];
  }

  /**
   * Returns the content of the status line for the offer of the player, null without one.
   * @returns {HintWords | null}
   */
  made() {
    const { game, you, them } = this.play;
    const kind = /** @type {OfferKind[]} */ (["takeback", "draw"]).find(
      (each) => game[each] === you,
    );
    if (!kind) return null;
    const name = this.play.name(them);
    return [
      say(kind === "draw" ? "hint.offering" : "hint.askingback"),
      say("hint.waitdraw", { name }),
      [[say("hint.takeback"), () => this.answer(kind, "no")]],
    ];
  }

  /** Asks for confirmation of a resignation. */
  askResign() {
    const { play } = this;
    if (play.game.end) return;
    const [question, does] = this.waits()
      ? ["hint.stop", "hint.dostop"]
      : ["hint.resign", "hint.doresign"];
    play.prompt.ask(question, does, () => play.socket.command("resign"));
  }

  /** Asks for confirmation of an abort. */
  askAbort() {
    const { play } = this;
    if (play.game.abortable && !play.game.end)
      play.prompt.ask("hint.abort", "hint.doabort", () => play.socket.command("abort"));
  }

  /** Asks for confirmation of a draw offer. */
  askDraw() {
    const { play } = this;
    const { game, you } = play;
    if (game.end || game.draw === you) return undefined;
    if (game.abortable) return play.prompt.tell(say("game.notyet"));
    return play.prompt.ask("hint.offerdraw", "hint.dooffer", () => this.answer("draw", "offer"));
  }

  /** Sends a takeback offer without confirmation, as it costs the player nothing. */
  askTakeback() {
    const { play } = this;
    const { game } = play;
    if (game.end || game.takeback) return undefined;
    if (!this.hasMoved()) return play.prompt.tell(say("error.nothingToTakeBack"));
    return this.answer("takeback", "offer");
  }

  /** Whether the player has made a move. */
  hasMoved() {
    const { course, you } = this.play;
    return course.end >= (you === "first" ? 1 : 2);
  }

  /** Updates the buttons. */
  keep() {
    const { game } = this.play;
    const over = Boolean(game.end);
    this.resign.children[1].textContent = say(this.waits() ? "game.stop" : "game.resign");
    const aborts = Boolean(game.abortable) && !over;
    // Resign replaces abort after both players moved; a click meant for one must not hit the other.
    if (this.aborts !== undefined && this.aborts !== aborts) settle([this.resign]);
    this.aborts = aborts;
    this.abort.hidden = !aborts;
    this.resign.hidden = aborts;
    const off = /** @type {[HTMLElement, unknown][]} */ ([
      [this.takeback, over || !this.hasMoved()],
      [this.draw, over || game.abortable],
      [this.resign, over],
    ]);
    for (const [key, is] of off) {
      key.dataset.off = String(Boolean(is));
      if (is || !key.classList.contains("settling"))
        key.setAttribute("aria-disabled", String(Boolean(is)));
    }
  }
}
