// List of open challenges in the lobby, with the actions on them: accept, withdraw, decline, and
// leave a ready check. Created by lobby.js, which forwards the frames of the lobby socket. A
// removed challenge stays visible for a moment, and challenges that arrive while the pointer is
// over the list wait behind a button, so that no item moves under the pointer.
import { get, post } from "../lib/http.js";
import { answerReady, challengeCard, ChallengeFilter, rank } from "../common/challenge-card.js";
import { asyncButton } from "../lib/form.js";
import { h, restoreFocus, toast } from "../lib/dom.js";
import { emptyBoard } from "../common/variant-cards.js";
import {
  declineText,
  isChoice,
  isOwn,
  refusalText,
  readyCheckText,
} from "../common/challenge-text.js";
import { t } from "../lib/i18n.js";

/** Time for which a removed challenge and a notice stay visible. */
const GONE_MS = 2000;
const NOTICE_MS = 15000;

/** @typedef {"accept" | "withdraw" | "decline" | "leave"} ActionName */

/** Controller and view of the open challenges. */
export class ChallengeList {
  /** @type {Catalogue} */ catalogue;
  /** @type {Account} */ me;
  /** @type {() => number} */ now;
  /** @type {(id: string) => unknown} */ go;
  /** @type {Map<string, Challenge>} */ challenges;
  /** @type {Challenge[]} */ queued;
  /** @type {Map<string, number>} */ ready;
  /** @type {Map<string, string>} */ notes;
  /** @type {ChallengeFilter} */ filter;

  /**
   * `now()` returns the server time in epoch milliseconds; `go(id)` opens a game; `computer()`
   * opens the dialog for a game against the computer.
   * @param {Catalogue} catalogue
   * @param {Account} me
   * @param {{
   *   now: () => number,
   *   go: (id: string) => unknown,
   *   computer: () => Promise<unknown>,
   * }} options
   */
  constructor(catalogue, me, { now, go, computer }) {
    Object.assign(this, {
      catalogue,
      me,
      now,
      go,
      challenges: new Map(),
      queued: [],
      ready: new Map(),
      notes: new Map(),
      filter: new ChallengeFilter(catalogue, () => this.draw()),
    });
    this.list = h("ul", {
      class: "challenge-list",
      "aria-label": t("lobby.title"),
      tabindex: -1,
    });
    this.more = h("button", {
      class: "btn lobby-more",
      type: "button",
      hidden: true,
      onclick: () => this.insertWaiting(),
    });
    this.emptyText = h("p", {});
    this.empty = h(
      "div",
      { class: "challenge-list-empty" },
      emptyBoard([...catalogue.values()][catalogue.size - 1]),
      this.emptyText,
      asyncButton(t("computer.title"), computer),
    );
    /** @type {Record<ActionName, (challenge: Challenge) => unknown>} */
    this.actions = {
      accept: (challenge) => this.accept(challenge),
      withdraw: (challenge) => this.withdraw(challenge),
      decline: (challenge) => this.decline(challenge),
      leave: (challenge) => this.cancelReady(challenge),
    };
  }

  elements() {
    return [this.filter.head, this.filter.games, this.more, this.list, this.empty];
  }

  /**
   * Replaces the list with the state sent on (re)connection.
   * @param {Challenge[]} challenges
   */
  set(challenges) {
    this.openStartedGames(new Set(challenges.map(({ id }) => id))).catch(() => {});
    this.challenges = new Map(challenges.map((challenge) => [challenge.id, challenge]));
    this.queued = [];
    this.draw();
  }

  /**
   * Appends the challenges of another page.
   * @param {Challenge[]} challenges
   */
  add(challenges) {
    this.challenges = new Map([
      ...this.challenges,
      .../** @type {[string, Challenge][]} */ (
        challenges.map((challenge) => [challenge.id, challenge])
      ),
    ]);
    this.draw();
  }

  /**
   * Handles a new or updated challenge; a new one waits while the pointer is over the list.
   * @param {Challenge} challenge
   */
  onChallenge(challenge) {
    if (this.challenges.has(challenge.id)) {
      this.challenges.set(challenge.id, challenge);
      return this.draw();
    }
    if (isOwn(challenge) || !this.list.matches(":hover")) return this.prepend(challenge);
    this.queued = [...this.queued.filter(({ id }) => id !== challenge.id), challenge];
    return this.drawMore();
  }

  /**
   * Hides or shows an element next to the list; focus inside a hidden element moves to the list.
   * @param {HTMLElement} element
   * @param {boolean} isHidden
   */
  setHidden(element, isHidden) {
    const hadFocus = element.contains(document.activeElement);
    element.hidden = isHidden;
    if (isHidden && hadFocus) this.list.focus({ preventScroll: true });
  }

  drawMore() {
    this.setHidden(this.more, this.queued.length === 0);
    this.more.textContent = t("lobby.more", { n: this.queued.length });
  }

  /** Inserts the waiting challenges at the top. */
  insertWaiting() {
    this.challenges = new Map([
      .../** @type {[string, Challenge][]} */ (
        this.queued.reverse().map((challenge) => [challenge.id, challenge])
      ),
      ...this.challenges,
    ]);
    this.queued = [];
    this.draw();
  }

  /**
   * Inserts or moves a challenge to the top.
   * @param {Challenge} challenge
   */
  prepend(challenge) {
    this.challenges = new Map(
      /** @type {[string, Challenge][]} */ ([[challenge.id, challenge], ...this.challenges]).filter(
        ([id], at) => at === 0 || id !== challenge.id,
      ),
    );
    this.draw();
  }

