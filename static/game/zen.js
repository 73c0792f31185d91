// Zen mode: only board, clocks and status line. Used by `page.js` and the settings dialog.
import { h, iconSvg } from "../lib/dom.js";
import { CLOSE } from "../lib/icons.js";
import { isReservedKey } from "../lib/keyboard.js";
import { zenSetting } from "../lib/settings.js";
import { t } from "../lib/i18n.js";

/** Returns whether zen mode is active. */
export const isZen = () => document.body.classList.contains("is-zen");

/**
 * Enters or leaves zen mode.
 * @param {boolean} on
 */
export const setZen = (on) => {
  zenSetting.set(on);
  document.body.classList.toggle("is-zen", on);
};

const leaveButton = () =>
  h(
    "button",
    {
      type: "button",
      class: "icon zen-leave",
      "aria-label": t("setting.leave"),
      title: t("setting.leave"),
      onclick: () => setZen(false),
    },
    iconSvg(CLOSE),
  );

/**
 * Whether Escape cancels pending input before it ends zen mode.
 * @param {import("./page.js").GamePage} page
 */
const hasPendingInput = ({ prompt, moveInput, premove }) =>
  Boolean(prompt.hasQuestion || moveInput.isInProgress() || premove.chosen.length);

/**
 * Restores the mode of this tab, and adds the button that leaves it. Escape leaves it, too, if
 * there is no pending input to cancel.
 * @param {import("./page.js").GamePage} page
 */
export const initZen = (page) => {
  document.body.append(leaveButton());
  setZen(zenSetting.get());
  document.addEventListener(
    "keydown",
    (event) => {
      if (
        event.key === "Escape" &&
        !event.repeat &&
        !isReservedKey(event) &&
        !hasPendingInput(page)
      )
        setZen(false);
    },
    true,
  );
};
