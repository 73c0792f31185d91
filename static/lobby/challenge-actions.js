// Actions of the viewer on the challenges of the lobby: accept, cancel, decline, and leave a ready
// check. Sends the requests, and has the page change its state by the results. `lobby.js` loads
// this module with the first challenge; the buttons of the list call it.
import { goToGame } from "../common/navigation.js";
import { post } from "../lib/http.js";
import { answerReady } from "../common/challenge-card.js";
import { beginReadyCheck, endReadyCheck, onChallengeGone } from "./state.js";
import { isChoice, refusalText } from "../common/challenge-text.js";
import { toast } from "../lib/dom.js";

/** @typedef {import("./lobby.js").Lobby} Lobby */
/**
 * Accepts a challenge; asks for the game and clock if it offers several.
 * @param {Lobby} page
 * @param {Challenge} challenge
 */
export const accept = async (page, challenge) => {
  // The dialog is loaded on first use.
  const choice = isChoice(challenge)
    ? await (
        await import("../common/notice-bar.js")
      ).openOfferDialog(challenge, page.catalog, page.state.me)
    : {};
  if (!choice) return;
  try {
    const { id, ready, readyBy } = await post(`/api/challenge/${challenge.id}/accept`, choice);
    if (ready !== false) return void goToGame(id);
    page.change(beginReadyCheck(page.state, challenge.id, /** @type {number} */ (readyBy)));
  } catch (refused) {
    toast(refusalText(refused, challenge));
  }
};

/**
 * @param {Lobby} _page
 * @param {Challenge} challenge
 */
export const cancel = async (_page, { id }) => {
  await post(`/api/challenge/${id}/cancel`).catch((refused) => toast(refused.message));
};

/**
 * @param {Lobby} page
 * @param {Challenge} challenge
 */
export const decline = async (page, challenge) => {
  const { openDeclineDialog: askDecline } = await import("../common/notice-bar.js");
  askDecline(
    challenge,
    page.state.me,
    () => page.change(onChallengeGone(page.state, { id: challenge.id, status: "declined" })),
    (refused) => toast(refused.message),
  );
};

/**
 * Cancels the ready check in which the viewer waits for the challenger.
 * @param {Lobby} page
 * @param {Challenge} challenge
 */
export const leave = async (page, { id }) => {
  page.change(endReadyCheck(page.state, id));
  await answerReady(id, "no").catch((refused) => toast(refused.message));
};
