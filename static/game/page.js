// Page of a game: creates its components and connects them to the board and the socket. The
// `session` holds the state of the game, and the messages of the socket replace it. Components read
// `game` and `you` (null for spectators) and change neither. They own their local state, such as
// clicks or an open question; others call their methods. After a change of its own, a component
// calls `show()` to redraw the board and `prompt.update()` to update the status line. Created by
// `room.js`.
import { EngineHint } from "./hint.js";
import { PlayerBars } from "./player-bars.js";
import { boardState } from "./board-state.js";
import { DrawQueue } from "./draw-queue.js";
import { guidanceOf } from "../guidance/index.js";
import { MoveHistory } from "../common/move-history.js";
import { MovePreview } from "../board/move-preview.js";
import { pieceSetOf } from "../variants/index.js";
import { listMove } from "../common/move-report.js";
import { StatusLine } from "../common/status-line.js";
import { GameInfo } from "./game-info.js";
import { Layout } from "./layout.js";
import { MoveList, PlyLink } from "../common/moves.js";
import { otherSide, parsePosition } from "../model/notation.js";
import { Offers } from "./offers.js";
import { Premove } from "./premove.js";
import { Absence } from "./absence.js";
import { StatusPrompt } from "./status-prompt.js";
import { isReservedKey } from "../lib/keyboard.js";
import {
  createBoard,
  createChat,
  createClocks,
  createRematch,
  createSocket,
  createTvFollower,
} from "./page-parts.js";
import { ConfirmationQuestion } from "./confirmation-question.js";
import { MoveInput } from "./move-input.js";
import { NextTurn } from "./next-turn.js";
import { NextGame } from "./tv.js";
import { GameSession } from "./session.js";
import { registerKeys } from "./settings-dialog.js";
import { initZen } from "./zen.js";
import { sideName, t } from "../lib/i18n.js";

/** Refresh interval of texts that contain seconds. */
const REFRESH_INTERVAL_MS = 500;

/**
 * Marks on the board that depend on the clicks of the player.
 * @typedef {Required<Pick<BoardState, "chosen" | "targets" | "movable" | "additional">>} ShownMarks
 * @typedef {Pick<BoardState, "isPremove" | "lengths"> & ShownMarks} InputMarks
 */

/** Page of one game, for a player or a spectator. */
export class GamePage {
  /** @type {GameSession} */ session;
  /** @type {string} */ id;
  /** @type {Account} */ me;
  /** @type {PieceSet} */ pieceSet;
  /** @type {Guidance} */ guidance;
  /** @type {Side | null} */ you;
  /** @type {Side | null} */ them;
  /** @type {boolean} */ hasWon;
  /** @type {{ handle(frame: Frame<NoticeMessage>): unknown }} */ notices;
  /** @type {import("./game-socket.js").GameSocket} */ socket;
  /** @type {import("../board/board.js").Board} */ board;
  /** @type {DrawQueue} */ drawQueue;
  /** @type {MovePreview} */ movePreview;
  /** @type {ReturnType<typeof createClocks>} */ clocks;
  /** @type {StatusPrompt} */ prompt;
  /** @type {StatusLine} */ statusLine;
  /** @type {PlyLink} */ link;
  /** @type {MoveHistory} */ moveHistory;
  /** @type {MoveInput} */ moveInput;
  /** @type {ConfirmationQuestion} */ confirmationQuestion;
  /** @type {EngineHint} */ engineHint;
  /** @type {Premove} */ premove;
  /** @type {NextTurn} */ nextTurn;
  /** @type {Offers} */ offers;
  /** @type {Absence} */ absence;
  /** @type {import("./rematch.js").Rematch | null} */ rematch;
  /** @type {NextGame | null} */ nextGame;
  /** @type {import("./tv.js").TvFollower | null} */ tv;
  /** @type {import("./chat.js").Chat} */ chat;
  /** @type {PlayerBars} */ bars;
  /** @type {GameInfo} */ info;
  /** @type {ReturnType<typeof registerKeys>} */ keys;
  /** @type {Layout} */ layout;

  /**
   * @param {string} id
   * @param {Game} game
   * @param {Catalog} catalog
   * @param {Account} me
   * @param {GamePage["notices"]} notices
   */
  constructor(id, game, catalog, me, notices) {
    this.variant = catalog.get(game.variant.key);
    const session = new GameSession(this, game);
    const { key } = game.variant;
    const [pieceSet, guidance] = [pieceSetOf(key), guidanceOf(key)];
    Object.assign(this, { id, me, notices, session, pieceSet, guidance });
  }

  /** Game as the server described it last. */
  get game() {
    return this.session.game;
  }

