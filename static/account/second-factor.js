// Section of the account page for two-step login: sets up an authenticator app, and turns it off.
// Called by `account.js`.
import { currentPassword } from "./current-password.js";
import { get, post } from "../lib/http.js";
import { field, form } from "../lib/form.js";
import { codeField } from "../common/code-field.js";
import { openDialog } from "../lib/dialog.js";
import { h, toast } from "../lib/dom.js";
import { dayText } from "../lib/format-time.js";
import { copy } from "../lib/share.js";
import "../lib/i18n-more.js";
import { overrideReason, t } from "../lib/i18n.js";

/** Width of the QR code in pixels. */
const QR_PX = 196;

/** Digits of a code. */
const DIGITS = 6;

/**
 * Returns the QR code and the key of a new secret.
 * @param {{ secret: string, qr: string }} totp
 */
const secretView = ({ secret, qr }) => {
  const src = `data:image/svg+xml,${encodeURIComponent(qr)}`;
  const groups = secret.match(/.{1,4}/g) ?? [];
  return h(
    "div",
    { class: "factor-secret" },
    h("img", { src, width: QR_PX, height: QR_PX, alt: t("factor.qr") }),
    h("span", { class: "small soft" }, t("factor.key")),
    h("code", { class: "factor-key", translate: "no" }, groups.join(" ")),
    h("button", { class: "btn", type: "button", onclick: () => copy(secret) }, t("wait.copy")),
  );
};

/**
 * Returns the form that confirms a new secret with its first code.
 * @param {{ secret: string, qr: string }} totp
 * @param {() => unknown} done
 */
const confirmForm = (totp, done) => {
  const code = h("input", {
    name: "code",
    required: true,
    autocomplete: "one-time-code",
    inputmode: "numeric",
    // Some apps copy spaces around and between the digits.
    maxlength: DIGITS + 4,
  });
  return form(
    [
      h("p", { class: "soft" }, t("factor.scan")),
      secretView(totp),
      field(t("factor.code"), code, t("factor.codeNote")),
    ],
    t("factor.turnOn"),
    async () => {
      await post("/api/account/totp/confirm", { code: code.value }).catch((refused) => {
        code.setAttribute("aria-invalid", "true");
        code.focus();
        code.select();
        throw refused;
      });
      done();
    },
  );
};

/**
 * Opens the dialog that sets up an authenticator app. Calls `changed` afterwards.
 * @param {() => unknown} changed
 */
const openSetUpDialog = (changed) =>
  openDialog(t("factor.title"), (close) => {
    const secret = currentPassword();
    const code = codeField({ takesWords: true });
    const element = h("div", {});
    const done = () => {
      close();
      toast(t("factor.turnedOn"));
      changed();
    };
    element.append(
      form(
        [
          h("p", { class: "soft" }, t("factor.setUpWhy")),
          field(t("login.password"), secret),
          code.element,
        ],
        t("forgot.continue"),
        async () => {
          const fields = { password: secret.value, ...code.fields() };
          const totp = await post("/api/account/totp", fields)
            .catch(overrideReason("badPassword", "account.badOld"))
            .catch(code.rethrow);
          element.replaceChildren(confirmForm(totp, done));
          element.querySelector("input")?.focus();
        },
      ),
    );
    return element;
  });

/**
 * Opens the dialog that turns two-step login off. Calls `changed` afterwards.
 * @param {() => unknown} changed
 */
const openTurnOffDialog = (changed) =>
  openDialog(t("factor.title"), (close) => {
    const secret = currentPassword();
    const code = codeField({ takesWords: true });
    return form(
      [
        h("p", { class: "soft" }, t("factor.turnOffWhy")),
        field(t("login.password"), secret),
        code.element,
      ],
      t("factor.turnOff"),
      async () => {
        await post("/api/account/totp/remove", { password: secret.value, ...code.fields() })
          .catch(overrideReason("badPassword", "account.badOld"))
          .catch(code.rethrow);
        close();
        changed();
      },
      "btn btn-danger",
    );
  });

/**
 * Returns the section that says whether two-step login is on, and changes it, and a function that
 * takes the number of recovery words.
 * @param {() => unknown} turnedOff  called after it was turned off, which can use up a word
 */
export const secondFactorSection = (turnedOff) => {
  const state = h("p", { role: "status" });
  const advice = h("p", { class: "small soft", hidden: true }, t("factor.words"));
  let isOn = false;
  /** @type {number | null} */
  let words = null;
  const showAdvice = () => (advice.hidden = !isOn || words !== 0);
  const handleClick = () => (isOn ? openTurnOffDialog(handleTurnedOff) : openSetUpDialog(reload));
  const open = h("button", { class: "btn", type: "button", hidden: true, onclick: handleClick });
  const show = async () => {
    const { totpSince } = await get("/api/account/second-factor");
    isOn = Boolean(totpSince);
    state.textContent = totpSince ? t("factor.on", { date: dayText(totpSince) }) : t("factor.off");
    open.textContent = t(isOn ? "factor.turnOff" : "factor.setUp");
    open.hidden = false;
    showAdvice();
  };
  const reload = () =>
    show().catch((refused) => {
      state.textContent = refused.message;
    });
  const handleTurnedOff = () => {
    reload();
    turnedOff();
  };
  reload();
  const section = h(
    "section",
    { class: "card account-section", id: "second-factor" },
    h("h2", {}, t("factor.title")),
    state,
    advice,
    h("div", { class: "users-actions" }, open),
  );
  const setWordCount = (/** @type {number} */ count) => {
    words = count;
    showAdvice();
  };
  return { section, setWordCount };
};
