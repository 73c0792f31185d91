// Move input of the player: clicks on cells that complete a move, its confirmation, and the sent
// move until the server answers. `sent` is set from the command to its answer or refusal; meanwhile
// there is no further input. Created by `page.js`.
import { movePrompt, previewText, stageOf } from "../board/move-prompt.js";
import { REFUSAL_MS, RefusalQuery } from "../board/refusal-query.js";
import { firstMoveText } from "../common/status-line.js";
import { ClickPath } from "../model/click-path.js";
import { parseCells } from "../model/notation.js";
import { isReservedKey } from "../lib/keyboard.js";
import { confirmationSetting } from "../lib/settings.js";
import { t } from "../lib/i18n.js";

/** Move input for the turn of the player. */
export class MoveInput {
  /** @type {import("./page.js").GamePage} */ page;
  /** @type {ClickPath} */ clicks;
  /** @type {{ u: string, ply: number, chosen: string[], cid: string } | null} */ sent;
  /** @type {{ u: string, ply: number, cid: string }} */ lastSent;
  /** @type {RefusalQuery} */ refusals;

  /** @param {import("./page.js").GamePage} page */
  constructor(page) {
    Object.assign(this, {
      page,
      clicks: new ClickPath([]),
      sent: null,
      refusals: new RefusalQuery(),
    });
    document.addEventListener("keydown", (event) => this.confirmWithEnter(event), true);
  }

  /**
   * Sets the legal moves and restores clicks that still begin one of them.
   * @param {string[] | undefined} legal
   * @param {string[]} [chosen]
   */
  set(legal, chosen = []) {
    this.refusals.cancel();
    this.clicks = new ClickPath(legal ?? [], (cell) => this.page.isOwnPiece(cell));
    if (chosen.length && this.clicks.isPrefix(chosen)) this.clicks.setPath(chosen);
  }

  /**
   * Sets the legal moves of a changed position: the sent move is answered, or no longer possible.
   * @param {string[] | undefined} legal
   */
  reset(legal) {
    this.sent = null;
    this.set(legal);
  }

  /**
   * Sets the legal moves after a reconnect. A sent move that is not among the moves yet is still
   * under way, as the socket sends it again.
   * @param {string[] | undefined} legal
   * @param {number} plyCount number of moves
   * @param {boolean} isUnchanged whether the position is unchanged; clicks then remain
   */
  resync(legal, plyCount, isUnchanged) {
    if (this.sent && this.sent.ply < plyCount) this.sent = null;
    this.set(legal, isUnchanged ? this.clicks.chosen : []);
  }

  /**
   * Clears the input after the refusal of the sent move.
   * @param {Refusal} refusal
   */
  onRefused({ cid }) {
    if (!this.sent || this.sent.cid !== cid) return;
    this.sent = null;
    this.clear();
  }

  /** Clears all clicks. */
  clear() {
    this.refusals.cancel();
    this.page.board.tap.drop();
    this.clicks.setPath([]);
    this.page.show();
  }

  /** Whether the player can enter a move on the displayed board. */
  canMove() {
    const { game, you, moveHistory } = this.page;
    return moveHistory.isLatest() && !game.end && you === game.turn && !this.sent;
  }

  /** Whether a move is partly or completely entered, or waits for a second tap. */
  isInProgress() {
    const { chosen } = this.clicks;
    return this.canMove() && (chosen.length > 0 || this.page.board.tap.cell !== null);
  }

  /**
   * Returns whether a click on a cell plays a move at once.
   * @param {string} cell
   */
  completesWith(cell) {
    return this.canMove() && !confirmationSetting.get() && this.clicks.completesWith(cell);
  }

  /** @param {string} cell */
  click(cell) {
    const { page, clicks } = this;
    const result = clicks.click(cell);
    if (result === "move" && !confirmationSetting.get())
      return this.send(/** @type {string} */ (clicks.completeMove()));
    if (result === "illegal") return this.refuse(cell);
    this.refusals.cancel();
    page.prompt.dropTransient();
    return page.show();
  }

  /**
   * Refuses a click, and shows the rule once it is known, unless the input has changed by then.
   * @param {string} cell
   */
  async refuse(cell) {
    const { page, clicks } = this;
    page.board.shake(cell);
    const text = await this.refusals.explain(
      { ...page.requestBase(), start: page.moveHistory.positionAt() },
      [...clicks.chosen, cell],
    );
    if (!text || !this.canMove()) return;
    // The buttons remain, such as those of an offer or of the move in progress.
    const [, , buttons] = page.prompt.statusContent(false);
    page.prompt.showTransient(text, REFUSAL_MS, buttons);
  }

