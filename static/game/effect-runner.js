// Executes the effects of messages (`state.js`): announcements, texts, sounds, animations, the start
// of a turn and the result card. Runs after `render.js`, so the components show the new state.
// Created by `session.js`. Messages that do not concern the game go to the rematch and the
// notifications.
import { animateEnd, animateMove, animateTakeback } from "./move-animation.js";
import { StatusLine, holdButtons } from "../common/status-line.js";
import { resultCard, resultText } from "../common/result.js";
import { moveText } from "../board/move-description.js";
import { otherSide } from "../model/notation.js";
import { reasonText, t } from "../lib/i18n.js";

/** Duration of a transient text about an outage, which concerns both clocks. */
const OUTAGE_TEXT_MS = 5000;

/** @typedef {import("./state.js").Effect} Effect */

/**
 * Effect of one type.
 * @template {Effect["type"]} T
 * @typedef {Extract<Effect, { type: T }>} EffectOf
 */

/** Runner of the effects of a game page. */
export class EffectRunner {
  /** @type {import("./page.js").GamePage} */ play;
  /** @type {boolean} */ hasShownResult;
  /** @type {{ [T in Effect["type"]]: (effect: EffectOf<T>) => unknown }} */ handlers;

  /** @param {import("./page.js").GamePage} play */
  constructor(play) {
    this.play = play;
    this.hasShownResult = false;
    this.handlers = {
      lag: (effect) => this.showLag(effect),
      announceMove: (effect) => this.announceMove(effect),
      announceTakeback: ({ ply }) => StatusLine.announce(t("hint.backto", { n: ply })),
      turnStarted: ({ legal }) => this.startTurn(legal),
      animateMove: (move) => animateMove(play, move),
      animateTakeback: () => animateTakeback(play),
      offerReceived: ({ kind }) => StatusLine.announce(play.offers.describe(kind)),
      offerDeclined: ({ kind }) => this.mentionRefusal(kind),
      timeGiven: (gift) => this.mentionGift(gift),
      outage: ({ seconds }) => play.prompt.mention(t("hint.lost", { n: seconds }), OUTAGE_TEXT_MS),
      ended: (effect) => this.end(effect),
      refused: ({ refusal }) => this.showRefusal(refusal),
      forward: ({ message }) => play.rematch?.handle(message) || play.notices?.handle(message),
    };
  }

  /** @param {Effect[]} effects */
  run(effects) {
    for (const effect of effects)
      /** @type {(effect: Effect) => unknown} */ (this.handlers[effect.type])(effect);
  }

  /** @param {EffectOf<"lag">} effect */
  showLag({ quota, compensationMs }) {
    const { info, clocks, you } = this.play;
    info.setLag(quota, compensationMs, clocks.elements[/** @type {Side} */ (you)]);
  }

  /** @param {EffectOf<"announceMove">} effect */
  announceMove({ by, u, trace }) {
    const { play } = this;
    StatusLine.announce(
      t("hint.moved", { name: play.name(by), u: moveText(u, trace, play.pieceSet) }),
    );
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
   * Mentions the refusal of the player's offer, unless the player has withdrawn it.
   * @param {import("./state.js").OfferKind} kind
   */
  mentionRefusal(kind) {
    const { play } = this;
    if (play.offers.isWithdrawn) return;
    const name = play.name(play.them);
    play.prompt.mention(kind === "draw" ? t("hint.nodraw", { name }) : t("hint.noback", { name }));
  }

  /** @param {EffectOf<"timeGiven">} gift */
  mentionGift({ to, seconds }) {
    const { play } = this;
    play.prompt.mention(
      to === play.you
        ? t("hint.given", { name: play.name(otherSide(to)), n: seconds })
        : t("hint.gets", { name: play.name(to), n: seconds }),
    );
  }

  /**
   * Shows the end of the game. The end in a full state shows its result once per page, and a rematch
   * may have been offered meanwhile.
   * @param {EffectOf<"ended">} effect
   */
  end({ end, isLive }) {
    const { play } = this;
    if (isLive || !this.hasShownResult) this.showResult(end);
    if (isLive) animateEnd(play, end);
    else play.rematch?.load().catch(() => {});
  }

  /** @param {End} end */
  showResult(end) {
    const { play } = this;
    this.hasShownResult = true;
    StatusLine.announce(resultText(play.game, end, play.you).join(". "));
    // For a follower of TV, the status line announces the next game instead.
    if (play.tv) return void play.tv.poll();
    const rematchElement = (play.rematch ?? play.nextGame)?.element;
    const card = resultCard(play.game, end, play.you, rematchElement, () => play.layout.uncover());
    holdButtons(card.querySelectorAll("button, a"));
    play.layout.cover(card);
    return undefined;
  }

  /**
   * Shows the refusal of a command.
   * @param {Refusal} refusal
   */
  showRefusal(refusal) {
    const { moveInput, rematch, prompt } = this.play;
    if (rematch?.onRefused(refusal) || moveInput.wasPlayed(refusal)) return;
    moveInput.onRefused(refusal);
    // On this socket, `blocked` refuses a chat line or a rematch; the rematch was handled above.
    prompt.showTransient(refusal.reason === "blocked" ? t("chat.blocked") : reasonText(refusal));
  }
}
