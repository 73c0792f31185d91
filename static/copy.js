// Copies a text, that of a field too. Where the clipboard does not take it, it stands ready to be taken by hand.
import { h, toast } from "./dom.js";
import { say } from "./words.js";

// There is no clipboard on pages that came without TLS, and a browser may refuse it.
const taken = async (text) => Boolean(await navigator.clipboard?.writeText(text).then(() => true, () => false));

/**
 * Copies a text and says `done`, or shows the text to be taken from there.
 * @param {string} text
 * @param {string} [done]
 */
export const copy = async (text, done = say("wait.copied")) => toast((await taken(text)) ? done : text);

/**
 * Copies what stands in a field, and says whether it is copied.
 * @param {HTMLInputElement} input
 */
export const copyFrom = async (input) => {
  input.select();
  const copied = await taken(input.value);
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
