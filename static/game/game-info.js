// Information card of a game: variant, options, time control, turn, spectators, settings, and the
// commitment to a random start position. Also the title bar for small screens. Created by
// `page.js`.
import { h, setText } from "../lib/dom.js";
import { asyncButton } from "../lib/form.js";
import { timeControlText } from "../common/challenge-text.js";
import { shuffleNote } from "../common/fair-start.js";
import { createGameTitle, optionChips } from "../common/game-title.js";
import { rulesPath } from "../common/header.js";
import { adoptSettingsLink, openSettings, settingsButton } from "./settings-dialog.js";
import { hasPhrase, language, t, variantName } from "../lib/i18n.js";

/**
 * Returns the button of the private note.
 * @param {string} id
 */
const noteButton = (id) =>
  asyncButton(t("note.open"), async () => {
    const { openNote } = await import("./note-dialog.js");
    await openNote(id);
  });

const seconds = new Intl.NumberFormat(language, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** Information card and title bar of a game. */
export class GameInfo {
  /** @type {import("./page.js").GamePage} */ page;
  /** @type {HTMLElement | null} */ shuffleNote;

  /**
   * `toggle()` opens the card on small screens.
   * @param {import("./page.js").GamePage} page
   * @param {() => unknown} toggle
   */
  constructor(page, toggle) {
    const { id } = page;
    this.page = page;
    this.status = h("span", { class: "game-info-chip" });
    this.crowd = h("p", { class: "game-spectators small soft num" });
    this.settings = h("div", { class: "game-settings" });
    this.subtitle = h("small", { class: "num" });
    this.analysisLink = h("a", { href: `/${id}/analysis` });
    this.analysis = h("span", { hidden: true }, " · ", this.analysisLink);
    this.element = this.createCard();
    this.title = createGameTitle({
      name: variantName(page.variant),
      subtitle: this.subtitle,
      rulesHref: rulesPath(page.variant.key, id),
      toggleInfo: toggle,
      openSettings: () => openSettings(page),
    });
    adoptSettingsLink(page);
    this.draw();
  }

  /** Returns the information card. */
  createCard() {
    const { game, variant, id } = this.page;
    const tagline = `tagline.${variant.key}`;
    return h(
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
        ...optionChips(variant, game.options),
      ),
      h("div", { class: "game-info-chips game-info-turn num" }, this.status),
      this.updateShuffleNote(),
      this.settings,
      this.crowd,
    );
  }

  /** Redraws the buttons of settings and note. */
  draw() {
    const { me, id } = this.page;
    this.settings.replaceChildren(settingsButton(this.page), ...(me.guest ? [] : [noteButton(id)]));
  }

  timeText() {
    return timeControlText(this.page.game.timeControl);
  }

  ratedText() {
    return t(this.page.game.rated ? "card.rated" : "card.casual");
  }

  /**
   * Replaces and returns the note about the random start: its commitment, and its verification
   * after the game.
   */
  updateShuffleNote() {
    const { shuffle, initialFen } = this.page.game;
    const note = shuffle && shuffleNote(shuffle, this.page.requestBase(), initialFen);
    this.shuffleNote?.replaceWith(note ?? "");
    this.shuffleNote = note;
    return note;
  }

  /** Shows the verification of a random start, which is revealed at the end of the game. */
  revealShuffle() {
    if (this.shuffleNote) this.updateShuffleNote();
  }

  /**
   * Shows the spectators: those without a name are guests, unless there are too many for names.
   * @param {number} n
   * @param {string[] | null} names null above the limit of the server
   */
  setCrowd(n, names) {
    const listed = names ?? [];
    const unlistedCount = n - listed.length;
    const more =
      listed.length && unlistedCount > 0 ? t("game.watchmore", { n: unlistedCount }) : "";
    const text = () => {
      if (listed.length)
        return t("game.watchedby", { names: [...listed, more].filter(Boolean).join(", ") });
      if (n === 0) return t("game.watchedNobody");
      return names ? t("game.watchedGuests", { n }) : t("live.watching", { n });
    };
    this.crowd.textContent = text();
    this.crowd.title = this.crowd.textContent;
  }

  /**
   * Shows the lag compensation as the tooltip of the clock.
   * @param {number | null | undefined} quota remaining compensation, in milliseconds
   * @param {number | undefined} compensationMs compensation of the last move, in milliseconds
   * @param {HTMLElement} clock
   */
  setLag(quota, compensationMs, clock) {
    if (quota === undefined || quota === null) return;
    const made = compensationMs && t("game.lagmade", { n: seconds.format(compensationMs / 1000) });
    const left = t("game.lagleft", { left: seconds.format(quota / 1000) });
    clock.title = [left, made, t("game.lagwhy")].filter(Boolean).join(". ");
  }

  /**
   * Updates the turn or the result on the card. The title bar has room for one line: during the
   * game the bars of the players show the turn.
   * @param {string} turn
   */
  setTurn(turn) {
    const { end, you, daysPerTurn } = this.page.game;
    setText(this.analysisLink, t(end ? "analysis.title" : "conditional.title"));
    this.analysis.hidden = !end && !(you && daysPerTurn);
    setText(this.status, turn);
    setText(this.subtitle, end ? turn : `${this.timeText()} · ${this.ratedText()}`);
  }
}
