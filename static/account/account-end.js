// Sections of the account page that close the account, or erase it with its data. Both need the
// password and the username. Called by `account.js`.
import { currentPassword } from "./current-password.js";
import { openDialog } from "../lib/dialog.js";
import { field, form } from "../lib/form.js";
import { h } from "../lib/dom.js";
import { setLeaving } from "../common/notifications.js";
import { post } from "../lib/http.js";
import { overrideReason, t } from "../lib/i18n.js";

/**
 * End of an account: texts of the section and of its dialog, and the route.
 * @typedef {{ title: string, why: string, open: string, now: string, consequences: string[],
 *   path: "/api/account/close" | "/api/account/erase" }} AccountEnd
 */

/** @returns {AccountEnd} */
const closing = () => ({
  title: t("account.close"),
  why: t("account.closeWhy"),
  open: t("account.closeOpen"),
  now: t("account.closeNow"),
  consequences: [
    t("account.closeLogin"),
    t("account.closeGames"),
    t("account.closePage"),
    t("account.closeForever"),
  ],
  path: "/api/account/close",
});

/** @returns {AccountEnd} */
const erasing = () => ({
  title: t("account.erase"),
  why: t("account.eraseWhy"),
  open: t("account.eraseOpen"),
  now: t("account.eraseNow"),
  consequences: [
    t("account.closeLogin"),
    t("account.closeGames"),
    t("account.eraseName"),
    t("account.eraseData"),
    t("account.eraseFree"),
  ],
  path: "/api/account/erase",
});

/**
 * Opens the dialog that closes or erases the account, confirmed by password and username.
 * @param {Account} me
 * @param {AccountEnd} end
 */
const openEndDialog = ({ username }, { title, now, consequences, path }) =>
  openDialog(title, () => {
    const secret = currentPassword();
    const typed = h("input", {
      name: "typed",
      autocomplete: "off",
      autocapitalize: "none",
      spellcheck: "false",
    });
    return form(
      [
        h("ul", { class: "soft" }, ...consequences.map((text) => h("li", {}, text))),
        field(t("login.password"), secret),
        field(t("account.typeName", { name: username }), typed),
      ],
      now,
      async () => {
        if (typed.value.trim().toLowerCase() !== username.toLowerCase())
          throw new Error(t("account.typeWrong", { name: username }));
        setLeaving();
        await post(path, { password: secret.value }).catch(
          overrideReason("badPassword", "account.badOld"),
        );
        location.assign("/");
      },
      "btn btn-danger",
    );
  });

/**
 * Returns the section that closes or erases the account.
 * @param {Account} me
 * @param {AccountEnd} end
 */
const endSection = (me, end) =>
  h(
    "section",
    { class: "card account-section" },
    h("h2", {}, end.title),
    h("p", { class: "small soft" }, end.why),
    h(
      "div",
      { class: "users-actions" },
      h(
        "button",
        { class: "btn", type: "button", onclick: () => openEndDialog(me, end) },
        end.open,
      ),
    ),
  );

/** @param {Account} me */
export const closeSection = (me) => endSection(me, closing());

/** @param {Account} me */
export const eraseSection = (me) => endSection(me, erasing());
