// Handlers of the messages on the socket of a game. Each handler updates `play.game` first, then
// the components, then the status line. Messages that do not concern the game go to the rematch and
// the notifications. Created by `page.js`, which passes every message from the socket.
import { findRemovedMove, animateEnd, animateMove, animateTakeback } from "./move-history.js";
import { StatusLine, holdButtons } from "../common/status-line.js";
import { resultCard, resultText } from "../common/result.js";
import { moveText } from "../board/move-description.js";
import { reasonText, t } from "../lib/i18n.js";

/** Duration of a transient text about an outage, which concerns both clocks. */
const OUTAGE_TEXT_MS = 5000;

/** @type {(side: Side) => Side} */
const other = (side) => (side === "first" ? "second" : "first");

/** Message handlers of a game page, keyed by message type. */
export class MessageHandler {
  /** @type {import("./page.js").GamePage} */ play;
  /** @type {Record<string, (d: any) => unknown>} */ handlers;
  /** @type {(message: Frame) => unknown} */ forward;

  /** @param {import("./page.js").GamePage} play */
  constructor(play) {
    const { chat, rematch } = play;
    this.play = play;
    this.handlers = {
      full: this.onFull,
      move: this.onMove,
      draw: this.onDraw,
      takeback: this.onTakeback,
      clock: this.onClock,
      gone: this.onGone,
      chat: (message) => chat.add(message),
      end: this.onEnd,
      ack: () => true,
      refused: this.refused,
      crowd: this.onCrowd,
      next: ({ id }) => play.nextGame?.setGame(id),
    };
    this.forward = (message) => rematch?.handle(message) || play.notices?.handle(message);
  }

  /**
   * Dispatches a message. Buttons that appear meanwhile are disabled for a moment, as the player
   * did not cause them.
   * @param {Frame} message
   */
  handle({ t: type, d: data }) {
    return this.play.statusLine.runRemote(() =>
      this.handlers[type]
        ? this.handlers[type].call(this, data)
        : this.forward(/** @type {Frame} */ ({ t: type, d: data })),
    );
  }

  /**
   * Replaces the state of the game. After a reconnect, the displayed ply and the clicks remain if
   * the moves are unchanged.
   * @param {Game} game
   */
  onFull(game) {
    const { play } = this;
    const { moveInput, moveHistory, premove, chat, absence, socket } = play;
    const { chosen } = moveInput.clicks;
    const plyCount = game.state.moves ? game.state.moves.split(" ").length : 0;
    play.game = game;
    socket.v = game.v;
    if (moveInput.sent && moveInput.sent.ply < plyCount) moveInput.sent = null;
    const same = moveHistory.set(game);
    moveInput.set(game.legal, same ? chosen : []);
    if (!same && game.legal) this.startTurn(game.legal);
    else if (!same) premove.drop();
    chat.set(game.chat);
    this.setClocks(game.clocks);
    this.onCrowd({ n: game.crowd, names: game.crowdNames });
    absence.set(game.gone);
    play.show();
    if (game.end && !play.finished) this.showResult(game.end);
    if (game.end) play.rematch?.load().catch(() => {});
    play.nextGame?.setGame(game.next);
  }

  /** @param {Frames["move"] & { trace: Trace }} message after a move, there always is a trace */
  onMove({
    u,
    by,
    trace,
    cells,
    extras,
    turn: side,
    clock,
    legal,
    abortable,
    startBy,
    dueBy,
    lag,
  }) {
    const { play } = this;
    const { game, moveInput, moveHistory, you } = play;
    game.position = [cells, side === "first" ? 1 : 2, extras]
      .filter((part) => part !== "")
      .join(" ");
    Object.assign(game, { turn: side, abortable, startBy, dueBy, takeback: null });
    if (game.draw && game.draw !== by) game.draw = null;
    moveInput.sent = null;
    play.prompt.clearTransient();
    moveInput.set(legal);
    this.setClocks(clock, by === you ? lag : undefined);
    const following = moveHistory.add(u, game.position, trace);
    if (by !== you)
      StatusLine.announce(
        t("hint.moved", { name: play.name(by), u: moveText(u, trace, play.pieceSet) }),
      );
    if (side === you && legal) this.startTurn(legal);
    animateMove(play, { trace, by, isSeen: following });
    play.prompt.update();
  }

  /**
   * Starts the turn of the player: sends a complete premove, and keeps the clicks of an incomplete
   * one.
   * @param {string[]} legal
   */
  startTurn(legal) {
    const { moveInput, premove, show } = this.play;
    const { u, chosen } = premove.consume(legal);
    moveInput.set(legal, chosen);
    if (u && moveInput.canMove()) moveInput.playChosen(u, chosen);
    else if (chosen.length) show.call(this.play);
  }

