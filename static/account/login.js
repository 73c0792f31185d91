// Entry point of the login page (/login: log in, sign up, or set a new password), and of the pages
// behind the personal login link of a guest and behind a reset link. `data-page` of
// the body selects the page. After signing up or logging in, the user returns to the page they came
// from.
import { account, post } from "../lib/http.js";
import { asyncButton } from "../lib/form.js";
import { credentialsForm } from "../common/credentials-form.js";
import { h } from "../lib/dom.js";
import { loadStyleSheet } from "../lib/style-sheet.js";
import "../lib/i18n-more.js";
import { initHeader } from "../common/header.js";
import { nextUrl, previousUrl } from "../lib/next-path.js";
import { setReminded } from "../common/recovery-reminder.js";
import { t } from "../lib/i18n.js";

const main = document.querySelector("main");

/** Address to which the user returns: the requested one, or the page they came from. */
const requested = nextUrl(new URLSearchParams(location.search).get("next"));
const next = requested ?? previousUrl(document.referrer) ?? "/";

/**
 * Shows the recovery words of a new account, then returns to the page. Without a response the user
 * creates them later.
 * @param {string} secret  the password
 */
const showWords = async (secret) => {
  setReminded(false);
  const loaded = await import("./recovery-words.js")
    .then(async ({ createWords, wordList }) => ({ wordList, words: await createWords(secret) }))
    .catch(() => null);
  if (!loaded) return location.assign(next);
  const { wordList, words } = loaded;
  // The header names the guest, and offers to sign up.
  const links = document.querySelectorAll(".site-header :is(.header-self, [href^='/login'])");
  for (const link of links) link.remove();
  const title = t("recovery.title");
  document.title = `${title} · Sprong`;
  const heading = h("h1", { tabindex: -1 }, title);
  main.replaceChildren(
    h(
      "section",
      { class: "card form-page" },
      heading,
      wordList(words, () => location.assign(next)),
    ),
  );
  heading.focus();
};

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
  const forgot = h(
    "button",
    { class: "btn btn-quiet", type: "button", onclick: () => openForgot(guest) },
    t("login.forgot"),
  );
  const agreement = h(
    "p",
    { class: "small soft" },
    t("login.agree"),
    " ",
    h("a", { href: "/terms" }, t("login.terms")),
    " · ",
    h("a", { href: "/privacy" }, t("login.privacy")),
  );
  return credentialsForm(signup, {
    className: "card form-page",
    heading: h("h1", {}, title),
    guest,
    done: (secret) => (signup ? showWords(secret) : location.assign(next)),
    children: [signup ? agreement : forgot, other],
  });
};

/** @type {(signup: boolean, guest: string | null | undefined) => void} */
const open = (signup, guest) => {
  main.replaceChildren(form(signup, guest));
  main.querySelector("input").focus();
};

/**
 * Shows the form that sets a new password with a recovery word.
 * @param {string | null | undefined} guest
 */
const openForgot = async (guest) => {
  const [{ forgotForm }] = await Promise.all([
    import("./new-password.js"),
    loadStyleSheet("users"),
  ]);
  document.title = `${t("forgot.title")} · Sprong`;
  main.replaceChildren(forgotForm(next, () => open(false, guest)));
  main.querySelector("input").focus();
};

/** Shows the login page; redirects a signed-in user to the requested page or the account page. */
const showLogin = async () => {
  initHeader("/login");
  const user = await account().catch(() => null);
  if (user && !user.guest) location.replace(requested ?? "/account");
  else {
    const guest = user?.guest ? user.username : null;
    const show = () =>
      location.hash === "#forgot" ? openForgot(guest) : open(location.hash !== "#login", guest);
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

/** Shows the form that sets a new password with the token in the fragment of a reset link. */
const showReset = async () => {
  const token = location.hash.slice(1);
  // Remove the secret from the address bar and the history.
  history.replaceState(null, "", location.pathname);
  document.title = `${t("forgot.title")} · Sprong`;
  initHeader(null);
  const { incompleteLink, resetForm } = await import("./new-password.js");
  main.replaceChildren(token ? resetForm(token) : incompleteLink());
  main.querySelector("input")?.focus();
};

/** @type {Record<string, () => Promise<void>>} */
const PAGES = { login: showLogin, come: restoreGuest, reset: showReset };

PAGES[/** @type {string} */ (document.body.dataset.page)]?.();
