// Entry point of the players page (/players): two leaderboards of each variant, for people and for
// bots, and a search field. The selected leaderboard is in the parameters of the address.
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

/** @type {(key: string, isOfBots: boolean) => HTMLElement} */
const emptyLeaderboard = (key, isOfBots) =>
  h(
    "div",
    { class: "empty-state users-empty" },
    icon(key),
    h("p", {}, t(isOfBots ? "players.noBots" : "players.empty")),
    !isOfBots && h("a", { class: "btn btn-primary", href: "/lobby" }, t("players.post")),
  );

const show = async () => {
  const catalog = await variants();
  const board = h("div", { class: "leaderboard-frame", "aria-live": "polite" });
  // Shown together with the list, which avoids a layout shift.
  const note = h("p", { class: "small soft", hidden: true }, t("players.provisional"));
  const parameters = new URLSearchParams(location.search);
  const requested = parameters.get("game");
  const first = requested && catalog.has(requested) ? requested : [...catalog.keys()][0];
  let selected = { key: first, isOfBots: parameters.get("bots") === "true" };
  const list = async () => {
    const { key, isOfBots } = selected;
    history.replaceState(null, "", `?game=${key}${isOfBots ? "&bots=true" : ""}`);
    const path = `/api/player/top/${TOP_COUNT}/${key}${isOfBots ? "?bots=true" : ""}`;
    const latest = selected;
    const { users } = await get(path);
    // A later choice may have overtaken this request.
    if (latest === selected)
      board.replaceChildren(
        users.length ? leaderboard(catalog.get(key), users) : emptyLeaderboard(key, isOfBots),
      );
    note.hidden = false;
  };
  const change = (/** @type {Partial<typeof selected>} */ choice) => {
    selected = { ...selected, ...choice };
    return list().catch((refused) =>
      board.replaceChildren(h("p", { class: "soft" }, refused.message)),
    );
  };
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
        h(
          "div",
          { class: "users-actions" },
          h("a", { class: "btn", href: "/following" }, t("follow.title")),
        ),
        new PlayerSearch().element,
      ),
      choiceGroup("filter-chips leaderboard-variants", t("players.game"), games, first, (key) =>
        change({ key }),
      ),
      choiceGroup(
        "filter-chips leaderboard-kinds",
        t("players.kind"),
        [
          ["people", t("players.people")],
          ["bots", t("players.bots")],
        ],
        selected.isOfBots ? "bots" : "people",
        (kind) => change({ isOfBots: kind === "bots" }),
      ),
      board,
      note,
    ),
  );
  scrollToCenter(document.querySelector(".leaderboard-variants"));
  await change({});
};

initHeader("/players");
subscribe();
document.title = `${t("players.title")} · Sprong`;
show().catch((refused) => main.append(loadFailed(refused)));
