// Question whether this browser may notify the player: after a move in a game with days per move,
// after posting a challenge, and with the wish to be notified of a game night. It is one line that
// covers no board and no clock. Once answered, it is never asked again in this browser. Loaded on
// use by games, challenges and their form, and the page of the game nights.
import { h, toast } from "../lib/dom.js";
import { loadStyleSheet } from "../lib/style-sheet.js";
import { setting } from "../lib/settings.js";
import "../lib/i18n-more.js";
import { t } from "../lib/i18n.js";
import { loadPush, pushObstacle, subscribePush } from "./push.js";

/** Lifetime of a challenge from which the question makes sense. */
const CHALLENGE_MIN_MS = 10 * 60000;

const answeredSetting = setting("pushAnswered", false);

/**
 * Asks the question, unless it has been answered, is shown already, or push messages are impossible
 * or on. `show` puts it into the page.
 * @param {string} question
 * @param {(element: HTMLElement) => unknown} show
 */
export const askForPush = async (question, show) => {
  if (answeredSetting.get() || pushObstacle()) return;
  const status = await loadPush();
  if (status.state !== "off") return;
  await loadStyleSheet("push-question");
  if (answeredSetting.get() || document.querySelector(".push-question")) return;
  const button = (/** @type {string} */ key, /** @type {() => unknown} */ answer) =>
    h("button", { type: "button", class: "btn", onclick: answer }, t(key));
  const answer = () => {
    answeredSetting.set(true);
    element.remove();
  };
  const accept = () => {
    subscribePush(/** @type {string} */ (status.server.publicKey)).catch(() =>
      toast(t("notify.failed")),
    );
    answer();
  };
  const element = h(
    "div",
    { class: "push-question", role: "group", "aria-label": question },
    h("span", { role: "status" }, question),
    button("notify.yes", accept),
    button("news.notnow", answer),
  );
  show(element);
};

/**
 * Asks the creator of a challenge that stays open for a while.
 * @param {Challenge} challenge
 * @param {number} now
 * @param {(element: HTMLElement) => unknown} show
 */
export const askAfterPosting = async (challenge, now, show) => {
  const { status, expiresAt } = challenge;
  if (status === "created" && expiresAt - now > CHALLENGE_MIN_MS)
    await askForPush(t("notify.askAccepted"), show);
};
