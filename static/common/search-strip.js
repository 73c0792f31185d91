// Strip that shows a running search for an opponent, on all pages but that of the search. After a
// match it asks whether to start. Loaded by the header if a search of this tab is running.
import { accountWithRetry } from "../lib/http.js";
import { answerReady } from "./challenge-card.js";
import { goToGame, playGameSound } from "./navigation.js";
import { cancelSearch, forgetSearch, rememberSearch, startSearch } from "./opponent-search.js";
import { dispatch } from "../lib/dispatch.js";
import { asyncButton } from "../lib/form.js";
import { h, setText } from "../lib/dom.js";
import { tabSearch } from "../lib/settings.js";
import "../lib/i18n-more.js";
import { Socket } from "../lib/socket.js";
import { loadStyleSheet } from "../lib/style-sheet.js";
import { t } from "../lib/i18n.js";

const TICK_MS = 500;

/**
 * Opponent who has come. The ready check `id` reserves the game; without one the page of the search
 * accepts the opponent's challenge.
 * @typedef {{ name: string, until: number, id?: string }} Arrival
 */

class SearchStrip {
  /** @type {Arrival | null} */ arrival;
  /** @type {number} */ dismissedUntil;
  /** @type {import("./opponent-search.js").TabSearch | null} */ search;
  /** @type {boolean} */ isGuest;
  /** @type {boolean} */ isFresh;
  /** @type {boolean} */ isKnown;

  /**
   * `isFresh` is true until a connection has reported the search, `isKnown` once one has.
   * @param {boolean} isGuest
   */
  constructor(isGuest) {
    const search = tabSearch.get();
    const state = { arrival: null, dismissedUntil: 0, isFresh: true, isKnown: false };
    Object.assign(this, { ...state, search, isGuest });
    this.text = h("span", {});
    this.countdown = h("span", { class: "num", role: "timer", "aria-live": "off" });
    this.cancel = asyncButton(t("find.cancel"), () => this.end(), "btn btn-quiet");
    this.start = asyncButton(t("news.start"), () => this.open(), "btn btn-primary");
    this.finish = asyncButton(t("find.finishFirst"), () => this.dismiss(), "btn btn-quiet");
    this.element = h(
      "div",
      { class: "search-strip", role: "region", "aria-label": t("find.looking") },
      h("p", { role: "status" }, this.text, " ", this.countdown),
      this.cancel,
      this.start,
      this.finish,
    );
    this.socket = new Socket("/ws/me?find=aside", {
      onMessage: (message) => receive(this, message),
      onState: (status) => {
        if (status !== "open") this.isFresh = true;
      },
    });
    this.timer = setInterval(() => this.draw(), TICK_MS);
    // Keeps the search of this tab for the next page.
    addEventListener("pagehide", () => this.search && rememberSearch(this.search));
    this.draw();
  }

  /**
   * Handles the end of the search. After a restart of the server it begins anew.
   */
  async onNoSearch() {
    const { search, isFresh, isKnown } = this;
    this.isFresh = false;
    this.arrival = null;
    if (!search || !isFresh || !isKnown) return this.close();
    // A running game with a clock is a refusal.
    return startSearch(search.terms, this.isGuest).then(
      () => {},
      () => this.close(),
    );
  }

  /**
   * Handles the progress of the search. A ready check has priority over a creator who is present.
   * @param {Search} search
   */
  onSearch(search) {
    Object.assign(this, { isFresh: false, isKnown: true });
    if (search.here && this.arrival?.id === undefined) this.arrival = search.here;
    this.draw();
  }

  /** @param {Ring} ring */
  onRing({ challenge, by, readyBy }) {
    if (challenge.kind !== "seek") return;
    this.arrival = { name: by.name, until: readyBy, id: challenge.id };
    playGameSound();
    this.draw();
  }

  /** @param {Frames["ringGone"]} gone */
  onRingGone({ id }) {
    if (this.arrival?.id === id) this.arrival = null;
    this.draw();
  }

  draw() {
    const now = this.socket?.now() ?? Date.now();
    const { arrival } = this;
    const isHere = arrival !== null && now < arrival.until && arrival.until !== this.dismissedUntil;
    const text = isHere ? t("find.here", { name: arrival.name }) : t("find.still");
    setText(this.text, text);
    const seconds = isHere ? Math.ceil((arrival.until - now) / 1000) : 0;
    this.countdown.textContent = isHere ? `0:${String(seconds).padStart(2, "0")}` : "";
    this.element.classList.toggle("is-here", isHere);
    this.cancel.hidden = isHere;
    this.start.hidden = !isHere;
    this.finish.hidden = !isHere;
  }

  /** Starts the game, or opens the page of the search, which accepts the challenge. */
  async open() {
    const id = this.arrival?.id;
    if (!id) return location.assign("/find");
    const game = await answerReady(id, "yes");
    this.close();
    return goToGame(game.id);
  }

  /** Declines the game; the search goes on. */
  async dismiss() {
    const { arrival } = this;
    this.dismissedUntil = arrival?.until ?? 0;
    this.draw();
    if (arrival?.id) await answerReady(arrival.id, "no");
  }

  /** Cancels the search. */
  async end() {
    await cancelSearch();
    this.close();
  }

  /** Removes the strip after the end of the search. */
  close() {
    this.search = null;
    forgetSearch();
    clearInterval(this.timer);
    this.socket.close();
    this.element.remove();
  }
}

/** Ignores a message that the page handles. */
const ignore = () => {};

/** @type {Handlers<SearchStrip, Received<"/ws/me">>} */
const HANDLERS = {
  find: (strip, { search }) => (search ? strip.onSearch(search) : strip.onNoSearch()),
  hello: (strip, { rings }) => rings.forEach((ring) => strip.onRing(ring)),
  ring: (strip, ring) => strip.onRing(ring),
  ringGone: (strip, gone) => strip.onRingGone(gone),
  start: ignore,
  challenge: ignore,
  challengeGone: ignore,
  seatLost: ignore,
  turns: ignore,
  signedOut: ignore,
  ack: ignore,
  refused: ignore,
};

const receive = dispatch(HANDLERS, ignore);

/** Shows the strip; its style sheet belongs to the page of the search. */
export const showSearchStrip = async () => {
  const [{ guest }] = await Promise.all([accountWithRetry(), loadStyleSheet("find")]);
  document.body.append(new SearchStrip(Boolean(guest)).element);
};
