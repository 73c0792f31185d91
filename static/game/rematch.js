// The same game once more: offered, awaited, answered.
import { get } from "../lib/http.js";
import { goTo } from "../common/navigation.js";
import { h } from "../lib/dom.js";
import { once, settle } from "../common/status-line.js";
import { whyNot } from "../common/challenge-text.js";
import { knows, reasonText, say } from "../lib/i18n.js";

export class Rematch {
  /** @type {string} */ id;
  /** @type {Side} */ you;
  /** @type {Side} */ them;
  /** @type {Account} */ me;
  /** @type {Variant} */ variant;
  /** @type {string} */ name;
  /** @type {() => import("../lib/socket.js").Socket} */ socket;
  /** @type {() => unknown} */ changed;
  /** @type {() => unknown} */ others;
  /** @type {string} */ sides;
  /** @type {string} */ board;
  /** @type {Side | null} */ by;
  /** @type {string | null} */ offer;
  /** @type {Challenge | null} */ challenge;
  /** @type {string} */ note;
  /** @type {{ sides?: string, board?: string }} */ asked;
  /** @type {boolean} */ leaving;
  /** @type {string} */ cid;

  /**
   * For the player `you` of that game; `socket()` is the game's, `changed()` is told when there is something
   * else to say, `others()` says whether it is not the player's own doing.
   * @param {{ id: string, you: Side, game: Game, variant: Variant, me: Account, socket: () => import("../lib/socket.js").Socket, changed: () => unknown, others: () => unknown }} how
   */
  constructor({ id, you, game, variant, me, socket, changed, others }) {
    const them = you === "first" ? "second" : "first";
    Object.assign(this, {
      id,
      you,
      them,
      me,
      variant,
      name: game[them].name,
      socket,
      changed,
      others,
      sides: "changed",
      board: "new",
      by: null,
      offer: null,
      challenge: null,
      note: "",
    });
    this.element = h("div", { class: "rematch", role: "status" });
    this.draw();
  }

  send(answer) {
    this.note = "";
    this.leaving = answer === "no";
    const how =
      answer === "yes" && this.by === null ? { sides: this.sides, board: this.board } : {};
    this.cid = this.socket().command("rematch", { answer, ...how });
    this.draw();
  }

  /** Takes what the game's socket tells; answers whether it was about the rematch. */
  hear({ t, d }) {
    if (t === "rematch") this.set(d.by, d.id, d);
    else if (t === "challenge" && d.rematchOf === this.id) this.take(d);
    else if (t === "challengeGone" && d.id === this.offer) this.went(d);
    else if (t === "start" && this.offer && [d.challenge, d.id].includes(this.offer)) goTo(d.id);
    else return false;
    return true;
  }

  set(by, offer, how = {}) {
    this.asked = by ? { ...this.asked, ...how } : {};
    if (this.by === this.you && by === null && !this.leaving && !this.note)
      this.note = say("rematch.declined", { name: this.name });
    if (by) this.note = "";
    if (by !== this.by) this.challenge = null;
    this.by = by;
    this.offer = offer ?? this.offer;
    this.leaving = false;
    this.draw();
  }

  /** The challenge behind an offer tells whether it may be accepted. */
  take(challenge) {
    this.by = challenge.direction === "in" ? this.them : this.you;
    this.offer = challenge.id;
    this.challenge = challenge;
    this.draw();
  }

  went({ status, reasonKey }) {
    const mine = this.by === this.you || this.by === null;
    if (status === "accepted") return;
    if (status === "expired") this.note = say("wait.expired");
    else if (status === "declined" && mine)
      this.note = say(knows(`why.${reasonKey}`) ? "rematch.unfit" : "rematch.declined", {
        name: this.name,
      });
    this.by = null;
    this.draw();
  }

  /** Looks for an offer that was made before this page was here, or while its connection was away. */
  async look() {
    const { in: ins, out } = await get("/api/challenge");
    const open = [...ins, ...out].find(({ rematchOf }) => rematchOf === this.id);
    if (open) return this.take(open);
    if (!this.offer || !this.by) return undefined;
    const { status } = await get(`/api/challenge/${this.offer}/show`);
    if (status === "accepted") return goTo(this.offer);
    return this.set(null);
  }

  /** A refusal that answers this page's own command; it is said with numbers where there are any. */
  refused({ cid, reason, rating }) {
    if (cid !== this.cid) return false;
    this.note = reasonText({ reason, rating });
    this.refusal(reason, rating)
      .then((text) => {
        this.note = text;
        this.draw();
      })
      .catch(() => this.draw());
    return true;
  }

  async refusal(reason, rating) {
    if (knows(`error.${reason}`) || !knows(`why.${reason}`)) return reasonText({ reason });
    const { ratingRange } = this.challenge ?? (await get(`/api/challenge/${this.id}/show`));
    const you = rating ?? (await get("/api/account")).perfs[this.variant.key].rating;
    return whyNot({ ineligibleReason: reason, ratingRange }, you);
  }

  /**
   * What is to be said and pressed: a sentence, and buttons as the hint has them.
   * @returns {[string, HintButton[]]}
   */
  words() {
    const { name, challenge } = this;
    const answer = (yes) => () => this.send(yes);
    if (this.by === this.you)
      return [say("rematch.waiting", { name }), [[say("hint.takeback"), answer("no")]]];
    if (this.by === null) return [this.note, [[say("rematch.ask"), answer("yes"), "main"]]];
    /** @type {HintButton} */
    const no = [say("hint.no"), answer("no")];
    if (challenge && !challenge.eligible)
      return [
        `${say("rematch.offered", { name })} ${whyNot(challenge, challenge.yourRating ?? this.me.perfs[this.variant.key].rating)}.`,
        [no],
      ];
    const offered = [
      say("rematch.offered", { name }),
      this.asked?.sides === "same" && say("rematch.withsides"),
      this.asked?.board === "same" && say("rematch.withboard"),
    ];
    return [
      this.note || offered.filter(Boolean).join(" "),
      [no, [say("hint.yes"), answer("yes"), "main"]],
    ];
  }

  /** How it is to be, before it is asked for: whether as the last time or the other way round. */
  how() {
    const choice = (name, other) =>
      h(
        "button",
        {
          type: "button",
          class: "filter",
          "aria-pressed": String(this[name] === "same"),
          onclick: ({ currentTarget }) => {
            this[name] = this[name] === "same" ? other : "same";
            currentTarget.setAttribute("aria-pressed", String(this[name] === "same"));
          },
        },
        say(`rematch.${name}`),
      );
    // Only what is drawn by lot can be the same once more.
    return h(
      "span",
      { class: "how" },
      choice("sides", "changed"),
      this.variant.chance && choice("board", "new"),
    );
  }

  draw() {
    const [text, buttons] = this.words();
    const had = this.element.contains(document.activeElement);
    const row = h(
      "span",
      {},
      ...buttons.map(([label, deed, kind]) =>
        h("button", { type: "button", class: `btn ${kind ?? ""}`, onclick: once(deed) }, label),
      ),
    );
    this.element.replaceChildren(
      h("p", { class: "soft" }, text),
      row,
      ...(this.by === null ? [this.how()] : []),
    );
    if (this.others()) settle(row.children);
    if (had) row.firstElementChild?.focus({ preventScroll: true });
    this.changed();
  }
}
