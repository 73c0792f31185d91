// An address to be sent to somebody.
import { copyFrom } from "./copy.js";
import { h } from "./dom.js";
import { say } from "./words.js";

/**
 * The address in a field, and a button that copies it.
 * @param {string} url
 * @param {string} label
 */
export const linkField = (url, label) => {
  const link = h("input", { value: url, readonly: true, "aria-label": label, onfocus: (event) => event.target.select() });
  const copy = h("button", { class: "btn", type: "button" }, say("wait.copy"));
  copy.addEventListener("click", () => copyFrom(link));
  return h("div", { class: "link" }, link, copy);
};
