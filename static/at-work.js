// Whether something is under way in this tab that nobody should be taken away from.

const works = new Set();
const typed = new Set();

// What a page itself writes into a field is nobody's work; what was sent is done.
document.addEventListener("input", (event) => {
  const field = /** @type {HTMLElement} */ (event.target);
  if (field.matches("input, textarea")) typed.add(field);
});
document.addEventListener("submit", (event) => [.../** @type {HTMLFormElement} */ (event.target).elements].forEach((field) => typed.delete(field)));

/**
 * Has a page say for itself whether it is at work.
 * @param {() => boolean} test
 */
export const worksWhile = (test) => works.add(test);

/** Whether a text is being typed, stands unsent in a field of several lines, or the page says so itself. */
export const atWork = () => {
  const texts = [...typed].filter(({ value, isConnected }) => isConnected && value !== "");
  return texts.some((field) => field === document.activeElement || field.matches("textarea")) || [...works].some((test) => test());
};
