// Entry point of the players page (/players): leaderboard of each variant, and a search field that
// completes names. The selected variant is a parameter of the address. The search field follows the
// combobox pattern of the ARIA Authoring Practices Guide.
import { get, variants } from "../lib/http.js";
import { scrollToCenter, choiceGroup, h } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { subscribe } from "../common/notifications.js";
import { loadFailed } from "../common/error-page.js";
import "../lib/i18n-more.js";
import { ratingDiffText, onlineDot, userBadge, userPath } from "../common/user-link.js";
import { initHeader } from "../common/header.js";
import { t, variantName } from "../lib/i18n.js";

/** Shortest search term, and the debounce delay of the suggestions. */
const TERM_MIN_LENGTH = 2;
const DEBOUNCE_MS = 150;

/**
 * Player found by name.
 * @typedef {{ id: string, name: string, online: boolean }} Suggestion
 */

/**
 * Entry of a leaderboard; `perfs` holds its variant only.
 * @typedef {{ id: string, username: string, title?: string, online: boolean,
 *   perfs: Record<string, { rating: number, progress: number, games: number }> }} RankedUser
 */

/**
 * @param {string} term
 * @returns {Promise<{ result: Suggestion[] }>}
 */
const search = (term) =>
  get(`/api/player/autocomplete?object=true&term=${encodeURIComponent(term)}`);

/** Returns the search form; the arrow keys select a suggestion, Enter opens the player's page. */
const playerSearch = () => {
  /** @type {Suggestion[]} */
  let suggestions = [];
  let at = -1;
  /** @type {number | undefined} */
  let timer;
  const list = h("ul", {
    id: "suggestions",
    role: "listbox",
    "aria-label": t("players.found"),
    hidden: true,
  });
  const error = h("p", { class: "form-error", role: "alert" });
  const input = h("input", {
    type: "search",
    role: "combobox",
    "aria-controls": "suggestions",
    "aria-expanded": "false",
    "aria-autocomplete": "list",
    "aria-label": t("players.search"),
    placeholder: t("players.search"),
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    maxlength: 20,
  });

  const mark = (/** @type {number} */ next) => {
    at = next;
    [...list.children].forEach((option, index) =>
      option.setAttribute("aria-selected", String(index === at)),
    );
    if (at < 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", list.children[at].id);
  };
  const open = (/** @type {Suggestion[]} */ players) => {
    suggestions = players;
    list.replaceChildren(
      ...players.map((player, index) =>
        h(
          "li",
          { id: `suggestion-${index}`, role: "option", onclick: () => go(player) },
          player.name,
        ),
      ),
    );
    list.hidden = players.length === 0;
    input.setAttribute("aria-expanded", String(players.length > 0));
    mark(-1);
  };
  const go = (/** @type {Suggestion} */ player) => location.assign(userPath(player));
  const inputTerm = () => input.value.trim();

  input.addEventListener("input", () => {
    error.textContent = "";
    clearTimeout(timer);
    const term = inputTerm();
    if (term.length < TERM_MIN_LENGTH) return open([]);
    timer = setTimeout(
      () =>
        search(term)
          .then(({ result }) => {
            if (term === inputTerm()) open(result);
          })
          .catch(() => open([])),
      DEBOUNCE_MS,
    );
    return undefined;
  });
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") open([]);
    if (!step || !suggestions.length) return;
    event.preventDefault();
    mark(
      at < 0 && step < 0
        ? suggestions.length - 1
        : (at + step + suggestions.length) % suggestions.length,
    );
  });
  // Without this the blur of the field would close the list before the click on a suggestion.
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  input.addEventListener("blur", () => open([]));

  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    clearTimeout(timer);
    if (at >= 0) return go(suggestions[at]);
    const term = inputTerm();
    if (term.length < TERM_MIN_LENGTH) return undefined;
    try {
      const { result } = await search(term);
      const player =
        result.find(({ id }) => id === term.toLowerCase()) ??
        (result.length === 1 ? result[0] : null);
      if (player) return go(player);
      error.textContent = t("players.unknown");
    } catch (refused) {
      error.textContent = refused.message;
    }
    return undefined;
  };
  return h(
    "form",
    { class: "player-search", role: "search", onsubmit: submit },
    h("div", {}, input, list),
    h("button", { class: "btn", type: "submit" }, t("players.go")),
    error,
  );
};

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

/**
 * Returns the content of an empty leaderboard.
 * @param {string} key
 */
const emptyLeaderboard = (key) =>
  h(
    "div",
    { class: "users-empty" },
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
      h("div", { class: "users-head" }, h("h1", {}, t("players.title")), playerSearch()),
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
