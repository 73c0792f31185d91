// Button that follows a player or ends it. Used by the page of a player and by the list of followed
// players.
import { asyncButton } from "../lib/form.js";
import { userHandle } from "../common/user-link.js";
import { overrideReason, t } from "../lib/i18n.js";
import { post } from "../lib/http.js";

/**
 * Returns the button. `changed` receives the new state.
 * @param {Person} player
 * @param {boolean} following  state at first
 * @param {(following: boolean) => unknown} [changed]
 * @param {string} [label]  accessible name; by default the text
 */
export const followButton = (player, following, changed, label) => {
  let isFollowing = following;
  const draw = () => {
    const text = t(isFollowing ? "follow.end" : "follow.begin");
    button.textContent = text;
    if (label) button.setAttribute("aria-label", `${text}: ${label}`);
  };
  const button = asyncButton(
    "",
    async () => {
      await post(`/api/rel/${isFollowing ? "unfollow" : "follow"}/${userHandle(player)}`)
        .catch(overrideReason("tooMany", "follow.tooMany"))
        .catch(overrideReason("blocked", "follow.blocked"));
      isFollowing = !isFollowing;
      draw();
      changed?.(isFollowing);
    },
    "btn btn-quiet",
  );
  draw();
  return button;
};
