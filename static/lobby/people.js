// Players who are online, with links to their profiles and to a challenge. The list is fetched
// again while the page is visible. Its row has the same height in all states, so that nothing below
// it moves. Created by member-home.js.
import { get } from "../lib/http.js";
import { h, iconSvg, restoreFocus, setText } from "../lib/dom.js";
import { onlineDot, userHandle, userPath } from "../common/user-link.js";
import { fetchUsualTime } from "../common/usual-time.js";
import "../lib/i18n-more.js";
import { t } from "../lib/i18n.js";

const REFRESH_MS = 15000;

/** Number of names that are shown. */
const NAMES_MAX = 24;

/**
 * Response of `GET /api/users/online`.
 * @typedef {{ id: string, name: string, following: boolean }} OnlineUser
 * @typedef {{ users: OnlineUser[], total: number, guests: number }} OnlineUsers
 */

/** Returns the mark of a player whom the viewer follows. */
const followMark = () =>
  h(
    "span",
    { class: "people-followed", title: t("follow.mark") },
    iconSvg("M12 4l2.4 5.2 5.6.6-4.2 3.8 1.2 5.6-5-2.9-5 2.9 1.2-5.6L4 9.8l5.6-.6z"),
    h("span", { class: "visually-hidden" }, t("follow.mark")),
  );

/** Section of the players who are online. */
export class People {
  /** @type {Account} */ me;
  /** @type {string} */ shown;
  /** @type {string | null} */ usualTime;

  /** @param {Readonly<Account>} me */
  constructor(me) {
    Object.assign(this, { me, shown: "", usualTime: null });
    this.count = h("span", { class: "small soft num" });
    this.list = h("ul", { tabindex: -1, "aria-label": t("people.title") });
    this.empty = h("p", { class: "empty-state people-empty", role: "status" });
    this.element = h(
      "section",
      { class: "people" },
      h("div", { class: "people-head" }, h("h2", {}, t("people.title")), this.count),
      this.list,
      this.empty,
    );
    const refresh = () => document.hidden || this.refresh();
    setInterval(refresh, REFRESH_MS);
    document.addEventListener("visibilitychange", refresh);
    addEventListener("online", refresh);
  }

  /** Fetches the list and shows it. */
  async refresh() {
    try {
      const online = await get("/api/users/online");
      if (this.others(online).length === 0) this.usualTime ??= await fetchUsualTime();
      this.draw(online);
    } catch (refused) {
      this.shown = "";
      this.showText(refused.message);
    }
  }

  /**
   * Returns the players besides the viewer.
   * @param {OnlineUsers} online
   */
  others({ users }) {
    return users.filter(({ id }) => id !== this.me.id);
  }

  /** @param {OnlineUsers} online */
  draw(online) {
    const text = JSON.stringify(online);
    if (text === this.shown) return;
    this.shown = text;
    const others = this.others(online);
    // The viewer is one of the guests or of the players.
    const guests = Math.max(0, online.guests - (this.me.guest ? 1 : 0));
    this.count.textContent = guests ? t("people.guests", { n: guests }) : "";
    if (others.length === 0) return void this.showText(this.nobodyText());
    const hidden = online.total - (this.me.guest ? 0 : 1) - Math.min(others.length, NAMES_MAX);
    this.empty.hidden = true;
    this.list.hidden = false;
    restoreFocus(this.list, () =>
      this.list.replaceChildren(
        ...others.slice(0, NAMES_MAX).map((user) => this.item(user)),
        ...(hidden > 0
          ? [
              h(
                "li",
                { class: "people-more", "data-id": "" },
                h(
                  "a",
                  { class: "btn btn-quiet", href: "/players" },
                  t("people.more", { n: hidden }),
                ),
              ),
            ]
          : []),
      ),
    );
    return undefined;
  }

  nobodyText() {
    const usual = this.usualTime ? ` ${t("people.usually", { time: this.usualTime })}` : "";
    return `${t("people.nobody")}${usual}`;
  }

  /** @param {string} text */
  showText(text) {
    this.list.hidden = true;
    this.empty.hidden = false;
    setText(this.empty, text);
  }

  /** @param {OnlineUsers["users"][0]} user */
  item(user) {
    return h(
      "li",
      { class: "card", "data-id": user.id },
      h(
        "a",
        { class: "people-name", href: userPath(user) },
        onlineDot(true),
        h("b", {}, user.name),
        user.following && followMark(),
      ),
      h(
        "a",
        {
          class: "btn btn-quiet",
          href: `/lobby?to=${userHandle(user)}`,
          "aria-label": t("people.challenge", { name: user.name }),
        },
        t("player.challenge"),
      ),
    );
  }
}
