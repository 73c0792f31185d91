// Entry point of the home page: introduction, quick play, variant cards, games in progress, and the
// lobby with the open challenges. The server renders the introduction; the quick-play buttons
// appear before the rest has loaded. The page owns the lobby socket and forwards its frames.
import { account, get, variants } from "../lib/http.js";
import { atWork, call, goTo } from "../common/navigation.js";
import { ChallengeList } from "./challenge-list.js";
import { Connection } from "../common/connection-banner.js";
import { deed, sayWhy } from "../lib/dialog.js";
import { h } from "../lib/dom.js";
import { notices } from "../common/notifications.js";
import { trouble } from "../common/error-page.js";
import { OwnGames, playing } from "./my-games.js";
import { Quick, quickButtons } from "./quick-play.js";
import { Shelf } from "../common/variant-cards.js";
import { Socket } from "../lib/socket.js";
import { Tables } from "./live-games.js";
import { isOwn } from "../common/challenge-text.js";
import { top } from "../common/header.js";
import { atLobby, FormPlace, look, watchView } from "./view.js";
import { say } from "../lib/i18n.js";

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
    const connection = new Connection("lobby");
    this.socket = new Socket("/ws/lobby", {
      hear: (message) => this.hear(message),
      state: (word) => connection.told(word),
    });
    const now = () => this.socket.now();
    this.challenges = new ChallengeList(catalogue, me, {
      now,
      go: goTo,
      computer: () => this.quick.computer(),
    });
    this.quick = new Quick(catalogue, me, {
      now,
      go: goTo,
      open: () => [...this.challenges.challenges.values()],
      accept: (challenge, choice) => this.accept(challenge, choice),
    });
    this.next = deed(say("lobby.next"), () => this.addPages(this.pages + 1), "btn more");
    this.next.hidden = true;
    this.shelf = new Shelf(catalogue, (variant) => this.quick.ask(variant));
    this.tables = new Tables(catalogue, me.id, (games) => this.shelf.count(games));
    this.own = new OwnGames(catalogue, (id) => this.tables.levelIn(id));
    // Data that is available before the page is built causes no layout shift.
    if (played) this.own.draw(played.nowPlaying);
    this.place = new FormPlace(() => this.form());
    this.notices = notices({ now });
    document.body.append(this.notices.element);
  }

  page() {
    const [head, ...rest] = this.challenges.elements();
    const fresh = deed(say("lobby.newShort"), () => this.place.sheet(), "btn main new-key");
    fresh.setAttribute("aria-label", say("lobby.new"));
    head.append(fresh);
    const list = h("section", {}, head, ...rest, this.next);
    if (this.to) queueMicrotask(() => this.place.bring().catch(sayWhy));
    return [
      h("h1", { class: "unseen lobby-name" }, say("nav.lobby")),
      this.own.element,
      h(
        "section",
        { class: "shelf-part" },
        h("h2", { class: "unseen" }, say("shelf.title")),
        this.shelf.element,
      ),
      this.tables.element,
      h("div", { class: "lobby" }, list, this.place.element),
    ];
  }

  async form() {
    const { ChallengeForm } = await import("./challenge-form.js");
    const posted = (/** @type {Challenge} */ challenge) => {
      this.challenges.put(challenge);
      document.querySelector("dialog.sheet")?.close();
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
    if (this.challenges.ready.has(challenge.id) && !atLobby()) look("/lobby");
  }

  /**
   * Handles a frame of the lobby socket.
   * @param {Frame} message
   */
  hear(message) {
    /** @type {Partial<Record<Frame["t"], (data: any) => unknown>>} */
    const told = {
      full: (whole) => this.whole(whole),
      challenge: (challenge) => this.challenges.arrive(challenge),
      challengeGone: (gone) => this.challenges.leave(gone),
      game: (game) => this.tables.show(game),
      gameGone: ({ id }) => this.tables.remove(id),
      start: (started) => this.started(started),
    };
    const { t, d } = message;
    if (told[t]) return told[t](d);
    if (t === "turns") this.own.refresh();
    if (t === "ringGone") this.challenges.ringGone(d);
    return this.notices?.hear(message);
  }

  /** Returns a promise that resolves on the first lobby state or after `READY_MS`. */
  ready() {
    return new Promise((done) => {
      this.known = done;
      setTimeout(done, READY_MS);
    });
  }

  /**
   * Applies the lobby state; reloads as many pages of challenges as were shown before.
   * @param {LobbyState} state
   */
  whole({ challenges, nextPage, games, you }) {
    if (you) Object.assign(this.me, you);
    this.challenges.set(challenges);
    const pages = this.pages;
    Object.assign(this, { pages: 1, nextPage });
    this.addPages(pages).catch(() => {});
    this.tables.set(games);
    this.own.refresh();
    this.known?.(undefined);
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
  started({ id, challenge }) {
    const begun = this.challenges.challenges.get(challenge ?? id);
    const daily =
      begun &&
      isOwn(begun) &&
      begun.choices.clocks.every(({ timeControl }) => timeControl.type === "correspondence");
    if (!daily && atWork()) return this.notices.hear({ t: "start", d: { id, challenge } });
    if (!daily) return goTo(id, begun && isOwn(begun) ? call : undefined);
    return this.own.begun();
  }
}

const main = document.querySelector("main");

const begin = async () => {
  /** @type {Promise<[Account, { nowPlaying: OwnGame[] } | null]>} */
  const own = account().then(async (who) => [who, await playing()]);
  const [catalogue, [me, played]] = await Promise.all([variants(), own]);
  const lobby = new Lobby(catalogue, me, played);
  // With the state at hand all sections get their final size, which avoids a layout shift.
  await lobby.ready();
  main.append(...lobby.page());
  return lobby;
};

const bar = top("/");
watchView(bar);
const coming = begin();
// The server renders the introduction; the quick-play buttons join it before the data has loaded.
main.querySelector(".hero").append(quickButtons(coming));
coming.catch((refused) => main.replaceChildren(trouble(refused)));
