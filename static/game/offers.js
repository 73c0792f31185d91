// Draw and takeback offers, resign and abort: their buttons and their content of the status line.
// `game.draw` and `game.takeback` hold the side of an open offer. Created by `page.js`.
import { CLOSE } from "../lib/icons.js";
import { actionButton } from "../common/game-actions.js";
import { ignoreDoubleClick, holdButtons } from "../common/status-line.js";
import { t } from "../lib/i18n.js";

/** @typedef {import("./state.js").OfferKind} OfferKind */

/** Offers between the players, and the buttons to make them. */
export class Offers {
  /** @type {import("./page.js").GamePage} */ page;
  /** @type {() => unknown} */ hasWon;
  /** @type {boolean} */ isWithdrawn;
  /** @type {boolean | undefined} */ couldAbort;

  /**
   * `hasWon()` returns whether the player has already won while the game continues for points
   * (Hogga).
   * @param {import("./page.js").GamePage} page
   * @param {() => unknown} hasWon
   */
  constructor(page, hasWon) {
    Object.assign(this, { page, hasWon });
    this.takeback = actionButton(
      "game.takeback",
      "M9 14l-4-4 4-4M5 10h9a5 5 0 0 1 0 10h-3",
      ignoreDoubleClick(() => this.askTakeback()),
    );
    this.draw = actionButton(
      "game.draw",
      "M4 9h16M4 15h16",
      ignoreDoubleClick(() => this.askDraw()),
    );
    this.resign = actionButton(
      "game.resign",
      "M6 21V4h11l-2 4 2 4H6",
      ignoreDoubleClick(() => this.askResign()),
    );
    this.abort = actionButton(
      "game.abort",
      CLOSE,
      ignoreDoubleClick(() => this.askAbort()),
    );
    this.buttons = [this.takeback, this.draw, this.resign, this.abort];
  }

  /**
   * Describes an offer of the opponent.
   * @param {OfferKind} kind
   */
  describe(kind) {
    const { page } = this;
    return t(kind === "draw" ? "hint.offered" : "hint.asksback", { name: page.name(page.them) });
  }

  /**
   * Open offer of the opponent, if any.
   * @returns {OfferKind | null}
   */
  get incoming() {
    const { game, you, them } = this.page;
    return you && !game.end
      ? (/** @type {OfferKind[]} */ (["takeback", "draw"]).find((kind) => game[kind] === them) ??
          null)
      : null;
  }

  /** Returns a sentence about the offer of the opponent, "" without one. */
  summary() {
    return this.incoming ? this.describe(this.incoming) : "";
  }

  /**
   * Makes, accepts, declines or withdraws an offer.
   * @param {OfferKind} kind
   * @param {"offer" | "accept" | "no"} answer "no" declines or withdraws
   */
  answer(kind, answer) {
    this.isWithdrawn = answer === "no" && this.page.game[kind] === this.page.you;
    // An offer or acceptance is valid for its position only; a refusal is always valid.
    this.page.socket.command(
      kind,
      answer === "no" ? { answer } : { answer, ply: this.page.moveHistory.latestPly },
    );
  }

  /**
   * Returns the content of the status line for the offer of the opponent. Requires an open offer.
   * @returns {StatusContent}
   */
  incomingStatus() {
    const kind = /** @type {OfferKind} */ (this.incoming);
    return [
      this.describe(kind),
      "",
      [
        [t("hint.no"), () => this.answer(kind, "no")],
        [
          t(kind === "draw" ? "hint.yes" : "hint.agree"),
          () => this.answer(kind, "accept"),
          "btn-primary",
        ],
      ],
    ];
  }

  /**
   * Returns the content of the status line for the offer of the player, null without one.
   * @returns {StatusContent | null}
   */
  outgoingStatus() {
    const { game, you, them } = this.page;
    const kind = /** @type {OfferKind[]} */ (["takeback", "draw"]).find(
      (each) => game[each] === you,
    );
    if (!kind) return null;
    const name = this.page.name(them);
    return [
      t(kind === "draw" ? "hint.offering" : "hint.askingback"),
      t("hint.waitdraw", { name }),
      [[t("hint.takeback"), () => this.answer(kind, "no")]],
    ];
  }

  /** Asks for confirmation of a resignation. */
  askResign() {
    const { page } = this;
    if (page.game.end) return;
    const [question, actionKey] = this.hasWon()
      ? ["hint.stop", "hint.dostop"]
      : ["hint.resign", "hint.doresign"];
    page.prompt.confirm(question, actionKey, () => page.socket.command("resign", {}));
  }

  /** Asks for confirmation of an abort. */
  askAbort() {
    const { page } = this;
    if (page.game.abortable && !page.game.end)
      page.prompt.confirm("hint.abort", "hint.doabort", () => page.socket.command("abort", {}));
  }

  /** Asks for confirmation of a draw offer. */
  askDraw() {
    const { page } = this;
    const { game, you } = page;
    if (game.end || game.draw === you) return undefined;
    if (game.abortable) return page.prompt.showTransient(t("game.notyet"));
    return page.prompt.confirm("hint.offerdraw", "hint.dooffer", () =>
      this.answer("draw", "offer"),
    );
  }

  /** Sends a takeback offer without confirmation, as it costs the player nothing. */
  askTakeback() {
    const { page } = this;
    const { game } = page;
    if (game.end || game.takeback) return undefined;
    if (!this.hasMoved()) return page.prompt.showTransient(t("error.nothingToTakeBack"));
    return this.answer("takeback", "offer");
  }

  /** Whether the player has made a move. */
  hasMoved() {
    const { moveHistory, you } = this.page;
    return moveHistory.latestPly >= (you === "first" ? 1 : 2);
  }

  /** Updates the buttons. */
  updateButtons() {
    const { game } = this.page;
    const over = Boolean(game.end);
    this.resign.children[1].textContent = t(this.hasWon() ? "game.stop" : "game.resign");
    const canAbort = Boolean(game.abortable) && !over;
    // Resign replaces abort after both players moved; a click meant for one must not hit the other.
    if (this.couldAbort !== undefined && this.couldAbort !== canAbort) holdButtons([this.resign]);
    this.couldAbort = canAbort;
    this.abort.hidden = !canAbort;
    this.resign.hidden = canAbort;
    const disabled = /** @type {[HTMLElement, unknown][]} */ ([
      [this.takeback, over || !this.hasMoved()],
      [this.draw, over || game.abortable],
      [this.resign, over],
    ]);
    for (const [key, isDisabled] of disabled) {
      key.dataset.off = String(Boolean(isDisabled));
      if (isDisabled || !key.classList.contains("is-held"))
        key.setAttribute("aria-disabled", String(Boolean(isDisabled)));
    }
  }
}
