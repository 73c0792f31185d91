// Game of two people on one device: moves, takebacks and the result. Positions and legal moves come
// from the rules core: the server, or its WebAssembly without a network. Each change is kept in the
// browser, unless another tab has kept one that this tab does not show yet. Created by pass.js,
// shown by view.js.
import { queryMove } from "../common/played-move.js";
import { listMove, reportLatest } from "../common/move-report.js";
import { MoveHistory } from "../common/move-history.js";
import { soundOfMove } from "../common/move-sound.js";
import { askForSound } from "../common/sound-question.js";
import { StatusLine } from "../common/status-line.js";
import { resultText } from "../common/result.js";
import { moveText } from "../board/move-description.js";
import { sound } from "../board/sound.js";
import { guidanceOf } from "../guidance/index.js";
import { parseCells, parsePosition, splitMoves } from "../model/notation.js";
import { post } from "../lib/http.js";
import { sideName, t } from "../lib/i18n.js";
import { DeviceBoard } from "./device-board.js";
import { isOutdated, saveGame, turnSetting } from "./saved-games.js";
import { GameView } from "./view.js";

/** Pause between the animation of a move and the turn of the board. */
const TURN_DELAY_MS = 350;

/** @typedef {import("./saved-games.js").SavedGame} SavedGame */

/** Game of two people on one device. */
export class DeviceGame {
  /** @type {Variant} */ variant;
  /** @type {SavedGame} */ saved;
  /** @type {Guidance} */ guidance;
  /** @type {null} */ you;
  /** @type {{ sides: string[], options: Options }} */ game;
  /** @type {Answer} */ answer;
  /** @type {boolean} */ isSending;
  /** @type {() => unknown} */ onOutdated;
  /** @type {number | undefined} */ turnTimer;

  /**
   * `newGame()` opens the form of a new game, `playAgain()` starts one with the sides swapped,
   * `onOutdated()` shows the game that another tab has kept.
   * @param {Variant} variant
   * @param {SavedGame} saved
   * @param {{
   *   list: import("../common/moves.js").MoveList,
   *   typed: import("../board/keyboard-move.js").KeyboardMove,
   *   newGame: () => unknown,
   *   playAgain: () => Promise<unknown>,
   *   onOutdated: () => unknown,
   * }} options
   */
  constructor(variant, saved, { list, typed, newGame, playAgain, onOutdated }) {
    const guidance = guidanceOf(variant.key);
    const game = { sides: variant.sides, options: saved.options };
    Object.assign(this, { variant, saved, guidance, game, you: null, isSending: false });
    this.onOutdated = onOutdated;
    this.board = new DeviceBoard(variant, this);
    this.moveHistory = new MoveHistory({
      setup: () => this.setup,
      formatMove: guidance.listText && ((u, ply) => listMove(this, u, ply)),
      list,
      show: () => this.show(),
      onError: (text) => this.board.showMessage(text),
    });
    this.view = new GameView(this, { list, typed, newGame, playAgain });
  }

  /** Returns the common fields of requests to the rules endpoint. */
  get setup() {
    return { variant: this.variant.key, options: this.saved.options };
  }

  /** Loads the position after the saved moves. Rejects if the rules do not allow them. */
  async load() {
    const { start, moves } = this.saved;
    const question = { ...this.setup, start, moves: splitMoves(moves), replay: true };
    this.answer = await post("/api/position", question);
    this.moveHistory.set({
      initialFen: start,
      position: this.answer.position,
      last: this.answer.replay?.at(-1)?.trace ?? null,
      state: /** @type {Game["state"]} */ ({ moves }),
    });
    this.followTurn();
    this.view.update();
    if (this.isOver()) this.view.showResult();
  }

  /** Whether another tab has kept another state of the game, or another game of the variant. */
  isOutdated() {
    return isOutdated(this.variant.key, this.saved);
  }

  /** Releases timers and listeners before the game is replaced. */
  close() {
    clearTimeout(this.turnTimer);
    this.board.close();
  }

  isOver() {
    return Boolean(this.answer?.outcome);
  }

  /** Whether moves have been made and the game is not over. */
  isPlaying() {
    return this.moveHistory.latestPly > 0 && !this.isOver();
  }

  /** Returns the side to move in the latest position. */
  get turn() {
    return parsePosition(this.answer.position).turn;
  }

  /**
   * Returns the name of a player, or of the side if the player has none.
   * @param {Side} side
   */
  name(side) {
    return this.saved[side] || sideName(this.variant, side);
  }

  /**
   * Returns title and reason of the result.
   * @returns {[title: string, reason: string]}
   */
  resultTexts() {
    const { outcome, reason, ending } = this.answer;
    const winner = outcome === "draw" ? null : outcome;
    const end = { winner, reason, ending, status: reason };
    const [title, explanation] = resultText(
      this.variant,
      /** @type {Parameters<typeof resultText>[1]} */ (end),
      null,
    );
    return [winner ? t("end.side", { side: this.name(winner) }) : title, explanation];
  }

