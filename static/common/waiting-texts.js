// Texts of the inbox that wait until no clock of the user can run. A later page of the tab may show
// them.
import { toast } from "../lib/dom.js";
import { waitingTexts } from "../lib/settings.js";

/**
 * Shows a text for some seconds, or keeps it while a clock of the user can run.
 * @param {string} text
 * @param {boolean} isBusy
 */
export const showOrKeep = (text, isBusy) => {
  if (isBusy) waitingTexts.set([...waitingTexts.get(), text]);
  else toast(text);
};

/** Shows the texts that have waited. */
export const showWaiting = () => {
  const texts = waitingTexts.get();
  if (texts.length) waitingTexts.set([]);
  texts.forEach((text) => toast(text));
};
