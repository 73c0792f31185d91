// What people are asked: dialogs over the page, on a phone from below, and forms with labelled fields, one button, and what is
// wrong beneath it.
import { h, line, toast } from "./dom.js";
import { say } from "./i18n.js";

let count = 0;
/** Another name for something on this page. */
const fresh = (kind) => `${kind}-${count++}`;

/**
 * Opens a dialog; `fill(close)` gives what stands in it. One that is open already under that title stays, for a
 * second click on what opens it.
 * @param {string} title
 * @param {(close: () => void) => Node} fill
 * @returns {HTMLDialogElement}
 */
export const openDialog = (title, fill) => {
  const open = /** @type {HTMLDialogElement[]} */ ([
    ...document.querySelectorAll("dialog.ask[open]"),
  ]).find((one) => one.querySelector("h2")?.textContent === title);
  if (open) return open;
  const id = fresh("dialog");
  const dialog = h("dialog", { class: "ask", "aria-labelledby": id });
  const close = () => dialog.close();
  const away = h(
    "button",
    { class: "icon", type: "button", "aria-label": say("form.close"), onclick: close },
    line("M6 6l12 12M18 6L6 18"),
  );
  dialog.append(h("div", { class: "ask-head" }, h("h2", { id }, title), away), fill(close));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector("input, select, textarea")?.focus();
  return dialog;
};

/**
 * A labelled field around an input; a note beneath it is read with it.
 * @param {string} label
 * @param {HTMLElement} input
 * @param {string} [note]
 */
export const field = (label, input, note) => {
  const id = fresh("note");
  if (note) input.setAttribute("aria-describedby", id);
  return h(
    "label",
    { class: "field" },
    label,
    input,
    note && h("span", { class: "small weak", id }, note),
  );
};

/**
 * An input for a password that can be looked at; `autocomplete` tells a keeper of passwords what it is.
 * @param {AutoFill} autocomplete
 */
export const password = (autocomplete) =>
  h("input", { type: "password", autocomplete, maxlength: 256, required: true });

/**
 * A form; `send()` is asked on submit, and what it throws is said under the fields. `className` is the button's.
 * @param {Child[]} children
 * @param {string} label
 * @param {(form: HTMLFormElement) => unknown} send
 * @param {string} [className]
 */
export const form = (children, label, send, className = "btn main") => {
  const wrong = h("p", { class: "wrong", role: "alert" });
  const button = h("button", { class: className, type: "submit" }, label);
  const submit = async (event) => {
    event.preventDefault();
    if (button.classList.contains("busy")) return;
    button.classList.add("busy");
    wrong.textContent = "";
    try {
      await send(event.currentTarget);
    } catch (refused) {
      wrong.textContent = refused.message;
    }
    button.classList.remove("busy");
  };
  return h(
    "form",
    { class: "fields", novalidate: true, onsubmit: submit },
    ...children,
    wrong,
    button,
  );
};

/** Says in passing why something was not done; what is no refusal is something that could not be loaded. */
export const sayWhy = (failed) => toast("status" in failed ? failed.message : say("error.network"));

/**
 * A button that does something on the server; a refusal is said in passing.
 * @param {string} label
 * @param {() => Promise<unknown>} act
 * @param {string} [className]
 */
export const deed = (label, act, className = "btn") => {
  const press = async () => {
    if (button.classList.contains("busy")) return;
    button.classList.add("busy");
    await act().catch(sayWhy);
    button.classList.remove("busy");
  };
  const button = h("button", { class: className, type: "button", onclick: press }, label);
  return button;
};
