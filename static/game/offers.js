// What players ask of each other, and of themselves before it is too late: draw, takeback, resigning,
// calling off.
import { h, line } from "../lib/dom.js";
import { Hint, once, settle } from "../common/status-line.js";
import { say } from "../lib/i18n.js";

const act = (key, d, deed) =>
  h("button", { type: "button", onclick: once(deed) }, line(d), h("span", {}, say(key)));

export class Offers {
  /** @type {import("./page.js").Play} */ play;
  /** @type {() => unknown} */ waits;
  /** @type {boolean} */ withdrawn;
  /** @type {boolean | undefined} */ aborts;

  /**
   * `play` is the page of the game; `waits()` says whether the player has won already and only waits.
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

  /** Takes who offers what; by no one if nobody does. */
  set(kind, by) {
    const { play } = this;
    const came = by && by !== play.game[kind];
    play.game[kind] = by;
    // A hint that is not free now says it later; whoever does not see it hears it at once.
    if (came && play.you && by !== play.you) Hint.announce(this.text(kind));
  }

  text(kind) {
    const { play } = this;
    return say(kind === "draw" ? "hint.offered" : "hint.asksback", { name: play.name(play.them) });
  }

  /** The opponent's offer that waits for an answer, if any. */
  get incoming() {
    const { game, you, them } = this.play;
    return you && !game.end
      ? (["takeback", "draw"].find((kind) => game[kind] === them) ?? null)
      : null;
  }

  /** One sentence for a hint that has something else to ask. */
  short() {
    return this.incoming ? this.text(this.incoming) : "";
  }

  /** Sends offer, accept or no. */
  answer(kind, answer) {
    this.withdrawn = answer === "no" && this.play.game[kind] === this.play.you;
    // What was meant for this position is not for a later one; a no is one always.
    this.play.socket.command(
      kind,
      answer === "no" ? { answer } : { answer, ply: this.play.course.end },
    );
  }

  /** What the hint says of the opponent's offer. */
  asked() {
    const kind = this.incoming;
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

  /** What it says of one's own; null if there is none. */
  made() {
    const { game, you, them } = this.play;
    const kind = ["takeback", "draw"].find((each) => game[each] === you);
    if (!kind) return null;
    const name = this.play.name(them);
    return [
      say(kind === "draw" ? "hint.offering" : "hint.askingback"),
      say("hint.waitdraw", { name }),
      [[say("hint.takeback"), () => this.answer(kind, "no")]],
    ];
  }

  askResign() {
    const { play } = this;
    if (play.game.end) return;
    const [question, does] = this.waits()
      ? ["hint.stop", "hint.dostop"]
      : ["hint.resign", "hint.doresign"];
    play.prompt.ask(question, does, () => play.socket.command("resign"));
  }

  askAbort() {
    const { play } = this;
    if (play.game.abortable && !play.game.end)
      play.prompt.ask("hint.abort", "hint.doabort", () => play.socket.command("abort"));
  }

  askDraw() {
    const { play } = this;
    const { game, you } = play;
    if (game.end || game.draw === you) return undefined;
    if (game.abortable) return play.prompt.tell(say("game.notyet"));
    return play.prompt.ask("hint.offerdraw", "hint.dooffer", () => this.answer("draw", "offer"));
  }

  /** Asked at once: it takes nothing from the asker that could not be kept. */
  askTakeback() {
    const { play } = this;
    const { game } = play;
    if (game.end || game.takeback) return undefined;
    if (!this.hasMoved()) return play.prompt.tell(say("error.nothingToTakeBack"));
    return this.answer("takeback", "offer");
  }

  /** Whether there is a move of one's own that could be taken back. */
  hasMoved() {
    const { course, you } = this.play;
    return course.end >= (you === "first" ? 1 : 2);
  }

  /** Keeps the buttons in step with the game. */
  keep() {
    const { game } = this.play;
    const over = Boolean(game.end);
    this.resign.children[1].textContent = say(this.waits() ? "game.stop" : "game.resign");
    const aborts = Boolean(game.abortable) && !over;
    // One takes the place of the other when both have moved.
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
