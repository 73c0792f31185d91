// Whose a key is that is pressed somewhere on a page.

/**
 * Whether a key belongs to somebody else than the page: to the browser, to a field that is written in, to a dialog
 * (wherever the focus is: the page behind it is not acted on), or to who has answered it already.
 * @param {KeyboardEvent} event
 * @returns {boolean}
 */
export const isTaken = (event) =>
  event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey ||
  document.querySelector("dialog[open]") !== null || /** @type {Element} */ (event.target).closest("input, select, textarea") !== null;
