// Forms that set a new password: with a recovery word, and with a reset link of the operator or by
// e-mail, which another form requests.
import { get, post } from "../lib/http.js";
import { codeField } from "../common/code-field.js";
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
 * Returns a button that shows another form.
 * @param {string} text
 * @param {() => void} open
 */
const otherWay = (text, open) =>
  h("button", { class: "btn btn-quiet", type: "button", onclick: open }, text);

/** Returns the note that the operator can help, too. */
const operatorNote = () => h("p", { class: "small soft" }, t("forgot.operator"));

/**
 * Returns a form that is the content of its page.
 * @param {Child[]} children
 * @param {string} action  text of the button
 * @param {(form: HTMLFormElement) => unknown} send
 */
const pageForm = (children, action, send) => {
  const element = form(children, action, send, "btn btn-primary btn-large");
  element.classList.add("card", "form-page");
  return element;
};

/**
 * Returns the panel after a new password was set.
 * @param {{ username: string, wordsLeft: number, email: string | null }} account
 * @param {string} next  path of the following page
 */
const donePanel = ({ username, wordsLeft, email }, next) =>
  h(
    "section",
    { class: "card form-page" },
    h("h1", {}, t("forgot.done", { name: username })),
    h("p", {}, t("account.changed")),
    h("p", { class: "soft" }, t("recovery.remaining", { n: wordsLeft })),
    email &&
      h(
        "p",
        { class: "soft" },
        t("email.current", { address: email }),
        " ",
        h("a", { href: "/account#email" }, t("email.change")),
      ),
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
  // The word replaces the password; another one is no second factor.
  const code = codeField({ takesWords: false });
  const children = [
    h("h1", {}, t("forgot.title")),
    h("p", { class: "soft" }, t("forgot.why")),
    field(t("login.name"), name),
    field(t("recovery.word"), word),
    ...secretElements,
    code.element,
  ];
  const send = async (/** @type {HTMLFormElement} */ element) => {
    const fields = {
      username: name.value,
      word: word.value,
      password: secret.value,
      ...code.fields(),
    };
    const account = await post("/api/recover", fields).catch(code.rethrow);
    element.replaceWith(donePanel(account, next));
  };
  const element = pageForm(children, t("forgot.send"), send);
  const byEmail = otherWay(t("forgot.byEmail"), () => {
    const other = linkForm(() => other.replaceWith(element), back);
    element.replaceWith(other);
    other.querySelector("input").focus();
  });
  byEmail.hidden = true;
  element.append(operatorNote(), byEmail, otherWay(t("forgot.back"), back));
  // Without a response, the other ways stay.
  get("/api/recover").then(
    ({ email }) => (byEmail.hidden = !email),
    () => {},
  );
  return element;
};

/**
 * Returns the form that requests a link by e-mail.
 * @param {() => void} useWord  returns to the form of the recovery words
 * @param {() => void} back  returns to the login form
 */
const linkForm = (useWord, back) => {
  const user = h("input", {
    name: "username",
    autocomplete: "username",
    required: true,
    maxlength: 254,
    autocapitalize: "none",
    spellcheck: "false",
  });
  const children = [
    h("h1", {}, t("forgot.title")),
    h("p", { class: "soft" }, t("forgot.emailWhy")),
    field(t("forgot.user"), user),
  ];
  const element = pageForm(children, t("email.send"), async () => {
    await post("/api/forgot", { user: user.value });
    const text = h("p", { role: "status", tabindex: -1 }, t("forgot.sent"));
    element.replaceChildren(
      children[0],
      text,
      operatorNote(),
      otherWay(t("forgot.byWord"), useWord),
      otherWay(t("forgot.back"), back),
    );
    text.focus();
  });
  element.append(
    operatorNote(),
    otherWay(t("forgot.byWord"), useWord),
    otherWay(t("forgot.back"), back),
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
  const code = codeField({ takesWords: true });
  const children = [
    h("h1", {}, t("forgot.title")),
    h("p", { class: "soft" }, t("reset.why")),
    ...secretElements,
    code.element,
  ];
  return pageForm(children, t("forgot.send"), async (element) => {
    const fields = { token, password: secret.value, ...code.fields() };
    const account = await post("/api/reset", fields).catch(code.rethrow);
    element.replaceWith(donePanel(account, "/"));
  });
};
