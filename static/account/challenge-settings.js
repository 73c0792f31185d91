// Section of the account page with the challenge settings. Used by account.js.
import { get, post } from "../lib/http.js";
import { h, toast, toggle } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

const AUDIENCES = /** @type {const} */ ([
  "everyone",
  "accounts",
  "nearRating",
  "followed",
  "nobody",
]);

/** Form of the settings, which stores each change. */
class ChallengeSettingsForm {
  /** @type {ChallengeSettings} */ stored;
  /** Change that is not sent yet.
   * @type {Partial<ChallengeSettings>} */
  next = {};
  isSaving = false;

  /** @param {ChallengeSettings} stored */
  constructor(stored) {
    this.stored = stored;
    this.radios = AUDIENCES.map((audience) =>
      h("input", {
        type: "radio",
        name: "audience",
        value: audience,
        onchange: () => this.save({ audience }),
      }),
    );
    this.casual = toggle(t("audience.casualOnly"), false, (casualOnly) =>
      this.save({ casualOnly }),
    );
    this.error = h("p", { class: "form-error", role: "alert", hidden: true });
    const options = this.radios.map((radio) =>
      h("label", {}, radio, h("span", {}, t(`audience.${radio.value}`))),
    );
    const legend = h("legend", { class: "visually-hidden" }, t("audience.title"));
    this.element = h(
      "div",
      {},
      h("fieldset", { class: "account-options" }, legend, ...options),
      this.casual,
      this.error,
    );
    this.draw();
  }

  /** Shows the stored settings. */
  draw() {
    const { audience, casualOnly } = this.stored;
    for (const radio of this.radios) radio.checked = radio.value === audience;
    this.casual.setAttribute("aria-checked", String(casualOnly));
  }

  /**
   * Stores a change, after an earlier one. Arrow keys select one option after the other.
   * @param {Partial<ChallengeSettings>} change
   */
  async save(change) {
    this.next = { ...this.next, ...change };
    if (this.isSaving) return;
    this.isSaving = true;
    this.error.hidden = true;
    try {
      while (Object.keys(this.next).length) {
        const sent = this.next;
        this.next = {};
        this.stored = await post("/api/account/challenges", sent);
      }
      toast(t("account.saved"));
    } catch (refused) {
      this.next = {};
      this.error.textContent = refused.message;
      this.error.hidden = false;
    }
    this.isSaving = false;
    this.draw();
  }
}

/** Returns the section. */
export const challengeSettingsSection = () => {
  const body = h("div", {});
  get("/api/account/challenges").then(
    (settings) => body.replaceChildren(new ChallengeSettingsForm(settings).element),
    (refused) => body.replaceChildren(h("p", { class: "soft" }, refused.message)),
  );
  return h(
    "section",
    { class: "card account-section", id: "challenges" },
    h("h2", {}, t("audience.title")),
    h("p", { class: "small soft" }, t("audience.why")),
    body,
  );
};
