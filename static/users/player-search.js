// Search form of the players page: a field that completes names. It follows the combobox pattern of
// the ARIA Authoring Practices Guide: the arrow keys select a suggestion, Enter opens the player's
// page, Escape closes the list.
import { get } from "../lib/http.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";
import { userPath } from "../common/user-link.js";

/** Shortest search term, and the debounce delay of the suggestions. */
const TERM_MIN_LENGTH = 2;
const DEBOUNCE_MS = 150;

const STEPS = { ArrowDown: 1, ArrowUp: -1 };

/** @param {string} term */
const search = async (term) =>
  /** @type {FoundPlayers} */ (
    await get(`/api/player/autocomplete?object=true&term=${encodeURIComponent(term)}`)
  );

const openPlayer = (/** @type {Suggestion} */ player) => location.assign(userPath(player));

const createList = () =>
  h("ul", {
    id: "suggestions",
    role: "listbox",
    "aria-label": t("players.found"),
    hidden: true,
  });

const createInput = () =>
  h("input", {
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

/** Search form with its list of suggestions. */
export class PlayerSearch {
  /** @type {Suggestion[]} */ suggestions = [];
  /** Index of the selected suggestion; -1 if none is selected. */
  at = -1;
  /** @type {number | undefined} */ timer;

  constructor() {
    this.list = createList();
    this.input = createInput();
    this.error = h("p", { class: "form-error", role: "alert" });
    this.input.addEventListener("input", () => this.suggest());
    this.input.addEventListener("keydown", (event) => this.handleKey(event));
    // Without this the blur of the field would close the list before the click on a suggestion.
    this.list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.input.addEventListener("blur", () => this.setSuggestions([]));
    this.element = h(
      "form",
      {
        class: "player-search",
        role: "search",
        onsubmit: (/** @type {SubmitEvent} */ event) => this.submit(event),
      },
      h("div", {}, this.input, this.list),
      h("button", { class: "btn", type: "submit" }, t("players.go")),
      this.error,
    );
  }

  get term() {
    return this.input.value.trim();
  }

  /** @param {number} index */
  select(index) {
    this.at = index;
    const options = [...this.list.children];
    options.forEach((option, at) => option.setAttribute("aria-selected", String(at === index)));
    if (index < 0) this.input.removeAttribute("aria-activedescendant");
    else this.input.setAttribute("aria-activedescendant", options[index].id);
  }

  /** @param {Suggestion[]} players */
  setSuggestions(players) {
    this.suggestions = players;
    this.list.replaceChildren(
      ...players.map((player, index) =>
        h(
          "li",
          { id: `suggestion-${index}`, role: "option", onclick: () => openPlayer(player) },
          player.name,
        ),
      ),
    );
    this.list.hidden = players.length === 0;
    this.input.setAttribute("aria-expanded", String(players.length > 0));
    this.select(-1);
  }

  /** Requests suggestions for the term when it has not changed for a while. */
  suggest() {
    this.error.textContent = "";
    clearTimeout(this.timer);
    const { term } = this;
    if (term.length < TERM_MIN_LENGTH) this.setSuggestions([]);
    else this.timer = setTimeout(() => this.requestSuggestions(term), DEBOUNCE_MS);
  }

  /** @param {string} term */
  async requestSuggestions(term) {
    try {
      const { result } = await search(term);
      // A later term may have overtaken this request.
      if (term === this.term) this.setSuggestions(result);
    } catch {
      this.setSuggestions([]);
    }
  }

  /** @param {KeyboardEvent} event */
  handleKey(event) {
    const { at, suggestions } = this;
    if (event.key === "Escape") this.setSuggestions([]);
    const step = STEPS[/** @type {keyof typeof STEPS} */ (event.key)];
    if (!step || !suggestions.length) return;
    event.preventDefault();
    const last = suggestions.length - 1;
    this.select(at < 0 && step < 0 ? last : (at + step + suggestions.length) % suggestions.length);
  }

  /**
   * Opens the page of the selected player, or of the one that the term identifies.
   * @param {SubmitEvent} event
   */
  async submit(event) {
    event.preventDefault();
    clearTimeout(this.timer);
    if (this.at >= 0) return openPlayer(this.suggestions[this.at]);
    const { term } = this;
    if (term.length < TERM_MIN_LENGTH) return undefined;
    try {
      const { result } = await search(term);
      const exact = result.find(({ id }) => id === term.toLowerCase());
      const player = exact ?? (result.length === 1 ? result[0] : null);
      if (player) return openPlayer(player);
      this.error.textContent = t("players.unknown");
    } catch (refused) {
      this.error.textContent = refused.message;
    }
    return undefined;
  }
}
