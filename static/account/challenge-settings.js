// Section of the account page about who may challenge the player by name. Used by account.js.
import { get, post } from "../lib/http.js";
import { h, toast, toggle } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

const AUDIENCES = /** @type {const} */ (["everyone", "accounts", "nearRating", "nobody"]);

/** Returns the section. */
export const challengeSettingsSection = () => {
  const error = h("p", { class: "form-error", role: "alert", hidden: true });
  const showError = (/** @type {string} */ text) => {
    error.hidden = !text;
    error.textContent = text;
  };
  const body = h("div", {});
  /** @param {ChallengeSettings} settings */
  const draw = ({ audience, casualOnly }) => {
    const options = AUDIENCES.map((value) =>
      h(
        "label",
        {},
        h("input", {
          type: "radio",
          name: "audience",
          value,
          checked: value === audience,
          onchange: () => save({ audience: value }),
        }),
        h("span", {}, t(`audience.${value}`)),
      ),
    );
    const legend = h("legend", { class: "visually-hidden" }, t("audience.title"));
    const casual = toggle(t("audience.casualOnly"), casualOnly, (on) => save({ casualOnly: on }));
    body.replaceChildren(h("fieldset", { class: "account-options" }, legend, ...options), casual);
  };
  const load = async () => draw(await get("/api/account/challenges"));
  /** @param {{ audience?: ChallengeAudience, casualOnly?: boolean }} change */
  const save = async (change) => {
    showError("");
    try {
      await post("/api/account/challenges", change);
      toast(t("account.saved"));
    } catch (refused) {
      showError(refused.message);
      // The form shows what is stored.
      load().catch(() => {});
    }
  };
  load().catch((refused) => showError(refused.message));
  return h(
    "section",
    { class: "card account-section", id: "challenges" },
    h("h2", {}, t("audience.title")),
    h("p", { class: "small soft" }, t("audience.why")),
    body,
    error,
  );
};
