// The first page: what this is, play now, the five games, the tables, and the lobby with its open challenges.
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

/** How long is waited for the lobby before the page is shown without it. */
const READY_MS = 1500;

class Lobby {
  /** @type {Catalogue} */ catalogue;
  /** @type {Account} */ me;
  pages = 1;
  /** @type {number | null} */ nextPage = null;

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
    // What is known before the page is built moves nothing when it is shown.
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
    const posted = (challenge) => {
      this.challenges.put(challenge);
      document.querySelector("dialog.sheet")?.close();
    };
    return new ChallengeForm(this.catalogue, this.me, {
      now: () => this.socket.now(),
      posted,
      to: this.to,
    }).element;
  }

  /** Takes a challenge without looking at it first; where its maker has to be waited for, that is shown. */
  async accept(challenge, choice) {
    await this.challenges.accept(challenge, choice);
    if (this.challenges.ready.has(challenge.id) && !atLobby()) look("/lobby");
  }

  hear(message) {
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

  /** Resolves once it is known what the lobby holds, or will not be soon. */
  ready() {
    return new Promise((done) => {
      this.known = done;
      setTimeout(done, READY_MS);
    });
  }

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

  /** @param {number} last */
  async addPages(last) {
    for (; this.nextPage && this.pages < last; this.pages++) {
      const { challenges, nextPage } = await get(`/api/lobby?page=${this.nextPage}`);
      this.challenges.add(challenges);
      this.nextPage = nextPage;
    }
    this.next.hidden = !this.nextPage;
  }

  /** A game by the minute wants its player at once; one by the day is shown among the others. */
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
  const own = account().then(async (who) => [who, await playing()]);
  const [catalogue, [me, played]] = await Promise.all([variants(), own]);
  const lobby = new Lobby(catalogue, me, played);
  // All that is shown then has its size at once, and nothing is pushed away.
  await lobby.ready();
  main.append(...lobby.page());
  return lobby;
};

const bar = top("/");
watchView(bar);
const coming = begin();
// What this is, the server has written; the ways to play at once stand beside it before anything else is known.
main.querySelector(".hero").append(quickButtons(coming));
coming.catch((refused) => main.replaceChildren(trouble(refused)));
