// Helpers for games against the computer.
import { Person } from "./server.mjs";

/** Returns a function that starts games against the computer; it returns the player and game id. */
export const againstIn =
  ({ server, browser }) =>
  async (terms, options = {}, at = server) => {
    const person = await Person.open(browser, at, options, null);
    if (!options.name) await person.told("/api/guest", {});
    const { id } = await person.told("/api/challenge/ai", {
      level: 1,
      variant: "caterpillarWar",
      color: "first",
      ...terms,
    });
    await person.visit(`/${id}`, ".board-svg.is-interactive rect.board-cell");
    return [person, id];
  };

/** Waits until it is the player's turn; returns false if the game has ended. */
export const mine = async ({ page }) => {
  await page.waitForFunction(
    () =>
      document.querySelector(".game-result") ||
      document.querySelector("rect.board-cell.is-selectable") ||
      document.querySelector(".game-status .btn.btn-primary"),
  );
  return (await page.$(".game-result")) === null;
};
