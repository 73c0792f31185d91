// Copies the text of a field. Where the clipboard does not take it, the text stands ready to be taken by hand.
import { h, toast } from "./dom.js";
import { say } from "./words.js";

/**
 * Copies what stands in a field, and says whether it is copied.
 * @param {HTMLInputElement} input
 */
export const copyFrom = async (input) => {
  input.select();
  // There is no clipboard on pages that came without TLS, and a browser may refuse it.
  const copied = await navigator.clipboard?.writeText(input.value).then(() => true, () => false);
  if (!copied) {
    input.focus();
    input.select();
  }
  toast(say(copied ? "wait.copied" : "wait.uncopied"));
};

/**
 * A text to be copied, with the button that does it.
 * @param {string} label
 * @param {string} text
 */
export const copyField = (label, text) => {
  const input = h("input", { value: text, readonly: true, "aria-label": label, spellcheck: "false", onfocus: (event) => event.target.select() });
  return h("div", { class: "copy" }, input, h("button", { class: "btn", type: "button", onclick: () => copyFrom(input) }, say("wait.copy")));
};
