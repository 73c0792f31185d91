// Field for the second factor, in forms that log in or set a new password, and in the dialogs of
// the account page: a code, a recovery word or a passkey. It appears when the server asks for one.
import { uniqueId } from "../lib/form.js";
import { h } from "../lib/dom.js";
import { loadStyleSheet } from "../lib/style-sheet.js";
import { hasPasskeys, provePasskey } from "./passkey-prompt.js";
import "../lib/i18n-more.js";
import { t } from "../lib/i18n.js";

/**
 * @typedef {import("./passkey-prompt.js").PasskeyRequest} PasskeyRequest
 * @typedef {Error & { reason?: string, body?: { kinds?: string[], passkey?: PasskeyRequest } }}
 *   Refusal
 */

/** Reasons of refusals that concern the code, and those that concern a passkey. */
const CODE_REASONS = ["secondFactorRequired", "badCode"];
const PASSKEY_REASONS = ["badPasskey", "copiedPasskey", "expiredPasskey", "noPasskeys"];

/** Length of the text of a recovery word, with room for spaces. */
const TEXT_MAX = 60;

class CodeField {
  /** @type {"code" | "word" | "none"} */ mode = "code";
  /** Challenge that no answer was sent to. @type {PasskeyRequest | undefined} */ request;
  /** @type {string | undefined} */ answer;
  /** Whether the next request, and the one that was sent last, are to get a challenge. */
  isPromptDue = false;
  isPromptAwaited = false;
  hasApp = true;
  /** Whether neither the input nor the button is shown. */
  isDeadEnd = false;

  /** @param {boolean} takesWords */
  constructor(takesWords) {
    this.takesWords = takesWords;
    const noteId = uniqueId("note");
    this.input = h("input", {
      name: "code",
      required: true,
      maxlength: TEXT_MAX,
      autocapitalize: "none",
      spellcheck: "false",
      "aria-describedby": noteId,
      oninput: () => this.dropAnswer(),
    });
    this.label = h("span");
    this.note = h("span", { class: "small weak", id: noteId });
    this.field = h("label", { class: "field" }, this.label, this.input, this.note);
    const handleToggle = () => this.switchMode();
    this.toggle = h("button", { class: "btn btn-quiet", type: "button", onclick: handleToggle });
    const handleUse = () => this.prompt();
    this.use = h(
      "button",
      { class: "btn", type: "button", hidden: true, onclick: handleUse },
      t("passkey.use"),
    );
    this.notHere = h("p", { class: "small soft", role: "status" });
    this.error = h("p", { class: "form-error", role: "alert" });
    this.element = h(
      "div",
      { class: "code-field", hidden: true },
      this.use,
      this.error,
      this.notHere,
      this.field,
      takesWords && this.toggle,
    );
    this.update();
  }

  update() {
    const isWord = this.mode === "word";
    this.field.hidden = this.mode === "none";
    this.label.textContent = t(isWord ? "recovery.word" : "factor.code");
    this.note.textContent = t(isWord ? "factor.wordNote" : "factor.codeNote");
    this.toggle.textContent = t(isWord ? "factor.useCode" : "factor.useWord");
    this.toggle.hidden = isWord && !this.hasApp;
    this.isDeadEnd = this.mode === "none" && Boolean(this.use.hidden);
    this.input.autocomplete = isWord ? "off" : "one-time-code";
    this.input.inputMode = isWord ? "text" : "numeric";
  }

  switchMode() {
    this.mode = this.mode === "word" ? "code" : "word";
    this.input.value = "";
    this.input.removeAttribute("aria-invalid");
    this.dropAnswer();
    this.update();
    this.input.focus();
  }

  /** Drops an answer that was not sent, for a code. */
  dropAnswer() {
    this.answer = undefined;
    this.isPromptDue = false;
  }

  show() {
    loadStyleSheet("code-field");
    this.element.hidden = false;
  }

  /**
   * Offers the second factors of the account.
   * @param {string[]} kinds
   * @param {PasskeyRequest | undefined} request
   */
  offer(kinds, request) {
    const canPrompt = Boolean(request) && hasPasskeys();
    this.request = request;
    this.use.hidden = !canPrompt;
    this.hasApp = kinds.includes("totp");
    const withoutApp = canPrompt || !this.takesWords ? "none" : "word";
    if (this.mode !== "word") this.mode = this.hasApp ? "code" : withoutApp;
    this.update();
    const isMissed = !canPrompt && !this.isDeadEnd && kinds.includes("passkey");
    this.notHere.textContent = isMissed ? t("passkey.notHere") : "";
  }

  /** Has the browser ask for a passkey, then sends the form. */
  async prompt() {
    if (this.use.classList.contains("is-busy")) return;
    this.error.textContent = "";
    const { request } = this;
    if (request) {
      this.use.classList.add("is-busy");
      try {
        this.answer = await provePasskey(request);
      } catch (error) {
        this.error.textContent = /** @type {Error} */ (error).message;
        return;
      } finally {
        this.use.classList.remove("is-busy");
      }
      this.request = undefined;
    }
    // Without a challenge, the form is sent to get one.
    this.isPromptDue = !request;
    this.element.closest("form")?.requestSubmit();
  }

  /** Returns the fields of the request. The answer of a passkey is sent once. */
  fields() {
    const { answer } = this;
    this.answer = undefined;
    [this.isPromptAwaited, this.isPromptDue] = [this.isPromptDue, false];
    const text = answer || this.isPromptAwaited ? "" : this.input.value.trim();
    return { code: text || undefined, passkey: answer };
  }

  /** Focuses the input, or the button if there is no input. */
  focus() {
    if (this.isDeadEnd) return;
    if (this.mode === "none") return this.use.focus();
    this.input.focus();
    this.input.select();
  }

  /** @param {Refusal} refused */
  explain(refused) {
    const { reason = "", body } = refused;
    this.error.textContent = "";
    if (PASSKEY_REASONS.includes(reason)) {
      if (!this.use.hidden) this.use.focus();
      return refused;
    }
    if (!CODE_REASONS.includes(reason)) return refused;
    if (body?.kinds) this.offer(body.kinds, body.passkey);
    if (this.isPromptAwaited && this.request && reason === "secondFactorRequired") {
      this.prompt();
      return new Error("");
    }
    const isFirst = this.element.hidden;
    this.show();
    this.input.setAttribute("aria-invalid", String(!isFirst));
    this.focus();
    if (this.isDeadEnd) return new Error(t("passkey.needed"));
    if (isFirst) return new Error("");
    if (reason === "badCode")
      return this.mode === "word" ? new Error(t("factor.badWord")) : refused;
    if (!this.use.hidden) return new Error(t("passkey.required"));
    return this.hasApp ? refused : new Error(t("factor.wordRequired"));
  }
}

/**
 * Returns the field. `fields()` returns its fields of the request; `isAbout()` whether a refusal
 * concerns it. `explain()` returns the error to show for a refusal; if the server asks for a second
 * factor for the first time, it shows the field, and the error is empty. `rethrow()` throws it.
 * @param {{ takesWords: boolean }} options  `takesWords`: recovery words, too
 */
export const codeField = ({ takesWords }) => {
  const field = new CodeField(takesWords);
  return {
    element: field.element,
    isAbout: ({ reason = "" }) => [...CODE_REASONS, ...PASSKEY_REASONS].includes(reason),
    explain: (/** @type {Refusal} */ refused) => field.explain(refused),
    rethrow: (/** @type {Refusal} */ refused) => {
      throw field.explain(refused);
    },
    fields: () => field.fields(),
  };
};
