// Move input of the player: clicks on cells that complete a move, its confirmation, and the sent
// move until the server answers. `sent` is set from the command to its answer or refusal; meanwhile
// there is no further input. Created by `page.js`.
import { previewText, nextText } from "../board/move-preview.js";
import { firstMoveText } from "../common/status-line.js";
import { ClickPath } from "../model/click-path.js";
import { parsePosition, parseCells } from "../model/notation.js";
import { isReservedKey } from "../lib/keyboard.js";
import { confirmationSetting } from "../lib/settings.js";
import { t } from "../lib/i18n.js";

/** Returns whether to offer move confirmation: on touch devices, until the user decides. */
const offersConfirmation = () =>
  !confirmationSetting.isSet() && matchMedia("(pointer: coarse)").matches;

/** Move input for the turn of the player. */
export class MoveInput {
  /** @type {import("./page.js").GamePage} */ play;
  /** @type {ClickPath} */ clicks;
  /** @type {{ u: string, ply: number, chosen: string[], cid: string } | null} */ sent;
  /** @type {{ u: string, ply: number, cid: string }} */ lastSent;

  /** @param {import("./page.js").GamePage} play */
  constructor(play) {
    Object.assign(this, { play, clicks: new ClickPath([]), sent: null });
    document.addEventListener("keydown", (event) => this.confirmWithEnter(event), true);
  }

  /**
   * Sets the legal moves and restores clicks that still begin one of them.
   * @param {string[] | undefined} legal
   * @param {string[]} [chosen]
   */
  set(legal, chosen = []) {
    this.clicks = new ClickPath(legal ?? [], (cell) => this.play.isOwnPiece(cell));
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
    this.clicks.setPath([]);
    this.play.show();
  }

  /** Whether the player can enter a move on the displayed board. */
  canMove() {
    const { game, you, moveHistory } = this.play;
    return moveHistory.isLatest() && !game.end && you === game.turn && !this.sent;
  }

  /** Whether a move is partly or completely entered. */
  isInProgress() {
    return this.canMove() && this.clicks.chosen.length > 0;
  }

  /** @param {string} cell */
  click(cell) {
    const { play, clicks } = this;
    const result = clicks.click(cell);
    if (result === "move" && !confirmationSetting.get())
      return this.send(/** @type {string} */ (clicks.completeMove()));
    if (result === "illegal")
      return play.prompt.refuse(cell, t(clicks.chosen.length ? "hint.illegal" : "hint.nomove"));
    play.prompt.dropTransient();
    return play.show();
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
      this.play.moveHistory.moves[lastSent.ply] === lastSent.u
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
    const { board, prompt } = this.play;
    const isElsewhere =
      document.activeElement === board.svg && board.focused !== this.clicks.chosen.at(-1);
    const complete = this.clicks.completeMove();
    if (!complete || isElsewhere || prompt.hasQuestion) return;
    event.preventDefault();
    event.stopPropagation();
    this.send(complete);
  }

  /** Undoes one click. Returns false if there was none. */
  undo() {
    if (!this.isInProgress()) return false;
    this.clicks.undo();
    this.play.show();
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
    if (confirmationSetting.get()) this.play.show();
    else this.send(u);
  }

  /**
   * Sends a move to the server.
   * @param {string} u
   */
  send(u) {
    const { play } = this;
    // A second click or key press during the request must not send a second move.
    if (this.sent) return;
    const ply = play.moveHistory.latestPly;
    if (offersConfirmation()) confirmationSetting.set(false);
    this.sent = {
      u,
      ply,
      chosen: [...this.clicks.chosen],
      cid: play.socket.command("move", { u, ply }),
    };
    this.lastSent = this.sent;
    play.show();
  }

  /**
   * Returns the marks of the clicks for the board.
   * @param {string} cells
   * @returns {import("./page.js").InputMarks}
   */
  marks(cells) {
    const tokens = parseCells(cells);
    return this.clicks.selectionState((/** @type {string} */ cell) =>
      this.play.isOwnPiece(cell, tokens),
    );
  }

  /**
   * Returns the content of the status line for the turn of the player.
   * @returns {StatusContent}
   */
  statusContent() {
    const { play, clicks } = this;
    if (!clicks.chosen.length) return this.initialStatus();
    const effect = this.previewText();
    const complete = clicks.completeMove();
    /** @type {StatusButton} */
    const clear = [t("hint.clear"), () => this.clear()];
    const send = () => this.send(/** @type {string} */ (complete));
    if (complete && confirmationSetting.get())
      return [
        t("hint.play", { u: complete }),
        effect,
        [[t("hint.confirm"), send, "btn-primary"], clear],
      ];
    if (complete)
      return [
        t(play.pieceSet.finishKey ?? "hint.leavewhy"),
        effect,
        [[t("hint.leave", { u: complete }), send, "btn-primary"], clear],
      ];
    return [nextText(clicks, play.pieceSet), effect || clicks.chosen.join(" → "), [clear]];
  }

  /**
   * Returns the content of the status line before the first click.
   * @returns {StatusContent}
   */
  initialStatus() {
    const { play, clicks } = this;
    const { engineHint, game, pieceSet, moveHistory, board } = play;
    const start = game.startBy ? firstMoveText(game.startBy - play.socket.now()) : "";
    const hintStatus = engineHint.statusContent();
    if (!hintStatus && offersConfirmation() && !clicks.buttonMoves().length) {
      /** @type {(on: boolean) => () => void} */
      const answer = (on) => () => {
        confirmationSetting.set(on);
        play.info.draw();
        play.prompt.update();
      };
      return [
        t("hint.askconfirm"),
        start,
        [[t("hint.no"), answer(false)], [t("hint.agree"), answer(true)], ...engineHint.buttons()],
      ];
    }
    /** @type {StatusButton[]} */
    const buttons = clicks
      .buttonMoves()
      .map((u) => [t(`button.${u}`), () => this.send(u), "btn-primary"]);
    if (hintStatus)
      return [hintStatus[0], [hintStatus[1], start].filter(Boolean).join(" "), buttons];
    const instruction = pieceSet.instruction?.({
      ...parsePosition(moveHistory.positionAt()),
      side: game.turn,
    });
    const request =
      instruction ??
      t(
        clicks.firstCells().size === 0
          ? `hint.only.${clicks.buttonMoves()[0]}`
          : board.state.targets?.size
            ? "hint.where"
            : "hint.choose",
      );
    return [
      t("hint.yours"),
      [this.previewText() || request, start].filter(Boolean).join(" "),
      [...engineHint.buttons(), ...buttons],
    ];
  }

  /** Describes the move preview. */
  previewText() {
    return previewText(this.play.movePreview.preview, this.play.pieceSet);
  }
}
