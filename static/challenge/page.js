// Page of a challenge: its creator waits for an opponent, other visitors accept or decline. Updates
// come from the lobby socket; challenges that the lobby does not list are polled. After the
// challenge is closed, the page only receives notifications. The page holds the state (`state.js`),
// and executes the effects after `view.js` has shown it. Created by `room.js`.
import { get, post } from "../lib/http.js";
import { playGameSound } from "../common/navigation.js";
import { answerReady } from "../common/challenge-card.js";
import { ConnectionBanner } from "../common/connection-banner.js";
import { h } from "../lib/dom.js";
import { loadStyleSheet } from "../lib/style-sheet.js";
import { storedJson, tabStorage } from "../lib/settings.js";
import { openUserSocket } from "../common/notifications.js";
import "../lib/i18n-more.js";
import { runEffects } from "../lib/dispatch.js";
import { Socket } from "../lib/socket.js";
import { READY_CHECK_GRACE_MS, refusalText, readyCheckText } from "../common/challenge-text.js";
import { OfferChoice } from "../common/offer-choice.js";
import { userHandle } from "../common/user-link.js";
import { askForPush } from "./own.js";
import {
  apply,
  beginReadyCheck,
  endReadyCheck,
  expireReadyCheck,
  initialState,
  isOwn,
  onCreator,
  onGone,
  onShow,
  startGame,
} from "./state.js";
import { gamesText } from "./texts.js";
import { render } from "./view.js";
import { t } from "../lib/i18n.js";

/**
 * Polling interval for taken seats and for unlisted challenges, which the lobby socket does not
 * report.
 */
const POLL_INTERVAL_MS = 4000;

// The page is shown with its style sheet.
await loadStyleSheet("challenge");

/** Time for which an invitation is kept while the visitor signs up or logs in. */
const INVITATION_KEPT_MS = 15 * 60000;

/**
 * Acceptance that continues once the visitor has an account: id of the challenge, the choice, and
 * the time at which the visitor wanted to play. Stored by this page only, so that no link can
 * accept a challenge.
 */
const keptInvitation = storedJson(
  "invitation",
  /** @type {{ id?: string, choice?: { variant?: string, clock?: string }, at?: number }} */ ({}),
  tabStorage,
);

export { takenPage } from "./closed.js";

/**
 * @template {{ type: string }} E
 * @typedef {import("../lib/dispatch.js").EffectHandlers<E>} EffectHandlers
 */
/** @typedef {{ handle(frame: Frame<NoticeMessage>): unknown }} NoticeHandler */

