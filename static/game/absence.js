// Absence of players: shown in the player bars for all clients, and as a claim of a win or draw in
// the status line of the opponent. The server reports an absence after `ABSENT_MS`, with the time
// until a claim is possible. Created by `page.js`.
import { t } from "../lib/i18n.js";

/** Delay after which the server reports an absence. */
const ABSENT_MS = 5000;

/** @type {(ms: number) => string} */
const durationText = (ms) => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

/** Absent players of a game. */
export class Absence {
  /** @type {import("./page.js").GamePage} */ page;
  /** @type {Map<Side, { since: number, isPostponed: boolean, until: number }>} */ absences;

  /** @param {import("./page.js").GamePage} page */
  constructor(page) {
    Object.assign(this, { page, absences: new Map() });
  }

  /**
   * Sets the absent players. Entries of `known` are those of the previous call; the others have
   * just been received, so their times until a claim count from now.
   * @param {readonly Gone[]} list
   * @param {readonly Gone[]} [known]
   */
  set(list, known = []) {
    for (const side of [...this.absences.keys()])
      if (!list.some((each) => each.side === side)) this.absences.delete(side);
    list.filter((each) => !known.includes(each)).forEach((each) => this.update(each));
    this.draw();
  }

  /**
   * Updates one absent player: `claimInMs` is the time until the opponent can claim.
   * @param {Gone} absence
   */
  update({ side, claimInMs }) {
    // The computer never leaves a game; its absence is an outage of the server.
    if (this.page.isComputer(side)) return;
    const now = Date.now();
    this.absences.set(side, {
      since: now - ABSENT_MS,
      isPostponed: false,
      ...this.absences.get(side),
      until: now + Number(claimInMs),
    });
  }

  /** Updates both player bars. */
  draw() {
    const { bars, game } = this.page;
    if (game.end) this.absences.clear();
    for (const side of /** @type {Side[]} */ (["first", "second"])) {
      const absence = this.absences.get(side);
      bars.setAbsence(
        side,
        absence ? t("game.gone", { time: durationText(Date.now() - absence.since) }) : "",
        Boolean(absence?.isPostponed),
      );
    }
  }

  /** Absence of the opponent during the game, if any. */
  get opponent() {
    const { game, them, you } = this.page;
    return you && them && !game.end ? this.absences.get(them) : undefined;
  }

  /** Reopens the claim that the player postponed. */
  reopenClaim() {
    if (!this.opponent) return;
    this.opponent.isPostponed = false;
    this.draw();
    this.page.prompt.update();
  }

  /**
   * Claims the game after the opponent left.
   * @param {"win" | "draw"} answer
   */
  claim(answer) {
    this.page.socket.command("claim", { answer });
  }

  /**
   * Returns the content of the status line while the opponent is absent; null otherwise, or after
   * the player postponed the claim.
   * @returns {StatusContent | null}
   */
  statusContent() {
    const away = this.opponent;
    if (!away || away.isPostponed) return null;
    const { page } = this;
    const name = page.name(page.them);
    const remainingMs = away.until - Date.now();
    if (remainingMs > 0) {
      const text = t("hint.claimin", { n: Math.ceil(remainingMs / 1000) });
      return page.moveInput.canMove()
        ? [t("hint.yours"), `${t("hint.left", { name })} ${text}`]
        : [t("hint.left", { name }), text];
    }
    const wait = () => {
      away.isPostponed = true;
      this.draw();
      page.prompt.update();
    };
    return [
      t("hint.left", { name }),
      "",
      [
        [t("hint.claimwin"), () => this.claim("win")],
        [t("hint.claimdraw"), () => this.claim("draw")],
        [t("hint.wait"), wait],
      ],
    ];
  }
}
