// A dialog over the page; on a phone it comes from below.
import { h, line } from "./dom.js";
import { say } from "./words.js";

let count = 0;

/**
 * Opens a dialog; `fill(close)` gives what stands in it. One that is open already under that title stays, for a
 * second click on what opens it.
 * @param {string} title
 * @param {(close: () => void) => Node} fill
 * @returns {HTMLDialogElement}
 */
export const openDialog = (title, fill) => {
  const open = /** @type {HTMLDialogElement[]} */ ([...document.querySelectorAll("dialog.ask[open]")]).find((one) => one.querySelector("h2")?.textContent === title);
  if (open) return open;
  const id = `dialog-${count++}`;
  const dialog = h("dialog", { class: "ask", "aria-labelledby": id });
  const close = () => dialog.close();
  const away = h("button", { class: "icon", type: "button", "aria-label": say("form.close"), onclick: close }, line("M6 6l12 12M18 6L6 18"));
  dialog.append(h("div", { class: "ask-head" }, h("h2", { id }, title), away), fill(close));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector("input, select, textarea")?.focus();
  return dialog;
};
