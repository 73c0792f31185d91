// Entry point of the pages behind links in e-mail: the one that confirms an address
// (/confirm-email), and the one that stops reminders (/unsubscribe). `data-page` of the body
// selects the page. Both wait for a button, as programs that check links open them, too.
import { post } from "../lib/http.js";
import { asyncButton } from "../lib/form.js";
import { h } from "../lib/dom.js";
import "../lib/i18n-more.js";
import { initHeader } from "../common/header.js";
import { overrideReason, t } from "../lib/i18n.js";

const main = document.querySelector("main");

/**
 * Replaces the content of the page.
 * @param {string} title
 * @param {...Child} children
 */
const show = (title, ...children) => {
  document.title = `${title} · Sprong`;
  const heading = h("h1", { tabindex: -1 }, title);
  main.replaceChildren(h("div", { class: "page-message" }, heading, ...children));
  return heading;
};

const accountLink = () =>
  h("a", { class: "btn btn-primary", href: "/account#email" }, t("email.toAccount"));

/**
 * Shows that the link lacks its token.
 * @param {string} title
 */
const showIncomplete = (title) => show(title, h("p", {}, t("email.incomplete")), accountLink());

/** Shows the button that confirms the address of the token in the fragment. */
const showConfirmation = () => {
  const token = location.hash.slice(1);
  // Remove the secret from the address bar and the history.
  history.replaceState(null, "", location.pathname);
  const title = t("email.confirmTitle");
  if (!token) return showIncomplete(title);
  const confirm = async () => {
    const { username, address } = await post("/api/email/confirm", { token }).catch(
      overrideReason("anonymous", "email.logIn"),
    );
    const text = t("email.confirmed", { address, name: username });
    show(title, h("p", { role: "status" }, text), accountLink()).focus();
  };
  const button = asyncButton(t("email.confirm"), confirm, "btn btn-primary");
  show(title, h("p", {}, t("email.confirmWhy")), button);
};

/**
 * Shows the button that stops digests, or reminders before deadlines, to the account of the token
 * in the address.
 */
const showUnsubscribe = () => {
  const query = new URLSearchParams(location.search);
  const [token, reminders] = [query.get("token"), query.get("reminders") === "true"];
  const [title, why, label, done] = reminders
    ? [
        t("email.stopDeadlinesTitle"),
        t("email.stopDeadlinesWhy"),
        t("email.stopDeadlines"),
        t("email.stoppedDeadlines"),
      ]
    : [t("email.stopTitle"), t("email.stopWhy"), t("email.stop"), t("email.stopped")];
  if (!token) return showIncomplete(title);
  const stop = async () => {
    await post("/api/email/unsubscribe", { token, reminders });
    show(title, h("p", { role: "status" }, done), accountLink()).focus();
  };
  const button = asyncButton(label, stop, "btn btn-primary");
  show(title, h("p", {}, why), button);
};

initHeader(null);
if (document.body.dataset.page === "unsubscribe") showUnsubscribe();
else {
  showConfirmation();
  // Another link can be opened in the same tab.
  addEventListener("hashchange", () => location.hash && showConfirmation());
}
