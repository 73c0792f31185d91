// Rematch of a finished game: its offer and answer, on the result card and in the status line. `by`
// is the side of the open offer, `offer` the id of its challenge. `note` replaces the usual text,
// for example after a refusal. Created by `page.js` for players; `message-handler.js` passes
// messages.
import { get } from "../lib/http.js";
import { goTo } from "../common/navigation.js";
import { h } from "../lib/dom.js";
import { once, settle } from "../common/status-line.js";
import { whyNot } from "../common/challenge-text.js";
import { knows, reasonText, say } from "../lib/i18n.js";

/** Rematch offer between the players of a game. */
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
   * `socket()` returns the socket of the game, `changed()` is called after each redraw, `others()`
   * returns whether the current change was not caused by the player.
   * @param {{
   *   id: string,
   *   you: Side,
   *   game: Game,
   *   variant: Variant,
   *   me: Account,
   *   socket: () => import("../lib/socket.js").Socket,
   *   changed: () => unknown,
   *   others: () => unknown,
   * }} options
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

  /**
   * Offers or accepts a rematch ("yes"), declines or withdraws it ("no").
   * @param {"yes" | "no"} answer
   */
  send(answer) {
    this.note = "";
    this.leaving = answer === "no";
    const how =
      answer === "yes" && this.by === null ? { sides: this.sides, board: this.board } : {};
    this.cid = this.socket().command("rematch", { answer, ...how });
    this.draw();
  }

  /**
   * Handles a message. Returns false if it does not concern the rematch.
   * @param {Frame} message
   */
  hear({ t, d }) {
    if (t === "rematch") this.set(d.by, d.id, d);
    else if (t === "challenge" && d.rematchOf === this.id) this.take(d);
    else if (t === "challengeGone" && d.id === this.offer) this.went(d);
    else if (t === "start" && this.offer && [d.challenge, d.id].includes(this.offer)) goTo(d.id);
    else return false;
    return true;
  }

  /**
   * Sets the side of the open offer.
   * @param {Side | null} by null: no open offer
   * @param {string} [offer] id of its challenge
   * @param {{ sides?: string, board?: string }} [how] requested sides and start position
   */
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

  /**
   * Sets the challenge of an offer, which contains the eligibility of the player.
   * @param {Challenge} challenge
   */
  take(challenge) {
    this.by = challenge.direction === "in" ? this.them : this.you;
    this.offer = challenge.id;
    this.challenge = challenge;
    this.draw();
  }

  /** @param {ChallengeGone} gone */
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

  /** Loads an offer that was made before the page was opened or while it was disconnected. */
  async look() {
    /** @type {Record<"in" | "out", Challenge[]>} */
    const { in: ins, out } = await get("/api/challenge");
    const open = [...ins, ...out].find(({ rematchOf }) => rematchOf === this.id);
    if (open) return this.take(open);
    if (!this.offer || !this.by) return undefined;
    const { status } = await get(`/api/challenge/${this.offer}/show`);
    if (status === "accepted") return goTo(this.offer);
    return this.set(null);
  }

  /**
   * Shows the refusal of a rematch command. Returns false if it refuses another command.
   * @param {Refusal} answer
   */
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

  /**
   * Describes a refusal, with the rating and the rating range if they are the reason.
   * @param {string} reason
   * @param {number | undefined} rating
   */
  async refusal(reason, rating) {
    if (knows(`error.${reason}`) || !knows(`why.${reason}`)) return reasonText({ reason });
    const { ratingRange } = this.challenge ?? (await get(`/api/challenge/${this.id}/show`));
    const you = rating ?? (await get("/api/account")).perfs[this.variant.key].rating;
    return whyNot({ ineligibleReason: reason, ratingRange }, you);
  }

  /**
   * Returns a sentence and buttons for the result card and the status line.
   * @returns {[string, HintButton[]]}
   */
  words() {
    const { name, challenge } = this;
    /** @type {(yes: "yes" | "no") => () => void} */
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

  /** Builds the buttons that select the sides and the start position before an offer. */
  how() {
    /** @type {(name: "sides" | "board", other: string) => HTMLButtonElement} */
    const choice = (name, other) =>
      h(
        "button",
        {
          type: "button",
          class: "filter",
          "aria-pressed": String(this[name] === "same"),
          onclick: (/** @type {MouseEvent & { currentTarget: Element }} */ { currentTarget }) => {
            this[name] = this[name] === "same" ? other : "same";
            currentTarget.setAttribute("aria-pressed", String(this[name] === "same"));
          },
        },
        say(`rematch.${name}`),
      );
    // Only a random start position can be repeated or replaced.
    return h(
      "span",
      { class: "how" },
      choice("sides", "changed"),
      this.variant.chance && choice("board", "new"),
    );
  }

  /** Redraws the element on the result card. */
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
    if (this.others()) settle(/** @type {Iterable<HTMLElement>} */ (row.children));
    if (had) row.firstElementChild?.focus({ preventScroll: true });
    this.changed();
  }
}
