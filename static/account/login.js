// Entry point of the login page (/login, log in or sign up) and of the page behind the personal
// login link of a guest. `data-page` of the body selects the page. After signing up or logging in,
// the user returns to the page they came from.
import { account, post } from "../lib/http.js";
import { asyncButton } from "../lib/form.js";
import { credentialsForm } from "../common/credentials-form.js";
import { h } from "../lib/dom.js";
import "../lib/i18n-more.js";
import { initHeader } from "../common/header.js";
import { nextUrl, previousUrl } from "../lib/next-path.js";
import { t } from "../lib/i18n.js";

const main = document.querySelector("main");

/** Address to which the user returns: the requested one, or the page they came from. */
const requested = nextUrl(new URLSearchParams(location.search).get("next"));
const next = requested ?? previousUrl(document.referrer) ?? "/";

/**
 * Returns the form that signs up or logs in.
 * @param {boolean} signup
 * @param {string | null | undefined} guest  name of the current guest
 */
const form = (signup, guest) => {
  const title = t(signup ? "login.signup" : "login.login");
  document.title = `${title} · Sprong`;
  const other = h(
    "button",
    { class: "btn btn-quiet", type: "button", onclick: () => open(!signup, guest) },
    t(signup ? "login.have" : "login.none"),
  );
  return credentialsForm(signup, {
    className: "card form-page",
    heading: h("h1", {}, title),
    guest,
    done: () => location.assign(next),
    children: [other],
  });
};

/** @type {(signup: boolean, guest: string | null | undefined) => void} */
const open = (signup, guest) => {
  main.replaceChildren(form(signup, guest));
  main.querySelector("input").focus();
};

/** Shows the login page; redirects a signed-in user to the requested page or the account page. */
const showLogin = async () => {
  initHeader("/login");
  const user = await account().catch(() => null);
  if (user && !user.guest) location.replace(requested ?? "/account");
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
