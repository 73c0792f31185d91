// Helpers for games against the computer.
import { User } from "./server.mjs";

/** Returns a function that starts games against the computer; it returns the player and game id. */
export const computerGameStarter =
  ({ server, browser }) =>
  async (terms, options = {}, gameServer = server) => {
    const user = await User.open(browser, gameServer, options, null);
    if (!options.name) await user.post("/api/guest", {});
    const { id } = await user.post("/api/challenge/ai", {
      level: 1,
      variant: "caterpillarWar",
      color: "first",
      ...terms,
    });
    await user.visit(`/${id}`, ".board-svg.is-interactive rect.board-cell");
    return [user, id];
  };

/** Waits until it is the player's turn; returns false if the game has ended. */
export const waitForTurn = async ({ page }) => {
  await page.waitForFunction(
    () =>
      document.querySelector(".game-result") ||
      document.querySelector("rect.board-cell.is-selectable") ||
      document.querySelector(".game-status .btn.btn-primary"),
  );
  return (await page.$(".game-result")) === null;
};
