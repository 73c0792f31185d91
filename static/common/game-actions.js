// Buttons of the row below the moves of a game. Used by the page of a game and by pass and play.
import { h, iconSvg } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/**
 * Builds a button with an icon and a label.
 * @param {string} key  phrase of the label
 * @param {string} d  path of the icon
 * @param {(event: MouseEvent) => unknown} action
 * @param {string} [className]
 */
export const actionButton = (key, d, action, className) =>
  h(
    "button",
    { type: "button", class: className, onclick: action },
    iconSvg(d),
    h("span", {}, t(key)),
  );
