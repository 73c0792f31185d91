// Absence of players: shown in the player bars for all clients, and as a claim of a win or draw in
// the status line of the opponent. The server reports an absence after `ABSENT_MS`, with the time
// until a claim is possible. Created by `page.js`.
import { say } from "../lib/i18n.js";

/** Delay after which the server reports an absence. */
const ABSENT_MS = 5000;

/** @type {(ms: number) => string} */
const durationText = (ms) => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

/** Absent players of a game. */
export class Absence {
  /** @type {import("./page.js").GamePage} */ play;
  /** @type {Map<Side, { since: number, waits: boolean, until: number }>} */ gone;

  /** @param {import("./page.js").GamePage} play */
  constructor(play) {
    Object.assign(this, { play, gone: new Map() });
  }

  /**
   * Replaces the absent players after a reconnect.
   * @param {Gone[]} [list]
   */
  set(list = []) {
    for (const side of [...this.gone.keys()])
      if (!list.some((each) => each.side === side)) this.gone.delete(side);
    list.forEach((each) => this.update(each));
    this.draw();
  }

  /**
   * Updates one player: `claimInMs` is the time until the opponent can claim, null after a return.
   * @param {Gone} gone
   */
  update({ side, claimInMs }) {
    // The computer never leaves a game; its absence is an outage of the server.
    if (this.play.isComputer(side)) return;
    const now = Date.now();
    if (claimInMs === null || claimInMs === undefined) this.gone.delete(side);
    else
      this.gone.set(side, {
        since: now - ABSENT_MS,
        waits: false,
        ...this.gone.get(side),
        until: now + claimInMs,
      });
    this.draw();
  }

  /** Updates both player bars. */
  draw() {
    const { bars, game } = this.play;
    if (game.end) this.gone.clear();
    for (const side of /** @type {Side[]} */ (["first", "second"])) {
      const absence = this.gone.get(side);
      bars.setAbsence(
        side,
        absence ? say("game.gone", { time: durationText(Date.now() - absence.since) }) : "",
        Boolean(absence?.waits),
      );
    }
  }

  /** Absence of the opponent during the game, if any. */
  get opponent() {
    const { game, them, you } = this.play;
    return you && them && !game.end ? this.gone.get(them) : undefined;
  }

  /** Reopens the claim that the player postponed. */
  reopenClaim() {
    if (!this.opponent) return;
    this.opponent.waits = false;
    this.draw();
    this.play.prompt.update();
  }

  /**
   * Claims the game after the opponent left.
   * @param {"win" | "draw"} answer
   */
  claim(answer) {
    this.play.socket.command("claim", { answer });
  }

  /**
   * Returns the content of the status line while the opponent is absent; null otherwise, or after
   * the player postponed the claim.
   * @returns {StatusContent | null}
   */
  words() {
    const away = this.opponent;
    if (!away || away.waits) return null;
    const { play } = this;
    const name = play.name(play.them);
    const remainingMs = away.until - Date.now();
    if (remainingMs > 0) {
      const text = say("hint.claimin", { n: Math.ceil(remainingMs / 1000) });
      return play.moveInput.canMove()
        ? [say("hint.yours"), `${say("hint.left", { name })} ${text}`]
        : [say("hint.left", { name }), text];
    }
    const wait = () => {
      away.waits = true;
      this.draw();
      play.prompt.update();
    };
    return [
      say("hint.left", { name }),
      "",
      [
        [say("hint.claimwin"), () => this.claim("win")],
        [say("hint.claimdraw"), () => this.claim("draw")],
        [say("hint.wait"), wait],
      ],
    ];
  }
}