/** Page of one challenge. */
export class ChallengePage {
  /** @type {import("./state.js").ChallengeState} */ state;
  /** @type {Catalog} */ catalog;
  /** @type {Account} */ me;
  /** @type {NoticeHandler} */ notices;
  /** @type {(id: string) => unknown} */ onStart;
  /** @type {Socket<"/ws/lobby"> | Socket<"/ws/me"> | undefined} */ socket;
  /** @type {number} */ pollTimer;
  /** @type {OfferChoice} */ choice;
  /** @type {((key: string) => unknown)[]} */ gameListeners;
  /** Form in which the visitor types: the page keeps it when the content changes.
   * @type {HTMLFormElement | undefined} */
  signupForm;

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
    this.effectHandlers = this.createEffectHandlers();
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
    } else {
      this.unsubscribe();
      this.checkCreator();
    }
    render(this, state, null);
    if (isOwn(state)) askForPush(this);
    this.continueInvitation();
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
   * @param {Frame<import("./state.js").LobbySocketMessage>} message
   */
  receive(message) {
    this.change((state) => apply(state, message));
  }

  /**
   * Shows the state after a transition, and executes its effects.
   * @param {(state: import("./state.js").ChallengeState) => import("./state.js").Transition}
   *   transition
   */
  change(transition) {
    const previous = this.state;
    const { state, effects } = transition(previous);
    this.state = state;
    render(this, state, previous);
    runEffects(effects, this.effectHandlers);
  }

  /** @returns {EffectHandlers<import("./state.js").Effect>} */
  createEffectHandlers() {
    return {
      reload: () => this.reload().catch(() => {}),
      closed: () => {
        this.unsubscribe();
        this.checkCreator();
      },
      readyCheckBegun: ({ readyBy }) =>
        setTimeout(
          () => this.change((state) => expireReadyCheck(state, readyBy)),
          readyBy - this.now() + READY_CHECK_GRACE_MS,
        ),
      gameStarted: (game) => this.openGame(game),
      seatLost: () => this.showError(t("news.seatLost")),
      readyCheckFailed: ({ reason, challenge }) =>
        this.showError(readyCheckText(reason, challenge, this.rating())),
      forward: ({ message }) => this.notices.handle(message),
    };
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

  /**
   * Creates the choice of game and clock anew, unless the offers are those of the previous state.
   * @param {import("./state.js").ChallengeState | null} previous
   */
  updateChoice(previous) {
    const { challenge } = this.state;
    const offers = (/** @type {Challenge} */ { choices, ratingRange }) =>
      JSON.stringify([choices, ratingRange]);
    this.gameListeners = [];
    if (previous && offers(previous.challenge) === offers(challenge)) return;
    // A guest who opens an invitation may know none of the games.
    this.choice = new OfferChoice(
      challenge,
      this.catalog,
      this.me,
      { legend: t("invite.which"), describe: (key) => t(`aim.${key}`) },
      (key) => this.gameListeners.forEach((listener) => listener(key)),
    );
  }

  /**
   * Calls a function with the selected game, now and after each change until the next state.
   * @param {(key: string) => unknown} listener
   */
  onGame(listener) {
    this.gameListeners.push(listener);
    listener(this.choice.variant);
  }

  /** Loads whether the account of the creator of a canceled challenge is closed. */
  async checkCreator() {
    const { status, challenger } = this.state.challenge;
    if (status !== "canceled" || !challenger || challenger.guest || isOwn(this.state)) return;
    const creator = await get(`/api/user/${userHandle(challenger)}`).catch(() => ({}));
    this.change((state) => onCreator(state, creator));
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
   * @param {{ variant?: string, clock?: string }} [choice]
   */
  async accept(seat, choice = this.choice.value()) {
    const color = seat ? { color: seat } : {};
    const { id, ready, readyBy, waiting } = await post(
      `/api/challenge/${this.state.challenge.id}/accept`,
      { ...choice, ...color },
    );
    if (ready === false)
      this.change((state) => beginReadyCheck(state, /** @type {number} */ (readyBy)));
    else if (waiting) await this.reload();
    else this.change((state) => startGame(state, id));
  }

  /** Asks the creator for a casual game. */
  async askCasual() {
    const { id } = this.state.challenge;
    const challenge = await post(`/api/challenge/${id}/casual`, this.choice.value());
    this.change((state) => onShow(state, challenge));
  }

  /**
   * Answers a guest who asks for a casual game.
   * @param {Player} guest
   * @param {"yes" | "no"} answer
   */
  async answerCasual(guest, answer) {
    const { id } = this.state.challenge;
    await post(`/api/challenge/${id}/casual/${userHandle(guest)}`, { answer });
    await this.reload();
  }

  /** Remembers that the visitor accepts as soon as they have an account. */
  keepInvitation() {
    const { id } = this.state.challenge;
    keptInvitation.set({ id, choice: this.choice.value(), at: Date.now() });
  }

  /**
   * Accepts if the visitor has just signed up or logged in to do so. The reason is shown if not.
   */
  continueInvitation() {
    const { id: kept, choice, at = 0 } = keptInvitation.get();
    const { challenge } = this.state;
    if (kept !== challenge.id || this.me.guest) return;
    keptInvitation.set({});
    if (Date.now() - at > INVITATION_KEPT_MS) return;
    if (challenge.status === "created" && challenge.eligible)
      this.accept(undefined, choice).catch((refused) =>
        this.showError(refusalText(refused, this.state.challenge)),
      );
  }

  /** Creates the form that signs up on this page. */
  async createSignupForm() {
    const { credentialsForm } = await import("../common/credentials-form.js");
    const { setReminded } = await import("../common/recovery-reminder.js");
    this.signupForm = credentialsForm(true, {
      className: "form-fields",
      guest: this.me.username,
      // The account of the page changes: it is loaded anew, and then accepts.
      done: () => {
        this.keepInvitation();
        setReminded(false);
        location.reload();
      },
    });
    return this.signupForm;
  }

  /**
   * Answers the ready check.
   * @param {"yes" | "no"} answer
   */
  async answer(answer) {
    const { id } = this.state.challenge;
    if (answer === "no") return this.cancelReadyCheck(id);
    const game = await answerReady(id, answer).catch((refused) => {
      if (refused.status !== 403) throw refused;
      // The refusal concerns the other player.
      this.showError(t("ring.other"));
      return null;
    });
    if (game) this.change((state) => startGame(state, game.id));
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

  /** Cancels the challenge. */
  async cancel() {
    await post(`/api/challenge/${this.state.challenge.id}/cancel`);
    this.change((state) => onGone(state, { status: "canceled" }));
  }

  /** Shows that the viewer has declined the challenge. */
  onDeclined() {
    this.change((state) => onGone(state, { status: "declined" }));
  }
}
