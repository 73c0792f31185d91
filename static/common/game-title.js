// Title bar of a game on small screens, and the chips of its options. Used by the page of a game
// and by pass and play.
import { h, iconSvg } from "../lib/dom.js";
import { BACK, SETTINGS } from "../lib/icons.js";
import { iconButton } from "../lib/keyboard.js";
import { t } from "../lib/i18n.js";
import { inboxButton } from "./navigation.js";
import { openInbox } from "./notifications.js";

const RULES =
  "M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.8M12 16.5v.1M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z";

/**
 * @typedef {object} TitleOptions
 * @property {string} name of the variant
 * @property {HTMLElement} subtitle
 * @property {string} rulesHref
 * @property {() => unknown} toggleInfo opens and closes the card with the game information
 * @property {() => unknown} openSettings
 */

/**
 * Builds the title bar.
 * @param {TitleOptions} options
 */
export const createGameTitle = ({ name, subtitle, rulesHref, toggleInfo, openSettings }) =>
  h(
    "div",
    { class: "game-title" },
    h("a", { class: "icon", href: "/", "aria-label": t("nav.back") }, iconSvg(BACK)),
    h(
      "button",
      { type: "button", class: "game-title-button", onclick: toggleInfo },
      name,
      subtitle,
    ),
    inboxButton(openInbox),
    iconButton("setting.title", SETTINGS, openSettings),
    h(
      "a",
      {
        class: "icon",
        href: rulesHref,
        "aria-label": t("rules.title"),
        title: t("rules.title"),
      },
      iconSvg(RULES),
    ),
  );

/**
 * Returns the chips of the options that differ from the default.
 * @param {Variant} variant
 * @param {Options} chosen
 */
export const optionChips = ({ options }, chosen) =>
  options
    .filter(({ key, default: fallback }) => chosen[key] !== fallback)
    .map(({ key }) =>
      h(
        "span",
        { class: "game-info-chip" },
        `${t(`option.${key}`)} ${t(`option.${key}.${chosen[key]}`)}`,
      ),
    );
