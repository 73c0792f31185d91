// Forms that set a new password: with a recovery word, and with a reset link of the operator.
import { post } from "../lib/http.js";
import { passwordSwitch } from "../common/credentials-form.js";
import { field, form, password } from "../lib/form.js";
import { h } from "../lib/dom.js";
import "../lib/i18n-more.js";
import { t } from "../lib/i18n.js";

/** Number of recovery words from which on new ones are suggested. */
const FEW_WORDS = 2;

/**
 * Returns the input of the new password and the switch that shows it.
 * @returns {[HTMLInputElement, HTMLElement[]]}
 */
const newPassword = () => {
  const input = password("new-password");
  input.name = "password";
  return [
    input,
    [field(t("account.new"), input, t("account.passwordNote")), passwordSwitch(input)],
  ];
};

/**
 * Returns a form that is the content of its page.
 * @param {Child[]} children
 * @param {(form: HTMLFormElement) => unknown} send
 */
const pageForm = (children, send) => {
  const element = form(children, t("forgot.send"), send, "btn btn-primary btn-large");
  element.classList.add("card", "form-page");
  return element;
};

/**
 * Returns the panel after a new password was set.
 * @param {{ username: string, wordsLeft: number }} account
 * @param {string} next  path of the following page
 */
const donePanel = ({ username, wordsLeft }, next) =>
  h(
    "section",
    { class: "card form-page" },
    h("h1", {}, t("forgot.done", { name: username })),
    h("p", {}, t("account.changed")),
    h("p", { class: "soft" }, t("recovery.remaining", { n: wordsLeft })),
    wordsLeft <= FEW_WORDS &&
      h("a", { class: "btn", href: "/account#recovery" }, t("recovery.create")),
    h("a", { class: "btn btn-primary btn-large", href: next }, t("forgot.continue")),
  );

/**
 * Returns the form that sets a new password with a recovery word.
 * @param {string} next  path of the page after it
 * @param {() => void} back  returns to the login form
 */
export const forgotForm = (next, back) => {
  const text = (/** @type {object} */ attributes) =>
    h("input", { required: true, autocapitalize: "none", spellcheck: "false", ...attributes });
  const name = text({ name: "username", autocomplete: "username", maxlength: 20 });
  const word = text({ name: "word", autocomplete: "off", maxlength: 60 });
  const [secret, secretElements] = newPassword();
  const children = [
    h("h1", {}, t("forgot.title")),
    h("p", { class: "soft" }, t("forgot.why")),
    field(t("login.name"), name),
    field(t("recovery.word"), word),
    ...secretElements,
  ];
  const send = async (/** @type {HTMLFormElement} */ element) => {
    const fields = { username: name.value, word: word.value, password: secret.value };
    element.replaceWith(donePanel(await post("/api/recover", fields), next));
  };
  const element = pageForm(children, send);
  element.append(
    h("p", { class: "small soft" }, t("forgot.operator")),
    h("button", { class: "btn btn-quiet", type: "button", onclick: back }, t("forgot.back")),
  );
  return element;
};

/** Returns the content of the page of a reset link without its token. */
export const incompleteLink = () =>
  h(
    "div",
    { class: "page-message" },
    h("h1", {}, t("forgot.title")),
    h("p", {}, t("reset.incomplete")),
    h("a", { class: "btn btn-primary", href: "/login#forgot" }, t("login.forgot")),
  );

/**
 * Returns the form that sets a new password with the token of a reset link.
 * @param {string} token
 */
export const resetForm = (token) => {
  const [secret, secretElements] = newPassword();
  const children = [
    h("h1", {}, t("forgot.title")),
    h("p", { class: "soft" }, t("reset.why")),
    ...secretElements,
  ];
  return pageForm(children, async (element) => {
    const account = await post("/api/reset", { token, password: secret.value });
    element.replaceWith(donePanel(account, "/"));
  });
};
