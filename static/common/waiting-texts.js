// Texts of the inbox that are told once no clock of the user can run, maybe on a later page of the
// tab.
import { toast } from "../lib/dom.js";
import { waitingTexts } from "../lib/settings.js";

/**
 * Shows a text for some seconds, or keeps it while a clock of the user can run.
 * @param {string} text
 * @param {boolean} isBusy
 */
export const tell = (text, isBusy) => {
  if (isBusy) waitingTexts.set([...waitingTexts.get(), text]);
  else toast(text);
};

/** Shows the texts that have waited. */
export const tellWaiting = () => {
  const texts = waitingTexts.get();
  if (texts.length) waitingTexts.set([]);
  texts.forEach((text) => toast(text));
};
