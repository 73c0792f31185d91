// Card with the result of a game, which covers moves, status line and buttons and makes them inert:
// the parts that all games have. Used by the page of a game and by pass and play.
import { h, iconSvg } from "../lib/dom.js";
import { CLOSE } from "../lib/icons.js";
import { endsOpen, startsSentence } from "../lib/sentence.js";
import { t } from "../lib/i18n.js";

/**
 * Builds the card.
 * @param {string} title
 * @param {(Node | string | null | undefined | false)[]} texts below the title
 * @param {(Node | null | undefined)[]} rows buttons below the texts
 * @returns {HTMLElement}
 */
export const createResult = (title, texts, rows) =>
  h(
    "div",
    { class: "game-result", role: "group", tabindex: -1, "aria-label": title },
    h(
      "div",
      { class: "game-result-body" },
      h("div", { class: "game-result-text" }, h("h2", {}, title), " ", ...texts),
      ...rows,
    ),
  );

/**
 * Builds the sentence with the reason. In a low card it stands in one line with the other texts,
 * with stops between them (`result-card.css`).
 * @param {string} reason
 */
export const reasonText = (reason) => {
  const element = h("p", { class: "game-result-reason soft" }, reason);
  element.classList.toggle("is-sentence", startsSentence(reason));
  element.classList.toggle("is-open", endsOpen(reason));
  return element;
};

/**
 * Builds a quiet button.
 * @param {string} label
 * @param {() => unknown} action
 * @param {string} [className]
 */
export const quietButton = (label, action, className = "") =>
  h("button", { type: "button", class: `btn btn-quiet ${className}`, onclick: action }, label);

/**
 * Builds the button that removes the card.
 * @param {() => unknown} action
 */
export const closeButton = (action) =>
  h(
    "button",
    {
      type: "button",
      class: "btn btn-quiet game-result-close",
      "aria-label": t("end.close"),
      title: t("end.close"),
      onclick: action,
    },
    iconSvg(CLOSE),
  );

/**
 * @param {HTMLElement} panel
 * @param {boolean} isInert
 */
const setInert = (panel, isInert) => {
  for (const part of /** @type {Iterable<HTMLElement>} */ (panel.children)) part.inert = isInert;
};

/**
 * Covers a panel. The card gets the focus if the panel or the board had it.
 * @param {HTMLElement} panel
 * @param {HTMLElement} card
 * @param {SVGElement} board
 */
export const coverPanel = (panel, card, board) => {
  const at = document.activeElement;
  const hadFocus = panel.contains(at) || board.contains(at);
  setInert(panel, true);
  panel.append(card);
  if (hadFocus) card.focus({ preventScroll: true });
};

/**
 * Removes the card of a panel. The board gets the focus if the card had it.
 * @param {HTMLElement} panel
 * @param {HTMLElement} card
 * @param {SVGElement} board
 */
export const uncoverPanel = (panel, card, board) => {
  const hadFocus = card.contains(document.activeElement);
  card.remove();
  setInert(panel, false);
  if (hadFocus) board.focus({ preventScroll: true });
};
