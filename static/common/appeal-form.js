// Appeal of a player whose account a moderator has closed. Loaded by credentials-form.js.
import { post } from "../lib/http.js";
import { h } from "../lib/dom.js";
import { openDialog } from "../lib/dialog.js";
import { field, form } from "../lib/form.js";
import { dateTimeText } from "../lib/format-time.js";
import "../lib/i18n-more.js";
import { t } from "../lib/i18n.js";

const TEXT_MAX = 1000;

/**
 * Opens the dialog that sends an appeal. Calls `done` afterwards.
 * @param {{ username: string, password: string }} credentials
 * @param {() => void} done
 */
const openAppeal = (credentials, done) =>
  openDialog(t("login.appeal"), (close) => {
    const text = h("textarea", { name: "text", rows: 6, maxlength: TEXT_MAX, required: true });
    return form(
      [field(t("login.appealText"), text, t("login.appealNote", { n: TEXT_MAX }))],
      t("login.appealSend"),
      async () => {
        await post("/api/appeal", { ...credentials, text: text.value });
        close();
        done();
      },
    );
  });

/**
 * Returns the state of the appeal, or the button that opens its form.
 * @param {{ username: string, password: string }} credentials
 * @param {AppealAnswer | undefined} appeal
 */
export const appealForm = (credentials, appeal) => {
  const note = (/** @type {string} */ text) =>
    h("p", { class: "small soft", role: "status" }, text);
  if (appeal?.state === "open") return note(t("login.appealOpen"));
  if (appeal) return note(t("login.appealAgain", { date: dateTimeText(appeal.again) }));
  const button = h(
    "button",
    {
      class: "btn",
      type: "button",
      onclick: () => openAppeal(credentials, () => button.replaceWith(note(t("login.appealSent")))),
    },
    t("login.appeal"),
  );
  return button;
};
