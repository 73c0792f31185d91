// Section of the account page with the passkeys. Called by `account.js`.
import { currentPassword } from "./current-password.js";
import { ReloadableList } from "./reloadable-list.js";
import { get, post } from "../lib/http.js";
import { field, form } from "../lib/form.js";
import { codeField } from "../common/code-field.js";
import { createPasskey, hasPasskeys } from "../common/passkey-prompt.js";
import { openDialog } from "../lib/dialog.js";
import { h, toast } from "../lib/dom.js";
import { agoText, dayText } from "../lib/format-time.js";
import "../lib/i18n-more.js";
import { overrideReason, t } from "../lib/i18n.js";

/**
 * @typedef {import("../common/passkey-prompt.js").PasskeyRequest} PasskeyRequest
 * @typedef {{ id: string, name: string, createdAt: number, usedAt: number | null }} Passkey
 */

const NAME_MAX = 40;

/** Age of a challenge at which another one is requested: the server accepts answers for 5 min. */
const CHALLENGE_MS = 240_000;

/**
 * Opens the dialog that adds a passkey. Calls `changed` afterwards.
 * @param {() => unknown} changed
 */
const openAddDialog = (changed) =>
  openDialog(t("passkey.add"), (close) => {
    const name = h("input", { name: "name", required: true, maxlength: NAME_MAX });
    const secret = currentPassword();
    const code = codeField({ takesWords: true });
    /**
     * Challenge without an answer, after a prompt that was closed. A code would not work again.
     * @type {{ name: string, request: PasskeyRequest, startedAt: number } | null}
     */
    let pending = null;
    return form(
      [
        h("p", { class: "soft" }, t("passkey.why")),
        field(t("passkey.name"), name, t("passkey.nameNote")),
        field(t("login.password"), secret),
        code.element,
      ],
      t("forgot.continue"),
      async () => {
        if (pending?.name !== name.value || Date.now() - pending.startedAt > CHALLENGE_MS) {
          pending = null;
          const fields = { name: name.value, password: secret.value, ...code.fields() };
          const request = await post("/api/account/passkeys", fields)
            .catch(overrideReason("badPassword", "account.badOld"))
            .catch(overrideReason("tooMany", "passkey.tooMany"))
            .catch(code.rethrow);
          pending = { name: name.value, request, startedAt: Date.now() };
        }
        const passkey = await createPasskey(pending.request);
        pending = null;
        await post("/api/account/passkeys/confirm", { passkey });
        close();
        toast(t("passkey.added"));
        changed();
      },
    );
  });

/**
 * Opens the dialog that removes a passkey. Calls `changed` afterwards.
 * @param {Passkey} passkey
 * @param {() => unknown} changed
 */
const openRemoveDialog = ({ id, name }, changed) =>
  openDialog(t("passkey.removeTitle", { name }), (close) => {
    const secret = currentPassword();
    const code = codeField({ takesWords: true });
    return form(
      [
        h("p", { class: "soft" }, t("passkey.removeWhy")),
        field(t("login.password"), secret),
        code.element,
      ],
      t("passkey.remove"),
      async () => {
        const fields = { password: secret.value, ...code.fields() };
        await post(`/api/account/passkeys/${id}/remove`, fields)
          .catch(overrideReason("badPassword", "account.badOld"))
          .catch(code.rethrow);
        close();
        toast(t("passkey.removed"));
        changed();
      },
      "btn btn-danger",
    );
  });

/**
 * Returns the section, which is hidden where passkeys do not work, unless the account has some; and
 * a function that takes the number of recovery words.
 * @param {() => unknown} removed  called after a passkey was removed, which can use up a word
 */
export const passkeysSection = (removed) => {
  const advice = h("p", { class: "small soft", hidden: true }, t("passkey.words"));
  const handleAdd = () => openAddDialog(() => list.reload());
  const add = h(
    "button",
    { class: "btn", type: "button", hidden: true, onclick: handleAdd },
    t("passkey.add"),
  );
  let hasAny = false;
  /** @type {number | null} */
  let words = null;
  const showAdvice = () => (advice.hidden = !hasAny || words !== 0);
  const load = async () => {
    const { passkeys, canUsePasskeys } = await get("/api/account/second-factor").catch((error) => {
      section.hidden = false;
      throw error;
    });
    const canAdd = canUsePasskeys && hasPasskeys();
    hasAny = passkeys.length > 0;
    add.hidden = !canAdd;
    section.hidden = !canAdd && !hasAny;
    showAdvice();
    return passkeys;
  };
  /** @type {(passkey: Passkey, again: () => Promise<void>) => Child[]} */
  const row = (passkey, again) => {
    const { name, createdAt, usedAt } = passkey;
    const handleRemoved = () => {
      again();
      removed();
    };
    const handleRemove = () => openRemoveDialog(passkey, handleRemoved);
    return [
      h(
        "span",
        { class: "account-list-text" },
        h("b", {}, name),
        h(
          "span",
          { class: "small soft" },
          t("passkey.made", { date: dayText(createdAt) }),
          " · ",
          usedAt ? t("token.used", { ago: agoText(usedAt) }) : t("token.unused"),
        ),
      ),
      h(
        "button",
        {
          class: "btn",
          type: "button",
          "aria-label": t("passkey.removeTitle", { name }),
          onclick: handleRemove,
        },
        t("passkey.remove"),
      ),
    ];
  };
  const section = h("section", {
    class: "card account-section",
    id: "passkeys",
    hidden: true,
  });
  const list = new ReloadableList(t("passkey.title"), load, row, t("passkey.none"));
  section.append(
    h("h2", {}, t("passkey.title")),
    h("p", { class: "small soft" }, t("passkey.why")),
    list.element,
    advice,
    h("div", { class: "users-actions" }, add),
  );
  const setWordCount = (/** @type {number} */ count) => {
    words = count;
    showAdvice();
  };
  return { section, setWordCount };
};
