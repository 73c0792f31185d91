// Entry point of the home page: introduction, quick play, variant cards, games in progress, and the
// lobby with the open challenges. The server renders the introduction; the quick-play buttons
// appear before the rest has loaded. The page owns the lobby socket and forwards its frames.
import { account, get, variants } from "../lib/http.js";
import { isBusy, playGameSound, goToGame } from "../common/navigation.js";
import { ChallengeList } from "./challenge-list.js";
import { ConnectionBanner } from "../common/connection-banner.js";
import { asyncButton, showError } from "../lib/form.js";
import { h } from "../lib/dom.js";
import { createNotices } from "../common/notifications.js";
import { loadFailed } from "../common/error-page.js";
import { MyGames, fetchNowPlaying } from "./my-games.js";
import { QuickPlay, quickButtons } from "./quick-play.js";
import { VariantCards } from "../common/variant-cards.js";
import { Socket } from "../lib/socket.js";
import { LiveGames } from "./live-games.js";
import { isOwn } from "../common/challenge-text.js";
import { initHeader } from "../common/header.js";
import { isLobbyView, FormSlot, showView, watchView } from "./view.js";
import { t } from "../lib/i18n.js";

/** Maximum wait for the lobby state before the page is shown without it. */
const READY_MS = 1500;

/** @typedef {{ variant?: string, clock?: string }} OfferChoice */

/**
 * Lobby state, sent on each connection.
 * @typedef {{
 *   challenges: Challenge[],
 *   nextPage: number | null,
 *   games: LiveGame[],
 *   you?: Partial<Account>,
 * }} LobbyState
 */

/** Home page. */
class Lobby {
  /** @type {Catalogue} */ catalogue;
  /** @type {Account} */ me;
  pages = 1;
  /** @type {number | null} */ nextPage = null;

