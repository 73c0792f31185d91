// Form with name and password that signs up or logs in. Used by the login page, and by the page of
// a challenge that needs an account.
import { post } from "../lib/http.js";
import { uniqueId } from "../lib/form.js";
import { h } from "../lib/dom.js";
import { codeField } from "./code-field.js";
import { dateTimeText } from "../lib/format-time.js";
import "../lib/i18n-more.js";
import { t } from "../lib/i18n.js";

/** @type {(label: string, attributes: object) => [HTMLLabelElement, HTMLInputElement]} */
const field = (label, attributes) => {
  const input = h("input", { required: true, ...attributes });
  return [h("label", { class: "field" }, label, input), input];
};

/**
 * Returns the switch that shows the password of an input.
 * @param {HTMLInputElement} password
 */
export const passwordSwitch = (password) => {
  const show = h("input", { type: "checkbox" });
  show.addEventListener("change", () => {
    password.type = show.checked ? "text" : "password";
  });
  return h("label", { class: "small soft checkbox" }, show, t("login.show"));
};

/**
 * Returns the fields for a name and a password, with the switch that shows the password.
 * @param {boolean} isSignup
 */
const credentialFields = (isSignup) => {
  const [nameField, name] = field(t("login.name"), {
    name: "username",
    autocomplete: "username",
    maxlength: 20,
    autocapitalize: "none",
    spellcheck: "false",
  });
  const [passwordField, password] = field(t("login.password"), {
    name: "password",
    type: "password",
    autocomplete: isSignup ? "new-password" : "current-password",
    maxlength: 256,
  });
  return { name, password, elements: [nameField, passwordField, passwordSwitch(password)] };
};

/**
 * Returns the form. `done()` is called with the password when the session belongs to the account;
 * it leaves the page. `children` follow the button.
 * @param {boolean} isSignup
 * @param {{
 *   className: string,
 *   heading?: Child,
 *   guest?: string | null,
 *   done: (password: string) => unknown,
 *   children?: Child[],
 * }} options  `guest` is the name of the guest who keeps the games
 */
export const credentialsForm = (isSignup, { className, heading, guest, done, children = [] }) => {
  const { name, password, elements } = credentialFields(isSignup);
  const code = codeField({ takesWords: true });
  const errorId = uniqueId("wrong");
  const error = h("p", { class: "form-error", role: "alert", id: errorId });
  const send = h(
    "button",
    { class: "btn btn-primary btn-large", type: "submit" },
    t(isSignup ? "login.signup" : "login.login"),
  );
  const appeal = h("div", {});
  let attempt = 0;
  /** Shows the appeal against the closing of the account of this attempt. */
  const showAppeal = async (
    /** @type {{ username: string, password: string }} */ fields,
    /** @type {AppealAnswer | undefined} */ answer,
  ) => {
    const own = attempt;
    const module = await import("./appeal-form.js").catch(() => null);
    if (module && own === attempt) appeal.replaceChildren(module.appealForm(fields, answer));
  };
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (send.classList.contains("is-busy")) return;
    send.classList.add("is-busy");
    error.textContent = "";
    attempt += 1;
    appeal.replaceChildren();
    const fields = { username: name.value, password: password.value };
    try {
      if (isSignup) await post("/api/register", fields);
      else await post("/api/login", { ...fields, ...code.fields() });
      done(password.value);
    } catch (refused) {
      send.classList.remove("is-busy");
      if (code.isAbout(refused)) {
        for (const input of [name, password]) {
          input.removeAttribute("aria-invalid");
          input.removeAttribute("aria-describedby");
        }
        error.textContent = code.explain(refused).message;
        return;
      }
      const until = refused.body?.until;
      error.textContent = until
        ? t(refused.reason === "banned" ? "login.bannedUntil" : "login.closedUntil", {
            date: dateTimeText(until),
          })
        : refused.message;
      if (refused.reason === "accountClosed") showAppeal(fields, refused.body?.appeal);
      const isPassword = ["badPassword", "commonPassword"].includes(refused.reason);
      const input = isPassword ? password : name;
      name.setAttribute("aria-invalid", String(input === name));
      password.setAttribute("aria-invalid", String(input === password));
      input.setAttribute("aria-describedby", errorId);
      input.focus();
    }
  };
  return h(
    "form",
    { class: className, novalidate: true, onsubmit: submit },
    heading,
    isSignup && guest && h("p", { class: "small soft" }, t("login.keep", { name: guest })),
    ...elements,
    isSignup ? h("p", { class: "small weak" }, t("login.note")) : code.element,
    error,
    appeal,
    send,
    ...children,
  );
};
