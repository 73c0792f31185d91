// An account as moderators see it: its state with an appeal, the findings of fair play reports, the
// warnings, the reports about it with the chats of their games, the actions, and the past ones.
// Used by admin.js.
import { get, post } from "../lib/http.js";
import { h, selectBox, toast } from "../lib/dom.js";
import { field, form } from "../lib/form.js";
import { agoText, dateTimeText, dayText } from "../lib/format-time.js";
import { t } from "../lib/i18n.js";
import { userPath } from "../common/user-link.js";
import { appealText } from "./appeals.js";
import { daysInput } from "./days.js";
import { chatOf } from "./game-chat.js";
import { gamesSection } from "./games.js";
import { logList } from "./log.js";
import { originsSection } from "./origins.js";
import { reasonInput, reasonOf } from "./reason.js";
import { suspicionList } from "./suspicions.js";

const WARNING_MAX = 500;
const NAME_MAX = 20;

const ACTIONS = /** @type {const} */ ([
  "resolve",
  "warn",
  "mute",
  "unmute",
  "close",
  "reopen",
  "decline-appeal",
  "rename",
  "clear-profile",
  "note",
]);

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

/** @param {ModeratorWarning} warning */
const warningRow = ({ kind, text, at, readAt }) =>
  h(
    "li",
    {},
    h(
      "span",
      { class: "account-list-text" },
      h("span", { class: "admin-text" }, kind === "renamed" ? t("mod.told", { name: text }) : text),
      h(
        "span",
        { class: "small weak" },
        `${dateTimeText(at)} · `,
        readAt ? t("mod.readAt", { date: dateTimeText(readAt) }) : t("mod.unread"),
      ),
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
      ...(this.user.suspicions.length ? [this.suspicionsSection()] : []),
      ...(this.user.warnings.length ? [this.warningsSection()] : []),
      this.actionsSection(),
      originsSection(this.user, (user) => this.show(user)),
      ...(this.user.guest ? [] : [gamesSection(this.user.id)]),
      h(
        "section",
        { class: "card account-section" },
        h("h2", {}, t("mod.history")),
        logList(this.user.log, false),
      ),
    );
  }

  /**
   * Shows the account after an action.
   * @param {ModeratedUser} user
   */
  show(user) {
    this.user = user;
    this.draw();
    this.element.querySelector("h2")?.focus();
  }

  stateSection() {
    const { name, formerNames, guest, bot, createdAt, seenAt, bio, location } = this.user;
    const { muted, unmutesAt, closedAt, reopensAt, appeal } = this.user;
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
      formerNames.length > 0 &&
        h("p", { class: "small soft" }, t("mod.formerNames", { names: formerNames.join(", ") })),
      muted && end(t("mod.muted"), unmutesAt),
      closedAt !== undefined && end(t("mod.closed"), reopensAt),
      appeal && appealText(appeal),
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

  suspicionsSection() {
    return h(
      "section",
      { class: "card account-section" },
      h("h2", {}, t("mod.view.suspicions")),
      suspicionList(this.user.suspicions),
    );
  }

  warningsSection() {
    return h(
      "section",
      { class: "card account-section" },
      h("h2", {}, t("mod.warnings")),
      h("ol", { class: "account-list" }, ...this.user.warnings.map(warningRow)),
    );
  }

  /** Returns the actions that change something. */
  actions() {
    const { muted, closedAt, reports, bio, location, canChange, guest, appeal } = this.user;
    const isPossible = {
      resolve: reports.some(({ done }) => !done),
      warn: canChange,
      mute: canChange,
      unmute: canChange && muted,
      close: canChange,
      reopen: canChange && closedAt !== undefined,
      "decline-appeal": canChange && appeal && !appeal.declinedAt,
      rename: canChange && !guest,
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
    const days = daysInput();
    const daysField = field(t("mod.time"), days);
    const hasEnd = () => choice.value === "mute" || (choice.value === "close" && !this.user.guest);
    const warning = h("textarea", { name: "text", rows: 3, maxlength: WARNING_MAX });
    const warningField = field(t("mod.warning"), warning);
    const name = h("input", { name: "name", autocomplete: "off", maxlength: NAME_MAX });
    const nameField = field(t("mod.newName"), name, t("mod.newNameNote"));
    const showFields = () => {
      daysField.hidden = !hasEnd();
      warningField.hidden = choice.value !== "warn";
      nameField.hidden = choice.value !== "rename";
    };
    choice.addEventListener("change", showFields);
    showFields();
    const reason = reasonInput();
    return h(
      "section",
      { class: "card account-section", id: "actions" },
      h("h2", {}, t("mod.actions")),
      !this.user.canChange && h("p", { class: "small soft" }, t("error.protectedAccount")),
      form(
        [
          field(t("mod.what"), choice),
          daysField,
          warningField,
          nameField,
          field(t("mod.reason"), reason, t("mod.reasonNote")),
        ],
        t("mod.do"),
        async () => {
          const action = choice.value;
          if (action === "warn" && !warning.value.trim()) throw new Error(t("mod.warningMissing"));
          const path = /** @type {const} */ (`/api/admin/user/${encodeURIComponent(this.user.id)}`);
          const fields = { reason: reasonOf(reason) };
          const limit = hasEnd() && Number(days.value);
          const last = Math.max(...this.user.reports.map(({ number }) => number));
          if (action === "warn")
            this.user = await post(`${path}/warn`, { ...fields, text: warning.value });
          else if (action === "rename")
            this.user = await post(`${path}/rename`, {
              ...fields,
              ...(name.value ? { name: name.value } : {}),
            });
          else
            this.user = await post(`${path}/${action}`, {
              ...fields,
              ...(limit ? { days: limit } : {}),
              ...(action === "resolve" ? { last } : {}),
            });
          toast(t("mod.saved"));
          this.show(this.user);
        },
      ),
    );
  }
}
