// Entry point of the home page: introduction, quick play, variant cards, games in progress, and the
// lobby with the open challenges. The server renders the introduction; the quick-play buttons
// appear before the rest has loaded. The page holds the state of the lobby (`state.js`): a message
// leads to the next state and its effects, and `render` has the components show what has changed.
// Components change the state by transitions only.
import { account, get, variants } from "../lib/http.js";
import { isBusy, playGameSound, goToGame } from "../common/navigation.js";
import { dropBoard } from "./board-transitions.js";
import { ChallengeList } from "./challenge-list.js";
import { ConnectionBanner } from "../common/connection-banner.js";
import { asyncButton, showError } from "../lib/form.js";
import { h, toast } from "../lib/dom.js";
import { createNotices } from "../common/notifications.js";
import { QuickPlay, quickButtons } from "./quick-play.js";
import { READY_CHECK_GRACE_MS, readyCheckText } from "../common/challenge-text.js";
import { VariantCards } from "../common/variant-cards.js";
import { runEffects } from "../lib/dispatch.js";
import { Socket } from "../lib/socket.js";
import {
  appendPage,
  apply,
  dropChallenge,
  dropFailure,
  expireReadyCheck,
  initialState,
  insertQueued,
  openChallenges,
  prependChallenge,
  replaceOwnGames,
} from "./state.js";
import { LiveGames } from "./live-games.js";
import { initHeader } from "../common/header.js";
import { FormSlot, watchView } from "./view.js";
import { t } from "../lib/i18n.js";

/** Maximum wait for the lobby state before the page is shown without it. */
const READY_MS = 1500;

/**
 * Time for which a removed challenge, a notice on a challenge and the board of a finished game stay
 * visible.
 */
const GONE_MS = 2000;
const NOTICE_MS = 15000;
const FINISHED_MS = 4000;

/** Maximum number of the viewer's games in progress. */
const OWN_GAMES_MAX = 50;

/** @typedef {import("./state.js").LobbyState} LobbyState */
/**
 * @template {{ type: string }} E
 * @typedef {import("../lib/dispatch.js").EffectHandlers<E>} EffectHandlers
 */

/**
 * Fetches the viewer's games in progress; null on failure.
 * @returns {Promise<{ nowPlaying: OwnGame[] } | null>}
 */
const fetchOwnGames = () => get(`/api/account/playing?nb=${OWN_GAMES_MAX}`).catch(() => null);

/**
 * Opens the games into which challenges have turned.
 * @param {string[]} ids
 */
const openStartedGames = async (ids) => {
  for (const id of ids) {
    const { status } = await get(`/api/challenge/${id}/show`);
    if (status === "accepted") goToGame(id);
  }
};

/** Home page. */
export class Lobby {
  /** @type {Catalog} */ catalog;
  /** @type {LobbyState} */ state;
  /** @type {import("./my-games.js").MyGames | undefined} */ myGames;
  /** @type {boolean} */ isStale;
  /** @type {boolean} */ isLoading;

  /**
   * @param {Catalog} catalog
   * @param {Account} me
   */
  constructor(catalog, me) {
    Object.assign(this, { catalog, state: initialState(me) });
    this.effectHandlers = this.createEffectHandlers();
    this.to = new URLSearchParams(location.search).get("to");
    const connection = new ConnectionBanner("lobby");
    this.socket = new Socket("/ws/lobby", {
      onMessage: (message) => this.receive(message),
      onState: (state) => connection.setState(state),
    });
    const now = () => this.socket.now();
    this.challenges = new ChallengeList(this, {
      now,
      insertQueued: () => this.change(insertQueued(this.state)),
      computer: () => this.quick.computer(),
    });
    this.quick = new QuickPlay(catalog, {
      me: () => this.state.me,
      go: goToGame,
      open: () => openChallenges(this.state),
    });
    this.next = asyncButton(
      t("lobby.next"),
      () => this.addPages(this.state.pages + 1),
      "btn lobby-more",
    );
    this.next.hidden = true;
    this.variantCards = new VariantCards(catalog, (variant) =>
      this.quick.openOpponentDialog(variant).catch(showError),
    );
    this.liveGames = new LiveGames(this);
    this.ownGames = h("section", { class: "card my-games", hidden: true });
    this.ownGamesShown = Promise.resolve();
    this.place = new FormSlot(() => this.form());
    this.notices = createNotices({ now });
    document.body.append(this.notices.element);
  }

  page() {
    const [head, ...rest] = this.challenges.elements();
    const newButton = asyncButton(
      t("lobby.newShort"),
      () => this.place.sheet(),
      "btn btn-primary lobby-create",
    );
    newButton.setAttribute("aria-label", t("lobby.new"));
    head.append(newButton);
    const list = h("section", {}, head, ...rest, this.next);
    if (this.to) queueMicrotask(() => this.place.reveal().catch(showError));
    return [
      h("h1", { class: "visually-hidden lobby-title" }, t("nav.lobby")),
      this.ownGames,
      h(
        "section",
        { class: "variant-section" },
        h("h2", { class: "visually-hidden" }, t("variants.title")),
        this.variantCards.element,
      ),
      this.liveGames.element,
      h("div", { class: "lobby" }, list, this.place.element),
    ];
  }

  async form() {
    const { ChallengeForm } = await import("./challenge-form.js");
    const posted = (/** @type {Challenge} */ challenge) => {
      this.change(prependChallenge(this.state, challenge));
      document.querySelector("dialog.form-dialog")?.close();
    };
    return new ChallengeForm(this.catalog, this.state.me, {
      now: () => this.socket.now(),
      posted,
      to: this.to,
    }).element;
  }

