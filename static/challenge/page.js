// Page of a challenge: its creator waits for an opponent, other visitors accept or decline. Updates
// come from the lobby socket; challenges that the lobby does not list are polled. After the
// challenge is closed, the page only receives notifications. The page holds the state (`state.js`),
// and executes the effects after `view.js` has shown it. Created by `room.js`.
import { OfferChoice } from "../common/notice-bar.js";
import { get, post } from "../lib/http.js";
import { playGameSound } from "../common/navigation.js";
import { answerReady } from "../common/challenge-card.js";
import { ConnectionBanner } from "../common/connection-banner.js";
import { h } from "../lib/dom.js";
import { openUserSocket } from "../common/notifications.js";
import "../lib/i18n-more.js";
import { Socket } from "../lib/socket.js";
import {
  READY_CHECK_GRACE_MS,
  isChoice,
  refusalText,
  readyCheckText,
} from "../common/challenge-text.js";
import {
  apply,
  beginReadyCheck,
  endReadyCheck,
  expireReadyCheck,
  initialState,
  isOwn,
  onGone,
  onShow,
  startGame,
} from "./state.js";
import { gamesText, render } from "./view.js";
import { t } from "../lib/i18n.js";

/**
 * Polling interval for taken seats and for unlisted challenges, which the lobby socket does not
 * report.
 */
const POLL_INTERVAL_MS = 4000;

/** @typedef {import("./state.js").Effect} Effect */
/** @typedef {{ handle(frame: Frame): unknown }} NoticeHandler */

/** Page of one challenge. */
export class ChallengePage {
  /** @type {import("./state.js").ChallengeState} */ state;
  /** @type {Catalog} */ catalog;
  /** @type {Account} */ me;
  /** @type {NoticeHandler} */ notices;
  /** @type {(id: string) => unknown} */ onStart;
  /** @type {Socket | undefined} */ socket;
  /** @type {number} */ pollTimer;
  /** @type {OfferChoice} */ choice;

  /**
   * `onStart(id)` is called when the game starts.
   * @param {Challenge} challenge
   * @param {Catalog} catalog
   * @param {Account} me
   * @param {{ notices: NoticeHandler, onStart: (id: string) => unknown }} options
   */
  constructor(challenge, catalog, me, { notices, onStart }) {
    const state = initialState(challenge, me.id);
    Object.assign(this, { state, catalog, me, notices, onStart });
    this.element = h("section", { class: "card challenge-page" });
    this.errorText = h("p", { class: "form-error", role: "alert" });
    document.title = `${gamesText(challenge, catalog)} · Sprong`;
    if (challenge.status === "created") {
      const connection = new ConnectionBanner("lobby");
      this.socket = new Socket("/ws/lobby", {
        onMessage: (message) => this.receive(message),
        onState: (status) => connection.setState(status),
      });
      if (challenge.kind === "open" || (challenge.kind === "link" && !isOwn(state)))
        this.pollTimer = setInterval(
          () => !document.hidden && this.reload().catch(() => {}),
          POLL_INTERVAL_MS,
        );
    } else this.unsubscribe();
    render(this, state, null);
  }

  /** Returns the server time. */
  now() {
    return this.socket?.now() ?? Date.now();
  }

  /** Returns the rating of the viewer in the first variant of the challenge. */
  rating() {
    const { challenge } = this.state;
    return challenge.yourRating ?? this.me.perfs[challenge.variant.key].rating;
  }

  /**
   * Handles a message from the lobby socket.
   * @param {Frame} message
   */
  receive(message) {
    this.change((state) => apply(state, message));
  }

  /**
   * Shows the state after a transition, and executes its effects.
   * @param {(state: import("./state.js").ChallengeState) => import("./state.js").Transition} transition
   */
  change(transition) {
    const previous = this.state;
    const { state, effects } = transition(previous);
    this.state = state;
    render(this, state, previous);
    effects.forEach((effect) => this.execute(effect));
  }

  /** @param {Effect} effect */
  execute(effect) {
    if (effect.type === "reload") this.reload().catch(() => {});
    else if (effect.type === "closed") this.unsubscribe();
    else if (effect.type === "readyCheckBegun")
      setTimeout(
        () => this.change((state) => expireReadyCheck(state, effect.readyBy)),
        effect.readyBy - this.now() + READY_CHECK_GRACE_MS,
      );
    else if (effect.type === "gameStarted") this.openGame(effect);
    else if (effect.type === "seatLost") this.showError(t("news.seatLost"));
    else if (effect.type === "readyCheckFailed")
      this.showError(readyCheckText(effect.reason, effect.challenge, this.rating()));
    else this.notices.handle(effect.message);
  }

  /** Reloads the challenge, for example after a reconnect. */
  async reload() {
    const { readyBy } = this.state;
    const current = await get(`/api/challenge/${this.state.challenge.id}/show`);
    // A response from before a ready check does not have it.
    if (this.state.readyBy !== readyBy) return void (await this.reload());
    this.change((state) => onShow(state, current));
  }

  /** @param {{ id: string, isOwn: boolean }} game */
  openGame(game) {
    this.disconnect();
    if (game.isOwn) playGameSound();
    this.onStart(game.id);
  }

  /** Stops updates of a closed challenge. Notifications continue on the user socket. */
  unsubscribe() {
    this.disconnect();
    this.socket = openUserSocket((frame) => this.notices.handle(frame));
  }

  /** Closes the socket and stops polling. */
  disconnect() {
    clearInterval(this.pollTimer);
    this.socket?.close();
  }

  /** Creates the choice of game and clock anew. */
  resetChoice() {
    const { challenge } = this.state;
    this.choice = new OfferChoice(challenge, this.catalog, this.me);
    this.choice.element.hidden = !isChoice(challenge);
  }

  /** @param {string} text */
  showError(text) {
    this.errorText.textContent = text;
  }

  /**
   * Runs an action, with the button marked as busy, and shows its refusal.
   * @param {HTMLButtonElement} button
   * @param {() => unknown} action
   */
  async act(button, action) {
    if (button.classList.contains("is-busy")) return;
    button.classList.add("is-busy");
    this.showError("");
    try {
      await action();
    } catch (refused) {
      this.showError(refusalText(refused, this.state.challenge));
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
      `/api/challenge/${this.state.challenge.id}/accept`,
      { ...this.choice.value(), ...color },
    );
    if (ready === false) this.change((state) => beginReadyCheck(state, readyBy));
    else if (waiting) await this.reload();
    else this.change((state) => startGame(state, id));
  }

  /**
   * Answers the ready check.
   * @param {"yes" | "no"} answer
   */
  async answer(answer) {
    const { id } = this.state.challenge;
    if (answer === "no") return this.cancelReadyCheck(id);
    const game = await answerReady(id, answer);
    this.change((state) => startGame(state, game.id));
  }

  /**
   * Ends the ready check before the server does: the message of its end is not a failure then.
   * @param {string} id
   */
  async cancelReadyCheck(id) {
    this.change((state) => endReadyCheck(state, "ready"));
    await answerReady(id, "no").catch(async (refused) => {
      await this.reload();
      throw refused;
    });
  }

  /** Withdraws the challenge. */
  async withdraw() {
    await post(`/api/challenge/${this.state.challenge.id}/cancel`);
    this.change((state) => onGone(state, { status: "canceled" }));
  }

  /** Shows that the viewer has declined the challenge. */
  onDeclined() {
    this.change((state) => onGone(state, { status: "declined" }));
  }
}
