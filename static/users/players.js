// The best players of each game, and the way to anybody's page: a field that finds them by the first letters of the name.
import { get, variants } from "../lib/http.js";
import { centre, choose, h } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { listen } from "../common/notifications.js";
import { trouble } from "../common/error-page.js";
import "../lib/i18n-more.js";
import { diffOf, dot, kindOf, pathOf } from "../common/user-link.js";
import { top } from "../common/header.js";
import { say, variantName } from "../lib/i18n.js";

const SHORTEST = 2;
const WAIT_MS = 150;

const ask = (term) => get(`/api/player/autocomplete?object=true&term=${encodeURIComponent(term)}`);

/** The field with its suggestions: arrows choose among them, Enter goes there. */
const playerSearch = () => {
  let found = [];
  let at = -1;
  let timer;
  const list = h("ul", {
    id: "suggestions",
    role: "listbox",
    "aria-label": say("players.found"),
    hidden: true,
  });
  const wrong = h("p", { class: "wrong", role: "alert" });
  const input = h("input", {
    type: "search",
    role: "combobox",
    "aria-controls": "suggestions",
    "aria-expanded": "false",
    "aria-autocomplete": "list",
    "aria-label": say("players.search"),
    placeholder: say("players.search"),
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    maxlength: 20,
  });

  const mark = (next) => {
    at = next;
    [...list.children].forEach((option, place) =>
      option.setAttribute("aria-selected", String(place === at)),
    );
    if (at < 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", list.children[at].id);
  };
  const open = (players) => {
    found = players;
    list.replaceChildren(
      ...players.map((player, place) =>
        h(
          "li",
          { id: `suggestion-${place}`, role: "option", onclick: () => go(player) },
          player.name,
        ),
      ),
    );
    list.hidden = players.length === 0;
    input.setAttribute("aria-expanded", String(players.length > 0));
    mark(-1);
  };
  const go = (player) => location.assign(pathOf(player));
  const typed = () => input.value.trim();

  input.addEventListener("input", () => {
    wrong.textContent = "";
    clearTimeout(timer);
    const term = typed();
    if (term.length < SHORTEST) return open([]);
    timer = setTimeout(
      () =>
        ask(term)
          .then(({ result }) => {
            if (term === typed()) open(result);
          })
          .catch(() => open([])),
      WAIT_MS,
    );
    return undefined;
  });
  input.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") open([]);
    if (!step || !found.length) return;
    event.preventDefault();
    mark(at < 0 && step < 0 ? found.length - 1 : (at + step + found.length) % found.length);
  });
  // A press on a suggestion comes before the field is left: it keeps the list open.
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  input.addEventListener("blur", () => open([]));

  const submit = async (event) => {
    event.preventDefault();
    clearTimeout(timer);
    if (at >= 0) return go(found[at]);
    const term = typed();
    if (term.length < SHORTEST) return undefined;
    try {
      const { result } = await ask(term);
      const player =
        result.find(({ id }) => id === term.toLowerCase()) ??
        (result.length === 1 ? result[0] : null);
      if (player) return go(player);
      wrong.textContent = say("players.unknown");
    } catch (refused) {
      wrong.textContent = refused.message;
    }
    return undefined;
  };
  return h(
    "form",
    { class: "search", role: "search", onsubmit: submit },
    h("div", {}, input, list),
    h("button", { class: "btn", type: "submit" }, say("players.go")),
    wrong,
  );
};

const SHOWN = 50;

const main = document.querySelector("main");

const heading = (key, className) => h("th", { scope: "col", class: className }, say(key));

const row = (key) => (user, at) => {
  const { rating, progress, games } = user.perfs[key];
  return h(
    "tr",
    {},
    h("td", { class: "num weak" }, at + 1),
    h(
      "td",
      { class: "name" },
      h("a", { href: pathOf(user) }, h("span", {}, user.username), kindOf(user), dot(user.online)),
    ),
    h("td", { class: "num strong" }, rating),
    h("td", { class: "num" }, progress ? diffOf(progress) : h("span", { class: "weak" }, "0")),
    h("td", { class: "num soft" }, games),
  );
};

const tableOf = (variant, users) =>
  h(
    "table",
    { class: "card best" },
    h("caption", { class: "unseen" }, say("players.best", { name: variantName(variant) })),
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

const nobody = (key) =>
  h(
    "div",
    { class: "nobody" },
    icon(key),
    h("p", {}, say("players.empty")),
    h("a", { class: "btn main", href: "/lobby" }, say("players.post")),
  );

const show = async () => {
  const catalogue = await variants();
  const board = h("div", { class: "board-of", "aria-live": "polite" });
  // It comes with the list, which would push it away.
  const note = h("p", { class: "small soft", hidden: true }, say("players.provisional"));
  let wanted;
  const list = async (key) => {
    wanted = key;
    history.replaceState(null, "", `?game=${key}`);
    const { users } = await get(`/api/player/top/${SHOWN}/${key}`);
    // Whoever goes on quickly sees the list of the last choice.
    if (wanted === key)
      board.replaceChildren(users.length ? tableOf(catalogue.get(key), users) : nobody(key));
    note.hidden = false;
  };
  const change = (key) =>
    list(key).catch((refused) => board.replaceChildren(h("p", { class: "soft" }, refused.message)));
  const asked = new URLSearchParams(location.search).get("game");
  const first = asked && catalogue.has(asked) ? asked : [...catalogue.keys()][0];
  const games = [...catalogue.values()].map((variant) => [
    variant.key,
    [icon(variant.key), variantName(variant)],
  ]);
  main.append(
    h(
      "div",
      { class: "people" },
      h("div", { class: "people-head" }, h("h1", {}, say("players.title")), playerSearch()),
      choose("kinds", say("players.game"), games, first, change),
      board,
      note,
    ),
  );
  centre(document.querySelector(".kinds"));
  await change(first);
};

top("/players");
listen();
document.title = `${say("players.title")} · Sprong`;
show().catch((refused) => main.append(trouble(refused)));
