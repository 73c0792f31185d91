// Handlers of the messages on the socket of a game. Each handler updates `play.game` first, then
// the components, then the status line. Messages that do not concern the game go to the rematch and
// the notifications. Created by `page.js`, which passes every message from the socket.
import { aboutToGo, witnessEnd, witnessMove, witnessTakeback } from "./move-history.js";
import { Hint, settle } from "../common/status-line.js";
import { resultCard, resultText } from "../common/result.js";
import { moveText } from "../board/move-description.js";
import { reasonText, say } from "../lib/i18n.js";

/** Duration of a transient text about an outage, which concerns both clocks. */
const LONG_MS = 5000;

/** @type {(side: Side) => Side} */
const other = (side) => (side === "first" ? "second" : "first");

/** Message handlers of a game page, keyed by message type. */
export class Told {
  /** @type {import("./page.js").Play} */ play;
  /** @type {Record<string, (d: any) => unknown>} */ takes;
  /** @type {(message: Frame) => unknown} */ others;

  /** @param {import("./page.js").Play} play */
  constructor(play) {
    const { chat, rematch } = play;
    this.play = play;
    this.takes = {
      full: this.whole,
      move: this.moved,
      draw: this.drawn,
      takeback: this.tookBack,
      clock: this.clocked,
      gone: this.went,
      chat: (said) => chat.add(said),
      end: this.ended,
      ack: () => true,
      refused: this.refused,
      crowd: this.crowded,
      next: ({ id }) => play.again?.take(id),
    };
    this.others = (message) => rematch?.hear(message) || play.notices?.hear(message);
  }

  /**
   * Dispatches a message. Buttons that appear meanwhile are disabled for a moment, as the player
   * did not cause them.
   * @param {Frame} message
   */
  hear({ t, d }) {
    return this.play.hint.meanwhile(() =>
      this.takes[t] ? this.takes[t].call(this, d) : this.others(/** @type {Frame} */ ({ t, d })),
    );
  }

  /**
   * Replaces the state of the game. After a reconnect, the displayed ply and the clicks remain if
   * the moves are unchanged.
   * @param {Game} game
   */
  whole(game) {
    const { play } = this;
    const { turn, course, premove, chat, presence, socket } = play;
    const { chosen } = turn.clicks;
    const plies = game.state.moves ? game.state.moves.split(" ").length : 0;
    play.game = game;
    socket.v = game.v;
    if (turn.sent && turn.sent.ply < plies) turn.sent = null;
    const same = course.set(game);
    turn.set(game.legal, same ? chosen : []);
    if (!same && game.legal) this.comes(game.legal);
    else if (!same) premove.drop();
    chat.set(game.chat);
    this.timed(game.clocks);
    this.crowded({ n: game.crowd, names: game.crowdNames });
    presence.set(game.gone);
    play.show();
    if (game.end && !play.finished) this.finish(game.end);
    if (game.end) play.rematch?.look().catch(() => {});
    play.again?.take(game.next);
  }

  /** @param {Frames["move"] & { trace: Trace }} message after a move, there always is a trace */
  moved({ u, by, trace, cells, extras, turn: side, clock, legal, abortable, startBy, dueBy, lag }) {
    const { play } = this;
    const { game, turn, course, you } = play;
    game.position = [cells, side === "first" ? 1 : 2, extras]
      .filter((part) => part !== "")
      .join(" ");
    Object.assign(game, { turn: side, abortable, startBy, dueBy, takeback: null });
    if (game.draw && game.draw !== by) game.draw = null;
    turn.sent = null;
    play.prompt.pass();
    turn.set(legal);
    this.timed(clock, by === you ? lag : undefined);
    const following = course.add(u, game.position, trace);
    if (by !== you)
      Hint.announce(say("hint.moved", { name: play.name(by), u: moveText(u, trace, play.glyph) }));
    if (side === you && legal) this.comes(legal);
    witnessMove(play, { trace, by, isSeen: following });
    play.prompt.say();
  }

  /**
   * Starts the turn of the player: sends a complete premove, and keeps the clicks of an incomplete
   * one.
   * @param {string[]} legal
   */
  comes(legal) {
    const { turn, premove, show } = this.play;
    const { u, chosen } = premove.come(legal);
    turn.set(legal, chosen);
    if (u && turn.isMine()) turn.ahead(u, chosen);
    else if (chosen.length) show.call(this.play);
  }

