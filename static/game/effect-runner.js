// Executes the effects of messages (`state.js`): announcements, texts, sounds, animations, the
// start of a turn and the result card. Runs after `render.js`, so the components show the new
// state. Created by `session.js`. Messages that do not concern the game go to the notifications.
import { animateEnd, animateMove, animateTakeback } from "./move-animation.js";
import { goToGame } from "../common/navigation.js";
import { reportLatest } from "../common/move-report.js";
import { StatusLine, holdButtons } from "../common/status-line.js";
import { resultText } from "../common/result.js";
import { ResultCard } from "./result-card.js";
import { moveText } from "../board/move-description.js";
import { otherSide, parseCells, parsePosition } from "../model/notation.js";
import { dayText } from "../lib/format-time.js";
import { reasonText, t } from "../lib/i18n.js";
import { runEffects } from "../lib/dispatch.js";

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
  /** @type {import("./page.js").GamePage} */ page;
  /** @type {boolean} */ hasShownResult;
  /** @type {boolean} */ hasShownGame;
  /** @type {import("../lib/dispatch.js").EffectHandlers<Effect>} */ handlers;

  /** @param {import("./page.js").GamePage} page */
  constructor(page) {
    this.page = page;
    this.hasShownResult = false;
    this.hasShownGame = false;
    this.handlers = {
      lag: (effect) => this.showLag(effect),
      announceMove: (effect) => this.announceMove(effect),
      announceTakeback: ({ ply }) => this.announceTakeback(ply),
      turnStarted: ({ legal }) => this.startTurn(legal),
      animateMove: (move) => this.showMove(move),
      animateTakeback: () => animateTakeback(page),
      offerReceived: ({ kind }) => StatusLine.announce(page.offers.describe(kind)),
      offerDeclined: ({ kind }) => this.mentionRefusal(kind),
      timeGiven: (gift) => this.mentionGift(gift),
      outage: ({ seconds }) => page.prompt.mention(t("hint.lost", { n: seconds }), OUTAGE_TEXT_MS),
      vacation: (effect) => this.mentionVacation(effect),
      ended: (effect) => this.end(effect),
      refused: ({ refusal }) => this.showRefusal(refusal),
      rematchStarted: ({ id }) => goToGame(id),
      turnsChanged: () => page.nextTurn.fetchNextGame(),
      forward: ({ message }) => page.notices?.handle(message),
    };
  }

  /** @param {Effect[]} effects */
  run(effects) {
    runEffects(effects, this.handlers);
    this.hasShownGame = true;
  }

  /** @param {EffectOf<"lag">} effect */
  showLag({ quota, compensationMs }) {
    const { info, clocks, you } = this.page;
    info.setLag(quota, compensationMs, clocks.elements[/** @type {Side} */ (you)]);
  }

  /**
   * Announces a move of the opponent with the effects that the status line reports.
   * @param {EffectOf<"announceMove">} effect
   */
  announceMove({ by, u, trace }) {
    const { page } = this;
    const { moveHistory, guidance } = page;
    const report = reportLatest(page);
    const position = moveHistory.positionAt(moveHistory.latestPly - 1);
    const before = position ? parseCells(parsePosition(position).cells) : null;
    // The report names the effects.
    const described = report && trace ? { ...trace, removed: [], strikes: [] } : trace;
    const text = t("hint.moved", {
      name: page.name(by),
      u: moveText(u, described, guidance, before),
    });
    StatusLine.announce([text, report].filter(Boolean).join(". "));
  }

  /** @param {number} ply */
  announceTakeback(ply) {
    StatusLine.announce(t("hint.backto", { n: ply }));
    this.page.prompt.report("");
  }

  /**
   * Animates the latest move and reports its effects, once the board shows it. The opponent's move
   * has been announced; the player's own is announced with its report.
   * @param {EffectOf<"animateMove">} move
   */
  showMove(move) {
    const { page } = this;
    const report = reportLatest(page);
    if (report && move.by === page.you) StatusLine.announce(report);
    page.drawQueue.run(() => {
      animateMove(page, move);
      page.prompt.report(report);
    });
    if (move.by !== page.you) return;
    page.confirmationQuestion.ask();
    page.nextTurn.onMove();
    this.askForPush();
  }

  /**
   * Mentions to spectators that the player to move is on vacation. The status line of players has
   * it.
   * @param {EffectOf<"vacation">} effect
   */
  mentionVacation({ side, until }) {
    const { page } = this;
    if (page.you) return;
    const text = t("hint.vacation", { name: page.name(side), date: dayText(until) });
    page.prompt.mention(text, OUTAGE_TEXT_MS);
  }

  /** Asks after a move with days for the next one whether the browser may notify the player. */
  askForPush() {
    const { page } = this;
    if (page.game.daysPerTurn)
      import("./push-question.js").then(({ askInGame }) => askInGame(page)).catch(() => {});
  }

  /**
   * Starts the turn of the player: sends a complete premove, and keeps the clicks of an incomplete
   * one.
   * @param {string[]} legal
   */
  startTurn(legal) {
    const { moveInput, premove } = this.page;
    const { u, chosen } = premove.consume(legal);
    moveInput.set(legal, chosen);
    if (u && moveInput.canMove()) moveInput.playChosen(u, chosen);
    else if (chosen.length) this.page.show();
  }

  /**
   * Mentions the refusal of the player's offer, unless the player has withdrawn it.
   * @param {import("./state.js").OfferKind} kind
   */
  mentionRefusal(kind) {
    const { page } = this;
    if (page.offers.isWithdrawn) return;
    const name = page.name(page.them);
    page.prompt.mention(kind === "draw" ? t("hint.nodraw", { name }) : t("hint.noback", { name }));
  }

  /** @param {EffectOf<"timeGiven">} gift */
  mentionGift({ to, seconds }) {
    const { page } = this;
    page.prompt.mention(
      to === page.you
        ? t("hint.given", { name: page.name(otherSide(to)), n: seconds })
        : t("hint.gets", { name: page.name(to), n: seconds }),
    );
  }

  /**
   * Shows the end of the game. The end in a full state shows its result once per page, and a
   * rematch may have been offered meanwhile.
   * @param {EffectOf<"ended">} effect
   */
  end({ end, isLive }) {
    const { page } = this;
    page.confirmationQuestion.close();
    if (isLive || !this.hasShownResult) this.showResult(end);
    if (isLive) {
      animateEnd(page, end);
      this.askForSound();
    } else page.rematch?.load().catch(() => {});
  }

  /** Asks a player whether sounds are wanted; the question is optional. */
  askForSound() {
    if (this.page.you)
      import("../common/sound-question.js")
        .then(({ askForSound }) => askForSound())
        .catch(() => {});
  }

  /** @param {End} end */
  showResult(end) {
    const { page } = this;
    this.hasShownResult = true;
    StatusLine.announce(resultText(page.game, end, page.you).join(". "));
    // For a follower of TV, the status line announces the next game instead.
    if (page.tv) return void page.tv.poll();
    const card = new ResultCard(page, end);
    // A page that opens with the result had no other buttons before.
    if (this.hasShownGame) holdButtons(card.element.querySelectorAll("button, a"));
    page.layout.cover(card);
    return undefined;
  }

  /**
   * Shows the refusal of a command. That of a rematch is part of the state.
   * @param {Refusal} refusal
   */
  showRefusal(refusal) {
    const { moveInput, prompt } = this.page;
    if (moveInput.wasPlayed(refusal)) return;
    moveInput.onRefused(refusal);
    // On this socket, `blocked` refuses a chat line; that of a rematch has no effect.
    prompt.showTransient(refusal.reason === "blocked" ? t("chat.blocked") : reasonText(refusal));
  }
}
