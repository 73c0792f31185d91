// Who has left a game, and what may be claimed then.
import { say } from "../lib/i18n.js";

/** The server tells of somebody's absence after so long. */
const ABSENT_MS = 5000;

const minutes = (ms) => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

export class Presence {
  /** @type {import("./page.js").Play} */ play;
  /** @type {Map<Side, { since: number, waits: boolean, until: number }>} */ gone;

  /**
   * `play` is the page of the game.
   * @param {import("./page.js").Play} play
   */
  constructor(play) {
    Object.assign(this, { play, gone: new Map() });
  }

  /** Takes everybody who is away, after a connection came back. */
  set(list = []) {
    for (const side of [...this.gone.keys()])
      if (!list.some((each) => each.side === side)) this.gone.delete(side);
    list.forEach((each) => this.take(each));
    this.draw();
  }

  /** Takes that somebody has gone, and in how many ms the other may claim; null: is back. */
  take({ side, claimInMs }) {
    // The computer never leaves; only its server may be away.
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

  /** Keeps both bars in step. */
  draw() {
    const { bars, game } = this.play;
    if (game.end) this.gone.clear();
    for (const side of /** @type {Side[]} */ (["first", "second"])) {
      const away = this.gone.get(side);
      bars.away(
        side,
        away ? say("game.gone", { time: minutes(Date.now() - away.since) }) : "",
        Boolean(away?.waits),
      );
    }
  }

  get opponent() {
    const { game, them, you } = this.play;
    return you && them && !game.end ? this.gone.get(them) : undefined;
  }

  /** Asks again what was put off. */
  again() {
    if (!this.opponent) return;
    this.opponent.waits = false;
    this.draw();
    this.play.prompt.say();
  }

  claim(answer) {
    this.play.socket.command("claim", { answer });
  }

  /** What the hint says while the opponent is away; null if it need not. */
  words() {
    const away = this.opponent;
    if (!away || away.waits) return null;
    const { play } = this;
    const name = play.name(play.them);
    const left = away.until - Date.now();
    if (left > 0) {
      const text = say("hint.claimin", { n: Math.ceil(left / 1000) });
      return play.turn.isMine()
        ? [say("hint.yours"), `${say("hint.left", { name })} ${text}`]
        : [say("hint.left", { name }), text];
    }
    const wait = () => {
      away.waits = true;
      this.draw();
      play.prompt.say();
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
