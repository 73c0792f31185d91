// Buttons that somebody else's act has brought take no press for a moment: what was under the pointer
// a moment ago must not be answered with something else.

/** So long a button is seen before it can be pressed. */
const SETTLE_MS = 600;

/**
 * Makes those buttons wait.
 * @param {Iterable<any>} buttons
 */
export const settle = (buttons) => {
  for (const button of buttons) {
    if (button.getAttribute("aria-disabled") === "true") continue;
    button.setAttribute("aria-disabled", "true");
    button.classList.add("settling");
    setTimeout(() => {
      button.classList.remove("settling");
      // Somebody may have switched it off meanwhile.
      if (button.dataset.off !== "true") button.removeAttribute("aria-disabled");
    }, SETTLE_MS);
  }
};

/**
 * What a button does, of which the second click of a double click is no press of its own.
 * @param {(event: MouseEvent) => unknown} deed
 */
export const once = (deed) => (/** @type {MouseEvent} */ event) => (event.detail < 2 ? deed(event) : undefined);

document.addEventListener("click", (event) => {
  if (!/** @type {Element} */ (event.target).closest?.(".settling")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
