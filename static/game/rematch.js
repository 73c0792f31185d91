// Rematch of a finished game: its offer and answer, on the result card and in the status line. `by`
// is the side of the open offer, `offer` the id of its challenge. `note` replaces the usual text,
// for example after a refusal. Created by `page.js` for players; `effect-runner.js` passes
// messages.
import { get } from "../lib/http.js";
import { goToGame } from "../common/navigation.js";
import { h } from "../lib/dom.js";
import { ignoreDoubleClick, holdButtons } from "../common/status-line.js";
import { rejectionText } from "../common/challenge-text.js";
import { otherSide } from "../model/notation.js";
import { hasPhrase, reasonText, t } from "../lib/i18n.js";

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
  /** @type {{ sides?: string, board?: string }} */ requestedOptions;
  /** @type {boolean} */ isWithdrawing;
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
    const them = otherSide(you);
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
    this.element = h("div", { class: "game-rematch", role: "status" });
    this.draw();
  }

  /**
   * Offers or accepts a rematch ("yes"), declines or withdraws it ("no").
   * @param {"yes" | "no"} answer
   */
  send(answer) {
    this.note = "";
    this.isWithdrawing = answer === "no";
    const options =
      answer === "yes" && this.by === null ? { sides: this.sides, board: this.board } : {};
    this.cid = this.socket().command("rematch", { answer, ...options });
    this.draw();
  }

  /**
   * Handles a message. Returns false if it does not concern the rematch.
   * @param {Frame} message
   */
  handle({ t: type, d: data }) {
    if (type === "rematch") this.set(data.by, data.id, data);
    else if (type === "challenge" && data.rematchOf === this.id) this.setChallenge(data);
    else if (type === "challengeGone" && data.id === this.offer) this.onChallengeGone(data);
    else if (type === "start" && this.offer && [data.challenge, data.id].includes(this.offer))
      goToGame(data.id);
    else return false;
    return true;
  }

  /**
   * Sets the side of the open offer.
   * @param {Side | null} by null: no open offer
   * @param {string} [offer] id of its challenge
   * @param {{ sides?: string, board?: string }} [requested] requested sides and start position
   */
  set(by, offer, requested = {}) {
    this.requestedOptions = by ? { ...this.requestedOptions, ...requested } : {};
    if (this.by === this.you && by === null && !this.isWithdrawing && !this.note)
      this.note = t("rematch.declined", { name: this.name });
    if (by) this.note = "";
    if (by !== this.by) this.challenge = null;
    this.by = by;
    this.offer = offer ?? this.offer;
    this.isWithdrawing = false;
    this.draw();
  }

  /**
   * Sets the challenge of an offer, which contains the eligibility of the player.
   * @param {Challenge} challenge
   */
  setChallenge(challenge) {
    this.by = challenge.direction === "in" ? this.them : this.you;
    this.offer = challenge.id;
    this.challenge = challenge;
    this.draw();
  }

  /** @param {ChallengeGone} gone */
  onChallengeGone({ status, reasonKey }) {
    const isOwn = this.by === this.you || this.by === null;
    if (status === "accepted") return;
    if (status === "expired") this.note = t("wait.expired");
    else if (status === "declined" && isOwn)
      this.note = t(hasPhrase(`why.${reasonKey}`) ? "rematch.unfit" : "rematch.declined", {
        name: this.name,
      });
    this.by = null;
    this.draw();
  }

  /** Loads an offer that was made before the page was opened or while it was disconnected. */
  async load() {
    /** @type {Record<"in" | "out", Challenge[]>} */
    const { in: incoming, out } = await get("/api/challenge");
    const open = [...incoming, ...out].find(({ rematchOf }) => rematchOf === this.id);
    if (open) return this.setChallenge(open);
    if (!this.offer || !this.by) return undefined;
    const { status } = await get(`/api/challenge/${this.offer}/show`);
    if (status === "accepted") return goToGame(this.offer);
    return this.set(null);
  }

  /**
   * Shows the refusal of a rematch command. Returns false if it refuses another command.
   * @param {Refusal} answer
   */
  onRefused({ cid, reason, rating }) {
    if (cid !== this.cid) return false;
    this.note = reasonText({ reason, rating });
    this.describeRefusal(reason, rating)
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
  async describeRefusal(reason, rating) {
    if (hasPhrase(`error.${reason}`) || !hasPhrase(`why.${reason}`)) return reasonText({ reason });
    const { ratingRange } = this.challenge ?? (await get(`/api/challenge/${this.id}/show`));
    const you = rating ?? (await get("/api/account")).perfs[this.variant.key].rating;
    return rejectionText({ ineligibleReason: reason, ratingRange }, you);
  }

  /**
   * Returns a sentence and buttons for the result card and the status line.
   * @returns {[string, StatusButton[]]}
   */
  statusContent() {
    const { name, challenge } = this;
    /** @type {(yes: "yes" | "no") => () => void} */
    const answer = (yes) => () => this.send(yes);
    if (this.by === this.you)
      return [t("rematch.waiting", { name }), [[t("hint.takeback"), answer("no")]]];
    if (this.by === null) return [this.note, [[t("rematch.ask"), answer("yes"), "btn-primary"]]];
    /** @type {StatusButton} */
    const declineButton = [t("hint.no"), answer("no")];
    if (challenge && !challenge.eligible)
      return [
        `${t("rematch.offered", { name })} ${rejectionText(challenge, challenge.yourRating ?? this.me.perfs[this.variant.key].rating)}.`,
        [declineButton],
      ];
    const offered = [
      t("rematch.offered", { name }),
      this.requestedOptions?.sides === "same" && t("rematch.withsides"),
      this.requestedOptions?.board === "same" && t("rematch.withboard"),
    ];
    return [
      this.note || offered.filter(Boolean).join(" "),
      [declineButton, [t("hint.yes"), answer("yes"), "btn-primary"]],
    ];
  }

  /** Builds the buttons that select the sides and the start position before an offer. */
  optionButtons() {
    /** @type {(name: "sides" | "board", other: string) => HTMLButtonElement} */
    const choice = (name, other) =>
      h(
        "button",
        {
          type: "button",
          class: "game-rematch-option",
          "aria-pressed": String(this[name] === "same"),
          onclick: (/** @type {MouseEvent & { currentTarget: Element }} */ { currentTarget }) => {
            this[name] = this[name] === "same" ? other : "same";
            currentTarget.setAttribute("aria-pressed", String(this[name] === "same"));
          },
        },
        t(`rematch.${name}`),
      );
    // Only a random start position can be repeated or replaced.
    return h(
      "span",
      { class: "game-rematch-options" },
      choice("sides", "changed"),
      this.variant.chance && choice("board", "new"),
    );
  }

  /** Redraws the element on the result card. */
  draw() {
    const [text, buttons] = this.statusContent();
    const hadFocus = this.element.contains(document.activeElement);
    const row = h(
      "span",
      {},
      ...buttons.map(([label, action, kind]) =>
        h(
          "button",
          { type: "button", class: `btn ${kind ?? ""}`, onclick: ignoreDoubleClick(action) },
          label,
        ),
      ),
    );
    this.element.replaceChildren(
      h("p", { class: "soft" }, text),
      row,
      ...(this.by === null ? [this.optionButtons()] : []),
    );
    if (this.others()) holdButtons(/** @type {Iterable<HTMLElement>} */ (row.children));
    if (hadFocus) row.firstElementChild?.focus({ preventScroll: true });
    this.changed();
  }
}
