// Premove: a move entered during the turn of the opponent. It exists in the client only and is sent
// when the opponent has moved, if it is legal then. The candidates are the legal moves of the same
// position with the player to move, from `/api/position`. A complete premove is dropped by the next
// click. Created by `page.js`; `effect-runner.js` calls `consume()` at the start of the turn.
import { post } from "../lib/http.js";
import { StatusLine } from "../common/status-line.js";
import { ClickPath } from "../model/click-path.js";
import { cellsOf, parsePosition, sameMove, parseCells, flipTurn } from "../model/notation.js";
import { dayText } from "../lib/format-time.js";
import { premoveSetting } from "../lib/settings.js";
import { t } from "../lib/i18n.js";

/** Premove of the player. */
export class Premove {
  /** @type {import("./page.js").GamePage} */ page;
  /** @type {(cell: string, tokens?: Tokens) => boolean} */ own;
  /** @type {string | null} */ requestedPosition;
  /** @type {Promise<void>} */ request;
  /** @type {string[]} */ legal;
  /** @type {ClickPath | null} */ clicks;
  /** @type {string | null} */ u;
  /** @type {number | null} */ ply;
  /** @type {string | null} */ transientText;
  /** @type {number} */ transientTimer;

  /**
   * `own(cell)` returns whether a cell holds a piece of the player.
   * @param {import("./page.js").GamePage} page
   * @param {(cell: string, tokens?: Tokens) => boolean} own
   */
  constructor(page, own) {
    Object.assign(this, { page, own, requestedPosition: null });
    this.drop();
  }

  /** Drops the premove without a redraw. */
  drop() {
    Object.assign(this, {
      clicks: this.clicks && new ClickPath(this.legal, this.own),
      u: null,
      ply: null,
    });
  }

  get chosen() {
    return this.clicks?.chosen ?? [];
  }

  /** Whether a premove can be entered now. Correspondence games have no premoves. */
  isAllowed() {
    const { game, you, moveHistory, moveInput } = this.page;
    return (
      Boolean(you) &&
      !game.end &&
      !game.daysPerTurn &&
      game.turn !== you &&
      moveHistory.isLatest() &&
      !moveInput.sent &&
      premoveSetting.get()
    );
  }

  /**
   * Handles a click during the turn of the opponent.
   * @param {string} cell
   */
  async click(cell) {
    // With a complete premove, the first click drops it and the next one starts another.
    if (this.u) return this.clear();
    const ply = this.page.moveHistory.latestPly;
    await this.loadCandidates();
    // The opponent moved during the request: the click becomes the first one of the turn.
    if (this.page.moveInput.canMove() && this.page.moveHistory.latestPly === ply + 1)
      return this.page.click(cell);
    if (!this.isAllowed() || !this.clicks) return undefined;
    const result = this.clicks.click(cell);
    this.ply = this.page.moveHistory.latestPly;
    if (result === "illegal")
      return this.page.prompt.refuse(
        cell,
        t("hint.opponent", { name: this.page.name(this.page.game.turn) }),
      );
    if (result === "move") this.u = this.clicks.completeMove();
    return this.page.show();
  }

  /** Cancels the premove. Returns false if there was none. */
  clear() {
    if (!this.chosen.length) return false;
    this.drop();
    this.page.show();
    return true;
  }

  /** Loads the candidate moves. Calls for the same position share one request. */
  loadCandidates() {
    const { moveHistory } = this.page;
    const now = moveHistory.positionAt(moveHistory.latestPly);
    if (this.requestedPosition !== now) this.request = this.requestCandidates(now);
    return this.request;
  }

  /**
   * Requests the candidate moves of a position.
   * @param {string} now
   */
  async requestCandidates(now) {
    this.requestedPosition = now;
    this.clicks = null;
    const legal = await this.findCandidates(now).catch(() => null);
    if (this.requestedPosition !== now) return;
    // After a failure, the next click repeats the request.
    if (!legal) this.requestedPosition = null;
    else Object.assign(this, { legal, clicks: new ClickPath(legal, this.own) });
  }

  /**
   * Returns the candidate moves of the player in a position with the opponent to move.
   * @param {string} text
   * @returns {Promise<string[]>}
   */
  async findCandidates(text) {
    const { moveHistory, you, them, guidance } =
      /** @type {import("./page.js").GamePage & { you: Side, them: Side }} */ (this.page);
    /** @type {(start: string) => Promise<string[]>} */
    const queryLegalMoves = async (start) =>
      (await post("/api/position", { ...moveHistory.setup(), start })).legal ?? [];
    /** @type {(side: Side) => boolean} */
    const isPlacing = (side) => guidance.isPlacing?.({ ...parsePosition(text), side }) ?? false;
    if (!isPlacing(you) && !isPlacing(them)) return queryLegalMoves(flipTurn(text));
    // In the placement phase, the position cannot be turned to the other side. Candidates are the
    // cells that are legal for the opponent and empty.
    const tokens = parseCells(parsePosition(text).cells);
    return isPlacing(you)
      ? (await queryLegalMoves(text)).filter(
          (u) => cellsOf(u).length === 1 && tokens.get(cellsOf(u)[0]) === ".",
        )
      : [];
  }

