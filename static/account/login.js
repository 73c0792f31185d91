// Entry point of the login page (/login, log in or sign up) and of the page behind the personal
// login link of a guest. `data-page` of the body selects the page.
import { account, post } from "../lib/http.js";
import { asyncButton } from "../lib/form.js";
import { h } from "../lib/dom.js";
import "../lib/i18n-more.js";
import { initHeader } from "../common/header.js";
import { t } from "../lib/i18n.js";

const main = document.querySelector("main");

/** @type {(label: string, attributes: object) => [HTMLLabelElement, HTMLInputElement]} */
const field = (label, attributes) => {
  const input = h("input", { required: true, ...attributes });
  return [h("label", { class: "field" }, label, input), input];
};

/**
 * Returns the form that signs up or logs in.
 * @param {boolean} signup
 * @param {string | null | undefined} guest  name of the current guest
 */
const form = (signup, guest) => {
  const title = t(signup ? "login.signup" : "login.login");
  document.title = `${title} · Sprong`;
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
    autocomplete: signup ? "new-password" : "current-password",
    maxlength: 256,
  });
  const error = h("p", { class: "form-error", role: "alert", id: "wrong" });
  const send = h("button", { class: "btn btn-primary btn-large", type: "submit" }, title);
  const show = h("input", { type: "checkbox" });
  show.addEventListener("change", () => {
    password.type = show.checked ? "text" : "password";
  });
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (send.classList.contains("is-busy")) return;
    send.classList.add("is-busy");
    error.textContent = "";
    try {
      await post(signup ? "/api/register" : "/api/login", {
        username: name.value,
        password: password.value,
      });
      location.assign("/");
    } catch (refused) {
      send.classList.remove("is-busy");
      error.textContent = refused.message;
      const input = refused.reason === "badPassword" ? password : name;
      name.setAttribute("aria-invalid", String(input === name));
      password.setAttribute("aria-invalid", String(input === password));
      input.setAttribute("aria-describedby", "wrong");
      input.focus();
    }
  };
  const other = h(
    "button",
    { class: "btn btn-quiet", type: "button", onclick: () => open(!signup, guest) },
    t(signup ? "login.have" : "login.none"),
  );
  return h(
    "form",
    { class: "card form-page", novalidate: true, onsubmit: submit },
    h("h1", {}, title),
    signup && guest && h("p", { class: "small soft" }, t("login.keep", { name: guest })),
    nameField,
    passwordField,
    h("label", { class: "small soft checkbox" }, show, t("login.show")),
    signup && h("p", { class: "small weak" }, t("login.note")),
    error,
    send,
    other,
  );
};

/** @type {(signup: boolean, guest: string | null | undefined) => void} */
const open = (signup, guest) => {
  main.replaceChildren(form(signup, guest));
  main.querySelector("input").focus();
};

/** Shows the login page; redirects a signed-in user to the account page. */
const showLogin = async () => {
  initHeader("/login");
  const user = await account().catch(() => null);
  if (user && !user.guest) location.replace("/account");
  else {
    const show = () => open(location.hash !== "#login", user?.guest ? user.username : null);
    addEventListener("hashchange", show);
    show();
  }
};

/**
 * Returns the confirmation that a login link replaces the current session. Required against login
 * CSRF: the link may come from an attacker.
 * @param {string} token
 * @param {{ current: string, guest: string }} names
 */
const replaceConfirmation = (token, { current, guest }) => {
  const go = async () => {
    await post("/api/come", { token, replace: true });
    location.replace("/");
  };
  return h(
    "div",
    { class: "page-message" },
    h("h1", {}, t("come.title")),
    h("p", {}, t("come.replaces", { current, guest })),
    h("a", { class: "btn btn-primary", href: "/" }, t("come.stay", { current })),
    asyncButton(t("come.go", { guest }), go, "btn"),
  );
};

/** Restores the session of a guest from the token in the fragment of the login link. */
const restoreGuest = async () => {
  const token = location.hash.slice(1);
  // Remove the secret from the address bar and the history.
  history.replaceState(null, "", location.pathname);
  document.title = `${t("come.title")} · Sprong`;
  // The header creates a guest account for visitors without a session; it must wait for the link.
  try {
    await post("/api/come", { token });
    location.replace("/");
  } catch (refused) {
    initHeader(null);
    if (refused.reason === "replacesSession")
      return void main.append(replaceConfirmation(token, refused.body));
    const isInvalid = refused.reason === "badLink" || refused.status === 400;
    main.append(
      h(
        "div",
        { class: "page-message" },
        h("h1", {}, t("come.title")),
        h("p", {}, isInvalid ? t("come.broken") : refused.message),
        isInvalid && h("p", { class: "soft" }, t("come.again")),
        h("a", { class: "btn btn-primary", href: "/lobby" }, t("missing.home")),
      ),
    );
  }
};

/** @type {Record<string, () => Promise<void>>} */
const PAGES = { login: showLogin, come: restoreGuest };

PAGES[/** @type {string} */ (document.body.dataset.page)]?.();
