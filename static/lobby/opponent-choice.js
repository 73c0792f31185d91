// Choice of the recipient of a challenge. Created by challenge-form.js.
import { get } from "../lib/http.js";
import { choiceGroup, h } from "../lib/dom.js";
import "../lib/i18n-more.js";
import { t } from "../lib/i18n.js";

/** Shortest term for which names are suggested, and the debounce delay of the request. */
const LETTERS_MIN = 2;
const SUGGEST_DELAY_MS = 200;

const RECIPIENTS = ["list", "named", "link", "open"];

/** Radio group for the recipient of a challenge, with a name field and suggestions. */
export class OpponentChoice {
  /** @type {number} */ suggestTimer;

  /**
   * @param {string | null | undefined} name  preselected opponent
   * @param {(recipient: string) => unknown} changed  called with the new recipient type
   */
  constructor(name, changed) {
    this.recipient = name ? "named" : "list";
    this.names = h("datalist", { id: `names-${OpponentChoice.count++}` });
    this.name = h("input", {
      name: "opponent",
      list: this.names.id,
      value: name ?? "",
      maxlength: 21,
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
    });
    this.name.addEventListener("input", () => this.suggest());
    this.field = h("label", { class: "field" }, t("form.name"), this.name, this.names);
    this.note = h("p", { class: "small weak" });
    const group = choiceGroup(
      "segmented is-two-column",
      t("form.against"),
      RECIPIENTS.map((recipient) => [recipient, t(`recipient.${recipient}`)]),
      this.recipient,
      (recipient) => {
        this.recipient = recipient;
        this.draw();
        changed(recipient);
        if (recipient === "named") this.name.focus();
      },
    );
    this.element = h(
      "fieldset",
      {},
      h("legend", {}, t("form.against")),
      group,
      this.field,
      this.note,
    );
    this.draw();
  }

  /** Number of instances: two forms exist while one is open as a dialog, and ids must be unique. */
  static count = 0;

  draw() {
    this.field.hidden = this.recipient !== "named";
    this.note.textContent = t(`recipient.${this.recipient}Why`);
    this.note.hidden = this.recipient === "list";
    this.name.removeAttribute("aria-invalid");
  }

  suggest() {
    this.name.removeAttribute("aria-invalid");
    clearTimeout(this.suggestTimer);
    const term = this.name.value.trim();
    if (term.length < LETTERS_MIN) return;
    this.suggestTimer = setTimeout(async () => {
      const names = /** @type {string[]} */ (
        await get(`/api/player/autocomplete?term=${encodeURIComponent(term)}`).catch(() => [])
      );
      this.names.replaceChildren(...names.map((value) => h("option", { value })));
    }, SUGGEST_DELAY_MS);
  }

  /** Returns whether a required name is present; if not, marks the field and focuses it. */
  validate() {
    const isValid = this.recipient !== "named" || this.name.value.trim() !== "";
    if (!isValid) {
      this.name.setAttribute("aria-invalid", "true");
      this.name.focus();
    }
    return isValid;
  }

  /**
   * Returns the API path for the chosen recipient.
   * @returns {"/api/challenge" | `/api/challenge/${string}`}
   */
  path() {
    /** @type {Record<string, `/api/challenge/${string}`>} */
    const paths = {
      named: `/api/challenge/${encodeURIComponent(this.name.value.trim())}`,
      open: "/api/challenge/open",
    };
    return paths[this.recipient] ?? "/api/challenge";
  }

  /** Returns the request fields that the chosen recipient adds. */
  fields() {
    return this.recipient === "link" ? { listed: false } : {};
  }
}
