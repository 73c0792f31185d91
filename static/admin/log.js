// List of moderator actions. Used by admin.js and person.js.
import { h } from "../lib/dom.js";
import { dateTimeText, dayText } from "../lib/format-time.js";
import { t } from "../lib/i18n.js";

/** Actions with a phrase; those of later versions are shown by their names. */
const LOGGED_ACTIONS = [
  "mute",
  "unmute",
  "close",
  "reopen",
  "decline-appeal",
  "rename",
  "warn",
  "delete-chat",
  "void-game",
  "ban-address",
  "ban-device",
  "lift-ban",
  "erase",
  "clear-profile",
  "note",
  "resolve",
  "reset-link",
  "remove-second-factor",
  "admin",
  "plain",
  "stop-guests",
  "allow-guests",
  "stop-accounts",
  "allow-accounts",
  "slow-mode-on",
  "slow-mode-off",
  "set-limit",
  "reset-limit",
  "dismiss-suspicion",
  "report-now",
  "add-event",
  "remove-event",
];

/**
 * Returns the address of an account on the page of moderators.
 * @param {string} id
 */
export const userLink = (id) => `/admin?user=${encodeURIComponent(id)}`;

/** @param {string} action */
const loggedText = (action) =>
  LOGGED_ACTIONS.includes(action) ? t(`mod.logged.${action}`) : action;

/**
 * @param {ModLogEntry} entry
 * @param {boolean} withName
 */
const logRow = (
  { at, action, aboutId, about, report, game, ban, until, moderator, reason },
  withName,
) =>
  h(
    "li",
    {},
    h(
      "span",
      { class: "account-list-text" },
      h(
        "span",
        {},
        h("b", {}, loggedText(action)),
        report ? ` ${report}` : null,
        ban ? ` ${ban}` : null,
        until ? ` · ${t("mod.until", { date: dayText(until) })}` : null,
        game ? [" · ", h("a", { class: "admin-link", href: `/${game}` }, t("mod.game"))] : null,
        withName && aboutId
          ? [" · ", h("a", { class: "admin-link", href: userLink(aboutId) }, about)]
          : null,
      ),
      reason && h("span", { class: "admin-text" }, reason),
      h(
        "span",
        { class: "small weak" },
        dateTimeText(at),
        moderator && ` · ${t("mod.by", { name: moderator })}`,
      ),
    ),
  );

/**
 * Returns the list of actions, newest first.
 * @param {ModLogEntry[]} entries
 * @param {boolean} withName  whether each has the name of the account
 */
export const logList = (entries, withName) =>
  entries.length
    ? h("ol", { class: "account-list" }, ...entries.map((entry) => logRow(entry, withName)))
    : h("p", { class: "soft" }, t("mod.noActions"));