  /** Draws the displayed position. */
  show() {
    const { moveHistory } = this;
    const position = moveHistory.positionAt();
    if (position === undefined) return;
    this.board.showPosition({
      setup: this.setup,
      position,
      legal: moveHistory.isLatest() ? this.answer.legal : undefined,
      before: moveHistory.ply > 0 ? moveHistory.positionAt(moveHistory.ply - 1) : null,
      trace: moveHistory.trace(),
    });
    this.view.showCounts(position);
  }

  /** Keeps the game, and updates what depends on the latest position. */
  changed() {
    this.saved = { ...this.saved, moves: this.moveHistory.moves.join(" ") };
    saveGame(this.variant.key, this.saved);
    this.view.update();
  }

  /**
   * Runs a query of the rules core, one at a time; shows the reason of a failure. A query whose
   * answer comes when the game is outdated changes nothing.
   * @param {() => Promise<unknown>} query
   */
  async send(query) {
    if (this.isSending) return;
    this.isSending = true;
    try {
      await query();
    } catch (refused) {
      this.board.clear();
      this.board.showMessage(/** @type {Error} */ (refused).message);
    }
    this.isSending = false;
    if (this.isOutdated()) this.onOutdated();
  }

  /**
   * Plays a move of the side to move.
   * @param {string} u
   */
  play(u) {
    return this.send(async () => {
      const { moveHistory } = this;
      // A typed move may be entered at a past position.
      if (!moveHistory.isLatest()) await moveHistory.go(moveHistory.latestPly);
      const { moves, positions, latestPly } = moveHistory;
      const line = { start: positions[0], moves, position: positions[latestPly] };
      const { answer, trace } = await queryMove(this.setup, line, u);
      if (this.isOutdated()) return;
      const by = this.turn;
      this.answer = answer;
      moveHistory.add(u, answer.position, trace);
      this.changed();
      this.afterMove(u, by, trace);
    });
  }

  /**
   * Animates the latest move, reports its effects and announces it.
   * @param {string} u
   * @param {Side} by
   * @param {Trace} trace
   */
  afterMove(u, by, trace) {
    const { moveHistory, guidance, board } = this;
    const times = moveHistory.isLatest() ? board.animate() : undefined;
    if (times) soundOfMove(moveHistory, board.pieceSet, times);
    const before = parseCells(
      parsePosition(moveHistory.positions[moveHistory.latestPly - 1]).cells,
    );
    const report = reportLatest(this);
    const described = report ? { ...trace, removed: [], strikes: [] } : trace;
    const text = t("hint.moved", {
      name: this.name(by),
      u: moveText(u, described, guidance, before),
    });
    const result = this.isOver() ? this.resultTexts().join(". ") : "";
    StatusLine.announce([text, report, result].filter(Boolean).join(". "));
    if (report) board.showReport(report);
    if (this.isOver()) this.end(times?.end ?? 0);
    else this.followTurn(times?.end ?? 0);
  }

  /**
   * Shows the result.
   * @param {number} delay  duration of the animation of the last move
   */
  end(delay) {
    const { outcome } = this.answer;
    if (outcome && outcome !== "draw") this.board.board.wave(outcome);
    sound("end", delay + 400);
    this.view.showResult();
    askForSound();
  }

  /** Takes back the last move. */
  takeBack() {
    if (!this.moveHistory.latestPly) return undefined;
    return this.send(async () => {
      const { moveHistory } = this;
      const moves = moveHistory.moves.slice(0, -1);
      const ply = moves.length;
      const question = { ...this.setup, start: moveHistory.positions[0], moves, replay: true };
      const answer = await post("/api/position", question);
      if (this.isOutdated()) return;
      this.answer = answer;
      const trace = this.answer.replay?.at(-1)?.trace ?? null;
      moveHistory.truncate(ply, this.answer.position, trace);
      this.changed();
      const { removedMove } = moveHistory;
      if (removedMove) this.board.board.rewind(removedMove.trace, removedMove.cells);
      StatusLine.announce(`${t("hint.backto", { n: ply })} ${this.board.turnText()}`);
      this.followTurn();
    });
  }

  /**
   * Turns the board to the player to move, if the setting asks for it.
   * @param {number} [delay]  duration of the animation before it, none by default
   */
  followTurn(delay) {
    clearTimeout(this.turnTimer);
    const turn = () => {
      if (turnSetting.get() && !this.isOver() && this.view.bottomSide !== this.turn)
        this.view.flip();
    };
    if (delay === undefined) turn();
    else this.turnTimer = setTimeout(turn, delay + TURN_DELAY_MS);
  }
}