  /**
   * Returns a promise that resolves on the first lobby state, once the viewer's games are shown, or
   * after `READY_MS`.
   */
  ready() {
    return new Promise((done) => {
      this.resolveReady = () => this.ownGamesShown.then(done);
      setTimeout(done, READY_MS);
    });
  }

  /**
   * Loads pages of challenges up to a page number.
   * @param {number} last
   */
  async addPages(last) {
    while (this.state.nextPage && this.state.pages < last) {
      const { snapshot, nextPage } = this.state;
      const answer = await get(`/api/lobby?page=${nextPage}`);
      this.change(appendPage(this.state, answer, snapshot));
    }
  }

  /**
   * Handles a message of `/ws/lobby` or `/ws/live`.
   * @param {Frame<import("./state.js").LobbySocketMessage>} message
   */
  receive(message) {
    this.change(apply({ ...this.state, isListInUse: this.challenges.isInUse() }, message));
  }

  /**
   * Shows the state after a transition, and executes its effects.
   * @param {import("./state.js").Transition} transition
   */
  change({ state, effects }) {
    const previous = this.state;
    this.state = state;
    this.render(state, previous);
    runEffects(effects, this.effectHandlers);
  }

  /**
   * Has the components show what differs from the previous state.
   * @param {LobbyState} state
   * @param {LobbyState} previous
   */
  render(state, previous) {
    this.challenges.show(state, previous);
    this.next.hidden = !state.nextPage;
    if (state.games !== previous.games) this.variantCards.showCounts(state.games);
    this.liveGames.show(state, previous);
    if (state.ownGames !== previous.ownGames)
      this.ownGamesShown = this.showOwnGames().catch(showError);
  }

  /** @returns {EffectHandlers<import("./state.js").Effect>} */
  createEffectHandlers() {
    return {
      loaded: () => this.resolveReady?.(),
      loadPages: ({ pages }) => this.addPages(pages).catch(() => {}),
      reloadOwnGames: () => this.reloadOwnGames(),
      checkStarted: ({ ids }) => openStartedGames(ids).catch(() => {}),
      challengeGone: ({ id, gone }) =>
        this.changeLater(
          (state) => dropChallenge(state, id, gone),
          gone.isDeclined ? NOTICE_MS : GONE_MS,
        ),
      readyCheckBegun: ({ id, readyBy }) =>
        this.changeLater(
          (state) => expireReadyCheck(state, id, readyBy),
          readyBy - this.socket.now() + READY_CHECK_GRACE_MS,
        ),
      readyCheckFailed: ({ id, failure }) => {
        toast(readyCheckText(failure.reason, failure.challenge, failure.rating));
        this.changeLater((state) => dropFailure(state, id, failure), NOTICE_MS);
      },
      dailyGameStarted: () => toast(t("own.begun")),
      gameStarted: ({ start, isOwn }) => {
        if (isBusy()) this.notices.handle({ t: "start", d: start });
        else goToGame(start.id, isOwn ? playGameSound : undefined);
      },
      loadBoards: () => this.liveGames.load(),
      follow: ({ ids }) => this.liveGames.follow(ids),
      boardGone: ({ id }) => this.changeLater((state) => dropBoard(state, id), FINISHED_MS),
      forward: ({ message }) => this.notices.handle(message),
    };
  }

  /**
   * Executes a transition after a delay.
   * @param {(state: LobbyState) => import("./state.js").Transition} transition
   * @param {number} delayMs
   */
  changeLater(transition, delayMs) {
    setTimeout(() => this.change(transition(this.state)), delayMs);
  }

  /** Reloads the viewer's games. A call during a reload causes one more reload after it. */
  async reloadOwnGames() {
    this.isStale = true;
    if (this.isLoading) return;
    this.isLoading = true;
    while (this.isStale) {
      this.isStale = false;
      const answer = await fetchOwnGames();
      if (answer) this.change(replaceOwnGames(this.state, answer.nowPlaying));
    }
    this.isLoading = false;
  }

  /** Shows the viewer's games. Their module is loaded with the first one. */
  async showOwnGames() {
    if (!this.myGames && this.state.ownGames.length === 0) return;
    const { MyGames } = await import("./my-games.js");
    this.myGames ??= new MyGames(this.ownGames, this.catalog);
    this.myGames.draw(this.state);
  }
}

const main = document.querySelector("main");

const openLobby = async () => {
  /** @type {Promise<[Account, { nowPlaying: OwnGame[] } | null]>} */
  const viewer = account().then(async (viewerAccount) => [viewerAccount, await fetchOwnGames()]);
  const [catalog, [me, played]] = await Promise.all([variants(), viewer]);
  const lobby = new Lobby(catalog, me);
  // With the state at hand all sections get their final size, which avoids a layout shift.
  if (played) lobby.change(replaceOwnGames(lobby.state, played.nowPlaying));
  // Players and guests with games find these first.
  const home = (!me.guest || lobby.state.ownGames.length > 0) && import("./member-home.js");
  await lobby.ready();
  const sections = lobby.page();
  if (home) await home.then(({ arrange }) => arrange(lobby, sections)).catch(() => {});
  main.append(...sections);
  return lobby;
};

const markNavigation = initHeader("/");
watchView(markNavigation);
const pendingLobby = openLobby();
// The server renders the introduction; the quick-play buttons join it before the data has loaded.
main.querySelector(".hero").append(quickButtons(pendingLobby));
// The error page is loaded on first use. Without it the message is a toast.
pendingLobby.catch(async (error) => {
  const errorPage = await import("../common/error-page.js").catch(() => null);
  if (errorPage) main.replaceChildren(errorPage.loadFailed(error));
  else showError(error);
});
