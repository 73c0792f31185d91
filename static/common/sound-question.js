// Question whether sounds are wanted, asked once, after the first finished game. It lies in the
// header, on phones over the title of the game: it covers no board, name, clock or result. It goes
// away by itself; without an answer the sounds stay off. Used by games, also those on one device.
import { setSoundEnabled } from "../board/sound.js";
import { h } from "../lib/dom.js";
import { loadStyleSheet } from "../lib/style-sheet.js";
import { soundSetting } from "../lib/settings.js";
import "../lib/i18n-more.js";
import { t } from "../lib/i18n.js";

/** Time for which the question is shown. */
const SHOWN_MS = 30000;

/** Asks the question, unless it has been answered or the sound has been switched before. */
export const askForSound = async () => {
  if (soundSetting.isSet()) return;
  await loadStyleSheet("sound-question");
  // The strip of a search has the same place on phones.
  if (soundSetting.isSet() || document.querySelector(".sound-question, .search-strip")) return;
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
  const timer = setTimeout(() => close(), SHOWN_MS);
  // The switch of the header answers it, too.
  const close = () => {
    clearTimeout(timer);
    removeEventListener("settings", close);
    question.remove();
  };
  addEventListener("settings", close);
  document.querySelector("header.site-header").append(question);
  // It has been asked.
  soundSetting.set(false);
};
