// View of a running search: its terms, a calm animation, the elapsed time, what the search does,
// and other ways to play after a while. Created by find.js, which passes each state. Later parts
// are below the others, so that nothing moves when they appear.
import { h, s, setText } from "../lib/dom.js";
import { asyncButton } from "../lib/form.js";
import { timeControlText } from "../common/challenge-text.js";
import { SEARCH_KINDS } from "../common/opponent-search.js";
import { fetchUsualTime } from "../common/usual-time.js";
import { COMPUTER_AFTER_MS, MESSAGES, OPEN_AFTER_MS, progressOf } from "./state.js";
import { t, variantName } from "../lib/i18n.js";

/** @typedef {import("./state.js").FindState} FindState */

/**
 * Time controls of the choice before the server has answered, as on the cards of challenges.
 * @returns {Record<string, string>}
 */
const clockTexts = () => ({ 5: "5+3", 10: "10+5", days: t("card.days", { n: 3 }) });

/** Draws the arc of the site's sign as five dots. */
const arc = () =>
  s(
    "svg",
    { class: "find-arc", viewBox: "0 0 120 60", "aria-hidden": "true" },
    ...[0, 1, 2, 3, 4].map((at) => {
      const angle = Math.PI * (1 - at / 4);
      return s("circle", { cx: 60 + 46 * Math.cos(angle), cy: 52 - 42 * Math.sin(angle), r: 6 });
    }),
  );

/** @param {number} ms */
const clockText = (ms) => {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
};

/** View of the search. */
export class SearchStage {
  /** @type {Catalog} */ catalog;
  /** @type {string | null} */ usualTime;
  /** @type {boolean} */ isGuest;
  /** @type {{ since: number | null, longestMs: number }} */ wait;

  /**
   * @param {Catalog} catalog
   * @param {boolean} isGuest
   * @param {Record<"cancel" | "again" | "computer" | "leaveOpen" | "daily", () =>
   *   Promise<unknown>>} actions
   */
  constructor(catalog, isGuest, { cancel, again, computer, leaveOpen, daily }) {
    const wait = { since: null, longestMs: 0 };
    Object.assign(this, { catalog, isGuest, wait, usualTime: null });
    fetchUsualTime().then((time) => {
      this.usualTime = time;
    });
    this.title = h("h1", { tabindex: -1 });
    this.terms = h("p", { class: "find-terms num" });
    this.arc = arc();
    this.elapsed = h("p", { class: "find-elapsed num", role: "timer", "aria-live": "off" });
    this.progress = h("p", { class: "find-progress", role: "status" });
    this.cancel = asyncButton(t("find.cancel"), cancel, "btn find-cancel");
    this.again = asyncButton(t("find.again"), again, "btn btn-primary");
    this.lobby = h("a", { class: "btn", href: "/lobby" }, t("find.lobby"));
    this.computer = h(
      "div",
      { class: "find-offer" },
      asyncButton(t("find.computer"), computer, "btn btn-primary btn-large"),
      h("p", { class: "small soft" }, t("find.computerWhy")),
    );
    this.daily = asyncButton(t("find.daily"), daily);
    this.later = h(
      "div",
      { class: "find-offer" },
      asyncButton(t("find.leaveOpen"), leaveOpen),
      this.daily,
    );
    this.element = h(
      "div",
      { class: "find-stage" },
      this.title,
      this.terms,
      this.arc,
      this.elapsed,
      this.progress,
      this.cancel,
      this.again,
      this.lobby,
      this.computer,
      this.later,
    );
  }

  /**
   * Describes games, time controls, and whether the games are rated.
   * @param {FindState} state
   */
  termsText({ search, terms }) {
    const games = search ? search.variants.map(({ key }) => key) : (terms?.games ?? []);
    const clocks = search
      ? search.clocks.map(({ timeControl }) => timeControlText(timeControl))
      : (terms?.clocks ?? []).map((key) => clockTexts()[key]);
    const names =
      games.length === this.catalog.size
        ? t("lobby.all")
        : games.map((key) => variantName(this.catalog.get(key))).join(", ");
    const kinds = search
      ? SEARCH_KINDS.filter((kind) => search[/** @type {"rated" | "casual"} */ (kind)])
      : (terms?.kinds ?? SEARCH_KINDS);
    return [names, ...clocks, this.kindText(kinds)].join(" · ");
  }

  /**
   * Describes whether the games are rated. Those of guests are not.
   * @param {string[]} kinds
   */
  kindText(kinds) {
    if (this.isGuest) return t("card.casual");
    if (kinds.length > 1) return t("card.either");
    return kinds[0] === "rated" ? t("card.rated") : t("card.casual");
  }

  /**
   * Shows a state at a time of the server.
   * @param {FindState} state
   * @param {number} now
   */
  show(state, now) {
    const { stage, since } = state;
    const isLooking = stage === "looking";
    const elapsedMs = now - (since ?? now);
    // An offer stays visible after a correction of the server time.
    const isSame = since === this.wait.since;
    this.wait = { since, longestMs: Math.max(isSame ? this.wait.longestMs : 0, elapsedMs) };
    const { longestMs } = this.wait;
    const [key, values] = progressOf(state, elapsedMs);
    const usual =
      key === MESSAGES.nobody && this.usualTime && t("find.nobodyYet", { time: this.usualTime });
    /** @type {Record<string, [title: string, progress: string]>} */
    const texts = {
      looking: [t("find.looking"), usual || t(key, values)],
      found: [t("find.found"), t("find.foundWhy")],
      canceled: [t("find.canceled"), t("find.canceledWhy")],
      posted: [t("find.posted"), t("find.postedWhy")],
    };
    const [title, progress] = texts[stage] ?? ["", ""];
    setText(this.title, title);
    setText(this.progress, progress);
    setText(this.terms, this.termsText(state));
    setText(this.elapsed, isLooking ? clockText(elapsedMs) : "");
    this.arc.classList.toggle("is-looking", isLooking && state.isConnected);
    this.cancel.hidden = !isLooking;
    this.again.hidden = stage !== "canceled";
    this.lobby.hidden = stage !== "posted";
    this.computer.hidden = !isLooking || longestMs < COMPUTER_AFTER_MS;
    this.later.hidden = !isLooking || longestMs < OPEN_AFTER_MS;
    const clocks = state.search?.clocks ?? [];
    this.daily.hidden = clocks.some(({ timeControl }) => timeControl.type === "correspondence");
  }
}