  /**
   * Handles a takeback: its offer and answer have no `ply`, its execution has one.
   * @param {Frames["takeback"]} message
   */
  onTakeback({ by, ply, position, last, turn: side, clock, legal, abortable, startBy, dueBy }) {
    const { play } = this;
    const { game, moveInput, moveHistory, premove } = play;
    if (ply === undefined || ply === null) return this.setOffer("takeback", by, "hint.noback");
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
    moveInput.sent = null;
    play.prompt.transientMs = false;
    premove.drop();
    moveInput.set(legal);
    const removedMove = findRemovedMove(play, ply);
    moveHistory.truncate(ply, /** @type {string} */ (position), last);
    this.setClocks(clock);
    StatusLine.announce(t("hint.backto", { n: ply }));
    play.show();
    return animateTakeback(play, removedMove);
  }

  /** @param {Frames["draw"]} message */
  onDraw({ by }) {
    this.setOffer("draw", by, "hint.nodraw");
  }

  /**
   * Handles an offer, its withdrawal or its refusal.
   * @param {"draw" | "takeback"} kind
   * @param {Side | null} by
   * @param {string} declined key of the phrase for a refusal
   */
  setOffer(kind, by, declined) {
    const { play } = this;
    const { offers, game, you, them } = play;
    const previous = game[kind];
    offers.set(kind, by);
    play.prompt.clearTransient();
    if (!by && you && previous === you && !offers.isWithdrawn)
      play.prompt.mention(t(declined, { name: play.name(them) }));
    play.prompt.update();
  }

  /**
   * Handles new clock times: `given` is a gift of time, `lost` the outage in milliseconds that was
   * not deducted.
   * @param {Frames["clock"]} message
   */
  onClock({ clocks, given, lost }) {
    const { play } = this;
    this.setClocks(clocks);
    const n = Math.round((given?.ms ?? lost ?? 0) / 1000);
    if (given) {
      const isReceiver = given.to === play.you;
      play.prompt.mention(
        isReceiver
          ? t("hint.given", { name: play.name(other(given.to)), n })
          : t("hint.gets", { name: play.name(given.to), n }),
      );
    } else if (n > 0) play.prompt.mention(t("hint.lost", { n }), OUTAGE_TEXT_MS);
  }

  /**
   * Sets both clocks and the lag compensation.
   * @param {ClockTimes | null | undefined} clocks
   * @param {number} [compensationMs] lag compensated for the last move of the player, in milliseconds
   */
  setClocks(clocks, compensationMs) {
    const { play } = this;
    play.clocks.set(clocks, play.game);
    if (play.you)
      play.info.setLag(clocks?.quota?.[play.you], compensationMs, play.clocks.elements[play.you]);
  }

  /** @param {Gone} removedMove */
  onGone(removedMove) {
    this.play.absence.update(removedMove);
    this.play.prompt.update();
  }

  /** @param {End} end */
  onEnd(end) {
    const { play } = this;
    const { game, info, moveInput, premove, clocks, absence } = play;
    Object.assign(game, {
      end,
      draw: null,
      takeback: null,
      startBy: null,
      shuffle: end.shuffle ?? game.shuffle,
    });
    if (info.shuffleNote) info.updateShuffleNote();
    moveInput.sent = null;
    moveInput.set([]);
    premove.drop();
    play.prompt.transientMs = false;
    play.prompt.hasQuestion = false;
    clocks.set(end.clock, game);
    absence.draw();
    this.showResult(end);
    play.show();
    animateEnd(play, end);
  }

  /**
   * Shows the result once per page.
   * @param {End} end
   */
  showResult(end) {
    const { play } = this;
    play.finished = true;
    StatusLine.announce(resultText(play.game, end, play.you).join(". "));
    // For a follower of TV, the status line announces the next game instead.
    if (play.tv) return void play.tv.poll();
    const rematchElement = (play.rematch ?? play.nextGame)?.element;
    const card = resultCard(play.game, end, play.you, rematchElement, () => play.layout.uncover());
    holdButtons(card.querySelectorAll("button, a"));
    play.layout.cover(card);
    return undefined;
  }

  /** @param {Frames["crowd"]} message */
  onCrowd({ n, names }) {
    Object.assign(this.play.game, { crowd: n, crowdNames: names });
    this.play.info.setCrowd(n, names);
  }

  /**
   * Handles the refusal of a command.
   * @param {Refusal} answer
   */
  refused(answer) {
    const { play } = this;
    const { moveInput, rematch } = play;
    if (rematch?.onRefused(answer) || moveInput.wasPlayed(answer)) return;
    if (moveInput.sent?.cid === answer.cid) {
      moveInput.sent = null;
      moveInput.clicks.chosen = [];
      play.show();
    }
    // On this socket, `blocked` refuses a chat line or a rematch; the rematch was handled above.
    play.prompt.showTransient(answer.reason === "blocked" ? t("chat.blocked") : reasonText(answer));
  }
}
