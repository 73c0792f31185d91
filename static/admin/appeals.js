// Appeals against closed accounts. Used by admin.js and person.js.
import { h } from "../lib/dom.js";
import { get } from "../lib/http.js";
import { agoText, dateTimeText } from "../lib/format-time.js";
import { t } from "../lib/i18n.js";
import { userLink } from "./log.js";

/**
 * Returns an appeal as a section.
 * @param {ClosingAppeal} appeal
 */
export const appealText = ({ text, at, declinedAt }) =>
  h(
    "div",
    { class: "admin-report" },
    h("h3", {}, t("mod.appeal")),
    h("span", { class: "admin-text" }, text),
    h(
      "span",
      { class: "small weak" },
      dateTimeText(at),
      declinedAt && ` · ${t("mod.declinedAt", { date: dateTimeText(declinedAt) })}`,
    ),
  );

/** @param {ClosingAppeal} appeal */
const appealRow = ({ id, name, text, at }) =>
  h(
    "li",
    {},
    h(
      "span",
      { class: "account-list-text" },
      h("a", { class: "admin-link", href: userLink(id) }, h("b", {}, name)),
      h("span", { class: "admin-text" }, text),
      h("span", { class: "small weak" }, agoText(at)),
    ),
  );

/** Loads the section. */
export const appealsSection = async () => {
  /** @type {ClosingAppeal[]} */
  const appeals = await get("/api/admin/appeals");
  return h(
    "section",
    { class: "card account-section" },
    h("h2", {}, t("mod.view.appeals")),
    appeals.length
      ? h("ol", { class: "account-list" }, ...appeals.map(appealRow))
      : h("p", { class: "soft" }, t("mod.noAppeals")),
  );
};
