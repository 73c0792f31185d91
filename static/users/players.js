// Entry point of the players page (/players): leaderboard of each variant, and a search field. The
// selected variant is a parameter of the address.
import { get, variants } from "../lib/http.js";
import { scrollToCenter, choiceGroup, h } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { subscribe } from "../common/notifications.js";
import { loadFailed } from "../common/error-page.js";
import "../lib/i18n-more.js";
import { ratingDiffText, onlineDot, userBadge, userPath } from "../common/user-link.js";
import { initHeader } from "../common/header.js";
import { t, variantName } from "../lib/i18n.js";
import { PlayerSearch } from "./player-search.js";

/** Length of a leaderboard. */
const TOP_COUNT = 50;

const main = document.querySelector("main");

/** @type {(key: string, className?: string) => HTMLElement} */
const heading = (key, className) => h("th", { scope: "col", class: className }, t(key));

/**
 * Returns a function that builds the rows of a variant's leaderboard.
 * @param {string} key
 * @returns {(user: RankedUser, at: number) => HTMLElement}
 */
const row = (key) => (user, index) => {
  const { rating, progress, games } = user.perfs[key];
  return h(
    "tr",
    {},
    h("td", { class: "num weak" }, index + 1),
    h(
      "td",
      { class: "leaderboard-name" },
      h(
        "a",
        { href: userPath(user) },
        h("span", {}, user.username),
        userBadge(user),
        onlineDot(user.online),
      ),
    ),
    h("td", { class: "num leaderboard-rating" }, rating),
    h(
      "td",
      { class: "num" },
      progress ? ratingDiffText(progress) : h("span", { class: "weak" }, "0"),
    ),
    h("td", { class: "num soft" }, games),
  );
};

/** @type {(variant: Variant, users: RankedUser[]) => HTMLElement} */
const leaderboard = (variant, users) =>
  h(
    "table",
    { class: "card leaderboard" },
    h("caption", { class: "visually-hidden" }, t("players.best", { name: variantName(variant) })),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        heading("players.place", "num"),
        heading("players.name"),
        heading("players.rating", "num"),
        heading("players.progress", "num"),
        heading("players.games", "num"),
      ),
    ),
    h("tbody", {}, ...users.map(row(variant.key))),
  );

/** @param {string} key */
const emptyLeaderboard = (key) =>
  h(
    "div",
    { class: "empty-state users-empty" },
    icon(key),
    h("p", {}, t("players.empty")),
    h("a", { class: "btn btn-primary", href: "/lobby" }, t("players.post")),
  );

const show = async () => {
  const catalog = await variants();
  const board = h("div", { class: "leaderboard-frame", "aria-live": "polite" });
  // Shown together with the list, which avoids a layout shift.
  const note = h("p", { class: "small soft", hidden: true }, t("players.provisional"));
  /** @type {string | undefined} */
  let latestKey;
  const list = async (/** @type {string} */ key) => {
    latestKey = key;
    history.replaceState(null, "", `?game=${key}`);
    const { users } = await get(`/api/player/top/${TOP_COUNT}/${key}`);
    // A later choice may have overtaken this request.
    if (latestKey === key)
      board.replaceChildren(
        users.length ? leaderboard(catalog.get(key), users) : emptyLeaderboard(key),
      );
    note.hidden = false;
  };
  const change = (/** @type {string} */ key) =>
    list(key).catch((refused) => board.replaceChildren(h("p", { class: "soft" }, refused.message)));
  const requested = new URLSearchParams(location.search).get("game");
  const first = requested && catalog.has(requested) ? requested : [...catalog.keys()][0];
  const games = [...catalog.values()].map((variant) => [
    variant.key,
    [icon(variant.key), variantName(variant)],
  ]);
  main.append(
    h(
      "div",
      { class: "users-page" },
      h(
        "div",
        { class: "users-head" },
        h("h1", {}, t("players.title")),
        new PlayerSearch().element,
      ),
      choiceGroup("filter-chips leaderboard-variants", t("players.game"), games, first, change),
      board,
      note,
    ),
  );
  scrollToCenter(document.querySelector(".leaderboard-variants"));
  await change(first);
};

initHeader("/players");
subscribe();
document.title = `${t("players.title")} · Sprong`;
show().catch((refused) => main.append(loadFailed(refused)));
