// What stands in place of a page: it is not there, it could not be had, there is no network; and pages that the server has written.
import { h, s } from "../lib/dom.js";
import { listen } from "./notifications.js";
import { onceBack, reached } from "../lib/connectivity.js";
import { top } from "./header.js";
import { say } from "../lib/i18n.js";

/**
 * A board with one ghost.
 * @returns {SVGElement}
 */
const ghost = () => {
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

/** A board with one ghost, and a way back. */
export const missing = () => {
  document.title = `${say("missing.title")} · Sprong`;
  return h(
    "div",
    { class: "message" },
    ghost(),
    h("h1", {}, say("missing.title")),
    h("p", { class: "soft" }, say("missing.text")),
    h("a", { class: "btn main", href: "/lobby" }, say("missing.home")),
  );
};

/** Counts the seconds on a button, then lets it be pressed. */
const holdFor = (button, seconds) => {
  const until = Date.now() + 1000 * seconds;
  const show = () => {
    const left = Math.ceil((until - Date.now()) / 1000);
    button.setAttribute("aria-disabled", String(left > 0));
    const text = left > 0 ? say("trouble.in", { n: left }) : say("trouble.again");
    if (button.textContent !== text) button.textContent = text;
    if (left > 0) setTimeout(show, 250);
  };
  show();
};

/**
 * A message in place of a page.
 * @param {Error & { status?: number, wait?: number }} refused  what went wrong; `wait` seconds are to pass before the next try
 * @returns {HTMLElement}
 */
export const trouble = (refused) => {
  const again = h("button", { class: "btn main", type: "button" }, say("trouble.again"));
  again.addEventListener(
    "click",
    () => again.getAttribute("aria-disabled") !== "true" && location.reload(),
  );
  if (refused.wait) holdFor(again, refused.wait);
  const key =
    refused.status === 429
      ? "trouble.tooFast"
      : refused.status === 0
        ? "trouble.away"
        : "trouble.title";
  // The button counts: inside the alert every second would be read out.
  return h(
    "div",
    { class: "message" },
    ghost(),
    h(
      "div",
      { class: "told", role: "alert" },
      h("h1", {}, say(key)),
      h("p", { class: "soft" }, refused.message),
    ),
    again,
  );
};

/** What stands in place of a page that needs the network, while there is none. */
const offline = () => {
  // It stands under the addresses of others; under its own there is nothing to come back to.
  const isGuest = location.pathname !== "/offline";
  const again = () => (isGuest ? location.reload() : location.assign("/"));
  if (isGuest) {
    reached(false);
    onceBack(again);
  }
  document.title = `${say("offline.title")} · Sprong`;
  return h(
    "div",
    { class: "message" },
    ghost(),
    h("h1", {}, say("offline.title")),
    h("p", { class: "soft" }, say("offline.text")),
    h("button", { class: "btn main", type: "button", onclick: again }, say("offline.again")),
    h(
      "p",
      {},
      h("a", { class: "btn quiet", href: "/rules" }, say("rules.title")),
      " ",
      h("a", { class: "btn quiet", href: "/analysis" }, say("analysis.title")),
    ),
  );
};

/** What the server has written gets the header of every page. */
const read = () => {
  top(location.pathname);
  listen();
};

/** Pages that have no more than this module. */
const PAGES = {
  offline: () => {
    top(null);
    document.querySelector("main").append(offline());
  },
  missing: () => {
    top(null);
    listen();
    document.querySelector("main").append(missing());
  },
  about: read,
  api: read,
};

PAGES[document.body.dataset.page]?.();
