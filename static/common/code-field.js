// Field for the code of a second factor, in forms that log in or set a new password, and in the
// dialogs of the account page. It appears when the server asks for a code.
import { uniqueId } from "../lib/form.js";
import { h } from "../lib/dom.js";
import { loadStyleSheet } from "../lib/style-sheet.js";
import "../lib/i18n-more.js";
import { t } from "../lib/i18n.js";

/** Reasons of refusals that concern the code. */
const REASONS = ["secondFactorRequired", "badCode"];

/** Length of the text of a recovery word, with room for spaces. */
const TEXT_MAX = 60;

/**
 * Returns the field. Its code is `undefined` while it is empty. `isAbout()` returns whether a
 * refusal concerns the code. `explain()` returns the error to show for a refusal; if the server
 * asks for a code for the first time, it shows the field, and the error is empty. `rethrow()`
 * throws it.
 * @param {{ takesWords: boolean, isShown?: boolean }} options  `takesWords`: recovery words, too
 */
export const codeField = ({ takesWords, isShown = false }) => {
  const input = h("input", {
    name: "code",
    required: true,
    maxlength: TEXT_MAX,
    autocapitalize: "none",
    spellcheck: "false",
  });
  const noteId = uniqueId("note");
  const [label, note] = [h("span"), h("span", { class: "small weak", id: noteId })];
  input.setAttribute("aria-describedby", noteId);
  const toggle = h("button", { class: "btn btn-quiet", type: "button" });
  let isWord = false;
  const update = () => {
    label.textContent = t(isWord ? "recovery.word" : "factor.code");
    note.textContent = t(isWord ? "factor.wordNote" : "factor.codeNote");
    toggle.textContent = t(isWord ? "factor.useCode" : "factor.useWord");
    input.autocomplete = isWord ? "off" : "one-time-code";
    input.inputMode = isWord ? "text" : "numeric";
  };
  toggle.addEventListener("click", () => {
    isWord = !isWord;
    input.value = "";
    input.removeAttribute("aria-invalid");
    update();
    input.focus();
  });
  update();
  const element = h(
    "div",
    { class: "code-field", hidden: true },
    h("label", { class: "field" }, label, input, note),
    takesWords && toggle,
  );
  const isAbout = (/** @type {{ reason?: string }} */ { reason }) => REASONS.includes(reason ?? "");
  const show = () => {
    loadStyleSheet("code-field");
    element.hidden = false;
  };
  if (isShown) show();
  const explain = (/** @type {Error & { reason?: string }} */ refused) => {
    if (!isAbout(refused)) return refused;
    const isFirst = element.hidden;
    show();
    input.setAttribute("aria-invalid", String(!isFirst));
    input.focus();
    input.select();
    if (isFirst) return new Error("");
    return isWord && refused.reason === "badCode" ? new Error(t("factor.badWord")) : refused;
  };
  const rethrow = (/** @type {Error} */ refused) => {
    throw explain(refused);
  };
  return { element, isAbout, explain, rethrow, code: () => input.value.trim() || undefined };
};
