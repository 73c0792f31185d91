// Question whether sounds are wanted, asked once, after the first finished game. It covers the bar of
// the player at the far side of the board, except its clock. Without an answer the sounds stay
// off. Used by games, also those on one device.
import { setSoundEnabled } from "../board/sound.js";
import { h } from "../lib/dom.js";
import { loadStyleSheet } from "../lib/style-sheet.js";
import { soundSetting } from "../lib/settings.js";
import "../lib/i18n-more.js";
import { t } from "../lib/i18n.js";

/**
 * Asks the question, unless it has been answered or the sound has been switched before.
 * @param {HTMLElement} bar  bar of the player at the far side
 */
export const askForSound = async (bar) => {
  if (soundSetting.isSet()) return;
  await loadStyleSheet("sound-question");
  if (soundSetting.isSet() || document.querySelector(".sound-question")) return;
  const answer = (/** @type {boolean} */ isOn) => {
    setSoundEnabled(isOn);
    close();
  };
  const button = (/** @type {string} */ key, /** @type {boolean} */ isOn) =>
    h("button", { type: "button", class: "btn", onclick: () => answer(isOn) }, t(key));
  const question = h(
    "div",
    { class: "sound-question", role: "group", "aria-label": t("sound.ask") },
    h("p", { role: "status" }, t("sound.ask")),
    h("div", {}, button("sound.yes", true), button("sound.no", false)),
  );
  // The switch of the header answers it, too.
  const close = () => {
    removeEventListener("settings", close);
    question.remove();
  };
  addEventListener("settings", close);
  bar.append(question);
  // It has been asked.
  soundSetting.set(false);
};
