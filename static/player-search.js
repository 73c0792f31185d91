// A field that finds a player by the first letters of the name.
import { get } from "./api.js";
import { h } from "./dom.js";
import { pathOf } from "./person.js";
import { say } from "./words.js";

const SHORTEST = 2;
const WAIT_MS = 150;

const ask = (term) => get(`/api/player/autocomplete?object=true&term=${encodeURIComponent(term)}`);

/** The field with its suggestions: arrows choose among them, Enter goes there. */
export const playerSearch = () => {
  let found = [];
  let at = -1;
  let timer;
  const list = h("ul", { id: "suggestions", role: "listbox", "aria-label": say("players.found"), hidden: true });
  const wrong = h("p", { class: "wrong", role: "alert" });
  const input = h("input", { type: "search", role: "combobox", "aria-controls": "suggestions", "aria-expanded": "false", "aria-autocomplete": "list",
    "aria-label": say("players.search"), placeholder: say("players.search"), autocomplete: "off", autocapitalize: "none", spellcheck: "false", maxlength: 20 });

  const mark = (next) => {
    at = next;
    [...list.children].forEach((option, place) => option.setAttribute("aria-selected", String(place === at)));
    if (at < 0) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", list.children[at].id);
  };
  const open = (players) => {
    found = players;
    list.replaceChildren(...players.map((player, place) => h("li", { id: `suggestion-${place}`, role: "option", onclick: () => go(player) }, player.name)));
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
    timer = setTimeout(() => ask(term).then(({ result }) => {
      if (term === typed()) open(result);
    }).catch(() => open([])), WAIT_MS);
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
      const player = result.find(({ id }) => id === term.toLowerCase()) ?? (result.length === 1 ? result[0] : null);
      if (player) return go(player);
      wrong.textContent = say("players.unknown");
    } catch (refused) {
      wrong.textContent = refused.message;
    }
    return undefined;
  };
  return h("form", { class: "search", role: "search", onsubmit: submit }, h("div", {}, input, list), h("button", { class: "btn", type: "submit" }, say("players.go")), wrong);
};
