// List of open challenges in the lobby. A removed challenge stays visible for a moment, and
// challenges that arrive while the pointer is over the list wait behind a button. Created by
// lobby.js, which passes each state. The filter is the only state of its own.
import { challengeCard, rank, updateAges } from "../common/challenge-card.js";
import { asyncButton } from "../lib/form.js";
import { h, restoreFocus, toggle } from "../lib/dom.js";
import { icon } from "../variants/index.js";
import { emptyBoard } from "../common/variant-cards.js";
import { declineText, isOwn, readyCheckText } from "../common/challenge-text.js";
import { openChallenges } from "./state.js";
import { t, variantName } from "../lib/i18n.js";

/** @typedef {import("./state.js").LobbyState} LobbyState */

/** @typedef {keyof import("../common/challenge-card.js").CardActions} ActionName */

/** Interval at which the ages of the challenges are updated. */
const AGE_INTERVAL_MS = 30000;

/** Loads the actions of the buttons, which an empty list does not need. */
const loadActions = () => import("./challenge-actions.js");

/** @param {import("./state.js").Gone} gone */
const goneText = ({ status, reasonKey, isDeclined }) =>
  isDeclined
    ? t("card.declined", { why: declineText(reasonKey) })
    : t(status === "accepted" ? "card.taken" : "card.gone");

/** @param {import("./state.js").Failure | undefined} failure */
const failureText = (failure) =>
  failure && readyCheckText(failure.reason, failure.challenge, failure.rating);

/**
 * Returns whether the items have to be drawn anew. Challenges that are gone or removed change in
 * place.
 * @param {LobbyState} state
 * @param {LobbyState} previous
 */
const needsDraw = (state, previous) => {
  const drawn = new Set(previous.challenges);
  return (
    state.me !== previous.me ||
    state.challenges.some((challenge) => !drawn.has(challenge)) ||
    openChallenges(state).some(
      ({ id }) =>
        state.readyChecks.get(id) !== previous.readyChecks.get(id) ||
        state.failures.get(id) !== previous.failures.get(id),
    )
  );
};

/**
 * Filter of the lobby's challenges: by variant, by time control, and by eligibility of the viewer.
 */
export class ChallengeFilter {
  /** @type {string | null} */ variant;
  /** @type {boolean | null} */ isLive;
  /** @type {boolean} */ hide;

  /**
   * `changed()` is called when the filter changes.
   * @param {Catalog} catalog
   * @param {() => unknown} changed
   */
  constructor(catalog, changed) {
    Object.assign(this, { variant: null, isLive: null, hide: false });
    this.head = h(
      "div",
      { class: "lobby-head" },
      h("h2", {}, t("lobby.title")),
      toggle(t("lobby.hide"), false, (hide) => {
        this.hide = hide;
        changed();
      }),
    );
    const games = [
      [null, t("lobby.all")],
      ...[...catalog.values()].map((variant) => [variant.key, variantName(variant)]),
    ];
    const buttons = games.map(([key, name]) => {
      const button = h(
        "button",
        { type: "button", "aria-pressed": String(key === null) },
        key && icon(key),
        name,
      );
      button.addEventListener("click", () => {
        this.variant = key;
        for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
        changed();
      });
      return button;
    });
    const paces = /** @type {const} */ ([
      [true, t("lobby.live")],
      [false, t("lobby.days")],
    ]).map(([isLive, name]) => {
      const button = h("button", { type: "button", "aria-pressed": "false" }, name);
      button.addEventListener("click", () => {
        this.isLive = this.isLive === isLive ? null : isLive;
        for (const other of paces)
          other.setAttribute("aria-pressed", String(other === button && this.isLive !== null));
        changed();
      });
      return button;
    });
    this.games = h(
      "div",
      { class: "filter-chips lobby-filters", role: "group", "aria-label": t("lobby.filter") },
      ...buttons,
      h("span", { class: "filter-chips-group" }, ...paces),
    );
  }

  /** @param {Challenge} challenge */
  matches(challenge) {
    const fits =
      !this.variant ||
      challenge.choices.variants.some(({ variant }) => variant.key === this.variant);
    const isTimely =
      this.isLive === null ||
      challenge.choices.clocks.some(
        ({ timeControl }) => (timeControl.type === "clock") === this.isLive,
      );
    return fits && isTimely && (!this.hide || challenge.eligible || isOwn(challenge));
  }
}

/** View of the open challenges. */
export class ChallengeList {
  /** @type {import("./lobby.js").Lobby} */ page;
  /** @type {() => number} */ now;
  /** @type {ChallengeFilter} */ filter;
  /** @type {boolean} */ isOrderLate;