  /**
   * Handles a takeback: its offer and answer have no `ply`, its execution has one.
   * @param {Frames["takeback"]} message
   */
  tookBack({ by, ply, position, last, turn: side, clock, legal, abortable, startBy, dueBy }) {
    const { play } = this;
    const { game, turn, course, premove } = play;
    if (ply === undefined || ply === null) return this.offered("takeback", by, "hint.noback");
    Object.assign(game, {
      takeback: null,
      draw: null,
      position,
      last,
      turn: side,
      abortable,
      startBy,
      dueBy,
    });
    turn.sent = null;
    play.prompt.passing = false;
    premove.drop();
    turn.set(legal);
    const gone = aboutToGo(play, ply);
    course.cut(ply, /** @type {string} */ (position), last);
    this.timed(clock);
    Hint.announce(say("hint.backto", { n: ply }));
    play.show();
    return witnessTakeback(play, gone);
  }

  /** @param {Frames["draw"]} message */
  drawn({ by }) {
    this.offered("draw", by, "hint.nodraw");
  }

  /**
   * Handles an offer, its withdrawal or its refusal.
   * @param {"draw" | "takeback"} kind
   * @param {Side | null} by
   * @param {string} declined key of the phrase for a refusal
   */
  offered(kind, by, declined) {
    const { play } = this;
    const { offers, game, you, them } = play;
    const asked = game[kind];
    offers.set(kind, by);
    play.prompt.pass();
    if (!by && you && asked === you && !offers.withdrawn)
      play.prompt.mention(say(declined, { name: play.name(them) }));
    play.prompt.say();
  }

  /**
   * Handles new clock times: `given` is a gift of time, `lost` the outage in milliseconds that was
   * not deducted.
   * @param {Frames["clock"]} message
   */
  clocked({ clocks, given, lost }) {
    const { play } = this;
    this.timed(clocks);
    const n = Math.round((given?.ms ?? lost ?? 0) / 1000);
    if (given) {
      const mine = given.to === play.you;
      play.prompt.mention(
        mine
          ? say("hint.given", { name: play.name(other(given.to)), n })
          : say("hint.gets", { name: play.name(given.to), n }),
      );
    } else if (n > 0) play.prompt.mention(say("hint.lost", { n }), LONG_MS);
  }

  /**
   * Sets both clocks and the lag compensation.
   * @param {ClockTimes | null | undefined} clocks
   * @param {number} [made] lag compensated for the last move of the player, in milliseconds
   */
  timed(clocks, made) {
    const { play } = this;
    play.clocks.set(clocks, play.game);
    if (play.you) play.info.lagged(clocks?.quota?.[play.you], made, play.clocks.elements[play.you]);
  }

  /** @param {Gone} gone */
  went(gone) {
    this.play.presence.take(gone);
    this.play.prompt.say();
  }

  /** @param {End} end */
  ended(end) {
    const { play } = this;
    const { game, info, turn, premove, clocks, presence } = play;
    Object.assign(game, {
      end,
      draw: null,
      takeback: null,
      startBy: null,
      shuffle: end.shuffle ?? game.shuffle,
    });
    if (info.shuffleNote) info.sealed();
    turn.sent = null;
    turn.set([]);
    premove.drop();
    play.prompt.passing = false;
    play.prompt.question = false;
    clocks.set(end.clock, game);
    presence.draw();
    this.finish(end);
    play.show();
    witnessEnd(play, end);
  }

  /**
   * Shows the result once per page.
   * @param {End} end
   */
  finish(end) {
    const { play } = this;
    play.finished = true;
    Hint.announce(resultText(play.game, end, play.you).join(". "));
    // For a follower of TV, the status line announces the next game instead.
    if (play.tv) return void play.tv.look();
    const again = (play.rematch ?? play.again)?.element;
    const card = resultCard(play.game, end, play.you, again, () => play.layout.uncover());
    settle(card.querySelectorAll("button, a"));
    play.layout.cover(card);
    return undefined;
  }

  /** @param {Frames["crowd"]} message */
  crowded({ n, names }) {
    Object.assign(this.play.game, { crowd: n, crowdNames: names });
    this.play.info.crowded(n, names);
  }

  /**
   * Handles the refusal of a command.
   * @param {Refusal} answer
   */
  refused(answer) {
    const { play } = this;
    const { turn, rematch } = play;
    if (rematch?.refused(answer) || turn.stands(answer)) return;
    if (turn.sent?.cid === answer.cid) {
      turn.sent = null;
      turn.clicks.chosen = [];
      play.show();
    }
    // On this socket, `blocked` refuses a chat line or a rematch; the rematch was handled above.
    play.prompt.tell(answer.reason === "blocked" ? say("chat.blocked") : reasonText(answer));
  }
}
