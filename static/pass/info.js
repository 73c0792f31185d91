// Information card of a game on one device: variant, options, the shuffle of the start, and
// settings. Also the title bar for small screens, and the dialog of settings. Created by view.js.
import { shuffleNote } from "../common/fair-start.js";
import { createGameTitle, optionChips } from "../common/game-title.js";
import { rulesPath } from "../common/header.js";
import { setSoundEnabled, isSoundEnabled } from "../board/sound.js";
import { openDialog } from "../lib/dialog.js";
import { volumeSlider } from "../common/volume-slider.js";
import { h, toggle } from "../lib/dom.js";
import { setCoordinates, showsCoordinates } from "../lib/settings.js";
import { t, variantName } from "../lib/i18n.js";
import { turnSetting } from "./saved-games.js";

/** @typedef {import("./device-game.js").DeviceGame} DeviceGame */

/** Information card and title bar of a game. */
export class GameInfo {
  /**
   * `toggle()` opens the card on small screens.
   * @param {DeviceGame} game
   * @param {() => unknown} toggleCard
   */
  constructor(game, toggleCard) {
    const { variant, saved } = game;
    const name = variantName(variant);
    this.game = game;
    this.element = h(
      "section",
      { class: "card game-info" },
      h("h2", {}, name),
      h("p", { class: "small soft" }, t(`tagline.${variant.key}`)),
      h("p", { class: "small" }, h("a", { href: rulesPath(variant.key) }, t("rules.title"))),
      h(
        "div",
        { class: "game-info-chips" },
        h("span", { class: "game-info-chip" }, t("pass.title")),
        ...optionChips(variant, saved.options),
      ),
      saved.seed !== null &&
        shuffleNote({ seed: saved.seed }, game.setup, saved.start, t("pass.seed")),
      h(
        "div",
        { class: "game-settings" },
        h(
          "button",
          { type: "button", class: "btn", onclick: () => this.openSettings() },
          t("setting.title"),
        ),
      ),
    );
    this.title = createGameTitle({
      name,
      subtitle: h("small", {}, t("pass.title")),
      rulesHref: rulesPath(variant.key),
      toggleInfo: toggleCard,
      openSettings: () => this.openSettings(),
    });
  }

  /** Opens the dialog of settings. */
  openSettings() {
    const dialog = openDialog(t("setting.title"), () =>
      h(
        "div",
        { class: "dialog-body" },
        h(
          "div",
          {},
          toggle(t("pass.turns"), turnSetting.get(), (on) => {
            turnSetting.set(on);
            this.game.followTurn();
          }),
          toggle(t("setting.sound"), isSoundEnabled(), setSoundEnabled),
          volumeSlider(),
          toggle(t("setting.coordinates"), showsCoordinates(), setCoordinates),
        ),
      ),
    );
    dialog.querySelector(".switch").focus();
  }
}
