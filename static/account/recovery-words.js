// Recovery words: the panel that shows new ones once, and the section of the account page.
import { currentPassword } from "./current-password.js";
import { get, post } from "../lib/http.js";
import { field, form } from "../lib/form.js";
import { codeField } from "../common/code-field.js";
import { openDialog } from "../lib/dialog.js";
import { h } from "../lib/dom.js";
import { dayText } from "../lib/format-time.js";
import { copy } from "../lib/share.js";
import { loadStyleSheet } from "../lib/style-sheet.js";
import { setReminded } from "../common/recovery-reminder.js";
import "../lib/i18n-more.js";
import { overrideReason, t } from "../lib/i18n.js";

/**
 * Creates the recovery words of the account that is signed in; they replace earlier ones.
 * @param {string} secret  the current password
 * @param {{ code?: string, passkey?: string }} [factor]  of an account with two-step login
 * @returns {Promise<string[]>}
 */
export const createWords = async (secret, factor) =>
  (await post("/api/account/recovery", { password: secret, ...factor })).words;

/**
 * Returns the list of new words with buttons to copy, print and confirm it. `done()` is called when
 * the user has confirmed.
 * @param {string[]} words
 * @param {() => unknown} done
 */
export const wordList = (words, done) => {
  loadStyleSheet("recovery");
  const keep = () => {
    setReminded(true);
    done();
  };
  return h(
    "div",
    { class: "recovery" },
    h("p", {}, t("recovery.keep")),
    h(
      "ol",
      { class: "recovery-words" },
      ...words.map((word) => h("li", { translate: "no" }, word)),
    ),
    h(
      "div",
      { class: "recovery-actions" },
      h(
        "button",
        { class: "btn", type: "button", onclick: () => copy(words.join("\n")) },
        t("wait.copy"),
      ),
      h("button", { class: "btn", type: "button", onclick: () => print() }, t("recovery.print")),
      h("button", { class: "btn btn-primary", type: "button", onclick: keep }, t("recovery.have")),
    ),
  );
};

/**
 * Lets only the buttons in the content close a dialog, because the words are not shown again.
 * @param {HTMLDialogElement} dialog
 */
const keepOpen = (dialog) => {
  dialog.querySelector(".dialog-head button").remove();
  dialog.addEventListener("cancel", (event) => event.preventDefault());
  // A second Escape in a row closes a dialog without a cancelable event.
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "Escape") event.preventDefault();
  });
  dialog.querySelector("button").focus();
};

/**
 * Opens the dialog that creates words, confirmed by the password. Calls `changed` afterwards.
 * @param {() => unknown} changed
 */
const openCreateDialog = (changed) => {
  const dialog = openDialog(t("recovery.title"), (close) => {
    const secret = currentPassword();
    const code = codeField({ takesWords: true });
    const element = h("div", {});
    element.append(
      form(
        [
          h("p", { class: "soft" }, t("recovery.why")),
          field(t("login.password"), secret),
          code.element,
        ],
        t("recovery.create"),
        async () => {
          const words = await createWords(secret.value, code.fields())
            .catch(overrideReason("badPassword", "account.badOld"))
            .catch(code.rethrow);
          element.replaceChildren(wordList(words, close));
          keepOpen(dialog);
          changed();
        },
      ),
    );
    return element;
  });
};

/**
 * Returns the section that says how many words are left, and creates new ones, and a function that
 * reloads it.
 * @param {(words: number) => unknown} setWordCount  called with the number when it is known
 */
export const recoverySection = (setWordCount) => {
  const state = h("p", { role: "status" });
  const handleClick = () => openCreateDialog(reload);
  const open = h("button", { class: "btn", type: "button", onclick: handleClick });
  const show = async () => {
    const { wordsLeft, createdAt } = await get("/api/account/recovery");
    state.textContent = createdAt
      ? t("recovery.left", { n: wordsLeft, date: dayText(createdAt) })
      : t("recovery.none");
    open.textContent = t(createdAt ? "recovery.replace" : "recovery.create");
    setWordCount(wordsLeft);
  };
  const reload = () =>
    show().catch((refused) => {
      state.textContent = refused.message;
    });
  reload();
  const section = h(
    "section",
    { class: "card account-section", id: "recovery" },
    h("h2", {}, t("recovery.title")),
    state,
    h("div", { class: "users-actions" }, open),
  );
  return { section, reload };
};
