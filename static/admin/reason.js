// Reason of a moderator action. Used by the sections of the moderators' page.
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

const REASON_MAX = 500;

/** Returns the input of a reason. */
export const reasonInput = () =>
  h("textarea", { name: "reason", rows: 3, maxlength: REASON_MAX, required: true });

/**
 * Returns the reason of an input; throws without one.
 * @param {HTMLTextAreaElement} input
 */
export const reasonOf = (input) => {
  if (!input.value.trim()) throw new Error(t("mod.reasonMissing"));
  return input.value;
};
