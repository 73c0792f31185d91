// Information card of a game: variant, options, time control, turn, spectators, lag compensation,
// settings, and the commitment to a random start position. Also the title bar for small screens.
// Created by `page.js`.
import { h, iconSvg } from "../lib/dom.js";
import { timeControlText } from "../common/challenge-text.js";
import { shuffleNote } from "../common/fair-start.js";
import { rulesPath } from "../common/header.js";
import { settingsButton, settingsIcon } from "./settings-dialog.js";
import { hasPhrase, language, t, variantName } from "../lib/i18n.js";

/** Information card and title bar of a game. */
export class GameInfo {
  /** @type {import("./page.js").GamePage} */ play;
  /** @type {HTMLElement | null} */ shuffleNote;

  /**
   * `toggle()` opens the card on small screens.
   * @param {import("./page.js").GamePage} play
   * @param {() => unknown} toggle
   */
  constructor(play, toggle) {
    const { game, variant, id } = play;
    this.play = play;
    this.status = h("span", { class: "game-info-chip" });
    this.crowd = h("p", { class: "game-spectators small soft num" });
    this.lag = h("summary", {});
    const lag = h(
      "details",
      { class: "lag-compensation small weak num" },
      this.lag,
      h("p", {}, t("game.lagwhy")),
    );
    this.settings = h("div", { class: "game-settings" });
    this.subtitle = h("small", { class: "num" });
    this.analysis = h(
      "span",
      { hidden: true },
      " · ",
      h("a", { href: `/${id}/analysis` }, t("analysis.title")),
    );
    const tagline = `tagline.${variant.key}`;
    const options = variant.options
      .filter(({ key, default: defaultValue }) => game.options[key] !== defaultValue)
      .map(({ key }) =>
        h(
          "span",
          { class: "game-info-chip" },
          `${t(`option.${key}`)} ${t(`option.${key}.${game.options[key]}`)}`,
        ),
      );
    this.element = h(
      "section",
      { class: "card game-info" },
      h("h2", {}, variantName(variant)),
      hasPhrase(tagline) && h("p", { class: "small soft" }, t(tagline)),
      h(
        "p",
        { class: "small" },
        h("a", { href: rulesPath(variant.key, id) }, t("rules.title")),
        this.analysis,
      ),
      h(
        "div",
        { class: "game-info-chips num" },
        h("span", { class: "game-info-chip" }, this.timeText()),
        h("span", { class: "game-info-chip" }, this.ratedText()),
        ...options,
      ),
      h("div", { class: "game-info-chips game-info-turn num" }, this.status),
      this.updateShuffleNote(),
      game.clock && play.you && lag,
      this.settings,
      this.crowd,
    );
    const back = h(
      "a",
      { class: "icon", href: "/", "aria-label": t("nav.back") },
      iconSvg("M14 6l-6 6 6 6"),
    );
    const rules = h(
      "a",
      {
        class: "icon",
        href: rulesPath(variant.key, id),
        "aria-label": t("rules.title"),
        title: t("rules.title"),
      },
      iconSvg(
        "M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 16.5v.1M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
      ),
    );
    const heading = h(
      "button",
      { type: "button", class: "game-title-button", onclick: toggle },
      variantName(variant),
      this.subtitle,
    );
    this.title = h("div", { class: "game-title" }, back, heading, settingsIcon(play), rules);
    this.draw();
  }

  /** Redraws the settings button. */
  draw() {
    this.settings.replaceChildren(settingsButton(this.play));
  }

  timeText() {
    return timeControlText(this.play.game.timeControl);
  }

  ratedText() {
    return t(this.play.game.rated ? "card.rated" : "card.casual");
  }

  /**
   * Replaces and returns the note about the random start: its commitment, and its verification
   * after the game.
   */
  updateShuffleNote() {
    const { shuffle, initialFen } = this.play.game;
    const note = shuffle && shuffleNote(shuffle, this.play.requestBase(), initialFen);
    this.shuffleNote?.replaceWith(note ?? "");
    this.shuffleNote = note;
    return note;
  }

  /** Shows the verification of a random start, which is revealed at the end of the game. */
  revealShuffle() {
    if (this.shuffleNote) this.updateShuffleNote();
  }

  /**
   * Shows the spectators.
   * @param {number} n
   * @param {string[] | null} names null above the limit of the server
   */
  setCrowd(n, names) {
    const listed = names ?? [];
    const unlistedCount = n - listed.length;
    const more =
      listed.length && unlistedCount > 0 ? t("game.watchmore", { n: unlistedCount }) : "";
    this.crowd.textContent = listed.length
      ? t("game.watchedby", { names: [...listed, more].filter(Boolean).join(", ") })
      : t("live.watching", { n });
    this.crowd.title = this.crowd.textContent;
  }

  /**
   * Shows the lag compensation here and as the tooltip of the clock.
   * @param {number | null | undefined} quota remaining compensation, in milliseconds
   * @param {number | undefined} compensationMs compensation of the last move, in milliseconds
   * @param {HTMLElement} clock
   */
  setLag(quota, compensationMs, clock) {
    if (quota === undefined || quota === null) return;
    /** @type {(ms: number) => string} */
    const seconds = (ms) =>
      (ms / 1000).toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
    this.lag.textContent = t("game.lagleft", { left: seconds(quota) });
    this.lag.title = compensationMs ? t("game.lagmade", { n: seconds(compensationMs) }) : "";
    clock.title = [this.lag.textContent, this.lag.title, t("game.lagwhy")]
      .filter(Boolean)
      .join(". ");
  }

  /**
   * Updates the turn on the card and in the title bar.
   * @param {string} turn
   */
  setTurn(turn) {
    this.analysis.hidden = !this.play.game.end;
    this.status.textContent = turn;
    this.subtitle.textContent = [this.timeText(), this.ratedText(), turn].join(" · ");
  }
}