  /**
   * @param {Catalogue} catalogue
   * @param {Account} me
   * @param {{ nowPlaying: OwnGame[] } | null} played  the viewer's games in progress, if available
   */
  constructor(catalogue, me, played) {
    Object.assign(this, { catalogue, me });
    this.to = new URLSearchParams(location.search).get("to");
    const connection = new ConnectionBanner("lobby");
    this.socket = new Socket("/ws/lobby", {
      onMessage: (message) => this.handle(message),
      onState: (state) => connection.setState(state),
    });
    const now = () => this.socket.now();
    this.challenges = new ChallengeList(catalogue, me, {
      now,
      go: goToGame,
      computer: () => this.quick.computer(),
    });
    this.quick = new QuickPlay(catalogue, me, {
      now,
      go: goToGame,
      open: () => [...this.challenges.challenges.values()],
      accept: (challenge, choice) => this.accept(challenge, choice),
    });
    this.next = asyncButton(t("lobby.next"), () => this.addPages(this.pages + 1), "btn lobby-more");
    this.next.hidden = true;
    this.variantCards = new VariantCards(catalogue, (variant) =>
      this.quick.openOpponentDialog(variant).catch(showError),
    );
    this.liveGames = new LiveGames(catalogue, me.id, (games) =>
      this.variantCards.showCounts(games),
    );
    this.myGames = new MyGames(catalogue, (id) => this.liveGames.levelIn(id));
    // Data that is available before the page is built causes no layout shift.
    if (played) this.myGames.draw(played.nowPlaying);
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
      this.myGames.element,
      h(
        "section",
        { class: "variant-section" },
        h("h2", { class: "visually-hidden" }, t("shelf.title")),
        this.variantCards.element,
      ),
      this.liveGames.element,
      h("div", { class: "lobby" }, list, this.place.element),
    ];
  }

  async form() {
    const { ChallengeForm } = await import("./challenge-form.js");
    const posted = (/** @type {Challenge} */ challenge) => {
      this.challenges.prepend(challenge);
      document.querySelector("dialog.form-dialog")?.close();
    };
    return new ChallengeForm(this.catalogue, this.me, {
      now: () => this.socket.now(),
      posted,
      to: this.to,
    }).element;
  }

  /**
   * Accepts a challenge from quick play; switches to the lobby if a ready check follows, as the
   * list shows it.
   * @param {Challenge} challenge
   * @param {OfferChoice} choice
   */
  async accept(challenge, choice) {
    await this.challenges.accept(challenge, choice);
    if (this.challenges.ready.has(challenge.id) && !isLobbyView()) showView("/lobby");
  }

  /**
   * Handles a frame of the lobby socket.
   * @param {Frame} message
   */
  handle(message) {
    /** @type {Partial<Record<Frame["t"], (data: any) => unknown>>} */
    const handlers = {
      full: (whole) => this.onFull(whole),
      challenge: (challenge) => this.challenges.onChallenge(challenge),
      challengeGone: (gone) => this.challenges.leave(gone),
      game: (game) => this.liveGames.show(game),
      gameGone: ({ id }) => this.liveGames.remove(id),
      start: (started) => this.onStart(started),
    };
    const { t: type, d: data } = message;
    if (handlers[type]) return handlers[type](data);
    if (type === "turns") this.myGames.refresh();
    if (type === "ringGone") this.challenges.onRingGone(data);
    return this.notices?.handle(message);
  }

  /** Returns a promise that resolves on the first lobby state or after `READY_MS`. */
  ready() {
    return new Promise((done) => {
      this.resolveReady = done;
      setTimeout(done, READY_MS);
    });
  }

  /**
   * Applies the lobby state; reloads as many pages of challenges as were shown before.
   * @param {LobbyState} state
   */
  onFull({ challenges, nextPage, games, you }) {
    if (you) Object.assign(this.me, you);
    this.challenges.set(challenges);
    const pages = this.pages;
    Object.assign(this, { pages: 1, nextPage });
    this.addPages(pages).catch(() => {});
    this.liveGames.set(games);
    this.myGames.refresh();
    this.resolveReady?.(undefined);
  }

  /**
   * Loads pages of challenges up to a page number.
   * @param {number} last
   */
  async addPages(last) {
    for (; this.nextPage && this.pages < last; this.pages++) {
      const { challenges, nextPage } = await get(`/api/lobby?page=${this.nextPage}`);
      this.challenges.add(challenges);
      this.nextPage = nextPage;
    }
    this.next.hidden = !this.nextPage;
  }

  /**
   * Handles the start of the viewer's game: opens it, unless it is a correspondence game or the
   * viewer is busy.
   * @param {Frames["start"]} start
   */
  onStart({ id, challenge }) {
    const accepted = this.challenges.challenges.get(challenge ?? id);
    const daily =
      accepted &&
      isOwn(accepted) &&
      accepted.choices.clocks.every(({ timeControl }) => timeControl.type === "correspondence");
    if (!daily && isBusy()) return this.notices.handle({ t: "start", d: { id, challenge } });
    if (!daily) return goToGame(id, accepted && isOwn(accepted) ? playGameSound : undefined);
    return this.myGames.announceStart();
  }
}

const main = document.querySelector("main");

const openLobby = async () => {
  /** @type {Promise<[Account, { nowPlaying: OwnGame[] } | null]>} */
  const viewer = account().then(async (viewerAccount) => [viewerAccount, await fetchNowPlaying()]);
  const [catalogue, [me, played]] = await Promise.all([variants(), viewer]);
  const lobby = new Lobby(catalogue, me, played);
  // With the state at hand all sections get their final size, which avoids a layout shift.
  await lobby.ready();
  main.append(...lobby.page());
  return lobby;
};

const markNavigation = initHeader("/");
watchView(markNavigation);
const pendingLobby = openLobby();
// The server renders the introduction; the quick-play buttons join it before the data has loaded.
main.querySelector(".hero").append(quickButtons(pendingLobby));
pendingLobby.catch((refused) => main.replaceChildren(loadFailed(refused)));
