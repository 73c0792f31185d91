// Page of a challenge: its creator waits for an opponent, other visitors accept or decline. Updates
// come from the lobby socket; challenges that the lobby does not list are polled. After the
// challenge is closed, the page only receives notifications. Created by `room.js`; `view.js` builds
// the elements.
import { OfferChoice } from "../common/notice-bar.js";
import { get, post } from "../lib/http.js";
import { playGameSound } from "../common/navigation.js";
import { answerReady } from "../common/challenge-card.js";
import { ConnectionBanner } from "../common/connection-banner.js";
import { h } from "../lib/dom.js";
import { shuffleNote } from "../common/fair-start.js";
import { openUserSocket } from "../common/notifications.js";
import "../lib/i18n-more.js";
import { Socket } from "../lib/socket.js";
import { isChoice, refusalText, readyCheckText } from "../common/challenge-text.js";
import { challengeHead, gamesText, stageContent } from "./view.js";
import { t } from "../lib/i18n.js";

/**
 * Polling interval for taken seats and for unlisted challenges, which the lobby socket does not
 * report.
 */
const POLL_INTERVAL_MS = 4000;

/** Page of one challenge. */
export class ChallengePage {
  /** @type {Challenge} */ challenge;
  /** @type {Catalogue} */ catalogue;
  /** @type {Account} */ me;
  /** @type {(id: string) => unknown} */ onStart;
  /** @type {number | null} */ readyBy;
  /** @type {Player | null} */ by;
  /** @type {Socket | undefined} */ socket;
  /** @type {number} */ pollTimer;
  /** @type {boolean} */ isStarted;
  /** @type {{ handle(frame: Frame): unknown }} */ notices;
  /** @type {OfferChoice} */ choice;

  /**
   * `begun(id)` is called when the game starts.
   * @param {Challenge} challenge
   * @param {Catalogue} catalogue
   * @param {Account} me
   * @param {(id: string) => unknown} onStart
   */
  constructor(challenge, catalogue, me, onStart) {
    Object.assign(this, { challenge, catalogue, me, onStart, readyBy: null, by: null });
    this.element = h("section", { class: "card challenge-page" });
    this.errorText = h("p", { class: "form-error", role: "alert" });
    document.title = `${gamesText(challenge, catalogue)} · Sprong`;
    if (challenge.status === "created") {
      const connection = new ConnectionBanner("lobby");
      this.socket = new Socket("/ws/lobby", {
        onMessage: (message) => this.handle(message),
        onState: (status) => connection.setState(status),
      });
      if (challenge.kind === "open" || (challenge.kind === "link" && !this.isOwn()))
        this.pollTimer = setInterval(
          () => !document.hidden && this.reload().catch(() => {}),
          POLL_INTERVAL_MS,
        );
    } else this.unsubscribe();
    this.draw();
  }

  /** Returns the server time. */
  now() {
    return this.socket?.now() ?? Date.now();
  }

  /** Whether the viewer created the challenge. */
  isOwn() {
    return (
      this.challenge.ineligibleReason === "own" || this.challenge.challenger?.id === this.me.id
    );
  }

  /** Returns the rating of the viewer in the first variant of the challenge. */
  rating() {
    return this.challenge.yourRating ?? this.me.perfs[this.challenge.variant.key].rating;
  }

  /**
   * Handles a message from the lobby socket.
   * @param {Frame} message
   */
  handle(message) {
    const { t: type, d: data } = message;
    const isSame = /** @type {{ id: string }} */ (data)?.id === this.challenge.id;
    if (type === "full") this.reload().catch(() => {});
    else if (
      type === "start" &&
      [data.challenge, data.id].includes(this.challenge.id) &&
      !(this.isOwn() && this.challenge.standing)
    )
      this.start(data.id);
    else if (type === "challenge" && isSame) this.update(data);
    else if (type === "challengeGone" && isSame) this.onGone(data);
    else if (type === "seatLost" && isSame) this.onSeatLost(data);
    else if (type === "ring" && data.challenge.id === this.challenge.id) this.onRing(data);
    else if (type === "ringGone" && isSame) this.onRingGone(data);
    // Challenges and games of other users belong to the lobby page, not to the notifications.
    else if (
      !["game", "gameGone"].includes(type) &&
      (type !== "challenge" || data.direction === "in")
    )
      this.notices?.handle(message);
  }

  /** Reloads the challenge, for example after a reconnect. */
  async reload() {
    const current = await get(`/api/challenge/${this.challenge.id}/show`);
    if (current.status === "accepted") return this.start(current.id);
    return this.update(current);
  }

