// Field for the number of days that an action lasts. Used by person.js and origins.js.
import { selectBox } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

/** Numbers of days that an action can last; 0 is for good. */
const DAYS = [1, 3, 7, 30, 90, 365, 0];

/** Returns the field. */
export const daysInput = () =>
  selectBox(
    { name: "days" },
    DAYS.map((number) => [number, number ? t("mod.days", { n: number }) : t("mod.forGood")]),
    7,
  );
