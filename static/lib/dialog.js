// Modal dialogs, and forms with labeled fields, a submit button and an error message.
//
// Buttons ignore further clicks while their request is running.
import { h, iconSvg, toast } from "./dom.js";
import { say } from "./i18n.js";

let count = 0;
/**
 * Returns an id that is unique on the page.
 * @param {string} kind
 */
const uniqueId = (kind) => `${kind}-${count++}`;

/**
 * Opens a dialog with the content that `fill` returns. If a dialog with this title is open, returns
 * that one, so that a double click opens only one.
 * @param {string} title
 * @param {(close: () => void) => Node} fill
 * @returns {HTMLDialogElement}
 */
export const openDialog = (title, fill) => {
  const open = /** @type {HTMLDialogElement[]} */ ([
    ...document.querySelectorAll("dialog.ask[open]"),
  ]).find((one) => one.querySelector("h2")?.textContent === title);
  if (open) return open;
  const id = uniqueId("dialog");
  const dialog = h("dialog", { class: "ask", "aria-labelledby": id });
  const close = () => dialog.close();
  const closeButton = h(
    "button",
    { class: "icon", type: "button", "aria-label": say("form.close"), onclick: close },
    iconSvg("M6 6l12 12M18 6L6 18"),
  );
  dialog.append(h("div", { class: "ask-head" }, h("h2", { id }, title), closeButton), fill(close));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector("input, select, textarea")?.focus();
  return dialog;
};

/**
 * Creates a labeled field; the note becomes the description of the input.
 * @param {string} label
 * @param {HTMLElement} input
 * @param {string} [note]
 */
export const field = (label, input, note) => {
  const id = uniqueId("note");
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
 * Creates a password input.
 * @param {AutoFill} autocomplete purpose, for password managers
 */
export const password = (autocomplete) =>
  h("input", { type: "password", autocomplete, maxlength: 256, required: true });

/**
 * Creates a form. `send` is called on submit; the message of an error it throws is shown.
 * @param {Child[]} children
 * @param {string} label
 * @param {(form: HTMLFormElement) => unknown} send
 * @param {string} [className] class of the button
 */
export const form = (children, label, send, className = "btn main") => {
  const errorText = h("p", { class: "wrong", role: "alert" });
  const button = h("button", { class: className, type: "submit" }, label);
  /** @param {SubmitEvent & { currentTarget: HTMLFormElement }} event */
  const submit = async (event) => {
    event.preventDefault();
    if (button.classList.contains("busy")) return;
    button.classList.add("busy");
    errorText.textContent = "";
    try {
      await send(event.currentTarget);
    } catch (error) {
      errorText.textContent = error.message;
    }
    button.classList.remove("busy");
  };
  return h(
    "form",
    { class: "fields", novalidate: true, onsubmit: submit },
    ...children,
    errorText,
    button,
  );
};

/**
 * Shows the message of a rejected request. Any other error is a module that failed to load.
 * @param {Error} error
 */
export const showError = (error) => toast("status" in error ? error.message : say("error.network"));

/**
 * Creates a button for a request; errors are shown as a toast.
 * @param {string} label
 * @param {() => Promise<unknown>} action
 * @param {string} [className]
 */
export const asyncButton = (label, action, className = "btn") => {
  const handleClick = async () => {
    if (button.classList.contains("busy")) return;
    button.classList.add("busy");
    await action().catch(showError);
    button.classList.remove("busy");
  };
  const button = h("button", { class: className, type: "button", onclick: handleClick }, label);
  return button;
};