  /** @param {Challenge} challenge */
  update(challenge) {
    const changed = JSON.stringify(challenge) !== JSON.stringify(this.challenge);
    const wasOpen = this.challenge.status === "created";
    this.challenge = challenge;
    if (wasOpen && challenge.status !== "created") this.unsubscribe();
    if (changed) this.draw();
  }

  /**
   * Handles the end of the challenge.
   * @param {Pick<ChallengeGone, "status" | "reasonKey">} gone
   */
  onGone({ status, reasonKey }) {
    // A standing challenge remains open after each game; notifications inform its creator of the
    // games.
    if (status === "accepted" && !this.challenge.standing) return this.start(this.challenge.id);
    return this.update({
      ...this.challenge,
      status,
      declineReasonKey: /** @type {string | undefined} */ (reasonKey),
    });
  }

  /**
   * Opens the game once: the acceptor learns of it from the response and from the lobby socket.
   * @param {string} id
   */
  start(id) {
    if (this.isStarted) return;
    this.isStarted = true;
    this.disconnect();
    if (this.isOwn()) playGameSound();
    this.onStart(id);
  }

  /** Stops updates of a closed challenge. Notifications continue on the user socket. */
  unsubscribe() {
    this.disconnect();
    this.socket = openUserSocket((frame) => this.notices?.handle(frame));
  }

  /** Closes the socket and stops polling. */
  disconnect() {
    clearInterval(this.pollTimer);
    this.socket?.close();
  }

  /** @param {Challenge} challenge */
  onSeatLost(challenge) {
    this.update(challenge);
    this.errorText.textContent = t("news.seatLost");
  }

  /**
   * Shows the ready check to the creator.
   * @param {Ring} ring
   */
  onRing({ by, readyBy }) {
    Object.assign(this, { by });
    this.update({ ...this.challenge, readyBy });
  }

  /**
   * Handles the end of a ready check.
   * @param {{ reason: string }} end
   */
  onRingGone({ reason }) {
    const wasWaiting = this.readyBy && reason !== "ready";
    this.readyBy = null;
    this.challenge = { ...this.challenge, readyBy: null };
    this.draw();
    if (wasWaiting)
      this.errorText.textContent = readyCheckText(reason, this.challenge, this.rating());
  }

  /**
   * Runs an action, with the button marked as busy, and shows its refusal.
   * @param {HTMLButtonElement} button
   * @param {() => unknown} action
   */
  async act(button, action) {
    if (button.classList.contains("is-busy")) return;
    button.classList.add("is-busy");
    this.errorText.textContent = "";
    try {
      await action();
    } catch (refused) {
      this.errorText.textContent = refusalText(refused, this.challenge);
    }
    button.classList.remove("is-busy");
  }

  /**
   * Accepts the challenge.
   * @param {Side} [seat] for an open challenge with a choice of seats
   */
  async accept(seat) {
    const color = seat ? { color: seat } : {};
    const { id, ready, readyBy, waiting } = await post(
      `/api/challenge/${this.challenge.id}/accept`,
      { ...this.choice.value(), ...color },
    );
    if (ready === false) {
      this.readyBy = readyBy;
      this.draw();
    } else if (waiting) await this.reload();
    else this.start(id);
  }

  /**
   * Answers the ready check.
   * @param {"yes" | "no"} answer
   */
  async answer(answer) {
    const { id } = await answerReady(this.challenge.id, answer);
    if (answer === "yes") return this.start(id);
    return this.onRingGone({ reason: "ready" });
  }

  /**
   * Builds a button that runs an action.
   * @param {string} className
   * @param {string} key
   * @param {() => unknown} action
   */
  button(className, key, action) {
    const button = h("button", { class: className, type: "button" }, t(key));
    button.addEventListener("click", () => this.act(button, action));
    return button;
  }

  draw() {
    const { challenge } = this;
    this.choice = new OfferChoice(challenge, this.catalogue, this.me);
    this.choice.element.hidden = !isChoice(challenge);
    const [state, ...actions] = stageContent(this);
    this.element.replaceChildren(
      ...challengeHead(challenge, this.catalogue, this.rating(), this.isOwn()),
      ...(state ? [h("p", { class: "soft", role: "status" }, state)] : []),
      ...(challenge.shuffle ? [shuffleNote(challenge.shuffle)] : []),
      h("div", { class: "challenge-page-actions" }, ...actions.filter(Boolean)),
      this.errorText,
    );
  }
}