  /**
   * Whether a refused move was played anyway, from another tab of the player.
   * @param {Refusal} answer
   */
  wasPlayed({ cid, reason }) {
    const { lastSent } = this;
    return (
      reason === "stale" &&
      lastSent?.cid === cid &&
      this.page.moveHistory.moves[lastSent.ply] === lastSent.u
    );
  }

  /**
   * Confirms a complete move with Enter, unless the focus is on another cell or on a button.
   * @param {KeyboardEvent} event
   */
  confirmWithEnter(event) {
    if (
      event.key !== "Enter" ||
      event.repeat ||
      !confirmationSetting.get() ||
      !this.isInProgress() ||
      isReservedKey(event) ||
      /** @type {Element} */ (event.target).closest("button, a")
    )
      return;
    const { board, prompt } = this.page;
    const isElsewhere =
      document.activeElement === board.svg && board.focused !== this.clicks.chosen.at(-1);
    const complete = this.clicks.completeMove();
    if (!complete || isElsewhere || prompt.hasQuestion) return;
    event.preventDefault();
    event.stopPropagation();
    this.send(complete);
  }

  /** Undoes one click, or a first tap. Returns false if there was none. */
  undo() {
    if (this.page.board.tap.drop()) return true;
    if (!this.isInProgress()) return false;
    this.refusals.cancel();
    this.clicks.undo();
    this.page.show();
    return true;
  }

  /**
   * Plays a move that was not entered by clicks in this turn (premove or typed), with confirmation
   * if enabled.
   * @param {string} u
   * @param {string[]} chosen its cells
   */
  playChosen(u, chosen) {
    this.clicks.setPath(chosen);
    if (confirmationSetting.get()) this.page.show();
    else this.send(u);
  }

  /**
   * Sends a move to the server.
   * @param {string} u
   */
  send(u) {
    const { page } = this;
    // A second click or key press during the request must not send a second move.
    if (this.sent) return;
    const ply = page.moveHistory.latestPly;
    this.sent = {
      u,
      ply,
      chosen: [...this.clicks.chosen],
      cid: page.socket.command("move", { u, ply }),
    };
    this.lastSent = this.sent;
    page.show();
  }

  /**
   * Returns the marks of the clicks for the board.
   * @param {string} cells
   * @returns {import("./page.js").InputMarks}
   */
  marks(cells) {
    const tokens = parseCells(cells);
    return this.clicks.selectionState((/** @type {string} */ cell) =>
      this.page.isOwnPiece(cell, tokens),
    );
  }

  /** Returns the stage of the move for the text about it. */
  stage() {
    const { game, moveHistory, board } = this.page;
    return stageOf({
      position: moveHistory.positionAt(),
      clicks: this.clicks,
      options: game.options,
      sides: game.sides,
      ownMoves: moveHistory.ownMoves(game.turn),
      board,
    });
  }

  /**
   * Returns the content of the status line for the turn of the player.
   * @returns {StatusContent}
   */
  statusContent() {
    const { page, clicks } = this;
    const { preview } = page.movePreview;
    /** @type {StatusButton} */
    const clear = [t("hint.clear"), () => this.clear()];
    if (page.board.tap.cell)
      return [t("hint.tapAgain"), previewText(this.stage(), preview, page.guidance), [clear]];
    if (!clicks.chosen.length) return this.initialStatus();
    const complete = clicks.completeMove();
    const send = () => this.send(/** @type {string} */ (complete));
    if (complete && confirmationSetting.get())
      return [
        t("hint.play", { u: complete }),
        previewText(this.stage(), preview, page.guidance),
        [[t("hint.confirm"), send, "btn-primary"], clear],
      ];
    const [bold, plain] = movePrompt(this.stage(), preview, page.guidance);
    return [
      bold,
      plain,
      complete ? [[t("hint.leave", { u: complete }), send, "btn-primary"], clear] : [clear],
    ];
  }

  /**
   * Returns the content of the status line before the first click.
   * @returns {StatusContent}
   */
  initialStatus() {
    const { page, clicks } = this;
    const { engineHint, game, prompt } = page;
    const start = game.startBy ? firstMoveText(game.startBy - page.socket.now()) : "";
    const hintStatus = engineHint.statusContent();
    /** @type {StatusButton[]} */
    const buttons = clicks
      .buttonMoves()
      .map((u) => [t(`button.${u}`), () => this.send(u), "btn-primary"]);
    if (hintStatus)
      return [hintStatus[0], [hintStatus[1], start].filter(Boolean).join(" "), buttons];
    const [, plain] = movePrompt(this.stage(), page.movePreview.preview, page.guidance);
    return [
      t("hint.yours"),
      [prompt.eventText || plain, start].filter(Boolean).join(" "),
      [...engineHint.buttons(), ...buttons],
      prompt.eventText ? "plain" : false,
    ];
  }
}
