// The first page: open challenges, the form for a new one, the games in play.
import { account, variants } from "./api.js";
import { ChallengeForm } from "./challenge-form.js";
import { ChallengeList } from "./challenge-list.js";
import { playComputer } from "./computer.js";
import { h, line, toast } from "./dom.js";
import { notices } from "./me.js";
import { OwnGames } from "./own-games.js";
import { Socket } from "./socket.js";
import { Tables } from "./tables.js";
import { isOwn } from "./terms.js";
import { top } from "./top.js";
import { say } from "./words.js";

/** Where the form stands beside the list; where it does not, it is opened. */
const BESIDE = "(min-width: 1120px)";

class Lobby {
  constructor(catalogue, me) {
    Object.assign(this, { catalogue, me });
    this.to = new URLSearchParams(location.search).get("to");
    this.challenges = new ChallengeList(catalogue, me, { now: () => this.socket.now(), go: (id) => this.go(id), computer: () => this.computer() });
    this.own = new OwnGames(catalogue);
    this.tables = new Tables(catalogue, me.id);
    this.socket = new Socket("/ws/lobby", { hear: (message) => this.hear(message), state: () => {} });
    this.notices = notices({ now: () => this.socket.now() });
    document.body.append(this.notices.element);
  }

  page() {
    const open = () => this.sheet();
    const hero = h("div", { class: "hero" }, h("div", {}, h("h1", {}, say("home.title")), h("p", {}, say("home.lead"))),
      h("div", { class: "hero-deeds" }, h("button", { class: "btn main big post", type: "button", onclick: open }, say("lobby.new")),
        h("button", { class: "btn big", type: "button", onclick: () => this.computer() }, say("computer.title"))));
    const section = h("section", {}, this.own.element, ...this.challenges.elements(), this.tables.element);
    if (this.to && !matchMedia(BESIDE).matches) queueMicrotask(open);
    return [hero, h("div", { class: "lobby" }, section, this.form())];
  }

  computer() {
    playComputer(this.catalogue, (id) => this.go(id));
  }

  form() {
    const posted = (challenge) => {
      this.challenges.put(challenge);
      document.querySelector("dialog.sheet")?.close();
    };
    return new ChallengeForm(this.catalogue, this.me, { now: () => this.socket.now(), posted, to: this.to }).element;
  }

  sheet() {
    const close = h("button", { class: "icon", type: "button", "aria-label": say("form.close") }, line("M6 6l12 12M18 6L6 18"));
    const sheet = h("dialog", { class: "sheet", "aria-label": say("form.title") }, h("div", { class: "sheet-head" }, h("span", {}), close), this.form());
    close.addEventListener("click", () => sheet.close());
    sheet.addEventListener("close", () => sheet.remove());
    document.body.append(sheet);
    sheet.showModal();
  }

  hear(message) {
    const told = {
      full: (whole) => this.whole(whole), challenge: (challenge) => this.challenges.arrive(challenge), challengeGone: (gone) => this.challenges.leave(gone),
      game: (game) => this.tables.show(game), gameGone: ({ id }) => this.tables.remove(id), start: (started) => this.started(started),
    };
    const { t, d } = message;
    if (told[t]) return told[t](d);
    if (t === "turns") this.own.refresh();
    if (t === "ringGone") this.challenges.ringGone(d);
    return this.notices?.hear(message);
  }

  whole({ challenges, games, you }) {
    if (you) Object.assign(this.me, you);
    this.challenges.set(challenges);
    this.tables.set(games);
    this.own.refresh();
  }

  /** A game by the minute wants its player at once; one by the day is shown among the others. */
  started({ id, challenge }) {
    const begun = this.challenges.challenges.get(challenge ?? id);
    const daily = begun && isOwn(begun) && begun.choices.clocks.every(({ timeControl }) => timeControl.type === "correspondence");
    if (!daily) return this.go(id);
    toast(say("own.begun"));
    return this.own.refresh();
  }

  /** Goes to a game; the answer and the news of it come both, and one of them is enough. */
  go(id) {
    if (!this.gone) location.assign(`/${id}`);
    this.gone = true;
  }
}

top("/");
document.title = `${say("home.title")} · Sprong`;
try {
  const [catalogue, me] = await Promise.all([variants(), account()]);
  document.querySelector("main").append(...new Lobby(catalogue, me).page());
} catch (refused) {
  document.querySelector("main").append(h("div", { class: "message" }, h("p", {}, refused.message)));
}
