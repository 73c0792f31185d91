// Content of pages that cannot be shown: not found, failed to load, offline. It is also the only
// module of the server-rendered pages (offline, not found, about, API reference) and starts the one
// that `data-page` on the body names. Page modules call `notFound()` and `loadFailed()`.
import { h, s, setText } from "../lib/dom.js";
import { subscribe } from "./notifications.js";
import { onReconnect, setReachable } from "../lib/connectivity.js";
import { initHeader } from "./header.js";
import { t } from "../lib/i18n.js";

/**
 * Draws a board with the outline of one piece.
 * @returns {SVGElement}
 */
const emptyPicture = () => {
  const cells = [0, 1, 2].flatMap((row) =>
    [0, 1, 2].map((col) =>
      s("rect", {
        x: col * 34 + 2,
        y: row * 34 + 2,
        width: 30,
        height: 30,
        rx: 5,
        fill: "var(--sunken)",
        stroke: "var(--line)",
      }),
    ),
  );
  const piece = s("circle", {
    cx: 51,
    cy: 51,
    r: 11,
    fill: "none",
    stroke: "var(--edge)",
    "stroke-width": 2,
    "stroke-dasharray": "4 4",
  });
  return s("svg", { viewBox: "0 0 102 102", "aria-hidden": "true" }, ...cells, piece);
};

/** Returns the content of a page that does not exist. */
export const notFound = () => {
  document.title = `${t("missing.title")} · Sprong`;
  return h(
    "div",
    { class: "page-message" },
    emptyPicture(),
    h("h1", {}, t("missing.title")),
    h("p", { class: "soft" }, t("missing.text")),
    h("a", { class: "btn btn-primary", href: "/lobby" }, t("missing.home")),
  );
};

/**
 * Disables a button for some seconds and shows a countdown on it.
 * @param {HTMLButtonElement} button
 * @param {number} seconds
 */
const disableFor = (button, seconds) => {
  const until = Date.now() + 1000 * seconds;
  const show = () => {
    const left = Math.ceil((until - Date.now()) / 1000);
    button.setAttribute("aria-disabled", String(left > 0));
    const text = left > 0 ? t("trouble.in", { n: left }) : t("trouble.again");
    setText(button, text);
    if (left > 0) setTimeout(show, 250);
  };
  show();
};

/**
 * Returns the content of a page that failed to load, or that does not exist.
 * @param {Error & { status?: number, wait?: number, reason?: string }} error  `wait` is the minimum
 * delay of the next attempt, in seconds
 * @returns {HTMLElement}
 */
export const loadFailed = (error) => {
  if (error.status === 404) return notFound();
  const retry = h("button", { class: "btn btn-primary", type: "button" }, t("trouble.again"));
  retry.addEventListener(
    "click",
    () => retry.getAttribute("aria-disabled") !== "true" && location.reload(),
  );
  if (error.wait) disableFor(retry, error.wait);
  const logIn =
    error.reason === "noNewGuests" &&
    h("a", { class: "btn", href: "/login#login" }, t("nav.login"));
  const key =
    error.status === 429
      ? "trouble.tooFast"
      : error.status === 0
        ? "trouble.away"
        : "trouble.title";
  // The button is outside the alert: inside, screen readers would announce each second.
  return h(
    "div",
    { class: "page-message" },
    emptyPicture(),
    h(
      "div",
      { class: "page-message-details", role: "alert" },
      h("h1", {}, t(key)),
      h("p", { class: "soft" }, error.message),
    ),
    retry,
    logIn,
  );
};

/** Returns the content of a page that requires the network, while the network is down. */
const offline = () => {
  // The service worker serves this page under the addresses of others. Under its own address a
  // reload would only show it again.
  const isFallback = location.pathname !== "/offline";
  const retry = () => (isFallback ? location.reload() : location.assign("/"));
  if (isFallback) {
    setReachable(false);
    onReconnect(retry);
  }
  document.title = `${t("offline.title")} · Sprong`;
  return h(
    "div",
    { class: "page-message" },
    emptyPicture(),
    h("h1", {}, t("offline.title")),
    h("p", { class: "soft" }, t("offline.text")),
    h("button", { class: "btn btn-primary", type: "button", onclick: retry }, t("offline.again")),
    h(
      "p",
      {},
      h("a", { class: "btn btn-quiet", href: "/rules" }, t("rules.title")),
      " ",
      h("a", { class: "btn btn-quiet", href: "/analysis" }, t("analysis.title")),
    ),
  );
};

/** Adds the header and notifications to a server-rendered page. */
const serverPage = () => {
  initHeader(location.pathname);
  subscribe();
};

/**
 * Start functions of the pages without another module.
 * @type {Record<string, (() => void) | undefined>}
 */
const PAGES = {
  offline: () => {
    initHeader(null);
    document.querySelector("main").append(offline());
  },
  missing: () => {
    initHeader(null);
    subscribe();
    document.querySelector("main").append(notFound());
  },
  about: serverPage,
  api: serverPage,
};

PAGES[/** @type {string} */ (document.body.dataset.page)]?.();
