// Button of the page of a challenge that runs an action of the page. Used by its views.
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/**
 * Builds a button that runs an action.
 * @param {import("./page.js").ChallengePage} page
 * @param {string} className
 * @param {string} key
 * @param {() => unknown} action
 */
export const actionButton = (page, className, key, action) => {
  const button = h("button", { class: className, type: "button" }, t(key));
  button.addEventListener("click", () => page.act(button, action));
  return button;
};
