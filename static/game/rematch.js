// Rematch of a finished game: its offer and answer, on the result card and in the status line. `by`
// is the side of the open offer, `offer` the id of its challenge, `terms` what the server says about
// a rematch before any offer. `note` is a sentence about the last offer, for example after a
// refusal. Created by `page.js` for players; `render.js` passes the terms, `effect-runner.js` the
// messages.
import { opponentPath, rememberNextSearch } from "./new-opponent.js";
import { get } from "../lib/http.js";
import { goToGame } from "../common/navigation.js";
import { h, toggle } from "../lib/dom.js";
import { openDialog } from "../lib/dialog.js";
import { ignoreDoubleClick, holdButtons } from "../common/status-line.js";
import { rejectionText } from "../common/challenge-text.js";
import { otherSide } from "../model/notation.js";
import { rematchContent } from "./rematch-content.js";
import { hasPhrase, reasonText, t } from "../lib/i18n.js";

/** @typedef {import("./rematch-content.js").Answer} Answer */
/** @typedef {import("./rematch-content.js").RematchContent} RematchContent */

/**
 * Reasons that the terms of a rematch express.
 * @type {(string | undefined)[]}
 */
const TERMS_REASONS = ["ratingTooLow", "ratingTooHigh", "provisional", "anonymous"];

/** Rematch offer between the players of a game. */
export class Rematch {
  /** @type {string} */ id;
  /** @type {Side} */ you;
  /** @type {Side} */ them;
  /** @type {Account} */ me;
  /** @type {Variant} */ variant;
  /** @type {Game} */ game;
  /** @type {string} */ name;
  /** @type {boolean} */ rated;
  /** @type {RematchTerms | null | undefined} */ terms;
  /** @type {(content: RematchContent) => HTMLElement[]} */ links;
  /** @type {() => import("../lib/socket.js").Socket} */ socket;
  /** @type {() => unknown} */ changed;
  /** @type {() => unknown} */ others;
  /** @type {RematchSides} */ sides;
  /** @type {RematchBoard} */ board;
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
      game,
      name: game[them].name,
      rated: game.rated,
      terms: game.rematch,
      links: () => [],
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
    this.text = h("p", { class: "game-result-note soft", role: "status" });
    this.element = h("div", { class: "game-rematch" });
    this.draw();
  }

  /**
   * Sets the terms of the server.
   * @param {Rematch["terms"]} terms
   */
  setTerms(terms) {
    if (terms === this.terms) return;
    this.terms = terms;
    this.draw();
  }

  /**
   * Sets the function that returns the links beside the answers.
   * @param {Rematch["links"]} links
   */
  setLinks(links) {
    this.links = links;
    this.draw();
  }

  /**
   * Offers or accepts a rematch, declines or withdraws it ("no").
   * @param {Answer} answer
   */
  send(answer) {
    this.note = "";
    this.isWithdrawing = answer === "no";
    const options =
      answer !== "no" && this.by === null ? { sides: this.sides, board: this.board } : {};
    this.cid = this.socket().command("rematch", { answer, ...options });
    this.draw();
  }

  /**
   * Handles a message. Returns false if it does not concern the rematch.
   * @param {Frame} message
   */
  handle({ t: type, d: data }) {
    if (type === "rematch") {
      if (data.cause) this.note = this.causeText(data.cause);
      this.set(data.by, data.id, data);
    } else if (type === "challenge" && data.rematchOf === this.id) this.setChallenge(data);
    else if (type === "challengeGone" && data.id === this.offer) this.onChallengeGone(data);
    else if (type === "start" && this.offer && [data.challenge, data.id].includes(this.offer))
      goToGame(data.id);
    else return false;
    return true;
  }

  /**
   * Describes the end of an unanswered offer.
   * @param {RematchCause} cause
   */
  causeText({ side, reason }) {
    if (side === this.you) return t("rematch.expired");
    return t(reason === "left" ? "rematch.left" : "rematch.otherGame", { name: this.name });
  }

  /**
   * Sets the side of the open offer.
   * @param {Side | null} by null: no open offer
   * @param {string} [offer] id of its challenge
   * @param {{ sides?: string, board?: string, status?: string }} [requested] requested sides and
   *   start position, or the status of an offer that has ended
   */
  set(by, offer, requested = {}) {
    this.requestedOptions = by ? { ...this.requestedOptions, ...requested } : {};
    if (this.by && by === null && requested.status === "expired") this.note = t("rematch.expired");
    if (this.by === this.you && requested.status === "declined")
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
    if (status === "expired") this.note = t("rematch.expired");
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
    return this.set(null, undefined, { status });
  }

  /**
   * Shows the refusal of a rematch command. Returns false if it refuses another command.
   * @param {Refusal} answer
   */
  onRefused({ cid, reason, rating }) {
    if (cid !== this.cid) return false;
    // The terms, which have arrived before, say the same with the range.
    if (this.terms && this.terms.fit !== "fits" && TERMS_REASONS.includes(reason)) {
      this.draw();
      return true;
    }
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

  /** Content of the result card. */
  content() {
    const { you, name, rated, terms, by, challenge, note, requestedOptions } = this;
    const requested = [
      requestedOptions?.sides === "same" && t("rematch.withsides"),
      requestedOptions?.board === "same" && t("rematch.withboard"),
    ].filter((sentence) => sentence !== false);
    const isEligible = !challenge || challenge.eligible;
    return rematchContent({ you, name, rated, terms, by, isEligible, requested, note });
  }

  /**
   * Returns a sentence and buttons for the status line.
   * @returns {[string, StatusButton[]]}
   */
  statusContent() {
    const { text, answers, links } = this.content();
    /** @type {StatusButton[]} */
    const buttons = answers.map(([label, answer], at) => [
      label,
      () => this.send(answer),
      at === 0 && answer !== "no" ? "btn-primary" : undefined,
    ]);
    if (buttons.length === 0 && links.includes("opponent"))
      buttons.push([
        t("rematch.newOpponent"),
        () => {
          rememberNextSearch(this.game, this.variant.key, this.socket().now());
          location.assign(opponentPath(this.variant.key));
        },
      ]);
    return [text, buttons];
  }

  /** Opens the dialog with the sides and the start position of an offer. */
  openOptions() {
    /** @type {(name: "sides" | "board", set: (isSame: boolean) => void) => HTMLElement} */
    const option = (name, set) => toggle(t(`rematch.${name}`), this[name] === "same", set);
    const dialog = openDialog(t("rematch.options"), () =>
      h(
        "div",
        { class: "dialog-body" },
        h(
          "div",
          {},
          option("sides", (isSame) => {
            this.sides = isSame ? "same" : "changed";
          }),
          // Only a random start position can be repeated or replaced.
          this.variant.chance &&
            option("board", (isSame) => {
              this.board = isSame ? "same" : "new";
            }),
        ),
      ),
    );
    dialog.querySelector(".switch").focus();
  }

  /** Redraws the sentence and the buttons of the result card. */
  draw() {
    const content = this.content();
    const hadFocus = this.element.contains(document.activeElement);
    const buttons = content.answers.map(([label, answer], at) =>
      h(
        "button",
        {
          type: "button",
          class: at === 0 && answer !== "no" ? "btn btn-primary" : "btn",
          onclick: ignoreDoubleClick(() => this.send(answer)),
        },
        label,
      ),
    );
    const row = [...buttons, ...this.links(content)];
    if (this.text.textContent !== content.text) this.text.textContent = content.text;
    this.element.replaceChildren(...row);
    if (this.others()) holdButtons(row);
    if (hadFocus) row[0]?.focus({ preventScroll: true });
    this.changed();
  }
}
