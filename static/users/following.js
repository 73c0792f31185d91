// Entry point of the page of the user's people (/following): the players whom the user follows, and
// the last opponents. Who is online is fetched again while the page is visible.
import { account, get } from "../lib/http.js";
import { h, restoreFocus } from "../lib/dom.js";
import { subscribe } from "../common/notifications.js";
import { loadFailed } from "../common/error-page.js";
import "../lib/i18n-more.js";
import { nameLink, userHandle } from "../common/user-link.js";
import { agoText } from "../lib/format-time.js";
import { initHeader } from "../common/header.js";
import { t } from "../lib/i18n.js";
import { followButton } from "./follow-button.js";

const REFRESH_MS = 15000;
const MINUTE_MS = 60000;

const main = document.querySelector("main");

/**
 * Returns the link to the game that a player plays now, if there is one.
 * @param {KnownPlayer} player
 */
const watchLink = ({ name, playing, playingId }) =>
  playing &&
  h(
    "a",
    {
      class: "btn btn-quiet",
      href: `/${playingId}`,
      "aria-label": `${t("follow.watch")}: ${name}`,
    },
    t("follow.watch"),
  );

/**
 * Returns the link that challenges a player.
 * @param {KnownPlayer} player
 */
const challengeLink = (player) =>
  h(
    "a",
    {
      class: "btn",
      href: `/lobby?to=${userHandle(player)}`,
      "aria-label": t("people.challenge", { name: player.name }),
    },
    t("player.challenge"),
  );

/** Page with both lists. */
class FollowingPage {
  shown = "";

  /** @param {Account} me */
  constructor(me) {
    this.me = me;
    this.following = h("ul", { class: "account-list follow-list", tabindex: -1 });
    this.opponents = h("ul", { class: "account-list follow-list", tabindex: -1 });
    this.noFollowing = h("div", { tabindex: -1 }, ...this.hint());
    this.noOpponents = h("p", { class: "soft small", tabindex: -1 }, t("follow.noOpponents"));
    this.error = h("p", { class: "form-error follow-error", role: "alert" });
    this.element = h(
      "div",
      { class: "users-page account-page" },
      h(
        "div",
        { class: "users-head" },
        h("h1", {}, t("follow.title")),
        h(
          "div",
          { class: "users-actions" },
          h("a", { class: "btn", href: "/players" }, t("follow.find")),
        ),
      ),
      this.error,
      this.section("follow.list", this.following, this.noFollowing),
      this.section("follow.opponents", this.opponents, this.noOpponents),
    );
  }

  /** Returns what stands in the place of an empty list of followed players. */
  hint() {
    const text = h("p", { class: "soft small" }, t(this.me.guest ? "follow.guest" : "follow.none"));
    return this.me.guest
      ? [text, h("a", { class: "btn", href: "/login" }, t("nav.signup"))]
      : [text];
  }

  /** Fetches the lists again while the page is visible. */
  poll() {
    const refresh = () => document.hidden || this.refresh();
    setInterval(refresh, REFRESH_MS);
    document.addEventListener("visibilitychange", refresh);
    addEventListener("online", refresh);
  }

  /**
   * @param {string} key
   * @param {HTMLElement} list
   * @param {HTMLElement} none
   */
  section(key, list, none) {
    list.setAttribute("aria-label", t(key));
    return h("section", { class: "card account-section" }, h("h2", {}, t(key)), list, none);
  }

  /** Fetches the lists and shows them, or the reason why they cannot be fetched. */
  async refresh() {
    try {
      await this.load();
      this.error.textContent = "";
    } catch (refused) {
      this.error.textContent = refused.message;
    }
  }

  /** Fetches the lists and shows them. */
  async load() {
    const people = await get("/api/account/people");
    // The texts about last games change with time.
    const text = JSON.stringify([people, Math.floor(Date.now() / MINUTE_MS)]);
    if (text === this.shown) return;
    this.shown = text;
    this.draw(people);
  }

  /** @param {People} people */
  draw({ following, opponents }) {
    const online = [...following].sort((one, two) => Number(two.online) - Number(one.online));
    this.fill(
      this.following,
      this.noFollowing,
      online.map((player) => this.row(player, true)),
    );
    const played = opponents.map((player) => this.row(player, player.following, player));
    this.fill(this.opponents, this.noOpponents, played);
  }

  /** @type {(list: HTMLElement, none: HTMLElement, rows: HTMLElement[]) => void} */
  fill(list, none, rows) {
    const isInside = list.contains(document.activeElement);
    restoreFocus(list, () => list.replaceChildren(...rows));
    list.hidden = rows.length === 0;
    none.hidden = rows.length > 0;
    if (isInside && list.hidden) none.focus();
  }

  /**
   * Returns the row of a player.
   * @param {KnownPlayer} player
   * @param {boolean} following
   * @param {LastOpponent} [opponent]  the same player with the last game
   */
  row(player, following, opponent) {
    const last =
      opponent &&
      h(
        "span",
        { class: "small soft" },
        t("follow.played", { ago: agoText(opponent.lastPlayedAt) }),
      );
    const refresh = () => this.refresh();
    return h(
      "li",
      { "data-id": player.id },
      h("span", { class: "account-list-text" }, nameLink(player), last),
      h(
        "span",
        { class: "follow-actions" },
        challengeLink(player),
        !this.me.guest && followButton(player, following, refresh, player.name),
        // The last control: those before it keep their places when a game begins or ends.
        watchLink(player),
      ),
    );
  }
}

const show = async () => {
  const me = await account();
  const page = new FollowingPage(me);
  await page.load();
  main.replaceChildren(page.element);
  page.poll();
};

initHeader("/players");
subscribe();
document.title = `${t("follow.title")} · Sprong`;
show().catch((refused) => main.replaceChildren(loadFailed(refused)));
