// Rematch of a finished game: its offer and answer, on the result card and in the status line.
// Shows `game.rematch`, the terms that the server has sent before any offer, and the offer, the
// part `rematch` of the state. Created by `page.js` for players; `render.js` passes the state.
import { opponentPath, rememberNextSearch } from "./new-opponent.js";
import { get } from "../lib/http.js";
import { h, setText, toggle } from "../lib/dom.js";
import { openDialog } from "../lib/dialog.js";
import { ignoreDoubleClick, holdButtons } from "../common/status-line.js";
import { rejectionText } from "../common/challenge-text.js";
import { otherSide } from "../model/notation.js";
import { rematchContent } from "./rematch-content.js";
import { answerRematch, NO_OFFER, onOfferStatus, onOpenOffer } from "./rematch-state.js";
import { hasPhrase, reasonText, t } from "../lib/i18n.js";

/** @typedef {import("./rematch-content.js").Answer} Answer */
/** @typedef {import("./rematch-content.js").RematchContent} RematchContent */
/** @typedef {Readonly<import("./rematch-state.js").RematchOffer>} RematchOffer */

/**
 * Reasons that the terms of a rematch express.
 * @type {(string | undefined)[]}
 */
const TERMS_REASONS = ["ratingTooLow", "ratingTooHigh", "provisional", "anonymous"];

/** Rematch offer between the players of a game. */
export class Rematch {
  /** @type {string} */ id;
  /** @type {Side} */ you;
  /** @type {Account} */ me;
  /** @type {Variant} */ variant;
  /** @type {Game} */ game;
  /** @type {string} */ name;
  /** @type {boolean} */ rated;
  /** @type {RematchTerms | null | undefined} */ terms;
  /** @type {RematchOffer} */ offer;
  /** @type {(content: RematchContent) => HTMLElement[]} */ links;
  /** @type {() => import("./game-socket.js").GameSocket} */ socket;
  /** @type {import("./session.js").GameSession["change"]} */ change;
  /** @type {() => unknown} */ changed;
  /** @type {() => unknown} */ others;
  /** @type {RematchSides} */ sides;
  /** @type {RematchBoard} */ board;
  /** @type {string} */ refusalText;

  /**
   * `socket()` returns the socket of the game, `change` executes a transition of its state,
   * `changed()` is called after each redraw, `others()` returns whether the current change was not
   * caused by the player.
   * @param {{
   *   id: string,
   *   you: Side,
   *   game: Game,
   *   variant: Variant,
   *   me: Account,
   *   socket: () => import("./game-socket.js").GameSocket,
   *   change: import("./session.js").GameSession["change"],
   *   changed: () => unknown,
   *   others: () => unknown,
   * }} options
   */
  constructor({ id, you, game, variant, me, socket, change, changed, others }) {
    Object.assign(this, {
      id,
      you,
      me,
      variant,
      game,
      name: game[otherSide(you)].name,
      rated: game.rated,
      terms: game.rematch,
      offer: NO_OFFER,
      links: () => [],
      socket,
      change,
      changed,
      others,
      sides: "changed",
      board: "new",
      refusalText: "",
    });
    this.text = h("p", { class: "game-result-note soft", role: "status" });
    this.element = h("div", { class: "game-rematch" });
    this.draw();
  }

  /**
   * Shows the terms of the server and the offer.
   * @param {Rematch["terms"]} terms
   * @param {RematchOffer} offer
   */
  show(terms, offer) {
    const { outcome } = offer;
    const isNew = outcome !== this.offer.outcome;
    Object.assign(this, { terms, offer });
    if (isNew && outcome?.type === "refused") this.describe(outcome.refusal);
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
    const options =
      answer !== "no" && this.offer.by === null ? { sides: this.sides, board: this.board } : {};
    const cid = this.socket().command("rematch", { answer, ...options });
    this.change((state) => answerRematch(state, cid));
  }

  /** Loads an offer that was made before the page was opened or while it was disconnected. */
  async load() {
    /** @type {Record<"in" | "out", Challenge[]>} */
    const { in: incoming, out } = await get("/api/challenge");
    const open = [...incoming, ...out].find(({ rematchOf }) => rematchOf === this.id);
    if (open) return this.change((state) => onOpenOffer(state, open));
    const { id, by } = this.offer;
    if (!id || !by) return undefined;
    const { status } = await get(`/api/challenge/${id}/show`);
    return this.change((state) => onOfferStatus(state, id, status));
  }

  /** Returns a sentence about the end of the last offer or a refusal, "" if there is none. */
  note() {
    const { offer, name, terms } = this;
    const { outcome } = offer;
    switch (outcome?.type) {
      case "expired":
        return t("rematch.expired");
      case "left":
        return t("rematch.left", { name });
      case "otherGame":
        return t("rematch.otherGame", { name });
      case "declined":
        return t(hasPhrase(`why.${outcome.key}`) ? "rematch.unfit" : "rematch.declined", { name });
      case "refused":
        // The terms, which have arrived before, say the same with the range.
        return terms && terms.fit !== "fits" && TERMS_REASONS.includes(outcome.refusal.reason)
          ? ""
          : this.refusalText;
      default:
        return "";
    }
  }

  /**
   * Describes a refusal in two steps, the second of which may need requests.
   * @param {Refusal} refusal
   */
  describe(refusal) {
    const { outcome } = this.offer;
    this.refusalText = reasonText({ reason: refusal.reason, rating: refusal.rating });
    this.describeRefusal(refusal)
      .then((text) => {
        if (this.offer.outcome !== outcome) return;
        this.refusalText = text;
        this.draw();
      })
      .catch(() => {});
  }

  /**
   * Describes a refusal, with the rating and the rating range if they are the reason.
   * @param {Refusal} refusal
   */
  async describeRefusal({ reason, rating }) {
    if (hasPhrase(`error.${reason}`) || !hasPhrase(`why.${reason}`)) return reasonText({ reason });
    const { ratingRange } = this.offer.challenge ?? (await get(`/api/challenge/${this.id}/show`));
    const you = rating ?? (await get("/api/account")).perfs[this.variant.key].rating;
    return rejectionText({ ineligibleReason: reason, ratingRange }, you);
  }

  /** Content of the result card. */
  content() {
    const { you, name, rated, terms, offer } = this;
    const { by, challenge } = offer;
    const requested = [
      offer.requested.sides === "same" && t("rematch.withsides"),
      offer.requested.board === "same" && t("rematch.withboard"),
    ].filter((sentence) => sentence !== false);
    const isEligible = !challenge || challenge.eligible;
    const note = this.note();
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
    setText(this.text, content.text);
    this.element.replaceChildren(...row);
    if (this.others()) holdButtons(row);
    if (hadFocus) row[0]?.focus({ preventScroll: true });
    this.changed();
  }
}
