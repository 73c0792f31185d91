// Move input of the player: clicks on cells that complete a move, its confirmation, and the sent
// move until the server answers. `sent` is set from the command to its answer or refusal; meanwhile
// there is no further input. Created by `page.js`.
import { effectText, nextText } from "../board/move-preview.js";
import { startText } from "../common/status-line.js";
import { Clicks, partsOf, tokensOf } from "../model/notation.js";
import { isTaken } from "../lib/keyboard.js";
import { asksConfirm, confirms, setConfirms } from "../lib/settings.js";
import { say } from "../lib/i18n.js";

/** Move input for the turn of the player. */
export class Turn {
  /** @type {import("./page.js").Play} */ play;
  /** @type {Clicks} */ clicks;
  /** @type {{ u: string, ply: number, chosen: string[], cid: string } | null} */ sent;
  /** @type {{ u: string, ply: number, cid: string }} */ last;

  /** @param {import("./page.js").Play} play */
  constructor(play) {
    Object.assign(this, { play, clicks: new Clicks([]), sent: null });
    document.addEventListener("keydown", (event) => this.enter(event), true);
  }

  /**
   * Sets the legal moves and restores clicks that still begin one of them.
   * @param {string[] | undefined} legal
   * @param {string[]} [chosen]
   */
  set(legal, chosen = []) {
    this.clicks = new Clicks(legal ?? [], (cell) => this.play.holdsOwn(cell));
    if (chosen.length && this.clicks.begins(chosen)) this.clicks.chosen = chosen;
  }

  /** Whether the player can enter a move on the displayed board. */
  isMine() {
    const { game, you, course } = this.play;
    return course.isNow() && !game.end && you === game.turn && !this.sent;
  }

  /** Whether a move is partly or completely entered. */
  isOpen() {
    return this.isMine() && this.clicks.chosen.length > 0;
  }

  /** @param {string} cell */
  click(cell) {
    const { play, clicks } = this;
    const came = clicks.click(cell);
    if (came === "move" && !confirms()) return this.send(/** @type {string} */ (clicks.complete()));
    if (came === "illegal")
      return play.prompt.refuse(cell, say(clicks.chosen.length ? "hint.illegal" : "hint.nomove"));
    play.prompt.passing = false;
    return play.show();
  }

  /**
   * Whether a refused move was played anyway, from another tab of the player.
   * @param {Refusal} answer
   */
  stands({ cid, reason }) {
    const { last } = this;
    return reason === "stale" && last?.cid === cid && this.play.course.moves[last.ply] === last.u;
  }

  /**
   * Confirms a complete move with Enter, unless the focus is on another cell or on a button.
   * @param {KeyboardEvent} event
   */
  enter(event) {
    if (
      event.key !== "Enter" ||
      event.repeat ||
      !confirms() ||
      !this.isOpen() ||
      isTaken(event) ||
      /** @type {Element} */ (event.target).closest("button, a")
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

  /** Undoes one click. Returns false if there was none. */
  undo() {
    if (!this.isOpen()) return false;
    this.clicks.undo();
    this.play.show();
    return true;
  }

  /**
   * Plays a move that was not entered by clicks in this turn (premove or typed), with confirmation
   * if enabled.
   * @param {string} u
   * @param {string[]} chosen its cells
   */
  ahead(u, chosen) {
    this.clicks.chosen = chosen;
    if (confirms()) this.play.show();
    else this.send(u);
  }

  /**
   * Sends a move to the server.
   * @param {string} u
   */
  send(u) {
    const { play } = this;
    // A second click or key press during the request must not send a second move.
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

  /**
   * Returns the marks of the clicks for the board.
   * @param {string} cells
   * @returns {import("./page.js").InputMarks}
   */
  shown(cells) {
    const tokens = tokensOf(cells);
    return this.clicks.shown((/** @type {string} */ cell) => this.play.holdsOwn(cell, tokens));
  }

  /**
   * Returns the content of the status line for the turn of the player.
   * @returns {HintWords}
   */
  words() {
    const { play, clicks } = this;
    if (!clicks.chosen.length) return this.first();
    const effect = this.effect();
    const complete = clicks.complete();
    /** @type {HintButton} */
    const clear = [
      say("hint.clear"),
      () => {
        clicks.chosen = [];
        play.show();
      },
    ];
    const send = () => this.send(/** @type {string} */ (complete));
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

  /**
   * Returns the content of the status line before the first click.
   * @returns {HintWords}
   */
  first() {
    const { play, clicks } = this;
    const { advice, game, glyph, course, board } = play;
    const start = game.startBy ? startText(game.startBy - play.socket.now()) : "";
    const advised = advice.words();
    if (!advised && asksConfirm() && !clicks.buttons().length) {
      /** @type {(on: boolean) => () => void} */
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
    /** @type {HintButton[]} */
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

  /** Describes the move preview. */
  effect() {
    return effectText(this.play.foresight.seen, this.play.glyph);
  }
}
