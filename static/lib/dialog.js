// Modal dialogs with a title and a close button.
import { h, iconSvg } from "./dom.js";
import { CLOSE } from "./icons.js";
import { uniqueId } from "./form.js";
import { t } from "./i18n.js";

/**
 * Opens a dialog with the content that `fill` returns. If a dialog with this title is open, returns
 * that one, so that a double click opens only one.
 * @param {string} title
 * @param {(close: () => void) => Node} fill
 * @returns {HTMLDialogElement}
 */
export const openDialog = (title, fill) => {
  const open = /** @type {HTMLDialogElement[]} */ ([
    ...document.querySelectorAll("dialog.dialog[open]"),
  ]).find((one) => one.querySelector("h2")?.textContent === title);
  if (open) return open;
  const id = uniqueId("dialog");
  const dialog = h("dialog", { class: "dialog", "aria-labelledby": id });
  const close = () => dialog.close();
  const closeButton = h(
    "button",
    { class: "icon", type: "button", "aria-label": t("form.close"), onclick: close },
    iconSvg(CLOSE),
  );
  dialog.append(
    h("div", { class: "dialog-head" }, h("h2", { id }, title), closeButton),
    fill(close),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector("input, select, textarea")?.focus();
  return dialog;
};
