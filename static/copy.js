// Copies the text of a field; where the clipboard does not take it, the text stands ready to be taken by hand.
import { toast } from "./dom.js";
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
