// Question of a game with days per move whether the browser may notify the player. It covers the
// panel, in the place of the question about confirmation, and is removed after a while; without an
// answer the next game asks again. Loaded by effect-runner.js.
import "../lib/i18n-more.js";
import { t } from "../lib/i18n.js";
import { askForPush } from "../common/push-question.js";

/** Time for which the question is shown. */
const SHOWN_MS = 30000;

/**
 * Pages that have asked.
 * @type {WeakSet<import("./page.js").GamePage>}
 */
const asked = new WeakSet();

/**
 * Asks after a move of the player, once per page, unless another question is open.
 * @param {import("./page.js").GamePage} page
 */
export const askInGame = async (page) => {
  const isBusy = () => page.game.end || page.confirmationQuestion.isOpen || page.prompt.isAsking();
  if (asked.has(page) || isBusy() || page.isComputer(page.them)) return;
  asked.add(page);
  await askForPush(t("notify.ask", { name: page.name(page.them) }), (question) => {
    if (isBusy()) return;
    question.classList.add("confirmation-question");
    page.layout.panel.append(question);
    setTimeout(() => question.remove(), SHOWN_MS);
  });
};