  /**
   * Ends the premove at the start of the turn. Returns the move to send, if complete and legal, and
   * the clicks to restore.
   * @param {string[]} legal
   * @returns {{ u: string | null, chosen: string[] }}
   */
  consume(legal) {
    const { u, chosen, ply } = this;
    const isCurrent = chosen.length > 0 && ply === this.page.moveHistory.latestPly - 1;
    this.requestedPosition = null;
    this.clicks = null;
    this.drop();
    if (!isCurrent) return { u: null, chosen: [] };
    const legalMove = u && sameMove(u, legal);
    if (u && !legalMove) this.page.prompt.showTransient(t("hint.aheadgone", { u }));
    return { u: legalMove || null, chosen: u && !legalMove ? [] : chosen };
  }

  /**
   * Returns the marks of the premove for the board.
   * @param {string} cells
   * @returns {import("./page.js").InputMarks}
   */
  marks(cells) {
    if (!this.clicks || this.u || !this.chosen.length)
      return {
        chosen: this.chosen,
        targets: new Set(),
        movable: new Set(),
        lengths: new Set(this.u ? [cellsOf(this.u).length] : []),
        additional: new Set(),
        isPremove: true,
      };
    const tokens = parseCells(cells);
    const movable = new Set([...this.clicks.firstCells()].filter((cell) => this.own(cell, tokens)));
    return {
      chosen: this.chosen,
      targets: this.clicks.nextCells(),
      movable,
      additional: this.clicks.additionalCells(),
      lengths: new Set(this.clicks.candidates().map((move) => move.cells.length)),
      isPremove: true,
    };
  }

  /**
   * Shows a transient text as the second sentence of the premove status. Returns false if the
   * status line shows something else.
   * @param {string} text
   * @param {number} ms
   */
  showTransient(text, ms) {
    const { offers, absence, moveHistory } = this.page;
    // The status of a past position has no second sentence.
    if (!moveHistory.isLatest()) return false;
    if (
      !this.chosen.length &&
      (!this.isAllowed() || absence.statusContent() || offers.outgoingStatus())
    )
      return false;
    StatusLine.announce(text);
    this.transientText = text;
    clearTimeout(this.transientTimer);
    this.transientTimer = setTimeout(() => {
      this.transientText = null;
      this.page.prompt.update();
    }, ms);
    this.page.prompt.update();
    return true;
  }

  /**
   * Returns the content of the status line for the turn of the opponent, with a transient text if
   * any.
   * @returns {StatusContent}
   */
  statusContent() {
    const [bold, plain, buttons, quiet] = this.baseStatus();
    if (this.transientText) return [bold, this.transientText, buttons, quiet];
    // A report of the player's move is shown while no premove is entered.
    const report = this.chosen.length ? "" : this.page.prompt.eventText;
    return report ? [bold, report, buttons, quiet || "plain"] : [bold, plain, buttons, quiet];
  }

  /**
   * Returns the content of the status line without a transient text.
   * @returns {StatusContent}
   */
  baseStatus() {
    const { page } = this;
    const computer = page.isComputer(page.game.turn);
    const { turn, vacationUntil: until } = page.game;
    const turnText =
      until && until > page.clocks.now()
        ? t("hint.vacation", { name: page.name(turn), date: dayText(until) })
        : t(computer ? "hint.thinking" : "hint.theirs", { name: page.name(turn) });
    /** @type {StatusButton} */
    const clear = [t("hint.drop"), () => this.clear()];
    if (this.u) return [t("hint.ahead", { u: this.u }), t("hint.aheadsent"), [clear]];
    // Quiet: the computer answers fast, and announcing each of its turns would be noise.
    if (!this.chosen.length)
      return [turnText, this.isAllowed() ? t("hint.mayahead") : "", [], computer];
    const complete = this.clicks?.completeMove();
    /** @type {StatusButton | "" | null | undefined} */
    const playButton = complete && [
      t("hint.leave", { u: complete }),
      () => {
        this.u = complete;
        page.show();
      },
    ];
    return [
      turnText,
      t("hint.choosing", { cells: this.chosen.join(" → ") }),
      /** @type {StatusButton[]} */ ([playButton, clear].filter(Boolean)),
    ];
  }
}
