// Reminder of accounts whose recovery words were not shown, such as those made on the page of an
// invitation: the home page of members shows it until the user has words or dismisses it.
import { h } from "../lib/dom.js";
import { storedText } from "../lib/settings.js";
import "../lib/i18n-more.js";
import { t } from "../lib/i18n.js";

const reminder = storedText("recovery");

/**
 * Sets whether the user of this browser has seen recovery words, or does not want them.
 * @param {boolean} isReminded
 */
export const setReminded = (isReminded) => reminder.set(isReminded ? "" : "due");

/** Returns the reminder, or `null` if none is due. */
export const recoveryReminder = () => {
  if (reminder.get() !== "due") return null;
  const dismiss = () => {
    setReminded(true);
    section.remove();
  };
  const section = h(
    "section",
    { class: "card no-games" },
    h("h2", {}, t("recovery.title")),
    h("p", {}, t("recovery.due")),
    h(
      "div",
      { class: "users-actions" },
      h("a", { class: "btn btn-primary", href: "/account#recovery" }, t("recovery.create")),
      h(
        "button",
        { class: "btn btn-quiet", type: "button", onclick: dismiss },
        t("recovery.later"),
      ),
    ),
  );
  return section;
};
