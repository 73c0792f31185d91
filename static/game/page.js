// Page of a game: creates its components and connects them to the board and the socket. The
// `session` holds the state of the game, and the messages of the socket replace it. Components read
// `game` and `you` (null for spectators) and change neither. They own their local state, such as
// clicks or an open question; others call their methods. After a change of its own, a component
// calls `show()` to redraw the board and `prompt.update()` to update the status line. Created by
// `room.js`.
import { EngineHint } from "./hint.js";
import { PlayerBars } from "./player-bars.js";
import { Board } from "../board/board.js";
import { Chat } from "./chat.js";
import { ConnectionBanner } from "../common/connection-banner.js";
import { MoveHistory } from "./move-history.js";
import { MovePreview } from "../board/move-preview.js";
import { pieceSetOf } from "../variants/index.js";
import { StatusLine } from "../common/status-line.js";
import { GameInfo } from "./game-info.js";
import { Layout } from "./layout.js";
import { notFound } from "../common/error-page.js";
import { MoveList, PlyLink } from "./moves.js";
import { otherSide, parsePosition } from "../model/notation.js";
import { Offers } from "./offers.js";
import { Premove } from "./premove.js";
import { Absence } from "./absence.js";
import { StatusPrompt } from "./status-prompt.js";
import { Rematch } from "./rematch.js";
import { isReservedKey } from "../lib/keyboard.js";
import { Socket } from "../lib/socket.js";
import { Clocks, CorrespondenceClocks } from "./clocks.js";
import { MoveInput } from "./move-input.js";
import { NextGame, tvChannel, TvFollower } from "./tv.js";
import { GameSession } from "./session.js";
import { registerKeys } from "./settings-dialog.js";
import { initZen } from "./zen.js";
import { t, sideName, variantName } from "../lib/i18n.js";

/** Refresh interval of texts that contain seconds. */
const REFRESH_INTERVAL_MS = 500;

/**
 * Marks on the board that depend on the clicks of the player.
 * @typedef {Pick<BoardState, "isPremove"> & Required<Pick<BoardState, "chosen" | "targets" | "movable" | "additional">>
 * } InputMarks
 */

