// Declining a challenge, with a reason that is kind and helps.
import { post } from "./api.js";
import { openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { declineText } from "./terms.js";
import { say } from "./words.js";

/** The reasons that can be meant of a challenge, seen by that account. */
const reasonsOf = ({ rated, challenger, choices }, me) => {
  const timed = choices.clocks.some(({ timeControl }) => timeControl.type === "clock");
  return ["generic", "later", timed && "tooFast", timed && "tooSlow", "timeControl", rated ? "casual" : "rated", "variant", "standard",
    challenger.title === "BOT" && "noBot", me.title === "BOT" && "onlyBot"].filter(Boolean);
};

/**
 * Asks for a reason and declines with it; `done()` comes after, `failed(refused)` when it was refused.
 * @param {Challenge} challenge
 * @param {Account} me
 * @param {() => unknown} done
 * @param {(refused: Error) => unknown} failed
 */
export const askDecline = (challenge, me, done, failed) => {
  const decline = (reason) => async () => {
    window.close();
    try {
      await post(`/api/challenge/${challenge.id}/decline`, { reason });
      done();
    } catch (refused) {
      failed(refused);
    }
  };
  const buttons = reasonsOf(challenge, me).map((reason) => h("button", { class: "row", type: "button", "data-reason": reason, onclick: decline(reason) }, declineText(reason)));
  const lead = h("p", { class: "small soft" }, say("decline.lead", { name: challenge.challenger?.name }));
  const window = openDialog(say("decline.title"), () => h("div", { class: "ask-body" }, lead, h("div", { class: "rows" }, ...buttons)));
};
