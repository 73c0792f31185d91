// Setting of the account: hours before the deadline of a move at which it gets reminders, by push
// messages and e-mail. A change is stored at once.
import { accountWithRetry, get, post } from "../lib/http.js";
import { h } from "../lib/dom.js";
import "../lib/i18n-more.js";
import { t } from "../lib/i18n.js";

/** Hours that can be chosen. */
const HOURS = [48, 24, 12, 6, 3, 1];

/** Returns the setting: a checkbox for each time, which are shown once they are loaded. */
export const reminderTimes = () => {
  const label = t("notify.reminderTimes");
  const state = h("p", { class: "small soft", role: "status" });
  const buttons = HOURS.map((hours) =>
    h(
      "button",
      { type: "button", role: "checkbox", "aria-label": t("notify.reminderTime", { n: hours }) },
      String(hours),
    ),
  );
  const note = h(
    "span",
    { class: "small weak", id: "reminder-note" },
    t("notify.reminderTimesNote"),
  );
  const group = h(
    "div",
    {
      class: "segmented",
      role: "group",
      "aria-label": label,
      "aria-describedby": "reminder-note",
      hidden: true,
    },
    ...buttons,
  );
  /** @type {number[]} */
  let times = [];
  /** Requests one after the other: the last change is the one that is stored. */
  let stored = Promise.resolve();

  /** @param {number[]} shown */
  const show = (shown) => {
    times = shown;
    buttons.forEach((button, at) =>
      button.setAttribute("aria-checked", String(times.includes(HOURS[at]))),
    );
    group.hidden = false;
  };
  const load = async () => {
    const { enabled, times: wanted } = await get("/api/account/reminders");
    if (enabled) show(wanted);
    else state.textContent = t("notify.noReminders");
  };
  const send = (/** @type {number[]} */ chosen) =>
    post("/api/account/reminders", { times: chosen.join(",") || "none" });
  /** @param {number} hours */
  const change = (hours) => {
    const isChosen = times.includes(hours);
    const chosen = isChosen ? times.filter((other) => other !== hours) : [...times, hours];
    show(chosen);
    state.textContent = "";
    stored = stored
      .then(async () => void (await send(chosen)))
      .catch(async (refused) => {
        state.textContent = refused.message;
        await load().catch(() => {});
      });
  };

  buttons.forEach((button, at) => button.addEventListener("click", () => change(HOURS[at])));
  accountWithRetry()
    .then(load)
    .catch((refused) => (state.textContent = refused.message));
  return h("div", { class: "settings-choice" }, h("span", {}, label), note, group, state);
};
