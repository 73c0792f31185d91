// The section of the account page for the e-mail address: adds, changes and removes it, and
// switches digests and reminders by e-mail.
import { currentPassword } from "./current-password.js";
import { get, post } from "../lib/http.js";
import { field, form } from "../lib/form.js";
import { openDialog } from "../lib/dialog.js";
import { h, toast, toggle } from "../lib/dom.js";
import "../lib/i18n-more.js";
import { overrideReason, t } from "../lib/i18n.js";

/**
 * Opens the dialog that takes a new address. Calls `changed` afterwards.
 * @param {string} title
 * @param {() => unknown} changed
 */
const openAddressDialog = (title, changed) =>
  openDialog(title, (close) => {
    const address = h("input", {
      type: "email",
      name: "email",
      autocomplete: "email",
      maxlength: 254,
      required: true,
    });
    const secret = currentPassword();
    return form(
      [
        h("p", { class: "soft" }, t("email.why")),
        field(t("email.address"), address),
        field(t("login.password"), secret),
      ],
      t("email.send"),
      async () => {
        await post("/api/account/email", {
          address: address.value,
          password: secret.value,
        }).catch(overrideReason("badPassword", "account.badOld"));
        close();
        toast(t("email.sent"));
        changed();
      },
    );
  });

/**
 * Opens the dialog that removes the address. Calls `changed` afterwards.
 * @param {() => unknown} changed
 */
const openRemoveDialog = (changed) =>
  openDialog(t("email.remove"), (close) => {
    const secret = currentPassword();
    return form(
      [h("p", { class: "soft" }, t("email.removeWhy")), field(t("login.password"), secret)],
      t("email.remove"),
      async () => {
        await post("/api/account/email/remove", { password: secret.value }).catch(
          overrideReason("badPassword", "account.badOld"),
        );
        close();
        toast(t("email.removed"));
        changed();
      },
    );
  });

/**
 * Creates the switches of the digests and of the reminders. A change is stored at once; a failure
 * calls `failed`.
 * @param {EmailOut} settings
 * @param {() => unknown} failed
 */
const messageSwitches = ({ digest, reminders }, failed) => {
  const onError = (/** @type {Error} */ refused) => {
    toast(refused.message);
    failed();
  };
  const setDigest = (/** @type {boolean} */ on) =>
    post("/api/account/email/digest", { digest: on }).catch(onError);
  const setReminders = (/** @type {boolean} */ on) =>
    post("/api/account/reminders", { email: on }).catch(onError);
  return [
    toggle(t("email.digest"), digest, setDigest, t("email.digestNote")),
    toggle(t("email.reminders"), reminders, setReminders, t("email.remindersNote")),
  ];
};

/** Returns the section, which is hidden if the server sends no e-mail. */
export const emailSection = () => {
  const content = h("div", { class: "account-email" });
  /** @param {EmailOut} settings */
  const fill = (settings) => {
    const { enabled, address, pending } = settings;
    const title = t(address ? "email.change" : "email.add");
    const open = () => openAddressDialog(title, show);
    content.replaceChildren(
      h("p", {}, address ? t("email.current", { address }) : t("email.none")),
      ...(pending ? [h("p", { role: "status" }, t("email.pending", { address: pending }))] : []),
      ...(address && enabled ? messageSwitches(settings, show) : []),
      h(
        "div",
        { class: "users-actions" },
        enabled && h("button", { class: "btn", type: "button", onclick: open }, title),
        (address || pending) &&
          h(
            "button",
            { class: "btn btn-quiet", type: "button", onclick: () => openRemoveDialog(show) },
            t("email.remove"),
          ),
      ),
    );
  };
  const section = h(
    "section",
    { class: "card account-section", id: "email", hidden: true },
    h("h2", {}, t("email.title")),
    h("p", { class: "small soft" }, t("email.why")),
    content,
  );
  const show = async () => {
    const settings = await get("/api/account/email");
    section.hidden = !settings.enabled && !settings.address && !settings.pending;
    fill(settings);
  };
  show().catch((refused) => {
    section.hidden = false;
    content.replaceChildren(h("p", {}, refused.message));
  });
  return section;
};
