// Forms: labeled fields, password inputs, and buttons that show the errors of their requests.
//
// Buttons ignore further clicks while their request is running.
import { h, toast } from "./dom.js";
import { t } from "./i18n.js";

let count = 0;
/**
 * Returns an id that is unique on the page.
 * @param {string} kind
 */
export const uniqueId = (kind) => `${kind}-${count++}`;

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
 * Returns the hidden field with the username, which password managers need beside a password.
 * @param {string} username
 */
export const usernameField = (username) =>
  h("input", {
    class: "visually-hidden",
    autocomplete: "username",
    value: username,
    readonly: true,
    tabindex: -1,
    "aria-hidden": "true",
  });

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
export const form = (children, label, send, className = "btn btn-primary") => {
  const errorText = h("p", { class: "form-error", role: "alert" });
  const button = h("button", { class: className, type: "submit" }, label);
  /** @param {SubmitEvent & { currentTarget: HTMLFormElement }} event */
  const submit = async (event) => {
    event.preventDefault();
    if (button.classList.contains("is-busy")) return;
    button.classList.add("is-busy");
    errorText.textContent = "";
    try {
      await send(event.currentTarget);
    } catch (error) {
      errorText.textContent = error.message;
    }
    button.classList.remove("is-busy");
  };
  return h(
    "form",
    { class: "form-fields", novalidate: true, onsubmit: submit },
    ...children,
    errorText,
    button,
  );
};

/**
 * Shows the message of a rejected request. Any other error is a module that failed to load.
 * @param {Error} error
 */
export const showError = (error) => toast("status" in error ? error.message : t("error.network"));

/**
 * Creates a button for a request; errors are shown as a toast.
 * @param {string} label
 * @param {() => Promise<unknown>} action
 * @param {string} [className]
 */
export const asyncButton = (label, action, className = "btn") => {
  const handleClick = async () => {
    if (button.classList.contains("is-busy")) return;
    button.classList.add("is-busy");
    await action().catch(showError);
    button.classList.remove("is-busy");
  };
  const button = h("button", { class: className, type: "button", onclick: handleClick }, label);
  return button;
};
