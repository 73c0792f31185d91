// Card with the result of a game: title, reason and rating, the answers to a rematch with the links
// beside them, and a row of quiet actions. It covers the moves, the status line and the buttons,
// and never the board. In a low panel the texts shorten before a button is left out (in
// `result-card.css`). Created by `effect-runner.js` when the game has ended.
import { h } from "../lib/dom.js";
import { post } from "../lib/http.js";
import { asyncButton } from "../lib/form.js";
import { copy } from "../lib/share.js";
import { goToGame } from "../common/navigation.js";
import { closeButton, createResult, quietButton, reasonText } from "../common/panel-card.js";
import { outcomeFor, resultText } from "../common/result.js";
import { BEGINNER_GAMES, recordGame } from "./played-games.js";
import { opponentPath, rememberNextSearch } from "./new-opponent.js";
import { otherSide } from "../model/notation.js";
import "../lib/i18n-more.js";
import { overrideReason, t } from "../lib/i18n.js";

/** @typedef {import("./page.js").GamePage} GamePage */

const LEVEL_MAX = 8;
/** Plies from which there is something to review. */
const REVIEW_PLIES = 2;

/** Classes that leave out more and more text, until the card fits its panel. */
const SHORT_CLASSES = ["is-short", "is-shorter", "is-shortest"];

/**
 * Returns the sentences about the player's new rating, none without one. A gain that was limited
 * has the reason. A rating that is not yet established names the games until it is, as long as it
 * has not changed since.
 * @param {GamePage} page
 * @param {End} end
 * @returns {string[]}
 */
const ratingTexts = ({ game, you }, end) => {
  const diff = you && end.ratingDiff?.[you];
  if (!you || diff === null || diff === undefined) return [];
  const from = game[you].rating;
  const rating = from + diff;
  const settling = game.rematch?.rating === rating ? game.rematch.settlingGames : 0;
  const shown = settling ? `${rating}?` : `${rating}`;
  const limit = end.ratingLimit?.[you];
  const changed = t(limit && !diff ? "end.sameRating" : "end.newRating", { rating: shown, from });
  // The first wins of a new player are limited as well, and a new rating is news enough.
  if (limit && !(diff && settling)) return [changed, t(`end.limit.${limit}`)];
  return settling ? [changed, t("end.settling", { n: settling })] : [changed];
};

/** Card with the result of a game. */
export class ResultCard {
  /** @type {GamePage} */ page;
  /** @type {ReturnType<typeof outcomeFor> | null} */ outcome;
  /** @type {{ isFirstLoss: boolean, before: number }} */ history;
  /** @type {HTMLElement | null} */ chatButton;

  /**
   * @param {GamePage} page
   * @param {End} end
   */
  constructor(page, end) {
    const { game, you, rematch, nextGame } = page;
    const outcome = you && outcomeFor(end, you);
    Object.assign(this, { page, outcome, chatButton: null });
    this.history = you
      ? recordGame(page.variant.key, page.id, outcome === "loss")
      : { isFirstLoss: false, before: BEGINNER_GAMES };
    const [title, reason] = resultText(game, end, you);
    this.review = this.link(t("end.review"), `/${page.id}/analysis`);
    this.quietReview = this.quietLink(t("end.review"), `/${page.id}/analysis`);
    const [changed = "", settling] = ratingTexts(page, end);
    this.element = createResult(
      title,
      [
        reasonText(reason),
        " ",
        h(
          "p",
          { class: "game-result-rating num" },
          changed,
          settling && h("span", { class: "game-result-settling" }, ` ${settling}`),
        ),
        this.lessonHint(),
        rematch?.text,
      ],
      [
        rematch?.element ?? h("div", { class: "game-rematch" }, ...this.spectatorLinks()),
        nextGame?.element,
        this.quietRow(),
      ],
    );
    rematch?.setLinks((content) => {
      // Once the sentence and the buttons are drawn.
      queueMicrotask(() => this.fit());
      return this.links(content);
    });
    new ResizeObserver(() => this.fit()).observe(this.element);
  }

  /** Leaves out texts that do not fit: the buttons and the note always remain. */
  fit() {
    const { element } = this;
    const text = element.querySelector(".game-result-text");
    const isFull = () =>
      element.scrollHeight > element.clientHeight + 1 || text.scrollHeight > text.clientHeight + 1;
    element.classList.remove(...SHORT_CLASSES);
    for (const name of SHORT_CLASSES) {
      if (!isFull()) return;
      element.classList.add(name);
    }
  }

  /**
   * @param {string} label
   * @param {string} href
   * @param {string} [kind]
   */
  link(label, href, kind = "") {
    return h("a", { class: `btn ${kind}`, href }, label);
  }

  /**
   * @param {string} label
   * @param {string} href
   * @param {string} [className]
   */
  quietLink(label, href, className = "") {
    return h("a", { class: `btn btn-quiet ${className}`, href }, label);
  }

