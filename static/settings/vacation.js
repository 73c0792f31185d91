// Section of the account's vacation, which stops the time for moves in games with days per move.
// Accounts only. Called by `settings.js`.
import { accountWithRetry, get, post } from "../lib/http.js";
import { field, form } from "../lib/form.js";
import { openDialog } from "../lib/dialog.js";
import { h, toast } from "../lib/dom.js";
import { dayText } from "../lib/format-time.js";
import "../lib/i18n-more.js";
import { overrideReason, t } from "../lib/i18n.js";

/** @param {Pick<VacationOut, "daysLeft" | "year">} allowance */
const leftText = ({ daysLeft, year }) =>
  t(daysLeft ? "vacation.left" : "vacation.noneLeft", { n: daysLeft, year });

/**
 * Opens the dialog that takes a vacation.
 * @param {Pick<VacationOut, "daysLeft" | "year">} allowance
 * @param {(vacation: VacationOut) => unknown} taken
 */
const openVacationDialog = ({ daysLeft, year }, taken) =>
  openDialog(t("vacation.take"), (close) => {
    const days = h("input", {
      name: "days",
      type: "number",
      inputmode: "numeric",
      required: true,
      min: 1,
      max: daysLeft,
      value: Math.min(7, daysLeft),
    });
    return form(
      [
        h("p", { class: "soft" }, t("vacation.used")),
        field(t("vacation.days"), days, leftText({ daysLeft, year })),
      ],
      t("vacation.start"),
      async () => {
        const wanted = Number(days.value);
        if (!Number.isInteger(wanted) || wanted < 1 || wanted > daysLeft) {
          days.focus();
          throw new Error(t("vacation.range", { n: daysLeft }));
        }
        // Days may have been taken on another page since.
        const refusal = overrideReason("badTime", "vacation.changed");
        taken(await post("/api/account/vacation", { days: wanted }).catch(refusal));
        close();
        toast(t("vacation.started"));
      },
    );
  });

/** Returns the section's content, which is filled once the vacation is loaded. */
export const vacationSetting = () => {
  const state = h("p", { role: "status" });
  const left = h("p", { class: "small soft" });
  const take = h("button", { class: "btn", type: "button", hidden: true }, t("vacation.take"));
  let daysLeft = 0;
  let year = 0;

  /** @param {VacationOut} vacation */
  const show = (vacation) => {
    const { until } = vacation;
    ({ daysLeft, year } = vacation);
    state.textContent = until ? t("vacation.until", { date: dayText(until) }) : t("vacation.none");
    left.textContent = leftText({ daysLeft, year });
    take.textContent = t(until ? "vacation.extend" : "vacation.take");
    take.hidden = daysLeft === 0;
  };
  take.addEventListener("click", () => openVacationDialog({ daysLeft, year }, show));
  const load = async () => {
    const account = await accountWithRetry();
    if (account.guest) state.textContent = t("vacation.guest");
    else show(await get("/api/account/vacation"));
  };
  load().catch((refused) => (state.textContent = refused.message));
  return h(
    "div",
    { class: "settings-choice" },
    h("p", { class: "small weak" }, t("vacation.note")),
    state,
    left,
    h("div", {}, take),
  );
};
