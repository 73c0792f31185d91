// The player's own turn: clicks that become a move, and the move on its way.
import { effectText, nextText } from "../board/move-preview.js";
import { startText } from "../common/status-line.js";
import { Clicks, partsOf, tokensOf } from "../model/notation.js";
import { isTaken } from "../lib/keyboard.js";
import { asksConfirm, confirms, setConfirms } from "../lib/settings.js";
import { say } from "../lib/i18n.js";

export class Turn {
  /** @type {import("./page.js").Play} */ play;
  /** @type {Clicks} */ clicks;
  /** @type {{ u: string, ply: number, chosen: string[], cid: string } | null} */ sent;
  /** @type {{ u: string, ply: number, cid: string }} */ last;

  /**
   * `play` is the page of the game.
   * @param {import("./page.js").Play} play
   */
  constructor(play) {
    Object.assign(this, { play, clicks: new Clicks([]), sent: null });
    document.addEventListener("keydown", (event) => this.enter(event), true);
  }

  /** Takes the legal moves, and what stays chosen of them. */
  set(legal, chosen = []) {
    this.clicks = new Clicks(legal ?? [], (cell) => this.play.holdsOwn(cell));
    if (chosen.length && this.clicks.begins(chosen)) this.clicks.chosen = chosen;
  }

  isMine() {
    const { game, you, course } = this.play;
    return course.isNow() && !game.end && you === game.turn && !this.sent;
  }

  /** Whether something is chosen and may be answered. */
  isOpen() {
    return this.isMine() && this.clicks.chosen.length > 0;
  }

  click(cell) {
    const { play, clicks } = this;
    const came = clicks.click(cell);
    if (came === "move" && !confirms()) return this.send(clicks.complete());
    if (came === "illegal")
      return play.prompt.refuse(cell, say(clicks.chosen.length ? "hint.illegal" : "hint.nomove"));
    play.prompt.passing = false;
    return play.show();
  }

  /** Whether that refusal is of a move that stands all the same: another tab of this player was quicker. */
  stands({ cid, reason }) {
    const { last } = this;
    return reason === "stale" && last?.cid === cid && this.play.course.moves[last.ply] === last.u;
  }

  /** Enter says yes to a whole move that waits for it, unless another cell or a button is meant. */
  enter(event) {
    if (
      event.key !== "Enter" ||
      event.repeat ||
      !confirms() ||
      !this.isOpen() ||
      isTaken(event) ||
      event.target.closest("button, a")
    )
      return;
    const { board, prompt } = this.play;
    const elsewhere =
      document.activeElement === board.svg && board.focused !== this.clicks.chosen.at(-1);
    const complete = this.clicks.complete();
    if (!complete || elsewhere || prompt.question) return;
    event.preventDefault();
    event.stopPropagation();
    this.send(complete);
  }

  /** Takes one click back; says whether there was one. */
  undo() {
    if (!this.isOpen()) return false;
    this.clicks.undo();
    this.play.show();
    return true;
  }

  /** Sends what was chosen ahead, unless it is to be confirmed. */
  ahead(u, chosen) {
    this.clicks.chosen = chosen;
    if (confirms()) this.play.show();
    else this.send(u);
  }

  send(u) {
    const { play } = this;
    // Whoever presses twice means one move.
    if (this.sent) return;
    const ply = play.course.end;
    if (asksConfirm()) setConfirms(false);
    this.sent = {
      u,
      ply,
      chosen: [...this.clicks.chosen],
      cid: play.socket.command("move", { u, ply }),
    };
    this.last = this.sent;
    play.show();
  }

  /** What the board shows of the clicks. */
  shown(cells) {
    const tokens = tokensOf(cells);
    return this.clicks.shown((cell) => this.play.holdsOwn(cell, tokens));
  }

  /** What the hint says: a bold sentence, a plain one, buttons. */
  words() {
    const { play, clicks } = this;
    if (!clicks.chosen.length) return this.first();
    const effect = this.effect();
    const complete = clicks.complete();
    const clear = [
      say("hint.clear"),
      () => {
        clicks.chosen = [];
        play.show();
      },
    ];
    const send = () => this.send(complete);
    if (complete && confirms())
      return [
        say("hint.play", { u: complete }),
        effect,
        [[say("hint.confirm"), send, "main"], clear],
      ];
    if (complete)
      return [
        say(play.glyph.leave ?? "hint.leavewhy"),
        effect,
        [[say("hint.leave", { u: complete }), send, "main"], clear],
      ];
    return [nextText(clicks, play.glyph), effect || clicks.chosen.join(" → "), [clear]];
  }

  first() {
    const { play, clicks } = this;
    const { advice, game, glyph, course, board } = play;
    const start = game.startBy ? startText(game.startBy - play.socket.now()) : "";
    const advised = advice.words();
    if (!advised && asksConfirm() && !clicks.buttons().length) {
      const answer = (on) => () => {
        setConfirms(on);
        play.info.draw();
        play.prompt.say();
      };
      return [
        say("hint.askconfirm"),
        start,
        [[say("hint.no"), answer(false)], [say("hint.agree"), answer(true)], ...advice.buttons()],
      ];
    }
    const buttons = clicks.buttons().map((u) => [say(`button.${u}`), () => this.send(u), "main"]);
    if (advised) return [advised[0], [advised[1], start].filter(Boolean).join(" "), buttons];
    const asked = glyph.asks?.({ ...partsOf(course.text()), side: game.turn });
    const what =
      asked ??
      say(
        clicks.first().size === 0
          ? `hint.only.${clicks.buttons()[0]}`
          : board.shown.offered?.size
            ? "hint.where"
            : "hint.choose",
      );
    return [
      say("hint.yours"),
      [this.effect() || what, start].filter(Boolean).join(" "),
      [...advice.buttons(), ...buttons],
    ];
  }

  /** What is foreseen, in words. */
  effect() {
    return effectText(this.play.foresight.seen, this.play.glyph);
  }
}
