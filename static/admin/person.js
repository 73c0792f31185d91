// An account as moderators see it: its state, the reports about it with the chats of their games,
// the actions, and the past ones. Used by admin.js.
import { get, post } from "../lib/http.js";
import { h, selectBox, toast } from "../lib/dom.js";
import { asyncButton, field, form } from "../lib/form.js";
import { agoText, dateTimeText, dayText } from "../lib/format-time.js";
import { t } from "../lib/i18n.js";
import { userPath } from "../common/user-link.js";
import { logList } from "./log.js";

const REASON_MAX = 500;

/** Numbers of days that an action can last; 0 is for good. */
const DAYS = [1, 3, 7, 30, 90, 365, 0];

const ACTIONS = /** @type {const} */ ([
  "resolve",
  "mute",
  "unmute",
  "close",
  "reopen",
  "clear-profile",
  "note",
]);

/** @param {GameChatLine} line */
const chatLine = ({ ply, room, name, text }) =>
  h(
    "li",
    {},
    h("b", {}, name),
    " ",
    h("span", {}, text),
    h("span", { class: "small weak" }, ` ${t(`mod.room.${room}`)} · ${t("mod.ply", { n: ply })}`),
  );

/**
 * Returns the button that shows the chats of a game, and their place.
 * @param {string} game
 */
const chatOf = (game) => {
  const place = h("div", {});
  const button = asyncButton(t("mod.chat"), async () => {
    /** @type {GameChatLine[]} */
    const lines = await get(`/api/admin/game/${game}/chat`);
    const list = h("ol", { class: "admin-chat" }, ...lines.map(chatLine));
    const content = lines.length
      ? h(
          "div",
          { class: "admin-chat-box", role: "region", "aria-label": t("mod.chat"), tabindex: 0 },
          list,
        )
      : h("p", { class: "small soft", tabindex: -1 }, t("mod.noChat"));
    place.replaceChildren(content);
    content.focus({ preventScroll: true });
  });
  return [
    h(
      "span",
      { class: "users-actions" },
      h("a", { class: "btn", href: `/${game}` }, t("mod.game")),
      button,
    ),
    place,
  ];
};

/** @param {ReportAbout} report */
const reportRow = ({ number, reporter, byGuest, reason, text, game, createdAt, done }) =>
  h(
    "li",
    { class: done ? "is-done" : null },
    h(
      "div",
      { class: "admin-report" },
      h(
        "span",
        {},
        h("b", {}, t(`report.reason.${reason}`)),
        done && ` · ${t("mod.done")}`,
        h(
          "span",
          { class: "small weak" },
          ` ${number} · ${agoText(createdAt)} · `,
          t(byGuest ? "mod.byGuest" : "mod.by", { name: reporter }),
        ),
      ),
      text && h("span", { class: "admin-text" }, text),
      ...(game ? chatOf(game) : []),
    ),
  );

/** Sections of an account; an action loads them again. */
export class PersonPage {
  /** @type {ModeratedUser} */ user;

  /** @param {ModeratedUser} user */
  constructor(user) {
    this.user = user;
    this.element = h("div", { class: "admin-person", "data-name": user.name });
    this.draw();
  }

  /**
   * Loads an account and returns its sections.
   * @param {string} name
   */
  static async load(name) {
    return new PersonPage(await get(`/api/admin/user/${encodeURIComponent(name)}`)).element;
  }

  draw() {
    this.element.replaceChildren(
      this.stateSection(),
      this.reportsSection(),
      this.actionsSection(),
      h(
        "section",
        { class: "card account-section" },
        h("h2", {}, t("mod.history")),
        logList(this.user.log, false),
      ),
    );
  }

  stateSection() {
    const { name, guest, bot, createdAt, seenAt, bio, location } = this.user;
    const { muted, unmutesAt, closedAt, reopensAt } = this.user;
    const end = (/** @type {string} */ state, /** @type {number | undefined} */ until) =>
      h(
        "p",
        { class: "admin-state" },
        h("b", {}, state),
        " ",
        until ? t("mod.until", { date: dateTimeText(until) }) : t("mod.forGood"),
      );
    return h(
      "section",
      { class: "card account-section" },
      h("h2", { tabindex: -1 }, name),
      h(
        "p",
        { class: "small soft" },
        guest && `${t("mod.guest")} · `,
        bot && "BOT · ",
        t("mod.since", { date: dayText(createdAt) }),
        " · ",
        t("mod.seen", { ago: agoText(seenAt) }),
      ),
      muted && end(t("mod.muted"), unmutesAt),
      closedAt !== undefined && end(t("mod.closed"), reopensAt),
      (bio || location) &&
        h("p", { class: "admin-text" }, [bio, location].filter(Boolean).join("\n")),
      h(
        "div",
        { class: "users-actions" },
        h("a", { class: "btn", href: userPath(this.user) }, t("mod.profile")),
      ),
    );
  }

  reportsSection() {
    const { reports } = this.user;
    return h(
      "section",
      { class: "card account-section" },
      h("h2", {}, t("mod.reportsAbout")),
      reports.length
        ? h("ol", { class: "account-list" }, ...reports.map(reportRow))
        : h("p", { class: "soft" }, t("mod.noReports")),
    );
  }

  /** Returns the actions that change something. */
  actions() {
    const { muted, closedAt, reports, bio, location, canChange } = this.user;
    const isPossible = {
      resolve: reports.some(({ done }) => !done),
      mute: canChange,
      unmute: canChange && muted,
      close: canChange,
      reopen: canChange && closedAt !== undefined,
      "clear-profile": canChange && (bio || location),
      note: true,
    };
    return ACTIONS.filter((action) => isPossible[action]);
  }

  actionsSection() {
    const actions = this.actions();
    const choice = selectBox(
      { name: "action" },
      actions.map((action) => [action, t(`mod.action.${action}`)]),
    );
    const days = selectBox(
      { name: "days" },
      DAYS.map((number) => [number, number ? t("mod.days", { n: number }) : t("mod.forGood")]),
      7,
    );
    const daysField = field(t("mod.time"), days);
    const hasEnd = () => choice.value === "mute" || (choice.value === "close" && !this.user.guest);
    const showDays = () => (daysField.hidden = !hasEnd());
    choice.addEventListener("change", showDays);
    showDays();
    const reason = h("textarea", {
      name: "reason",
      rows: 3,
      maxlength: REASON_MAX,
      required: true,
    });
    return h(
      "section",
      { class: "card account-section", id: "actions" },
      h("h2", {}, t("mod.actions")),
      !this.user.canChange && h("p", { class: "small soft" }, t("error.protectedAccount")),
      form(
        [
          field(t("mod.what"), choice),
          daysField,
          field(t("mod.reason"), reason, t("mod.reasonNote")),
        ],
        t("mod.do"),
        async () => {
          const action = choice.value;
          if (!reason.value.trim()) throw new Error(t("mod.reasonMissing"));
          const limit = hasEnd() && Number(days.value);
          const last = Math.max(...this.user.reports.map(({ number }) => number));
          this.user = await post(`/api/admin/user/${encodeURIComponent(this.user.id)}/${action}`, {
            reason: reason.value,
            ...(limit ? { days: limit } : {}),
            ...(action === "resolve" ? { last } : {}),
          });
          toast(t("mod.saved"));
          this.draw();
          this.element.querySelector("h2")?.focus();
        },
      ),
    );
  }
}
