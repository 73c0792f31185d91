// Entry point of the page that looks for an opponent (/find): choice of games and time, then the
// search. The server lists a seek and tries the challenges of others as long as this page is open;
// the page shows its progress. It holds the state (`state.js`), and executes the effects after its
// views have shown it.
import { account, variants } from "../lib/http.js";
import { goToGame, playGameSound } from "../common/navigation.js";
import { createNotices } from "../common/notifications.js";
import { loadFailed } from "../common/error-page.js";
import { initHeader } from "../common/header.js";
import {
  forgetSearch,
  rememberedSearch,
  rememberSearch,
  SEARCH_CLOCKS,
  SEARCH_KINDS,
} from "../common/opponent-search.js";
import { h } from "../lib/dom.js";
import { lastSearch } from "../lib/settings.js";
import "../lib/i18n-more.js";
import { runEffects } from "../lib/dispatch.js";
import { Socket } from "../lib/socket.js";
import { SearchRequests } from "./requests.js";
import { SearchSheet } from "./sheet.js";
import { SearchStage } from "./stage.js";
import { apply, begin, cancel, choose, initialState, onConnection } from "./state.js";

const TICK_MS = 500;

/** @typedef {import("./state.js").FindState} FindState */
/**
 * @template {{ type: string }} E
 * @typedef {import("../lib/dispatch.js").EffectHandlers<E>} EffectHandlers
 */
/** @typedef {import("./state.js").Transition} Transition */
/** @typedef {import("../common/opponent-search.js").SearchTerms} SearchTerms */

/** Page of the search. */
export class FindPage {
  /** @type {FindState} */ state;
  /** @type {Catalog} */ catalog;
  /** @type {Account} */ me;
  /** @type {number | undefined} */ timer;

  /**
   * @param {Catalog} catalog
   * @param {Account} me
   */
  constructor(catalog, me) {
    Object.assign(this, { catalog, me, state: initialState(rememberedSearch()) });
    this.effectHandlers = this.createEffectHandlers();
    this.requests = new SearchRequests(this);
    const variant = new URLSearchParams(location.search).get("variant");
    const last = /** @type {Partial<SearchTerms>} */ (lastSearch.get());
    this.sheet = new SearchSheet(
      catalog,
      variant ? { ...last, games: [variant] } : last,
      me.guest,
      async (terms) => this.startChosenSearch(terms),
    );
    this.stage = new SearchStage(catalog, me.guest, {
      cancel: async () => this.change(cancel),
      again: async () => this.change(choose),
      computer: () => this.playComputer(),
      leaveOpen: () => this.requests.leaveOpen(),
      daily: async () => this.startSearch({ ...this.terms(), clocks: ["days"] }),
    });
    this.notices = createNotices({ now: () => this.now() });
    this.element = h(
      "section",
      { class: "find-page" },
      this.notices.element,
      this.sheet.element,
      this.stage.element,
    );
    this.socket = new Socket("/ws/me?find=page", {
      onMessage: (message) => this.change((state) => apply(state, message)),
      onState: (status) => this.change((state) => onConnection(state, status === "open")),
    });
    addEventListener("pagehide", () => this.remember());
    this.show();
  }

  /** Returns the server time. */
  now() {
    return this.socket?.now() ?? Date.now();
  }

  /**
   * Shows the state after a transition, and executes its effects.
   * @param {(state: FindState) => Transition} transition
   */
  change(transition) {
    const previous = this.state;
    const { state, effects } = transition(previous);
    this.state = state;
    this.show();
    if (state.stage !== previous.stage) this.onStage();
    runEffects(effects, this.effectHandlers);
  }

  /** Shows the new view from its top, and moves the focus to it for screen readers. */
  onStage() {
    this.remember();
    scrollTo(0, 0);
    const isChoosing = this.state.stage === "choosing";
    const heading = isChoosing ? this.sheet.element.querySelector("h1") : this.stage.title;
    if (heading) heading.tabIndex = -1;
    heading?.focus({ preventScroll: true });
  }

  /** Stores the search of this tab, which a reload resumes. */
  remember() {
    const { stage, since } = this.state;
    if (stage === "looking") rememberSearch({ terms: this.terms(), since: since ?? this.now() });
    else if (stage !== "found") forgetSearch();
  }

  show() {
    const isChoosing = this.state.stage === "choosing";
    this.sheet.element.hidden = !isChoosing;
    this.stage.element.hidden = isChoosing;
    clearInterval(this.timer);
    if (isChoosing) return;
    this.stage.show(this.state, this.now());
    // Only the stage shows times.
    this.timer = setInterval(() => this.stage.show(this.state, this.now()), TICK_MS);
  }

  /**
   * Returns the terms of the search; another tab may have begun it.
   * @returns {SearchTerms}
   */
  terms() {
    const { search, terms } = this.state;
    if (!search) return terms ?? { games: [...this.catalog.keys()], clocks: ["10"] };
    const clocks = Object.keys(SEARCH_CLOCKS).filter((key) =>
      search.clocks.some((clock) => clock.key === SEARCH_CLOCKS[key]),
    );
    const kinds = SEARCH_KINDS.filter((kind) => search[/** @type {"rated" | "casual"} */ (kind)]);
    return { games: search.variants.map(({ key }) => key), clocks, kinds };
  }

  /**
   * Starts a search with the terms of the sheet, and remembers them for the next one.
   * @param {SearchTerms} terms
   */
  startChosenSearch(terms) {
    lastSearch.set(terms);
    this.startSearch(terms);
  }

  /** @param {SearchTerms} terms */
  startSearch(terms) {
    this.change((state) => begin(state, terms, this.now()));
  }

  /** @returns {EffectHandlers<import("./state.js").Effect>} */
  createEffectHandlers() {
    return {
      post: (search) => this.requests.post(search),
      cancel: ({ search }) => this.requests.cancel(search),
      restart: ({ request }) => this.requests.restart(request),
      confirm: ({ id, until }) => this.requests.confirm(id, until),
      openGame: ({ id }) => {
        forgetSearch();
        goToGame(id, playGameSound);
      },
      forward: ({ message }) => this.notices.handle(message),
    };
  }

  /** Opens the dialog for a game against the computer, during which the search goes on. */
  async playComputer() {
    const { openAiDialog } = await import("../common/ai-dialog.js");
    openAiDialog(
      this.catalog,
      (id) => {
        this.remember();
        goToGame(id);
      },
      { variant: this.terms().games[0] },
    );
  }
}

const main = document.querySelector("main");
initHeader(null);
Promise.all([variants(), account()])
  .then(([catalog, me]) => main.replaceChildren(new FindPage(catalog, me).element))
  .catch((refused) => main.replaceChildren(loadFailed(refused)));