  /**
   * Creates the components, fills `main` and connects to the server.
   * @param {HTMLElement} main
   */
  open(main) {
    const { game } = this;
    this.you = game.you;
    this.them = this.you && otherSide(this.you);
    this.socket = createSocket(this, main);
    this.board = createBoard(this);
    this.drawQueue = new DrawQueue(this.board);
    this.movePreview = new MovePreview((preview) => {
      this.drawQueue.showPreview(preview);
      this.prompt.update();
    });
    this.clocks = createClocks(this);
    this.prompt = new StatusPrompt(this);
    this.statusLine = new StatusLine(() => this.board.svg.focus({ preventScroll: true }));
    this.link = new PlyLink({
      go: (ply) => this.goTo(ply),
      ply: () => this.moveHistory.ply,
    });
    this.keys = registerKeys(this);
    const list = new MoveList(
      (ply) => this.moveHistory.go(ply),
      this.link.button,
      this.keys.button,
    );
    this.moveHistory = new MoveHistory({
      setup: () => this.requestBase(),
      formatMove: this.guidance.listText && ((u, ply) => listMove(this, u, ply)),
      list,
      show: () => this.show(),
      onError: (text) => this.prompt.showTransient(text),
    });
    this.moveInput = new MoveInput(this);
    this.confirmationQuestion = new ConfirmationQuestion(this);
    this.engineHint = new EngineHint(this);
    this.premove = new Premove(this, (cell, tokens) => this.isOwnPiece(cell, tokens));
    this.nextTurn = new NextTurn(this);
    this.offers = new Offers(this, () => this.hasWon);
    this.absence = new Absence(this);
    this.rematch = createRematch(this);
    this.nextGame = this.you ? null : new NextGame(() => this.updateResult());
    this.tv = createTvFollower(this);
    this.chat = createChat(this);
    this.bars = new PlayerBars(this, {
      give: () => this.socket.command("moretime", {}),
      again: () => this.absence.reopenClaim(),
    });
    this.info = new GameInfo(this, () => this.layout.toggleInfo());
    this.layout = new Layout(this, list, main);
    this.session.start();
    if (!this.moveInput.canMove()) this.link.follow();
    this.listen();
    initZen(this);
  }

  /**
   * Shows the position after that ply, or the latest one if there are fewer plies.
   * @param {number} ply
   */
  goTo(ply) {
    return this.moveHistory.go(Math.min(ply, this.moveHistory.latestPly));
  }

  /** Updates the status line with the state of the rematch, once it shows the result. */
  updateResult() {
    if (this.session.hasShownResult) this.prompt.update();
  }

  /** Registers the Escape key and starts the refresh timer. */
  listen() {
    document.addEventListener("keydown", (event) => {
      // A repeat of the key press that closed a dialog must not clear the input of the game.
      if (event.key !== "Escape" || event.repeat || isReservedKey(event)) return;
      this.layout.toggleInfo(false);
      this.clear();
    });
    setInterval(() => this.statusLine.runRemote(() => this.prompt.refresh()), REFRESH_INTERVAL_MS);
  }

  /**
   * Returns the name of a player. Callers pass null only through `them`, and only for players, who
   * always have an opponent.
   * @param {Side | null} side
   */
  name(side) {
    return this.game[/** @type {Side} */ (side)].name;
  }

  /**
   * Whether a built-in computer player has this side; false for null.
   * @param {Side | null} side
   */
  isComputer(side) {
    return Boolean(this.game[/** @type {Side} */ (side)]?.level);
  }

  /** @param {Side} side */
  sideName(side) {
    return sideName(this.game, side);
  }

  /** Whether the viewer plays a game with a clock and must not be redirected to another game. */
  isBusy() {
    return Boolean(this.you && this.game.clock && !this.game.end);
  }

  /** Returns the fields common to all requests to `/api/position`. */
  requestBase() {
    return { variant: this.variant.key, options: this.game.options };
  }

  /** Redraws the board, the counts and the move preview. */
  show() {
    const { moveHistory, moveInput } = this;
    if (moveHistory.positionAt() === undefined) return;
    const state = boardState(this);
    this.drawQueue.show(state, moveHistory.ply, moveHistory.isLatest());
    const { cells, extras } = parsePosition(moveHistory.positionAt());
    const leader = this.bars.drawCounts({
      cells,
      extras,
      options: this.game.options,
      board: this.variant.board,
    });
    // In Hogga, a player who has already won ends the game with the points so far, without a loss.
    this.hasWon = Boolean(this.you) && leader === this.you;
    this.movePreview.setPosition(
      moveInput.canMove() ? { ...this.requestBase(), start: moveHistory.positionAt() } : null,
      moveInput.clicks.chosen,
      state.targets,
    );
  }

  /**
   * Whether a cell holds a piece of the viewer.
   * @param {string} cell
   * @param {Tokens} [tokens] default: the displayed position, which the board may not show yet
   */
  isOwnPiece(cell, tokens = this.moveHistory.tokens) {
    return this.pieceSet.owner(tokens.get(cell)) === this.you;
  }

  /**
   * Previews the move to a target cell under the pointer or the focus.
   * @param {string | null} cell null for none
   */
  hover(cell) {
    if (cell) this.prompt.endReport();
    this.movePreview.setHovered(cell);
  }

  /**
   * Refuses the drop of a piece on a cell that is no target.
   * @param {string} cell
   */
  drop(cell) {
    if (this.moveInput.canMove()) return this.moveInput.refuse(cell);
    return this.prompt.showTransient(t("hint.opponent", { name: this.name(this.game.turn) }));
  }

  /**
   * Handles a click on a cell: returns to the latest position, continues the move or the premove,
   * or rejects the click.
   * @param {string} cell
   */
  click(cell) {
    if (!this.you || this.game.end) return this.prompt.explainIdleClick();
    if (!this.moveHistory.isLatest()) return void this.moveHistory.go(this.moveHistory.latestPly);
    this.prompt.endReport();
    if (this.moveInput.sent) return undefined;
    this.prompt.dropQuestion();
    if (this.moveInput.canMove()) return this.moveInput.click(cell);
    if (this.premove.isAllowed()) return void this.premove.click(cell);
    return this.prompt.showTransient(t("hint.opponent", { name: this.name(this.game.turn) }));
  }

  /** Cancels the innermost pending input: an open question, one click or the premove. */
  clear() {
    return this.prompt.cancelQuestion() || this.moveInput.undo() || this.premove.clear();
  }
}
