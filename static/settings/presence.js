// Section of the account's presence: whether others see when it is online. Accounts only. Called by
// `settings.js`.
import { accountWithRetry, get, post } from "../lib/http.js";
import { h, toggle } from "../lib/dom.js";
import "../lib/i18n-more.js";
import { t } from "../lib/i18n.js";

/** Returns the section's content, which is filled once the setting is loaded. */
export const presenceSetting = () => {
  const state = h("p", { class: "small soft", role: "status" });
  const content = h("div", { class: "settings-choice" }, state);
  /** Requests one after the other: the last change is the one that is stored. */
  let stored = Promise.resolve();

  /** @param {boolean} isShown */
  const show = (isShown) =>
    content.replaceChildren(toggle(t("presence.show"), isShown, change, t("presence.note")), state);
  /** @param {boolean} shown */
  const change = (shown) => {
    state.textContent = "";
    stored = stored
      .then(async () => void (await post("/api/account/presence", { shown })))
      .catch((refused) => {
        show(!shown);
        state.textContent = refused.message;
      });
  };
  const load = async () => {
    const account = await accountWithRetry();
    if (account.guest) state.textContent = t("presence.guest");
    else show((await get("/api/account/presence")).shown);
  };
  load().catch((refused) => (state.textContent = refused.message));
  return content;
};