  /**
   * Marks a challenge as gone and removes it after a delay.
   * @param {ChallengeGone} expired
   */
  leave({ id, status, reasonKey }) {
    this.queued = this.queued.filter((challenge) => challenge.id !== id);
    this.ready.delete(id);
    this.drawMore();
    const challenge = this.challenges.get(id);
    if (!challenge) return;
    const declined = status === "declined" && isOwn(challenge);
    challenge.gone = declined
      ? t("card.declined", { why: declineText(reasonKey) })
      : t(status === "accepted" ? "card.taken" : "card.gone");
    this.markGone(challenge);
    setTimeout(
      () => {
        if (this.challenges.get(id) === challenge) this.challenges.delete(id);
        restoreFocus(this.list, () => this.item(id)?.remove());
        this.drawEmpty();
      },
      declined ? NOTICE_MS : GONE_MS,
    );
  }

  /** @param {string} id */
  item(id) {
    return this.list.querySelector(`[data-id="${CSS.escape(id)}"]`);
  }

  /**
   * Grays out the item of a removed challenge and replaces its buttons with the reason.
   * @param {Challenge} challenge
   */
  markGone({ id, gone: text }) {
    const item = this.item(id);
    if (!item) return;
    item.className = "challenge-card is-unavailable";
    restoreFocus(this.list, () =>
      item
        .querySelector(".challenge-card-actions")
        .replaceChildren(h("span", { class: "challenge-card-reason" }, text)),
    );
  }

  draw() {
    this.drawMore();
    const visible = [...this.challenges.values()]
      .filter((challenge) => this.filter.matches(challenge))
      .sort((a, b) => rank(a) - rank(b));
    const viewOf = (/** @type {Challenge} */ { id }) => ({
      catalogue: this.catalogue,
      me: this.me,
      now: this.now,
      readyBy: this.ready.get(id),
      note: this.notes.get(id),
    });
    restoreFocus(this.list, () => {
      this.list.replaceChildren(
        ...visible.map((challenge) => challengeCard(challenge, viewOf(challenge), this.actions)),
      );
      visible.filter(({ gone }) => gone).forEach((challenge) => this.markGone(challenge));
    });
    this.drawEmpty();
  }

  drawEmpty() {
    this.setHidden(this.empty, this.list.childElementCount > 0);
    this.emptyText.textContent = t(this.challenges.size ? "lobby.hidden" : "lobby.empty");
  }

  /**
   * Opens a game that began while the connection was down: checks the viewer's challenges that are
   * missing from the new state.
   * @param {Set<string>} open  ids of the challenges that are still open
   */
  async openStartedGames(open) {
    const missing = [...this.challenges.values()].filter(
      (challenge) =>
        (isOwn(challenge) || this.ready.has(challenge.id)) &&
        !challenge.gone &&
        !open.has(challenge.id),
    );
    for (const { id } of missing) {
      const { status } = await get(`/api/challenge/${id}/show`);
      if (status === "accepted") this.go(id);
    }
  }

  /**
   * Accepts a challenge; asks for the game and clock if it offers several.
   * @param {Challenge} challenge
   * @param {{ variant?: string, clock?: string }} [given]  choice that was made already
   */
  async accept(challenge, given) {
    // The dialog is loaded on first use.
    const choice =
      given ??
      (isChoice(challenge)
        ? await (
            await import("../common/notice-bar.js")
          ).openOfferDialog(challenge, this.catalogue, this.me)
        : {});
    if (!choice) return;
    try {
      const { id, ready, readyBy } = await post(`/api/challenge/${challenge.id}/accept`, choice);
      if (ready !== false) return void this.go(id);
      this.notes.delete(challenge.id);
      this.ready.set(challenge.id, readyBy);
      this.draw();
    } catch (refused) {
      toast(refusalText(refused, challenge));
    }
  }

  /** @param {Challenge} challenge */
  async withdraw({ id }) {
    await post(`/api/challenge/${id}/cancel`).catch((refused) => toast(refused.message));
  }

  /** @param {Challenge} challenge */
  async decline(challenge) {
    const { openDeclineDialog: askDecline } = await import("../common/notice-bar.js");
    askDecline(
      challenge,
      this.me,
      () => this.leave({ id: challenge.id, status: "declined" }),
      (refused) => toast(refused.message),
    );
  }

  /**
   * Cancels the ready check in which the viewer waits for the challenger.
   * @param {Challenge} challenge
   */
  async cancelReady({ id }) {
    this.ready.delete(id);
    await answerReady(id, "no").catch((refused) => toast(refused.message));
    this.draw();
  }

  /**
   * Shows the acceptor the reason of a failed ready check.
   * @param {{ id: string, reason: string }} frame
   */
  onRingGone({ id, reason }) {
    if (!this.ready.delete(id) || reason === "ready") return;
    const challenge = this.challenges.get(id);
    if (!challenge) return;
    const text = readyCheckText(
      reason,
      challenge,
      challenge.yourRating ?? this.me.perfs[challenge.variant.key].rating,
    );
    toast(text);
    challenge.readyBy = null;
    this.notes.set(id, text);
    setTimeout(() => {
      this.notes.delete(id);
      this.draw();
    }, NOTICE_MS);
    this.draw();
  }
}
