// A challenge by its link: its maker waits here, and whoever it is for may accept.
import { OfferChoice } from "../common/notice-bar.js";
import { get, post } from "../lib/http.js";
import { call } from "../common/navigation.js";
import { answerReady } from "../common/challenge-card.js";
import { Connection } from "../common/connection-banner.js";
import { h } from "../lib/dom.js";
import { shuffleNote } from "../common/fair-start.js";
import { newsSocket } from "../common/notifications.js";
import "../lib/i18n-more.js";
import { Socket } from "../lib/socket.js";
import { isChoice, refusalText, ringText } from "../common/challenge-text.js";
import { challengeHead, gamesText, stage } from "./view.js";
import { say } from "../lib/i18n.js";

/** Who takes a seat, and what becomes of a challenge that is in no list, this connection does not hear: that is looked at so often. */
const LOOK_MS = 4000;

export class Waiting {
  /** @type {Challenge} */ challenge;
  /** @type {Catalogue} */ catalogue;
  /** @type {Account} */ me;
  /** @type {(id: string) => unknown} */ begun;
  /** @type {number | null} */ readyBy;
  /** @type {Player | null} */ by;
  /** @type {Socket | undefined} */ socket;
  /** @type {number} */ looking;
  /** @type {boolean} */ started;
  /** @type {{ hear(frame: any): unknown }} */ notices;
  /** @type {OfferChoice} */ choice;

  /**
   * `begun(id)` is called once there is a game.
   * @param {Challenge} challenge
   * @param {Catalogue} catalogue
   * @param {Account} me
   * @param {(id: string) => unknown} begun
   */
  constructor(challenge, catalogue, me, begun) {
    Object.assign(this, { challenge, catalogue, me, begun, readyBy: null, by: null });
    this.element = h("section", { class: "card wait" });
    this.wrong = h("p", { class: "wrong", role: "alert" });
    document.title = `${gamesText(challenge, catalogue)} · Sprong`;
    if (challenge.status === "created") {
      const connection = new Connection("lobby");
      this.socket = new Socket("/ws/lobby", {
        hear: (message) => this.hear(message),
        state: (word) => connection.told(word),
      });
      if (challenge.kind === "open" || (challenge.kind === "link" && !this.own()))
        this.looking = setInterval(() => !document.hidden && this.look().catch(() => {}), LOOK_MS);
    } else this.rest();
    this.draw();
  }

  now() {
    return this.socket?.now() ?? Date.now();
  }

  own() {
    return (
      this.challenge.ineligibleReason === "own" || this.challenge.challenger?.id === this.me.id
    );
  }

  /** The viewer's rating, in the first of the games. */
  rating() {
    return this.challenge.yourRating ?? this.me.perfs[this.challenge.variant.key].rating;
  }

  hear(message) {
    const { t, d } = message;
    const here = d?.id === this.challenge.id;
    if (t === "full") this.look().catch(() => {});
    else if (
      t === "start" &&
      [d.challenge, d.id].includes(this.challenge.id) &&
      !(this.own() && this.challenge.standing)
    )
      this.start(d.id);
    else if (t === "challenge" && here) this.update(d);
    else if (t === "challengeGone" && here) this.gone(d);
    else if (t === "seatLost" && here) this.seatLost(d);
    else if (t === "ring" && d.challenge.id === this.challenge.id) this.rung(d);
    else if (t === "ringGone" && here) this.ringGone(d);
    // The lobby tells of everybody's challenges and games too.
    else if (!["game", "gameGone"].includes(t) && (t !== "challenge" || d.direction === "in"))
      this.notices?.hear(message);
  }

  /** What happened while the connection was away is only to be seen by looking. */
  async look() {
    const seen = await get(`/api/challenge/${this.challenge.id}/show`);
    if (seen.status === "accepted") return this.start(seen.id);
    return this.update(seen);
  }

  update(challenge) {
    const changed = JSON.stringify(challenge) !== JSON.stringify(this.challenge);
    const wasOpen = this.challenge.status === "created";
    this.challenge = challenge;
    if (wasOpen && challenge.status !== "created") this.rest();
    if (changed) this.draw();
  }

  /** @param {Pick<ChallengeGone, "status" | "reasonKey">} gone */
  gone({ status, reasonKey }) {
    // A challenge for many goes on after each of its games; its maker is told of them elsewhere.
    if (status === "accepted" && !this.challenge.standing) return this.start(this.challenge.id);
    return this.update({ ...this.challenge, status, declineReasonKey: reasonKey });
  }

  /** The acceptor hears of the game twice, by the answer and by the lobby: it is opened once. */
  start(id) {
    if (this.started) return;
    this.started = true;
    this.leave();
    if (this.own()) call();
    this.begun(id);
  }

  /** Nothing happens to the challenge any more; whoever looks at it is still told what is told everywhere. */
  rest() {
    this.leave();
    this.socket = newsSocket((frame) => this.notices?.hear(frame));
  }

  leave() {
    clearInterval(this.looking);
    this.socket?.close();
  }

  seatLost(challenge) {
    this.update(challenge);
    this.wrong.textContent = say("news.seatLost");
  }

  rung({ by, readyBy }) {
    Object.assign(this, { by });
    this.update({ ...this.challenge, readyBy });
  }

  ringGone({ reason }) {
    const awaited = this.readyBy && reason !== "ready";
    this.readyBy = null;
    this.challenge = { ...this.challenge, readyBy: null };
    this.draw();
    if (awaited) this.wrong.textContent = ringText(reason, this.challenge, this.rating());
  }

  /** Does something and says why if it is refused; the button shows that it is at work. */
  async act(button, deed) {
    if (button.classList.contains("busy")) return;
    button.classList.add("busy");
    this.wrong.textContent = "";
    try {
      await deed();
    } catch (refused) {
      this.wrong.textContent = refusalText(refused, this.challenge);
    }
    button.classList.remove("busy");
  }

  async accept(seat) {
    const color = seat ? { color: seat } : {};
    const { id, ready, readyBy, waiting } = await post(
      `/api/challenge/${this.challenge.id}/accept`,
      { ...this.choice.value(), ...color },
    );
    if (ready === false) {
      this.readyBy = readyBy;
      this.draw();
    } else if (waiting) await this.look();
    else this.start(id);
  }

  async answer(answer) {
    const { id } = await answerReady(this.challenge.id, answer);
    if (answer === "yes") return this.start(id);
    return this.ringGone({ reason: "ready" });
  }

  button(className, key, deed) {
    const button = h("button", { class: className, type: "button" }, say(key));
    button.addEventListener("click", () => this.act(button, deed));
    return button;
  }

  draw() {
    const { challenge } = this;
    this.choice = new OfferChoice(challenge, this.catalogue, this.me);
    this.choice.element.hidden = !isChoice(challenge);
    const [state, ...deeds] = stage(this);
    this.element.replaceChildren(
      ...challengeHead(challenge, this.catalogue, this.rating(), this.own()),
      ...(state ? [h("p", { class: "soft", role: "status" }, state)] : []),
      ...(challenge.shuffle ? [shuffleNote(challenge.shuffle)] : []),
      h("div", { class: "deeds" }, ...deeds.filter(Boolean)),
      this.wrong,
    );
  }
}
