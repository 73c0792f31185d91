// The first page: open challenges, the form for a new one, the games in play.
import { account, get, post, variants } from "./api.js";
import { card, refusalText } from "./challenge-card.js";
import { challengeForm } from "./challenge-form.js";
import { h, line, toast, toggle } from "./dom.js";
import { icon } from "./glyphs/index.js";
import { Socket } from "./socket.js";
import { Tables } from "./tables.js";
import { top } from "./top.js";
import { say, variantName } from "./words.js";

/** How long a challenge that has gone stays to be seen. */
const GONE_MS = 2000;

class Lobby {
  constructor(catalogue, me) {
    Object.assign(this, { catalogue, me, challenges: new Map(), waiting: [], filter: null, hide: false });
    this.list = h("ul", { class: "cards", "aria-label": say("lobby.title") });
    this.more = h("button", { class: "btn more", type: "button", hidden: true, onclick: () => this.letIn() });
    this.empty = h("div", { class: "empty" });
    this.tables = new Tables(catalogue, me.id);
    this.socket = new Socket("/ws/lobby", { hear: (message) => this.hear(message), state: () => {} });
  }

  page() {
    const head = h("div", { class: "lobby-head" }, h("h2", {}, say("lobby.title")), toggle(say("lobby.hide"), false, (hide) => {
      this.hide = hide;
      this.draw();
    }));
    const open = () => this.sheet();
    const hero = h("div", { class: "hero" }, h("div", {}, h("h1", {}, say("home.title")), h("p", {}, say("home.lead"))),
      h("button", { class: "btn main big", type: "button", onclick: open }, say("lobby.new")));
    const section = h("section", {}, head, this.filters(), this.more, this.list, this.empty, this.tables.element);
    return [hero, h("div", { class: "lobby" }, section, this.form())];
  }

  form() {
    return challengeForm(this.catalogue, this.me, () => this.socket.now(), (challenge) => {
      this.put(challenge);
      document.querySelector("dialog.sheet")?.close();
    });
  }

  sheet() {
    const close = h("button", { class: "icon", type: "button", "aria-label": say("form.close") }, line("M6 6l12 12M18 6L6 18"));
    const sheet = h("dialog", { class: "sheet", "aria-label": say("form.title") }, h("div", { class: "sheet-head" }, h("span", {}), close), this.form());
    close.addEventListener("click", () => sheet.close());
    sheet.addEventListener("close", () => sheet.remove());
    document.body.append(sheet);
    sheet.showModal();
  }

  filters() {
    const buttons = [[null, say("lobby.all")], ...[...this.catalogue.values()].map((variant) => [variant.key, variantName(variant)])].map(([key, name]) => {
      const button = h("button", { type: "button", "aria-pressed": String(key === null) }, key && icon(key), name);
      button.addEventListener("click", () => {
        this.filter = key;
        for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
        this.draw();
      });
      return button;
    });
    return h("div", { class: "filters", role: "group", "aria-label": say("lobby.filter") }, ...buttons);
  }

  hear({ t, d }) {
    if (t === "full") {
      this.followOwn(new Set(d.challenges.map(({ id }) => id))).catch(() => {});
      this.challenges = new Map(d.challenges.map((challenge) => [challenge.id, challenge]));
      this.waiting = [];
      if (d.you) this.me = d.you;
      this.tables.set(d.games);
      this.draw();
    } else if (t === "challenge") this.arrive(d);
    else if (t === "challengeGone") this.leave(d);
    else if (t === "game") this.tables.show(d);
    else if (t === "gameGone") this.tables.remove(d.id);
    else if (t === "start") this.go(d.id);
  }

  /** A new challenge waits while the pointer is over the list: nothing moves under a hand. */
  arrive(challenge) {
    if (this.challenges.has(challenge.id)) {
      this.challenges.set(challenge.id, challenge);
      return this.draw();
    }
    const own = challenge.ineligibleReason === "own";
    if (own || !this.list.matches(":hover")) return this.put(challenge);
    this.waiting = [...this.waiting.filter(({ id }) => id !== challenge.id), challenge];
    return this.drawMore();
  }

  drawMore() {
    this.more.hidden = this.waiting.length === 0;
    this.more.textContent = say("lobby.more", { n: this.waiting.length });
  }

  letIn() {
    this.challenges = new Map([...this.waiting.reverse().map((challenge) => [challenge.id, challenge]), ...this.challenges]);
    this.waiting = [];
    this.draw();
  }

  put(challenge) {
    this.challenges = new Map([[challenge.id, challenge], ...this.challenges].filter(([id], at) => at === 0 || id !== challenge.id));
    this.draw();
  }

  leave({ id, status }) {
    this.waiting = this.waiting.filter((challenge) => challenge.id !== id);
    this.drawMore();
    const challenge = this.challenges.get(id);
    if (!challenge) return;
    challenge.gone = status;
    this.strike(challenge);
    setTimeout(() => {
      if (this.challenges.get(id) === challenge) this.challenges.delete(id);
      this.item(id)?.remove();
      this.drawEmpty();
    }, GONE_MS);
  }

  item(id) {
    return this.list.querySelector(`[data-id="${CSS.escape(id)}"]`);
  }

  /** Shows a challenge that has gone as gone. */
  strike({ id, gone }) {
    const item = this.item(id);
    if (!item) return;
    item.className = "challenge grey";
    item.querySelector(".deed").replaceChildren(h("span", { class: "why" }, say(gone === "accepted" ? "card.taken" : "card.gone")));
  }

  draw() {
    this.drawMore();
    const deeds = { accept: (challenge) => this.accept(challenge), withdraw: (challenge) => this.withdraw(challenge) };
    const shown = [...this.challenges.values()].filter((challenge) =>
      (!this.filter || challenge.variant.key === this.filter) && (!this.hide || challenge.eligible || challenge.ineligibleReason === "own"));
    const focused = this.list.contains(document.activeElement) && document.activeElement.closest("[data-id]")?.dataset.id;
    this.list.replaceChildren(...shown.map((challenge) => {
      const { key } = challenge.variant;
      return card(challenge, this.catalogue.get(key), this.me.perfs[key].rating, deeds);
    }));
    shown.filter(({ gone }) => gone).forEach((challenge) => this.strike(challenge));
    if (focused) this.item(focused)?.querySelector("button")?.focus({ preventScroll: true });
    this.drawEmpty();
  }

  drawEmpty() {
    this.empty.hidden = this.list.childElementCount > 0;
    const key = [...this.catalogue.keys()].at(-1);
    this.empty.replaceChildren(icon(key), h("p", {}, say(this.challenges.size ? "lobby.hidden" : "lobby.empty")));
  }

  /** An own challenge that went while the connection was away may have become a game. */
  async followOwn(open) {
    const gone = [...this.challenges.values()].filter(({ id, ineligibleReason }) => ineligibleReason === "own" && !open.has(id));
    for (const { id } of gone) {
      const { status } = await get(`/api/challenge/${id}/show`);
      if (status === "accepted") this.go(id);
    }
  }

  /** Goes to a game; the answer and the news of it come both, and one of them is enough. */
  go(id) {
    if (!this.gone) location.assign(`/${id}`);
    this.gone = true;
  }

  async accept(challenge) {
    try {
      await post(`/api/challenge/${challenge.id}/accept`);
      this.go(challenge.id);
    } catch (refused) {
      toast(refusalText(refused, challenge));
    }
  }

  async withdraw({ id }) {
    await post(`/api/challenge/${id}/cancel`).catch((refused) => toast(refused.message));
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
