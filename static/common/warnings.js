// Warnings of moderators: a dialog for each, which stays until the player confirms it, or closes it
// because that fails. Used by inbox.js.
import { get, post } from "../lib/http.js";
import { h } from "../lib/dom.js";
import { form } from "../lib/form.js";
import { dateTimeText } from "../lib/format-time.js";
import { t } from "../lib/i18n.js";
import "../lib/i18n-more.js";

/** Interval at which it is checked whether the user plays. */
const BUSY_MS = 500;

/** Statuses of a confirmation after which there is nothing to confirm: no session, no warning. */
const GONE = [401, 404];

/**
 * Shows a warning until it is confirmed. After a failure it can be closed, and stays unread.
 * @param {UnreadWarning} warning
 * @returns {Promise<void>}
 */
const showWarning = ({ number, kind, text, at }) =>
  new Promise((done) => {
    const id = `warning-${number}`;
    const shown = kind === "renamed" ? t("warning.renamed", { name: text }) : text;
    const lines = shown.split("\n").map((line) => h("p", { class: "warning-text" }, line));
    const sent = h("p", { class: "small weak" }, dateTimeText(at));
    const end = () => {
      dialog.remove();
      done();
    };
    const close = h("button", { class: "btn", type: "button", onclick: end }, t("form.close"));
    const confirm = form([...lines, sent], t("warning.read"), async () => {
      try {
        await post(`/api/account/warnings/${number}/read`);
      } catch (error) {
        if (!GONE.includes(error.status)) {
          confirm.append(close);
          throw error;
        }
      }
      end();
    });
    const dialog = h(
      "dialog",
      { class: "dialog", "aria-labelledby": id },
      h("div", { class: "dialog-head" }, h("h2", { id }, t("warning.title"))),
      confirm,
    );
    // Escape does not confirm the warning.
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    dialog.addEventListener("close", () => dialog.isConnected && dialog.showModal());
    document.body.append(dialog);
    dialog.showModal();
  });

let isShowing = false;

/**
 * Shows the unread warnings, one after another, once no clock of the user may run. After a failure,
 * the next state of the server repeats it.
 * @param {() => boolean} busy
 */
export const showWarnings = async (busy) => {
  if (isShowing) return;
  isShowing = true;
  try {
    while (busy()) await new Promise((done) => setTimeout(done, BUSY_MS));
    /** @type {UnreadWarning[]} */
    const warnings = await get("/api/account/warnings");
    for (const warning of warnings) await showWarning(warning);
  } catch {
    // The warnings stay unread.
  }
  isShowing = false;
};
