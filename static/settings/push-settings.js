// Settings of push messages: a switch for this browser with its state in words, and the kinds of
// messages of the account.
import { loadPush, subscribePush, unsubscribePush } from "../common/push.js";
import { h, toggle } from "../lib/dom.js";
import "../lib/i18n-more.js";
import { t } from "../lib/i18n.js";
import { post } from "../lib/http.js";

/** @typedef {import("../common/push.js").PushStatus} PushStatus */

/**
 * Kinds of messages in the order of the page.
 * @type {("myTurn" | "challenge" | "gameStart" | "deadline" | "eventStart")[]}
 */
const KINDS = ["myTurn", "challenge", "gameStart", "deadline", "eventStart"];

/**
 * Builds the switches of the kinds. A change is stored at once.
 * @param {PushOut["kinds"]} kinds
 * @param {(refused: Error) => unknown} onError
 */
const kindSwitches = (kinds, onError) =>
  KINDS.map((kind) =>
    toggle(t(`notify.${kind}`), kinds[kind], (on) => {
      kinds[kind] = on;
      post("/api/push/kinds", kinds).catch(onError);
    }),
  );

/** Builds the switch, its state in words, and the switches of the kinds. */
export const pushSettings = () => {
  const state = h("p", { class: "small soft", role: "status" });
  const kinds = h("div", { class: "settings-choice", role: "group" });
  /** @type {PushStatus | null} */
  let status = null;

  /** @param {string} [text]  error message */
  const show = (text) => {
    const name = status?.state;
    const isOn = name === "on";
    input.setAttribute("aria-checked", String(isOn));
    input.setAttribute("aria-disabled", String(!isOn && name !== "off"));
    state.textContent = text ?? (name ? t(`notify.${name}`) : "");
    kinds.hidden = !isOn;
  };
  const refresh = async () => {
    try {
      status = await loadPush();
      const { server } = /** @type {{ server?: PushOut }} */ (status);
      const onError = (/** @type {Error} */ { message }) => show(message);
      const switches = server ? kindSwitches(server.kinds, onError) : [];
      kinds.replaceChildren(h("span", {}, t("notify.kinds")), ...switches);
      show();
    } catch (refused) {
      show(/** @type {Error} */ (refused).message);
    }
  };
  /** @param {boolean} on */
  const change = async (on) => {
    const { server } = /** @type {{ server: PushOut }} */ (status);
    const changed = on
      ? subscribePush(/** @type {string} */ (server.publicKey))
      : unsubscribePush();
    input.setAttribute("aria-disabled", "true");
    const failure = await changed.then(
      () => undefined,
      () => t("notify.failed"),
    );
    await refresh();
    if (failure) show(failure);
  };

  const input = toggle(t("notify.here"), false, change);
  kinds.setAttribute("aria-label", t("notify.kinds"));
  show();
  refresh();
  return [input, state, kinds];
};
