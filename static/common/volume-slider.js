// Slider of the volume of all sounds. Used by the page of settings and the dialog of a game.
import { setSoundVolume, sound, soundVolume } from "../board/sound.js";
import { h } from "../lib/dom.js";
import { t } from "../lib/i18n.js";

const STEP = 10;

/** Builds the slider. A change plays a sample if sounds are on. */
export const volumeSlider = () => {
  const input = h("input", {
    type: "range",
    min: STEP,
    max: 100,
    step: STEP,
    value: Math.round(100 * soundVolume()),
    onchange: () => sound("yours"),
  });
  input.addEventListener("input", () => setSoundVolume(Number(input.value) / 100));
  return h("label", { class: "field volume-slider" }, t("setting.volume"), input);
};