  /**
   * `now()` returns the server time in epoch milliseconds; `insertQueued()` lists the challenges
   * that wait; `computer()` opens the dialog for a game against the computer.
   * @param {import("./lobby.js").Lobby} page
   * @param {{
   *   now: () => number,
   *   insertQueued: () => unknown,
   *   computer: () => Promise<unknown>,
   * }} options
   */
  constructor(page, { now, insertQueued, computer }) {
    const { catalog } = page;
    Object.assign(this, { page, now, filter: new ChallengeFilter(catalog, () => this.draw()) });
    /** @type {(name: ActionName) => import("../common/challenge-card.js").CardAction} */
    const action = (name) => async (challenge) => (await loadActions())[name](page, challenge);
    this.actions = {
      accept: action("accept"),
      cancel: action("cancel"),
      decline: action("decline"),
      leave: action("leave"),
    };
    this.list = h("ul", {
      class: "challenge-list",
      "aria-label": t("lobby.title"),
      tabindex: -1,
      // An order that had to wait for the pointer.
      onpointerleave: () => this.isOrderLate && this.draw(),
    });
    setInterval(() => updateAges(this.list, now()), AGE_INTERVAL_MS);
    this.more = h("button", {
      class: "btn lobby-more",
      type: "button",
      hidden: true,
      onclick: insertQueued,
    });
    this.emptyText = h("p", {});
    this.empty = h(
      "div",
      { class: "empty-state challenge-list-empty" },
      emptyBoard([...catalog.values()][catalog.size - 1]),
      this.emptyText,
      asyncButton(t("computer.title"), computer),
    );
  }

  elements() {
    return [this.filter.head, this.filter.games, this.more, this.list, this.empty];
  }

  /** Whether the pointer is over the list, so that no item may move. */
  isInUse() {
    return this.list.matches(":hover");
  }

  /**
   * Shows a state. `previous` is the state shown before.
   * @param {LobbyState} state
   * @param {LobbyState} previous
   */
  show(state, previous) {
    if (state.queued !== previous.queued) this.drawMore();
    if (needsDraw(state, previous)) return this.draw();
    for (const [id, gone] of state.gone) if (gone !== previous.gone.get(id)) this.markGone(id);
    if (state.challenges !== previous.challenges) this.removeItems(previous);
    return undefined;
  }

  /**
   * Hides or shows an element next to the list; focus inside a hidden element moves to the list.
   * @param {HTMLElement} element
   * @param {boolean} isHidden
   */
  setHidden(element, isHidden) {
    const hadFocus = element.contains(document.activeElement);
    element.hidden = isHidden;
    if (isHidden && hadFocus) this.list.focus({ preventScroll: true });
  }

  drawMore() {
    const n = this.page.state.queued.length;
    this.setHidden(this.more, n === 0);
    this.more.textContent = t("lobby.more", { n });
  }

  /** @param {string} id */
  item(id) {
    return this.list.querySelector(`[data-id="${CSS.escape(id)}"]`);
  }

  /**
   * Grays out the item of a removed challenge and replaces its buttons with the reason.
   * @param {string} id
   */
  markGone(id) {
    const item = this.item(id);
    const gone = this.page.state.gone.get(id);
    if (!item || !gone) return;
    item.className = "challenge-card is-unavailable";
    restoreFocus(this.list, () =>
      item
        .querySelector(".challenge-card-actions")
        .replaceChildren(h("span", { class: "challenge-card-reason" }, goneText(gone))),
    );
  }

  /**
   * Removes the items of challenges that are no longer listed.
   * @param {LobbyState} previous
   */
  removeItems(previous) {
    const listed = new Set(this.page.state.challenges);
    const removed = previous.challenges.filter((challenge) => !listed.has(challenge));
    restoreFocus(this.list, () => removed.forEach(({ id }) => this.item(id)?.remove()));
    this.drawEmpty();
  }

  draw() {
    const { page, now } = this;
    const { catalog, state } = page;
    const shown = this.isInUse()
      ? [.../** @type {NodeListOf<HTMLElement>} */ (this.list.querySelectorAll("[data-id]"))]
      : [];
    this.isOrderLate = shown.length > 0;
    const position = (/** @type {Challenge} */ challenge) => {
      const at = shown.findIndex(({ dataset }) => dataset.id === challenge.id);
      return at < 0 && !isOwn(challenge) ? shown.length : at;
    };
    // While the pointer is over the list its items keep their places.
    const visible = state.challenges
      .filter((challenge) => this.filter.matches(challenge))
      .sort((a, b) => position(a) - position(b) || rank(a) - rank(b));
    const contextOf = (/** @type {string} */ id) => ({
      catalog,
      me: state.me,
      now,
      readyBy: state.readyChecks.get(id),
      note: failureText(state.failures.get(id)),
    });
    if (visible.length > 0) loadActions().catch(() => {});
    restoreFocus(this.list, () => {
      this.list.replaceChildren(
        ...visible.map((challenge) =>
          challengeCard(challenge, contextOf(challenge.id), this.actions),
        ),
      );
      visible.forEach(({ id }) => this.markGone(id));
    });
    this.drawEmpty();
  }

  drawEmpty() {
    this.setHidden(this.empty, this.list.childElementCount > 0);
    this.emptyText.textContent = t(
      this.page.state.challenges.length ? "lobby.hidden" : "lobby.empty",
    );
  }
}