/** Page of one game, for a player or a spectator. */
export class GamePage {
  /** @type {GameSession} */ session;
  /** @type {string} */ id;
  /** @type {Account} */ me;
  /** @type {PieceSet} */ pieceSet;
  /** @type {Side | null} */ you;
  /** @type {Side | null} */ them;
  /** @type {boolean} */ hasWon;
  /** @type {{ handle(frame: Frame): unknown }} */ notices;
  /** @type {Socket} */ socket;
  /** @type {Board} */ board;
  /** @type {MovePreview} */ movePreview;
  /** @type {Clocks | CorrespondenceClocks} */ clocks;
  /** @type {StatusPrompt} */ prompt;
  /** @type {StatusLine} */ statusLine;
  /** @type {PlyLink} */ link;
  /** @type {MoveHistory} */ moveHistory;
  /** @type {MoveInput} */ moveInput;
  /** @type {EngineHint} */ engineHint;
  /** @type {Premove} */ premove;
  /** @type {Offers} */ offers;
  /** @type {Absence} */ absence;
  /** @type {Rematch | null} */ rematch;
  /** @type {NextGame | null} */ nextGame;
  /** @type {TvFollower | null} */ tv;
  /** @type {Chat} */ chat;
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
    Object.assign(this, { id, me, notices, session, pieceSet: pieceSetOf(game.variant.key) });
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
    const connection = new ConnectionBanner();
    /** @type {(state: string) => unknown} */
    const onState = (status) =>
      status === "unknown" ? main.replaceChildren(notFound()) : connection.setState(status);
    this.socket = new Socket(`/ws/game/${this.id}`, {
      versioned: true,
      onMessage: (message) => this.session.receive(message),
      onState,
    });
    this.board = new Board(game.variant.key, {
      board: this.variant.board,
      label: t("game.board", { name: variantName(this.variant) }),
      flipped: this.you === "second",
      click: (cell) => this.click(cell),
      hover: (cell) => this.movePreview.setHovered(cell),
      onInvalidDrop: () => this.prompt.showTransient(t("hint.illegal")),
    });
    this.movePreview = new MovePreview((preview) => {
      this.board.showPreview(preview);
      this.prompt.update();
    });
    const Timer = game.daysPerTurn ? CorrespondenceClocks : Clocks;
    this.clocks = new Timer({
      now: () => this.socket.now(),
      announce: StatusLine.announce,
      ownSide: this.you,
      names: { first: game.first.name, second: game.second.name },
    });
    this.prompt = new StatusPrompt(this);
    this.statusLine = new StatusLine(() => this.board.svg.focus({ preventScroll: true }));
    this.link = new PlyLink({
      go: (ply) => this.moveHistory.go(Math.min(ply, this.moveHistory.latestPly)),
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
      formatMove: this.pieceSet.moveText,
      list,
      show: () => this.show(),
      onError: (text) => this.prompt.showTransient(text),
    });
    this.moveInput = new MoveInput(this);
    this.engineHint = new EngineHint(this);
    this.premove = new Premove(this, (cell, tokens) => this.isOwnPiece(cell, tokens));
    this.offers = new Offers(this, () => this.hasWon);
    this.absence = new Absence(this);
    this.rematch =
      this.you &&
      new Rematch({
        id: this.id,
        you: this.you,
        game,
        variant: this.variant,
        me: this.me,
        socket: () => this.socket,
        changed: () => this.updateResult(),
        others: () => this.statusLine.isRemote,
      });
    this.nextGame = this.you ? null : new NextGame(() => this.updateResult());
    const channel = tvChannel();
    this.tv =
      !this.you && channel
        ? new TvFollower({
            key: channel,
            id: this.id,
            changed: () => this.statusLine.runRemote(() => this.prompt.update()),
          })
        : null;
    this.chat = new Chat({
      player: Boolean(this.you),
      send: (text) => this.socket.command("talk", { text }),
      onUnread: (count) => this.layout.setUnread(count),
      go: (ply) => this.moveHistory.go(Math.min(ply, this.moveHistory.latestPly)),
    });
    this.bars = new PlayerBars(this, {
      give: () => this.socket.command("moretime"),
      again: () => this.absence.reopenClaim(),
    });
    this.info = new GameInfo(this, () => this.layout.toggleInfo());
    this.layout = new Layout(this, list, main);
    this.session.start();
    if (!this.moveInput.canMove()) this.link.follow();
    this.listen();
    initZen(this);
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
    const { moveHistory, moveInput, premove } = this;
    if (moveHistory.positionAt() === undefined) return;
    const { cells, extras } = parsePosition(moveHistory.positionAt());
    const canMove = moveInput.canMove();
    /** @type {InputMarks} */
    const noMarks = { chosen: [], targets: new Set(), movable: new Set(), additional: new Set() };
    /** @type {InputMarks} */
    const passiveMarks =
      moveInput.sent && moveHistory.isLatest()
        ? { ...noMarks, chosen: moveInput.sent.chosen }
        : premove.isAllowed()
          ? premove.marks(cells)
          : noMarks;
    /** @type {InputMarks} */
    const marks = canMove ? moveInput.marks(cells) : passiveMarks;
    this.board.show({
      cells,
      before: moveHistory.previousCells(),
      side: this.you,
      trace: moveHistory.trace(),
      isPending: Boolean(moveInput.sent || marks.isPremove),
      hint: moveHistory.isLatest() ? this.engineHint.cells() : [],
      ...marks,
    });
    const leader = this.bars.drawCounts({
      cells,
      extras,
      options: this.game.options,
      board: this.variant.board,
    });
    // In Hogga, a player who has already won ends the game with the points so far, without a loss.
    this.hasWon = Boolean(this.you) && leader === this.you;
    this.movePreview.setPosition(
      canMove ? { ...this.requestBase(), start: moveHistory.positionAt() } : null,
      moveInput.clicks.chosen,
      marks.targets,
    );
  }

  /**
   * Whether a cell holds a piece of the viewer.
   * @param {string} cell
   * @param {Tokens} [tokens] default: the position on the board
   */
  isOwnPiece(cell, tokens = this.board.tokens) {
    return this.pieceSet.owner(tokens.get(cell)) === this.you;
  }

  /**
   * Handles a click on a cell: returns to the latest position, continues the move or the premove,
   * or rejects the click.
   * @param {string} cell
   */
  click(cell) {
    if (!this.you || this.game.end) return undefined;
    if (!this.moveHistory.isLatest()) return void this.moveHistory.go(this.moveHistory.latestPly);
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