  /** Whether the player has lost and has hardly played the variant. */
  isBeginner() {
    const { page, history, outcome } = this;
    const ratedGames = page.me.perfs[page.variant.key]?.games ?? 0;
    return outcome === "loss" && Math.max(history.before, ratedGames - 1) < BEGINNER_GAMES;
  }

  /** Builds the sentence about the lessons after a first loss. */
  lessonHint() {
    if (!this.isBeginner() || !this.history.isFirstLoss) return null;
    return h(
      "p",
      { class: "game-result-lesson small" },
      `${t("end.newHere")} `,
      h("a", { href: `/learn/${this.page.variant.key}` }, t("end.lessons")),
    );
  }

  /** Whether the game has moves to review. */
  hasReview() {
    return this.page.moveHistory.latestPly >= REVIEW_PLIES;
  }

  /**
   * Returns the links beside the answers to a rematch. Those that find no place there are quiet.
   * @param {import("./rematch-content.js").RematchContent} content
   */
  links({ answers, links }) {
    const { page } = this;
    const isComputer = page.isComputer(page.them);
    /** @type {(HTMLElement | null)[]} */
    const row = [];
    if (links.includes("opponent")) {
      if (isComputer) row.push(this.levelButton(), this.learnLink());
      else row.push(this.opponentLink(answers.length ? "" : "btn-primary"));
    }
    const found = row.filter((link) => link !== null);
    const isReviewMain = links.includes("review") && this.hasReview() && found.length < 2;
    this.quietReview.hidden = isReviewMain || !this.hasReview();
    return isReviewMain ? [...found, this.review] : found;
  }

  /**
   * Builds the link to the search for another opponent.
   * @param {string} kind
   */
  opponentLink(kind) {
    const { game, variant, socket } = this.page;
    const link = this.link(t("rematch.newOpponent"), opponentPath(variant.key), kind);
    link.addEventListener("click", () => rememberNextSearch(game, variant.key, socket.now()));
    return link;
  }

  /**
   * Builds the button for a game against the next higher or lower level, according to the result.
   */
  levelButton() {
    const { page, outcome } = this;
    const { level } = page.game[/** @type {Side} */ (page.them)];
    if (!level || outcome === "void") return null;
    const next = outcome === "loss" ? level - 1 : level + 1;
    if (next < 1 || next > LEVEL_MAX) return null;
    const label = t(next > level ? "end.levelUp" : "end.levelDown");
    return asyncButton(label, () => this.startComputerGame(next), "btn");
  }

  /** @param {number} level */
  async startComputerGame(level) {
    const { game, you, variant } = this.page;
    const options = Object.entries(game.options).map(([key, value]) => [`options.${key}`, value]);
    const clock = game.clock && {
      "clock.limit": game.clock.initial / 1000,
      "clock.increment": game.clock.increment / 1000,
    };
    const { id } = await post("/api/challenge/ai", {
      level,
      variant: variant.key,
      color: otherSide(/** @type {Side} */ (you)),
      ...Object.fromEntries(options),
      ...clock,
      ...(game.daysPerTurn && { days: game.daysPerTurn }),
    }).catch(overrideReason("declined", "computer.declined"));
    goToGame(id);
  }

  /** Builds the link to the lessons after a lost game against the computer. */
  learnLink() {
    return this.isBeginner() ? this.link(t("end.learn"), `/learn/${this.page.variant.key}`) : null;
  }

  spectatorLinks() {
    if (this.page.rematch) return [];
    this.quietReview.hidden = true;
    return [
      this.hasReview() && this.link(t("end.review"), `/${this.page.id}/analysis`, "btn-primary"),
      this.link(t("end.otherGames"), "/live"),
    ];
  }

  /** Builds the row of quiet actions. */
  quietRow() {
    const { page } = this;
    const isComputer = page.isComputer(page.them);
    if (!isComputer)
      this.chatButton = quietButton(t("game.chat"), () => page.chat.open(), "game-result-chat");
    const isLearning = this.isBeginner() && !isComputer;
    return h(
      "div",
      { class: "game-result-quiet" },
      this.quietReview,
      isLearning &&
        this.quietLink(t("end.learn"), `/learn/${page.variant.key}`, "game-result-learn"),
      quietButton(t("end.share"), () => this.share()),
      this.chatButton,
      page.rematch &&
        !isComputer &&
        quietButton(t("rematch.options"), () => page.rematch?.openOptions(), "game-result-options"),
      closeButton(() => page.layout.uncover()),
    );
  }

  /** Shares the address of the game by the share sheet of the device, or copies it. */
  async share() {
    const url = `${location.origin}/${this.page.id}`;
    // Canceling the share sheet is not an error.
    if ("share" in navigator) await navigator.share({ title: document.title, url }).catch(() => {});
    else await copy(url);
  }

  /**
   * Shows the number of unread chat lines.
   * @param {number} count
   */
  setUnread(count) {
    if (!this.chatButton) return;
    this.chatButton.classList.toggle("is-unread", count > 0);
    this.chatButton.dataset.new = String(count);
  }
}
